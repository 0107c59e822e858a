import { type AccountName, accountKind, postingKind } from '@wattdeck/contract/accounting/ledger-codes.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import type { Line } from '../../../core/ledger/ledger.ts'

/** A difference with the fields that a repair needs. */
export type BreakRow = {
  id: string
  organiseId: string
  merchantId: string | null
  day: string
  pair: number
  kind: number
  subject: string
  oursFen: string | null
  theirsFen: string | null
  payOrderId: string | null
  payRefundId: string | null
  orderId: string | null
  postingId: string | null
  status: number
  provider: number | null
}

const fields = sql`id, organise_id as "organiseId", merchant_id as "merchantId", day::text as day, pair, kind, subject, ours_fen as "oursFen",
  theirs_fen as "theirsFen", pay_order_id as "payOrderId", pay_refund_id as "payRefundId", order_id as "orderId", posting_id as "postingId", status,
  (select provider from pay_merchant where pay_merchant.id = recon_break.merchant_id) as provider`

/** Locked until the transaction ends. */
export async function lockBreak(db: Db, id: string): Promise<BreakRow | undefined> {
  const { rows } = await sql<BreakRow>`select ${fields} from recon_break where id = ${id} for update`.execute(db)
  return rows[0]
}

/** Without a lock: previewing repair options must not block other users. */
export async function findBreak(db: Db, id: string): Promise<BreakRow | undefined> {
  const { rows } = await sql<BreakRow>`select ${fields} from recon_break where id = ${id}`.execute(db)
  return rows[0]
}

export type PayFacts = {
  id: string
  provider: number
  purpose: number
  memberId: string | null
  amountFen: string
  late: boolean
  agentId: string | null
  siteId: string | null
}
export async function payFacts(db: Db, id: string): Promise<PayFacts | undefined> {
  const { rows } = await sql<PayFacts>`
    select id, provider, purpose, member_id as "memberId", amount_fen as "amountFen", paid_late as late, agent_id as "agentId", site_id as "siteId"
    from pay_order where id = ${id}`.execute(db)
  return rows[0]
}

export type RefundFacts = {
  id: string
  payOrderId: string
  provider: number
  amountFen: string
  agentId: string | null
  siteId: string | null
}
export async function refundFacts(db: Db, id: string): Promise<RefundFacts | undefined> {
  const { rows } = await sql<RefundFacts>`
    select back.id, back.pay_order_id as "payOrderId", pay.provider, back.amount_fen as "amountFen", back.agent_id as "agentId", back.site_id as "siteId"
    from pay_refund back join pay_order pay on pay.id = back.pay_order_id where back.id = ${id}`.execute(db)
  return rows[0]
}

export type OrderFacts = {
  id: string
  memberId: string | null
  agentId: string | null
  siteId: string | null
  electricityFen: string
  serviceFen: string
  occupancyFen: string
  paidFen: string
  giftFen: string
  heldPaidFen: string
  heldGiftFen: string
}
export async function orderFacts(db: Db, id: string): Promise<OrderFacts | undefined> {
  const { rows } = await sql<OrderFacts>`
    select id, member_id as "memberId", agent_id as "agentId", site_id as "siteId", electricity_fen as "electricityFen", service_fen as "serviceFen",
      occupancy_fen as "occupancyFen", paid_fen as "paidFen", gift_fen as "giftFen", held_paid_fen as "heldPaidFen", held_gift_fen as "heldGiftFen"
    from charging_order where id = ${id}`.execute(db)
  return rows[0]
}

const names = new Map<number, AccountName>(
  Object.entries(accountKind.code).map(([name, code]) => [code, name as AccountName]),
)
type Booked = { kind: number; owner: string; fen: string }
const linesOf = (rows: Booked[]): Line[] =>
  rows.flatMap(({ kind, owner, fen }) => {
    const account = names.get(kind)
    return account === undefined ? [] : [{ account, owner, fen: BigInt(fen) }]
  })

/** The net amounts of a posting by account. */
export async function linesOfPosting(db: Db, organiseId: string, postingId: string): Promise<Line[]> {
  const { rows } = await sql<Booked>`
    select account.kind, account.owner_id::text as owner, sum(entry.amount_fen)::text as fen from entry join account on account.id = entry.account_id
    where entry.posting_id = ${postingId} and entry.organise_id = ${organiseId} group by 1, 2 order by 1, 2`.execute(db)
  return linesOf(rows)
}

const { recharge, gift, channelFee, bill } = postingKind.code
/** The amounts posted for a payment: the receipt, the gift and the fee. */
export async function linesOfPayment(db: Db, organiseId: string, no: string): Promise<Line[]> {
  const { rows } = await sql<Booked>`
    select account.kind, account.owner_id::text as owner, sum(entry.amount_fen)::text as fen from entry join account on account.id = entry.account_id
    where entry.ref = ${no} and entry.organise_id = ${organiseId} and entry.kind in (${recharge}, ${gift}, ${channelFee})
    group by 1, 2 having sum(entry.amount_fen) <> 0 order by 1, 2`.execute(db)
  return linesOf(rows)
}

/** The income posted for an order, by account. */
export async function incomeOf(db: Db, organiseId: string, orderId: string): Promise<Line[]> {
  const { siteElectricity, siteService, siteOccupancy } = accountKind.code
  const { rows } = await sql<Booked>`
    select account.kind, account.owner_id::text as owner, sum(entry.amount_fen)::text as fen from entry join account on account.id = entry.account_id
    where entry.ref = ${orderId} and entry.organise_id = ${organiseId} and entry.kind = ${bill}
      and account.kind in (${siteElectricity}, ${siteService}, ${siteOccupancy})
    group by 1, 2 order by 1, 2`.execute(db)
  return linesOf(rows)
}
