import type { alarmCenter } from '@wattdeck/contract/product/alarm-center.ts'
import { alarmKind } from '@wattdeck/contract/product/alarm-codes.ts'
import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { defaultRules, rulesInForce } from '../../../core/devices/alarms/alarm-rule.store.ts'

/** Rules of an organisation, or of the platform when none is given. */
export async function readRules(db: Db, organiseId: string | undefined) {
  if (organiseId === undefined) return defaultRules(db)
  const ruleOf = await rulesInForce(db, [organiseId])
  return alarmKind.options.flatMap(({ value }) => ruleOf(organiseId, value) ?? [])
}

type Values = Omit<BodyOf<typeof alarmCenter.saveRule>, 'organiseId'>
const columnsOf = (rule: Values, by: string) => ({
  enabled: rule.enabled,
  threshold: rule.threshold ?? null,
  minutes: rule.minutes ?? null,
  hold_down_min: rule.holdDownMin,
  severity: rule.severity,
  recovers: rule.recovers,
  opens_ticket: rule.opensTicket,
  notify_types: rule.notifyTypes ?? [],
  sms_types: rule.smsTypes ?? [],
  updated_by: by,
})

export async function saveDefault(db: Db, rule: Values, by: string): Promise<void> {
  await db.updateTable('alarm_default').set(columnsOf(rule, by)).where('kind', '=', rule.kind).execute()
}

export async function saveOwn(db: Db, organiseId: string, rule: Values, by: string): Promise<void> {
  const columns = columnsOf(rule, by)
  await db
    .insertInto('alarm_rule')
    .values({ organise_id: organiseId, kind: rule.kind, ...columns })
    .onConflict((conflict) => conflict.columns(['organise_id', 'kind']).doUpdateSet(columns))
    .execute()
}

export async function dropOwn(db: Db, organiseId: string, kind: number): Promise<void> {
  await sql`delete from alarm_rule where organise_id = ${organiseId} and kind = ${kind}`.execute(db)
}
