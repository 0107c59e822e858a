import { payStatus, payRefundStatus } from '@wattdeck/contract/accounting/pay-codes.ts'
import type { BreakDetail } from '@wattdeck/contract/accounting/reconciliation.ts'
import { orderStatus } from '@wattdeck/contract/order/order-codes.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { payNo, refundNo } from '../../../core/payments/pay-numbers.ts'
import { breakFields, toBreakRow } from './reconciliation.store.ts'
import { storedPay } from '../../../core/payments/stored-status.ts'

type Facts = BreakDetail['order']
type Raw = Record<string, string | number | null>
const yuan = (fen: string | number | null | undefined) =>
  fen === null || fen === undefined ? '–' : `¥${yuanText(BigInt(fen))}`
const fact = (label: string, value: string | number | null | undefined) => ({ label, value: String(value ?? '–') })
const one = async (rows: Promise<{ rows: Raw[] }>) => (await rows).rows[0]

/** One difference with the records of order, channel, device and ledger, as far as they exist. */
export async function readBreak(db: Db, id: string, readerId: string): Promise<BreakDetail | undefined> {
  const found = await db
    .selectFrom('recon_break')
    .select(breakFields)
    .select(['organise_id', 'merchant_id', 'pay_order_id', 'pay_refund_id', 'order_id', 'posting_id'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (found === undefined) return undefined
  const { organise_id, merchant_id, pay_order_id, pay_refund_id, order_id, posting_id, ...row } = found
  const [payment, refund, order] = [
    await paymentFacts(db, pay_order_id),
    await refundFacts(db, pay_refund_id),
    await orderFacts(db, order_id),
  ]
  const { facts: device, deviceId } = await deviceFacts(db, order_id)
  return {
    ...toBreakRow(row),
    orderId: order_id,
    deviceId,
    payOrderId: pay_order_id,
    payNo: pay_order_id === null ? null : payNo(pay_order_id),
    canQuery: pay_order_id !== null && merchant_id !== null,
    order: [...payment, ...refund, ...order],
    channel: await channelFacts(db, merchant_id, row),
    device,
    ledger: await ledgerLines(db, organise_id, row.subject, posting_id),
    repairs: await repairsOf(db, id, readerId),
  } as unknown as BreakDetail
}

async function paymentFacts(db: Db, id: string | null): Promise<Facts> {
  const pay = await one(
    sql<Raw>`select amount_fen, fee_fen, refunded_fen, status, transaction_id, paid_at from pay_order where id = ${id}`.execute(
      db,
    ),
  )
  if (id === null || pay === undefined) return []
  return [
    fact('支付单号', payNo(id)),
    fact('支付状态', payStatus.show(storedPay.codeOf(Number(pay['status']))).label),
    fact('支付金额', yuan(pay['amount_fen'])),
    fact('手续费', yuan(pay['fee_fen'])),
    fact('已退金额', yuan(pay['refunded_fen'])),
    fact('渠道流水号', pay['transaction_id']),
    fact('支付时间', pay['paid_at']),
  ]
}

async function refundFacts(db: Db, id: string | null): Promise<Facts> {
  const back = await one(
    sql<Raw>`select amount_fen, status, words, arrived_at from pay_refund where id = ${id}`.execute(db),
  )
  if (id === null || back === undefined) return []
  return [
    fact('退款单号', refundNo(id)),
    fact('退款状态', payRefundStatus.show(Number(back['status']) as 1).label),
    fact('退款金额', yuan(back['amount_fen'])),
    fact('渠道说明', back['words']),
    fact('到账时间', back['arrived_at']),
  ]
}

async function orderFacts(db: Db, id: string | null): Promise<Facts> {
  const order = await one(
    sql<Raw>`select status, electricity_fen, service_fen, occupancy_fen, total_fen, energy_dwh, duration_s, decided_by, settled_at from charging_order where id = ${id}`.execute(
      db,
    ),
  )
  if (id === null || order === undefined) return []
  return [
    fact('订单号', id),
    fact('状态', orderStatus.show(Number(order['status']) as 1).label),
    fact('电费', yuan(order['electricity_fen'])),
    fact('服务费', yuan(order['service_fen'])),
    fact('占位费', yuan(order['occupancy_fen'])),
    fact('合计', yuan(order['total_fen'])),
    fact('电量', `${(Number(order['energy_dwh'] ?? 0) / 10_000).toFixed(4)} 度`),
    fact('时长', `${order['duration_s'] ?? 0} 秒`),
    fact('复核人', order['decided_by']),
    fact('结算时间', order['settled_at']),
  ]
}

async function deviceFacts(db: Db, id: string | null): Promise<{ facts: Facts; deviceId: string | null }> {
  const settlement = await one(
    sql<Raw>`select coalesce((settlement ->> 'energyDwh')::numeric, (settlement ->> 'energyWh')::numeric * 10)::text as dwh, settlement ->> 'durationS' as duration,
      settlement -> 'stopReason' ->> 'name' as reason, device_no, device_id from charging_order where id = ${id} and settlement is not null`.execute(
      db,
    ),
  )
  if (settlement === undefined) return { facts: [], deviceId: null }
  const facts = [
    fact('设备编号', settlement['device_no']),
    fact('电量', `${(Number(settlement['dwh'] ?? 0) / 10_000).toFixed(4)} 度`),
    fact('时长', `${settlement['duration'] ?? 0} 秒`),
    fact('停止原因', settlement['reason']),
  ]
  return { facts, deviceId: String(settlement['device_id']) }
}

async function channelFacts(db: Db, merchantId: string | null, { subject }: { subject: string }): Promise<Facts> {
  if (merchantId === null) return []
  const { rows } = await sql<Raw>`
    select bill.day::text as day, line.kind, line.fen, line.fee_fen, line.transaction_id, line.at
    from (select distinct on (day) id, day from channel_bill where merchant_id = ${merchantId} order by day, id desc) bill
    join channel_bill_line line on line.bill_id = bill.id and (line.pay_no = ${subject} and line.kind = 1 or line.refund_no = ${subject})
    order by bill.day, line.line limit 10`.execute(db)
  return rows.flatMap((line) => [
    fact('账单日', line['day']),
    fact(Number(line['kind']) === 1 ? '收款' : '退款', yuan(line['fen'])),
    fact('手续费', yuan(line['fee_fen'])),
    fact('渠道流水号', line['transaction_id']),
    fact('交易时间', line['at']),
  ])
}

async function ledgerLines(db: Db, organiseId: string, ref: string, postingId: string | null) {
  const { rows } = await sql<Raw>`
    select entry.posting_id as "postingId", entry.kind, account.kind as account, entry.amount_fen as fen, entry.posted_at as at
    from entry join account on account.id = entry.account_id
    where entry.organise_id = ${organiseId} and (entry.ref = ${ref} or entry.posting_id = ${postingId}::bigint)
    order by entry.posting_id, entry.line limit 100`.execute(db)
  return rows.map(({ fen, ...line }) => ({ ...line, amount: yuanText(BigInt(fen ?? 0)) }))
}

async function repairsOf(db: Db, id: string, readerId: string) {
  const { rows } = await sql`
    select id, action, reason, status, created_by_id = ${readerId} as own, created_by as "createdBy", created_at as "createdAt", decided_by as "decidedBy",
      decided_at as "decidedAt", decision
    from recon_repair where break_id = ${id} order by id desc limit 50`.execute(db)
  return rows
}
