import { yuanText } from '@wattdeck/domain/money.ts'
import { suspicionsOf } from '@wattdeck/domain/refund.ts'
import { sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'
import type { BilledOrder } from './order-refund.store.ts'

export type Policy = {
  enabled: boolean
  maxFen: string
  dayFen: string
  /** Amount spent today. */
  spentFen: string
  updatedById: string
  updatedBy: string
  updatedAt: string
}

/** The limits of automatic approval of an organisation; locked before spending from its budget. */
export async function readPolicy(db: Db, organiseId: string, how: 'lock' | 'look') {
  const { rows } = await sql<Policy>`
    select enabled, max_fen as "maxFen", day_fen as "dayFen", case when spent_on = current_date then spent_fen else 0 end::text as "spentFen",
      updated_by_id as "updatedById", updated_by as "updatedBy", updated_at as "updatedAt"
    from refund_policy where organise_id = ${organiseId} ${how === 'lock' ? sql`for update` : sql``}`.execute(db)
  return rows[0]
}

type NewPolicy = {
  organiseId: string
  enabled: boolean
  maxFen: bigint
  dayFen: bigint
  by: { id: string; name: string }
}
export async function writePolicy(db: Db, policy: NewPolicy): Promise<void> {
  const { organiseId, enabled, by } = policy
  const [max, day] = [policy.maxFen.toString(), policy.dayFen.toString()]
  await sql`insert into refund_policy (organise_id, enabled, max_fen, day_fen, updated_by_id, updated_by)
    values (${organiseId}, ${enabled}, ${max}, ${day}, ${by.id}, ${by.name})
    on conflict (organise_id) do update set enabled = excluded.enabled, max_fen = excluded.max_fen, day_fen = excluded.day_fen,
      updated_by_id = excluded.updated_by_id, updated_by = excluded.updated_by, updated_at = now()`.execute(db)
}

/** Why a rule approved a refund, with all figures that it used. */
export type Trace = {
  words: string
  reasons: string[]
  amountFen: string
  maxFen: string
  dayFen: string
  spentBeforeFen: string
  leftFen: string
}

/**
 * Approves a refund by rule and deducts it from the day's budget. Undefined: staff decide. The rule does not apply to
 * requests of the person who set it (maker-checker).
 */
export async function spendByRule(
  db: Db,
  order: BilledOrder,
  ask: { amountFen: bigint; byId: string },
): Promise<Trace | undefined> {
  const reasons = suspicionsOf(order)
  if (reasons.length === 0) return undefined
  const policy = await readPolicy(db, order.organiseId, 'lock')
  if (policy?.enabled !== true || policy.updatedById === ask.byId) return undefined
  const [max, day, spent] = [BigInt(policy.maxFen), BigInt(policy.dayFen), BigInt(policy.spentFen)]
  const left = day - spent - ask.amountFen
  if (ask.amountFen > max || left < 0n) return undefined
  await sql`update refund_policy set spent_on = current_date, spent_fen = ${(spent + ask.amountFen).toString()}
    where organise_id = ${order.organiseId}`.execute(db)
  return {
    words: `${reasons.join('、')}；${yuanText(ask.amountFen)}元不超过单笔上限${yuanText(max)}元；当日预算${yuanText(day)}元，剩余${yuanText(left)}元`,
    reasons,
    amountFen: ask.amountFen.toString(),
    maxFen: policy.maxFen,
    dayFen: policy.dayFen,
    spentBeforeFen: policy.spentFen,
    leftFen: left.toString(),
  }
}
