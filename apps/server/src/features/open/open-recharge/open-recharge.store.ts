import { type rechargeStatus, rechargeTarget } from '@wattdeck/contract/accounting/pay-codes.ts'
import { sql } from 'kysely'
import { mayHaveBlocks } from '../../../core/charging/member-block.store.ts'
import type { Db } from '../../../kit/db/db.ts'
import { storedRecharge } from '../../../core/payments/stored-status.ts'

export async function findMember(db: Db, id: string) {
  const { rows } = await sql<{
    id: string
    organiseId: string
    agentId: string | null
    siteId: string | null
    status: number
    hasBlocks: boolean
  }>`select id, organise_id as "organiseId", agent_id as "agentId", site_id as "siteId", status,
      ${mayHaveBlocks('member.organise_id')} as "hasBlocks"
    from member where id = ${id}`.execute(db)
  return rows[0]
}

type NewRecharge = {
  place: { organiseId: string; agentId: string | null; siteId: string | null }
  memberId: string
  provider: number
  fen: bigint
  giftFen: bigint
  planId: string | null
  giftValidDays: number | null
}
export async function addRecharge(db: Db, { place, ...params }: NewRecharge): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into recharge_order (organise_id, agent_id, site_id, target, member_id, provider, amount_fen, gift_fen,
      plan_id, gift_valid_days)
    values (${place.organiseId}, ${place.agentId}, ${place.siteId}, ${rechargeTarget.code.wallet}, ${params.memberId}, ${params.provider},
      ${params.fen.toString()}, ${params.giftFen.toString()}, ${params.planId}, ${params.giftValidDays}) returning id`.execute(
    db,
  )
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
  giftValidDays: number | null
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
 * Every paying client polls this every few seconds. The payment is a second query by id: for a literal id the planner
 * selects one partition. A join would plan a search of all partitions.
 */
export async function readRecharge(db: Db, id: string): Promise<(Recharge & Payment) | undefined> {
  const recharges = await sql<Recharge>`
    select id as "rechargeNo", member_id as "memberId", amount_fen as "amountFen", gift_fen as "giftFen", gift_valid_days as "giftValidDays", provider,
      ${storedRecharge.codeIn(sql`status`)} as status, created_at as "createdAt", paid_at as "paidAt", pay_order_id as "payOrderId"
    from recharge_order where id = ${id} and member_id is not null and pay_order_id is not null`.execute(db)
  const [recharge] = recharges.rows
  if (recharge === undefined) return undefined
  const payments = await sql<Payment>`
    select handle, failure, expires_at as "expiresAt" from pay_order where id = ${recharge.payOrderId}`.execute(db)
  const [payment] = payments.rows
  return payment === undefined ? undefined : { ...recharge, ...payment }
}
