import { payRefundStatus } from '@wattdeck/contract/accounting/pay-codes.ts'
import { sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'
import { storedPay, storedRecharge } from '../payments/stored-status.ts'

/** A recharge with a remaining amount that can be refunded to its payer. */
export type Source = { rechargeId: string; payOrderId: string; provider: number; leftFen: bigint }

/** More recharges than a refund needs, and few enough to lock. */
const most = 20

const open = sql`recharge.status = ${storedRecharge.number.paid} and recharge.refunded_fen < recharge.amount_fen and pay.status = ${storedPay.number.paid}
  and pay.refunded_fen < pay.amount_fen`
const left = sql`least(recharge.amount_fen - recharge.refunded_fen, pay.amount_fen - pay.refunded_fen)`

/** A member's newest recharges with their refundable amounts. */
export async function sourcesOf(db: Db, memberId: string): Promise<Source[]> {
  const { rows } = await sql<Omit<Source, 'leftFen'> & { leftFen: string }>`
    select recharge.id as "rechargeId", pay.id as "payOrderId", pay.provider, ${left}::text as "leftFen"
    from recharge_order recharge join pay_order pay on pay.id = recharge.pay_order_id
    where recharge.member_id = ${memberId} and ${open} order by recharge.id desc limit ${most}`.execute(db)
  return rows.map((row) => ({ ...row, leftFen: BigInt(row.leftFen) }))
}

/** The same with each payment locked, in id order. Every change of a payment acquires this lock first. */
export async function lockSources(db: Db, memberId: string): Promise<Source[]> {
  const ids = (await sourcesOf(db, memberId)).map(({ payOrderId }) => payOrderId)
  await sql`select id from pay_order where id = any(${ids}::bigint[]) order by id for update`.execute(db)
  return (await sourcesOf(db, memberId)).filter(({ payOrderId }) => ids.includes(payOrderId))
}

/** Changes the refunded amounts of a recharge and its gift, pending ones included. A constraint refuses more than was paid. */
export async function shiftRecharge(db: Db, id: string, fen: bigint, giftFen = 0n): Promise<void> {
  await sql`update recharge_order set refunded_fen = refunded_fen + ${fen.toString()}, refunded_gift_fen = refunded_gift_fen + ${giftFen.toString()}
    where id = ${id}`.execute(db)
}

export async function rechargeOf(db: Db, payOrderId: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`select ref_id as id from pay_order where id = ${payOrderId}`.execute(db)
  return rows[0]?.id ?? ''
}

const { toSend, processing, abnormal } = payRefundStatus.code

/** Whether a provider refund of a request is still pending or stuck. */
export async function underWay(db: Db, purpose: number, refId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from pay_refund where ref_id = ${refId} and purpose = ${purpose}
    and status in (${toSend}, ${processing}, ${abnormal}) limit 1`.execute(db)
  return rows.length > 0
}

/** Refunds of a request that the payer's account cannot receive. */
export async function stuckOf(db: Db, purpose: number, refId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from pay_refund where ref_id = ${refId} and purpose = ${purpose}
    and status = ${abnormal} order by pay_order_id`.execute(db)
  return rows.map(({ id }) => id)
}
