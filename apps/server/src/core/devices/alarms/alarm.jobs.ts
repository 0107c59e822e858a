import { alarmSeverity } from '@wattdeck/contract/product/alarm-codes.ts'
import { repairPriority, repairSource } from '@wattdeck/contract/product/repair-ticket.ts'
import { sql } from 'kysely'
import type pg from 'pg'
import type { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { type Db, inScope, commit } from '../../../kit/db/db.ts'
import { startPeriodicJob } from '../../../kit/jobs/every.ts'
import { enqueueOn } from '../../../kit/jobs/jobs.ts'
import { publishToOrganisation } from '../../../kit/events/outbox.ts'
import { systemScope } from '../../../kit/db/system-scope.ts'
import { TenantRounds } from '../../../kit/jobs/tenant-rounds.ts'
import { addTicket, faultText } from '../repair.store.ts'
import { foldFindings, judge, standing } from './alarm-judge.ts'
import { notifyAboutAlarms } from './alarm-notice.jobs.ts'
import { attemptRecovery } from './alarm-recovery.ts'
import { rulesInForce } from './alarm-rule.store.ts'
import * as store from './alarm.store.ts'
import { groupAlarms } from './incident.jobs.ts'

const everyMs = 1000
const groupEveryMs = 10_000

/**
 * Turns signals into alarms, closes recovered alarms and groups alarms with a common cause. Each organisation has its own
 * transaction, so that a failure affects no other organisation. Several workers share the organisations.
 */
export function watchAlarms(pool: pg.Pool, boss: PgBoss, log: Logger): () => Promise<void> {
  const rounds = new TenantRounds(log, 'alarms of an organisation not processed; will retry')
  let groupedMs = Number.NEGATIVE_INFINITY
  const round = async () => {
    const grouping = performance.now() - groupedMs >= groupEveryMs
    if (grouping) groupedMs = performance.now()
    await runAlarmRound(pool, boss, rounds, grouping)
  }
  return startPeriodicJob({ name: 'alarms', everyMs, round, log })
}

/** One round over all organisations with pending work, except those in back-off after a failure. */
async function runAlarmRound(pool: pg.Pool, boss: PgBoss, rounds: TenantRounds, grouping: boolean): Promise<void> {
  const organiseIds = await inScope(pool, systemScope, 'read', async ({ db }) =>
    commit(await store.organisesDue(db, rounds.resting(), grouping)),
  )
  await rounds.run(organiseIds, (organiseId) => processOrganise(pool, boss, organiseId, grouping))
}

const processOrganise = (pool: pg.Pool, boss: PgBoss, organiseId: string, grouping: boolean): Promise<void> =>
  inScope(pool, systemScope, 'record', async ({ db, client }) => {
    const { rows } = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(hashtext('wattdeck alarms'), hashtext(${organiseId})) as mine`.execute(db)
    if (rows[0]?.mine !== true) return commit(undefined)
    const raised = await takeSignals(db, organiseId, Date.now())
    const closed = await closeHealthy(db, organiseId)
    await notifyAboutAlarms(db, organiseId, enqueueOn(boss, client))
    const grouped = grouping && (await groupAlarms(db, organiseId))
    if (raised || closed || grouped)
      await publishToOrganisation(
        db,
        { organise_id: organiseId, agent_id: null, site_id: null },
        { kind: 'changed', list: 'alarm' },
      )
    return commit(undefined)
  })

/** Returns whether alarms of the organisation have changed. */
async function takeSignals(db: Db, organiseId: string, nowMs: number): Promise<boolean> {
  const signals = await store.dueSignals(db, organiseId)
  if (signals.length === 0) return false
  const inForce = await rulesInForce(db, [organiseId])
  const judged = signals.map((signal) => ({ signal, verdict: judge(signal, inForce(organiseId, signal.kind), nowMs) }))
  const findings = foldFindings(judged)
  const ruleOf: Parameters<typeof store.raiseAlarms>[2] = (_deviceId, kind) => inForce(organiseId, kind)
  const raised = await store.raiseAlarms(db, findings, ruleOf)
  await store.healAlarms(db, findings, ruleOf)
  await store.settleSignals(db, judged)
  for (const alarm of raised) {
    const rule = ruleOf(alarm.deviceId, alarm.kind)
    if (rule?.recovers === true) await attemptRecovery(db, alarm)
    if (rule?.opensTicket === true) await openTicket(db, alarm, rule.severity)
  }
  return findings.length > 0
}

const openTicket = (db: Db, alarm: store.Raised, severity: number): Promise<string> =>
  addTicket(db, {
    organise_id: alarm.organise_id,
    agent_id: alarm.agent_id,
    site_id: alarm.site_id,
    device_id: alarm.deviceId,
    device_no: alarm.deviceNo,
    port_no: alarm.portNo === 0 ? null : alarm.portNo,
    alarm_id: alarm.id,
    fault: alarm.kind,
    description: faultText(alarm.kind, alarm.detail),
    source: repairSource.code.alarm,
    priority: severity === alarmSeverity.code.critical ? repairPriority.code.high : repairPriority.code.normal,
    created_by: '系统',
  })

async function closeHealthy(db: Db, organiseId: string): Promise<boolean> {
  const due = await store.alarmsToClose(db, organiseId)
  if (due.length === 0) return false
  const { well = [], sick = [], unknown = [] } = Object.groupBy(due, (alarm) => standing(alarm.kind, alarm))
  const idsOf = (alarms: readonly store.Closing[]) => alarms.map(({ id }) => id)
  await store.closeAlarms(db, idsOf(well))
  await store.reopenWatch(db, idsOf(sick))
  await store.lookLater(db, idsOf(unknown))
  return well.length > 0
}
