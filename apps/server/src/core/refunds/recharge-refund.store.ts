import { rechargeProvider, rechargeTarget } from '@wattdeck/contract/accounting/pay-codes.ts'
import { stepFlow } from '@wattdeck/contract/order/refund-codes.ts'
import { sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'
import { stepAllowed } from './steps.store.ts'
import { storedRecharge } from '../payments/stored-status.ts'

type Place = { organiseId: string; agentId: string | null; siteId: string | null }
export type PaidRecharge = Place & {
  id: string
  memberId: string
  payOrderId: string
  provider: number
  amountFen: bigint
  giftFen: bigint
  refundedFen: bigint
  refundedGiftFen: bigint
}
type Amounts = 'amountFen' | 'giftFen' | 'refundedFen' | 'refundedGiftFen'

/** A paid recharge, locked before a refund. One that was taken at the desk has no payment; `quoteRecharge` refuses it. */
export async function readRecharge(db: Db, id: string, how: 'lock' | 'look') {
  const { rows } = await sql<Omit<PaidRecharge, Amounts> & Record<Amounts, string>>`
    select id, organise_id as "organiseId", agent_id as "agentId", site_id as "siteId", member_id as "memberId", pay_order_id as "payOrderId", provider,
      amount_fen as "amountFen", gift_fen as "giftFen", refunded_fen as "refundedFen", refunded_gift_fen as "refundedGiftFen"
    from recharge_order where id = ${id} and status = ${storedRecharge.number.paid}
      and (target = ${rechargeTarget.code.wallet} and pay_order_id is not null or provider = ${rechargeProvider.code.offline})
    ${how === 'lock' ? sql`for update` : sql``}`.execute(db)
  const [row] = rows
  if (row === undefined) return undefined
  const { amountFen, giftFen, refundedFen, refundedGiftFen, ...rest } = row
  return {
    ...rest,
    amountFen: BigInt(amountFen),
    giftFen: BigInt(giftFen),
    refundedFen: BigInt(refundedFen),
    refundedGiftFen: BigInt(refundedGiftFen),
  } satisfies PaidRecharge
}

type NewRefund = {
  recharge: PaidRecharge
  amountFen: bigint
  gift: bigint
  giftSpent: bigint
  payout: bigint
  reason: string
  /** The id is null if the member requests the refund. */
  by: { id: string | null; name: string }
}
export async function addRefund(db: Db, { recharge, by, ...params }: NewRefund): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into recharge_refund (organise_id, agent_id, site_id, recharge_id, pay_order_id, provider, member_id, amount_fen, payout_fen, gift_fen,
      gift_spent_fen, reason, created_by_id, created_by)
    values (${recharge.organiseId}, ${recharge.agentId}, ${recharge.siteId}, ${recharge.id}, ${recharge.payOrderId}, ${recharge.provider},
      ${recharge.memberId}, ${params.amountFen.toString()}, ${params.payout.toString()}, ${params.gift.toString()}, ${params.giftSpent.toString()},
      ${params.reason}, ${by.id}, ${by.name}) returning id`.execute(db)
  return rows[0]?.id ?? ''
}

export type StoredRefund = Place & {
  id: string
  rechargeId: string
  payOrderId: string
  provider: number
  memberId: string
  amountFen: bigint
  payoutFen: bigint
  giftFen: bigint
  giftSpentFen: bigint
  reason: string
  status: string
  createdById: string | null
  auditedById: string | null
  payRefundId: string | null
  stuck: boolean
}
type Sums = 'amountFen' | 'payoutFen' | 'giftFen' | 'giftSpentFen'

/** A refund in the caller's scope, locked before a change of status. */
export async function readRefund(db: Db, id: string, how: 'lock' | 'look') {
  const { rows } = await sql<Omit<StoredRefund, Sums> & Record<Sums, string>>`
    select id, organise_id as "organiseId", agent_id as "agentId", site_id as "siteId", recharge_id as "rechargeId", pay_order_id as "payOrderId", provider,
      member_id as "memberId", amount_fen as "amountFen", payout_fen as "payoutFen", gift_fen as "giftFen", gift_spent_fen as "giftSpentFen", reason, status,
      created_by_id as "createdById", audited_by_id as "auditedById", pay_refund_id as "payRefundId", stuck
    from recharge_refund where id = ${id} ${how === 'lock' ? sql`for update` : sql``}`.execute(db)
  const [row] = rows
  if (row === undefined) return undefined
  return {
    ...row,
    amountFen: BigInt(row.amountFen),
    payoutFen: BigInt(row.payoutFen),
    giftFen: BigInt(row.giftFen),
    giftSpentFen: BigInt(row.giftSpentFen),
  } satisfies StoredRefund
}

/** Cancels a refund: by its requester before the approval, or after a failure at the provider. */
export async function writeCancel(db: Db, id: string, action: 'cancel' | 'giveBack', words?: string) {
  const { numAffectedRows } = await sql`
    update recharge_refund set status = ${stepFlow.to(action)}, stuck = false, words = coalesce(${words ?? null}, words), finished_at = now()
    where id = ${id} and ${stepAllowed(action)}`.execute(db)
  return numAffectedRows === 1n
}

/** Records the current attempt at the provider. */
export async function writeAttempt(db: Db, id: string, payRefundId: string, words: string | null) {
  await sql`update recharge_refund set pay_refund_id = ${payRefundId}, stuck = false, words = ${words} where id = ${id}`.execute(
    db,
  )
}

export async function writeStuck(db: Db, id: string, words: string): Promise<void> {
  await sql`update recharge_refund set stuck = true, words = ${words.slice(0, 200)} where id = ${id} and ${stepAllowed('finish')}`.execute(
    db,
  )
}

export async function writeFinish(db: Db, id: string): Promise<void> {
  await sql`update recharge_refund set status = ${stepFlow.to('finish')}, stuck = false, words = null, finished_at = now()
    where id = ${id} and ${stepAllowed('finish')}`.execute(db)
}
