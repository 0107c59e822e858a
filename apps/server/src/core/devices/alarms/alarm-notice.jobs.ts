import { alarmKind, alarmSeverity } from '@wattdeck/contract/product/alarm-codes.ts'
import { popupType } from '@wattdeck/contract/auth/notification.ts'
import type { Db } from '../../../kit/db/db.ts'
import type { Enqueue } from '../../../kit/jobs/jobs.ts'
import { notifyAll } from '../../../kit/events/outbox.ts'
import * as store from './alarm-notice.store.ts'
import { rulesInForce } from './alarm-rule.store.ts'

/** Notifies the user types of the rules about new alarms in their scope, with one notification per round. */
export async function notifyAboutAlarms(db: Db, organiseId: string, enqueue: Enqueue): Promise<void> {
  if (!(await store.isNotificationDue(db, organiseId))) return
  const ruleOf = await rulesInForce(db, [organiseId])
  const alarms = await store.claimNewAlarms(db, organiseId)
  const readers = await store.readersOf(db, organiseId)
  const alarmsBy = (by: 'notifyTypes' | 'smsTypes') => (reader: store.AlarmReader) =>
    alarms.filter((alarm) => ruleOf(organiseId, alarm.kind)?.[by].includes(reader.userType) && sees(reader, alarm))
  for (const { text, critical, people } of groupReaders(readers, alarmsBy('notifyTypes')))
    await notifyAll(db, people, {
      type: critical ? popupType.code.platformWarning : popupType.code.system,
      title: critical ? '紧急告警' : '设备告警',
      body: text,
      route: '/product/alarmCenter',
    })
  for (const { text, people } of groupReaders(readers, alarmsBy('smsTypes')))
    for (const messageId of await store.writeTexts(db, people, text.slice(0, 35)))
      await enqueue('sms.send', { messageId })
}

/** Same visibility as row-level security. */
const sees = ({ agent_id, site_id, agentIds }: store.AlarmReader, { agentId, siteId }: store.NewAlarm): boolean => {
  if (site_id !== null) return siteId === site_id
  return agent_id === null || (agentId !== null && agentIds.includes(agentId))
}

/** Groups readers with the same text into one notification. */
function groupReaders(
  readers: readonly store.AlarmReader[],
  alarmsFor: (reader: store.AlarmReader) => store.NewAlarm[],
) {
  const notices = new Map<string, { text: string; critical: boolean; people: store.AlarmReader[] }>()
  for (const reader of readers) {
    const alarms = alarmsFor(reader)
    if (alarms.length === 0) continue
    const text = summaryOf(alarms)
    const critical = alarms.some(({ severity }) => severity === alarmSeverity.code.critical)
    const key = `${critical}${text}`
    const notice = notices.get(key) ?? { text, critical, people: [] }
    notice.people.push(reader)
    notices.set(key, notice)
  }
  return [...notices.values()]
}

/** '3 条新告警：烟感报警 1，设备离线 2' */
function summaryOf(alarms: readonly store.NewAlarm[]): string {
  const kinds = Map.groupBy(
    alarms.toSorted((one, other) => one.severity - other.severity),
    ({ kind }) => kind,
  )
  const parts = [...kinds].map(([kind, own]) => `${alarmKind.show(kind).label} ${own.length}`)
  return `${alarms.length} 条新告警：${parts.join('，')}`
}
