import { type rechargeStatus, rechargeTarget } from '@wattdeck/contract/accounting/pay-codes.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { storedRecharge } from '../../../core/payments/stored-status.ts'

export type Tier = { id: string; payFen: string; giftFen: string }

export async function listTiers(db: Db, organiseId: string): Promise<Tier[]> {
  const { rows } = await sql<Tier>`select id, pay_fen as "payFen", gift_fen as "giftFen" from recharge_tier
    where organise_id = ${organiseId} and status = 1 order by pay_fen limit 100`.execute(db)
  return rows
}

export async function findMember(db: Db, id: string) {
  const { rows } = await sql<{
    id: string
    organiseId: string
    agentId: string | null
    siteId: string | null
    status: number
  }>`select id, organise_id as "organiseId", agent_id as "agentId", site_id as "siteId", status from member where id = ${id}`.execute(
    db,
  )
  return rows[0]
}

type NewRecharge = {
  place: { organiseId: string; agentId: string | null; siteId: string | null }
  memberId: string
  provider: number
  fen: bigint
  giftFen: bigint
}
export async function addRecharge(db: Db, { place, ...wish }: NewRecharge): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into recharge_order (organise_id, agent_id, site_id, target, member_id, provider, amount_fen, gift_fen)
    values (${place.organiseId}, ${place.agentId}, ${place.siteId}, ${rechargeTarget.code.wallet}, ${wish.memberId}, ${wish.provider},
      ${wish.fen.toString()}, ${wish.giftFen.toString()}) returning id`.execute(db)
  return rows[0]?.id ?? ''
}

export async function linkPayment(db: Db, id: string, payOrderId: string): Promise<void> {
  await sql`update recharge_order set pay_order_id = ${payOrderId} where id = ${id}`.execute(db)
}

type Recharge = {
  rechargeNo: string
  memberId: string
  amountFen: string
  giftFen: string
  provider: 1 | 2
  status: (typeof rechargeStatus.options)[number]['value']
  createdAt: string
  paidAt: string | null
  payOrderId: string
}
type Payment = {
  handle: { codeUrl?: string; handOver?: Record<string, string> } | null
  failure: string | null
  expiresAt: string
}

/**
 * Asked for every few seconds by everybody who is about to pay. The payment is read by its number and not joined: of a
 * number the planner knows the month, while a join has it plan a search through every month that is kept.
 */
export async function readRecharge(db: Db, id: string): Promise<(Recharge & Payment) | undefined> {
  const recharges = await sql<Recharge>`
    select id as "rechargeNo", member_id as "memberId", amount_fen as "amountFen", gift_fen as "giftFen", provider,
      ${storedRecharge.codeIn(sql`status`)} as status, created_at as "createdAt", paid_at as "paidAt", pay_order_id as "payOrderId"
    from recharge_order where id = ${id} and member_id is not null and pay_order_id is not null`.execute(db)
  const [recharge] = recharges.rows
  if (recharge === undefined) return undefined
  const payments = await sql<Payment>`
    select handle, failure, expires_at as "expiresAt" from pay_order where id = ${recharge.payOrderId}`.execute(db)
  const [payment] = payments.rows
  return payment === undefined ? undefined : { ...recharge, ...payment }
}
