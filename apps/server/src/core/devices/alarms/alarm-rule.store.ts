import type { AlarmRule } from '@wattdeck/contract/product/alarm-center.ts'
import type { AlarmKindCode } from '@wattdeck/contract/product/alarm-codes.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'

type RuleRow = AlarmRule & { organiseId: string }
const columns = sql.raw(`kind, enabled, threshold, minutes, hold_down_min as "holdDownMin", severity, recovers,
  opens_ticket as "opensTicket", notify_types as "notifyTypes", sms_types as "smsTypes"`)

/** The default rules of the platform, one per kind. */
export async function defaultRules(db: Db): Promise<AlarmRule[]> {
  const { rows } = await sql<AlarmRule>`select ${columns}, false as own from alarm_default order by kind`.execute(db)
  return rows
}

/** The rules in force for these organisations: their own rule if it exists, otherwise the default. */
export async function rulesInForce(db: Db, organiseIds: readonly string[]) {
  const [defaults, { rows: own }] = await Promise.all([
    defaultRules(db),
    sql<RuleRow>`select organise_id as "organiseId", ${columns}, true as own from alarm_rule
      where organise_id = any(${organiseIds}::bigint[])`.execute(db),
  ])
  const written = new Map(own.map(({ organiseId, ...rule }) => [`${organiseId}.${rule.kind}`, rule]))
  const general = new Map(defaults.map((rule) => [rule.kind, rule]))
  return (organiseId: string, kind: AlarmKindCode): AlarmRule | undefined =>
    written.get(`${organiseId}.${kind}`) ?? general.get(kind)
}
