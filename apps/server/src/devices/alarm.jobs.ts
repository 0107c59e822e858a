import { alarmSeverity } from '@wattdeck/contract/product/alarm-codes.ts'
import { repairPriority, repairSource } from '@wattdeck/contract/product/repair-ticket.ts'
import { sql } from 'kysely'
import type pg from 'pg'
import type { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { type Db, inScope, keep } from '../kit/db.ts'
import { enqueueOn } from '../kit/jobs.ts'
import { tellOrganise } from '../kit/outbox.ts'
import { systemScope } from '../kit/system-scope.ts'
import { addTicket, faultText } from '../product/repair.store.ts'
import { foldFindings, judge, standing } from './alarm-judge.ts'
import { tellOfAlarms } from './alarm-notice.jobs.ts'
import { attemptRecovery } from './alarm-recovery.ts'
import { rulesInForce } from './alarm-rule.store.ts'
import * as store from './alarm.store.ts'
import { groupAlarms } from './incident.jobs.ts'

const everyMs = 1000
const groupEveryMs = 10_000

/**
 * Turns signals into alarms, closes those that are over and finds what they have in common. Each round is one
 * transaction of one worker; the others find its lock taken and leave it be.
 */
export function watchAlarms(pool: pg.Pool, boss: PgBoss, log: Logger): () => void {
  let busy = false
  let groupedMs = 0
  const timer = setInterval(() => {
    if (busy) return
    busy = true
    const grouping = Date.now() - groupedMs >= groupEveryMs
    if (grouping) groupedMs = Date.now()
    oneRound(pool, boss, grouping)
      .catch((error: unknown) => log.error({ err: error }, 'alarms could not be looked after'))
      .finally(() => {
        busy = false
      })
  }, everyMs)
  return () => clearInterval(timer)
}

const oneRound = (pool: pg.Pool, boss: PgBoss, grouping: boolean): Promise<void> =>
  inScope(pool, systemScope, 'record', async ({ db, client }) => {
    const { rows } = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(hashtext('wattdeck alarms')) as mine`.execute(db)
    if (rows[0]?.mine !== true) return keep(undefined)
    const touched = new Set([...(await takeSignals(db, Date.now())), ...(await closeHealthy(db))])
    await tellOfAlarms(db, enqueueOn(boss, client))
    if (grouping) for (const organiseId of await groupAlarms(db)) touched.add(organiseId)
    for (const organise_id of touched)
      await tellOrganise(db, { organise_id, agent_id: null, site_id: null }, { kind: 'changed', list: 'alarm' })
    return keep(undefined)
  })

/** Answers the organisations whose alarms have changed. */
async function takeSignals(db: Db, nowMs: number): Promise<string[]> {
  const signals = await store.dueSignals(db, systemScope)
  if (signals.length === 0) return []
  const organiseOf = new Map(signals.map((signal) => [signal.deviceId, signal.organiseId]))
  const inForce = await rulesInForce(db, systemScope, [...new Set(organiseOf.values())])
  const judged = signals.map((signal) => ({
    signal,
    verdict: judge(signal, inForce(signal.organiseId, signal.kind), nowMs),
  }))
  const findings = foldFindings(judged)
  const ruleOf: Parameters<typeof store.raiseAlarms>[3] = (deviceId, kind) =>
    inForce(organiseOf.get(deviceId) ?? '', kind)
  const raised = await store.raiseAlarms(db, systemScope, findings, ruleOf)
  await store.healAlarms(db, systemScope, findings, ruleOf)
  await store.settleSignals(db, systemScope, judged)
  for (const alarm of raised) {
    const rule = ruleOf(alarm.deviceId, alarm.kind)
    if (rule?.recovers === true) await attemptRecovery(db, systemScope, alarm)
    if (rule?.opensTicket === true) await openTicket(db, alarm, rule.severity)
  }
  return findings.map(({ deviceId }) => organiseOf.get(deviceId) ?? '')
}

const openTicket = (db: Db, alarm: store.Raised, severity: number): Promise<string> =>
  addTicket(db, systemScope, {
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

async function closeHealthy(db: Db): Promise<string[]> {
  const due = await store.alarmsToClose(db, systemScope)
  if (due.length === 0) return []
  const { well = [], sick = [], unknown = [] } = Object.groupBy(due, (alarm) => standing(alarm.kind, alarm))
  const idsOf = (alarms: readonly store.Closing[]) => alarms.map(({ id }) => id)
  await store.closeAlarms(db, systemScope, idsOf(well))
  await store.reopenWatch(db, systemScope, idsOf(sick))
  await store.lookLater(db, systemScope, idsOf(unknown))
  return well.map(({ organise_id }) => organise_id)
}
