import { payRefundStatus } from '@wattdeck/contract/accounting/pay-codes.ts'
import { sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'
import type { Claim } from './pay-order.store.ts'

export type LockedRefund = {
  id: string
  payOrderId: string
  organiseId: string
  agentId: string | null
  siteId: string | null
  merchantId: string
  provider: number
  amountFen: bigint
  purpose: number
  refId: string
  status: number
}

/** Locks the payment, then the refund. Every change of either one locks the payment first. */
export async function lockRefund(db: Db, id: string): Promise<LockedRefund | undefined> {
  await sql`select id from pay_order where id = (select pay_order_id from pay_refund where id = ${id}) for update`.execute(
    db,
  )
  const { rows } = await sql<Omit<LockedRefund, 'amountFen'> & { amountFen: string }>`
    select refund.id, refund.pay_order_id as "payOrderId", refund.organise_id as "organiseId", refund.agent_id as "agentId", refund.site_id as "siteId",
      refund.merchant_id as "merchantId", pay.provider, refund.amount_fen as "amountFen", refund.purpose, refund.ref_id as "refId", refund.status
    from pay_refund refund join pay_order pay on pay.id = refund.pay_order_id where refund.id = ${id} for update of refund`.execute(
    db,
  )
  const [row] = rows
  return row === undefined ? undefined : { ...row, amountFen: BigInt(row.amountFen) }
}

type NewRefund = {
  place: { organiseId: string; agentId: string | null; siteId: string | null }
  payOrderId: string
  merchantId: string
  fen: bigint
  purpose: number
  refId: string
  reason: string
}
export async function addRefund(db: Db, refund: NewRefund): Promise<string> {
  const { place } = refund
  const { rows } = await sql<{ id: string }>`
    insert into pay_refund (organise_id, agent_id, site_id, pay_order_id, merchant_id, amount_fen, purpose, ref_id, reason, look_at)
    values (${place.organiseId}, ${place.agentId}, ${place.siteId}, ${refund.payOrderId}, ${refund.merchantId}, ${refund.fen.toString()},
      ${refund.purpose}, ${refund.refId}, ${refund.reason}, now()) returning id`.execute(db)
  return rows[0]?.id ?? ''
}

type Moved = { status: number; refundId: string | null; words: string | null; nextS: number | null }
export async function writeRefund(db: Db, id: string, moved: Moved): Promise<void> {
  const { arrived } = payRefundStatus.code
  await sql`update pay_refund set status = ${moved.status}, refund_id = coalesce(${moved.refundId}, refund_id),
      words = ${moved.words?.slice(0, 200) ?? null}, arrived_at = case when ${moved.status}::int = ${arrived} then now() end,
      look_at = now() + make_interval(secs => ${moved.nextS}) where id = ${id}`.execute(db)
}

/** Changes the refunded amount of a payment. A table constraint refuses more than was paid. */
export async function shiftRefunded(db: Db, payOrderId: string, fen: bigint): Promise<void> {
  await sql`update pay_order set refunded_fen = refunded_fen + ${fen.toString()} where id = ${payOrderId}`.execute(db)
}

export type DueRefund = {
  id: string
  payOrderId: string
  merchantId: string
  amountFen: string
  ofFen: string
  reason: string
  status: number
  looks: number
}

/** Claims due refunds like `claimPays`. */
export async function claimRefunds(db: Db, ask: Claim): Promise<DueRefund[]> {
  const due = await sql<{ id: string }>`
    select id from pay_refund where look_at <= now() and merchant_id <> all(${ask.busy}::bigint[]) order by look_at limit ${ask.most}
    for update skip locked`.execute(db)
  if (due.rows.length === 0) return []
  const { rows } = await sql<DueRefund>`
    update pay_refund refund set look_at = now() + make_interval(secs => ${ask.leaseS}), looks = least(refund.looks + 1, 1000)
    from pay_order pay where pay.id = refund.pay_order_id and refund.id = any(${due.rows.map(({ id }) => id)}::bigint[])
    returning refund.id, refund.pay_order_id as "payOrderId", refund.merchant_id as "merchantId", refund.amount_fen as "amountFen",
      pay.amount_fen as "ofFen", refund.reason, refund.status, refund.looks`.execute(db)
  return rows
}
