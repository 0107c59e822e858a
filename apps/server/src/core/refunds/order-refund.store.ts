import { refundFlow, refundKind, refundStatus } from '@wattdeck/contract/order/refund-codes.ts'
import type { Fen } from '@wattdeck/domain/money.ts'
import { readBill } from '@wattdeck/domain/tariff/bill-json.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'
import { subsidiesOf, type Subsidy } from '../ledger/subsidy.ts'

type Texts<T, K extends keyof T> = Omit<T, K> & Record<K, string>

const orderAmounts = [
  'electricityFen',
  'serviceFen',
  'occupancyFen',
  'totalFen',
  'paidFen',
  'giftFen',
  'refundedFen',
  'subsidyFen',
] as const
export type BilledOrder = {
  id: string
  organiseId: string
  agentId: string | null
  siteId: string | null
  memberId: string | null
  cardId: string | null
  status: number
  stopReason: string | null
  durationS: number | null
  energyDwh: number | null
  /** What others than the site bear of the discounts. */
  subsidies: Subsidy[]
} & Record<(typeof orderAmounts)[number], bigint>

/** The card that receives a refund: the last replacement of the card that paid, locked against a replacement meanwhile. */
const paidCard = (card: RawBuilder<unknown>, how: 'lock' | 'look') =>
  how === 'lock' ? sql`app.lock_card_in_use(${card})` : sql`app.card_in_use(${card})`

/** A charge, locked for a refund, so that concurrent requests cannot exceed its remaining amount. */
export async function readBilled(db: Db, id: string, how: 'lock' | 'look'): Promise<BilledOrder | undefined> {
  const { rows } = await sql<Omit<Texts<BilledOrder, (typeof orderAmounts)[number]>, 'subsidies'> & { bill: unknown }>`
    select id, organise_id as "organiseId", agent_id as "agentId", site_id as "siteId", member_id as "memberId", ${paidCard(sql`card_id`, how)} as "cardId", status, stop_reason as "stopReason",
      duration_s as "durationS", energy_dwh as "energyDwh", electricity_fen as "electricityFen", service_fen as "serviceFen",
      occupancy_fen as "occupancyFen", total_fen as "totalFen", paid_fen as "paidFen", gift_fen as "giftFen", refunded_fen as "refundedFen",
      subsidy_fen as "subsidyFen", case when subsidy_fen > 0 then bill end as bill
    from charging_order where id = ${id} ${how === 'lock' ? sql`for update` : sql``}`.execute(db)
  const [row] = rows
  if (row === undefined) return undefined
  const { bill, ...plain } = row
  const subsidies = bill === null ? [] : subsidiesOf(readBill(bill).discounts)
  return { ...plain, ...fenOf(row, orderAmounts), subsidies }
}

const fenOf = <K extends string>(row: Record<K, string>, names: readonly K[]) =>
  Object.fromEntries(names.map((name) => [name, BigInt(row[name])])) as Record<K, bigint>

const parts = ['paidFen', 'giftFen', 'electricityFen', 'serviceFen', 'occupancyFen', 'subsidyFen'] as const
export type RefundParts = Record<(typeof parts)[number], bigint>

/** Sums of earlier refund requests of an order, except declined ones. */
export async function requestedParts(db: Db, orderId: string): Promise<RefundParts> {
  const { rows } = await sql<Record<(typeof parts)[number], string>>`
    select coalesce(sum(paid_fen), 0)::text as "paidFen", coalesce(sum(gift_fen), 0)::text as "giftFen",
      coalesce(sum(electricity_fen), 0)::text as "electricityFen", coalesce(sum(service_fen), 0)::text as "serviceFen",
      coalesce(sum(occupancy_fen), 0)::text as "occupancyFen", coalesce(sum(subsidy_fen), 0)::text as "subsidyFen"
    from refund_order where order_id = ${orderId} and status <> ${refundStatus.code.declined}`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('the sum query returned no row')
  return fenOf(row, parts)
}

/** What earlier refunds return to each funder, in the order of the funders of the bill. */
export async function returnedSubsidies(db: Db, orderId: string, funders: readonly Subsidy[]): Promise<bigint[]> {
  const { rows } = await sql<{ subsidies: Stored[] }>`
    select subsidies from refund_order
    where order_id = ${orderId} and subsidies is not null and status <> ${refundStatus.code.declined}`.execute(db)
  return funders.map((_, at) => rows.reduce((sum, { subsidies }) => sum + BigInt(subsidies[at]?.shareFen ?? 0), 0n))
}

type Stored = Omit<Subsidy, 'shareFen'> & { shareFen: string }
const storedSubsidies = (subsidies: readonly Subsidy[]): string | null =>
  subsidies.every(({ shareFen }) => shareFen === 0n)
    ? null
    : JSON.stringify(subsidies.map(({ who, id, shareFen }) => ({ who, id, shareFen: shareFen.toString() })))

/** Changes the refunded amount of an order. A table constraint refuses more than was paid. */
export async function shiftOrder(db: Db, orderId: string, fen: bigint): Promise<void> {
  await sql`update charging_order set refunded_fen = refunded_fen + ${fen.toString()} where id = ${orderId}`.execute(db)
}

type NewRefund = {
  order: BilledOrder
  way: number
  amountFen: bigint
  parts: RefundParts
  subsidies: readonly Subsidy[]
  reason: string
  by: { id: string; name: string }
}
export async function addRefund(db: Db, refund: NewRefund): Promise<string> {
  const { order, parts: of, by } = refund
  const { rows } = await sql<{ id: string }>`
    insert into refund_order (organise_id, agent_id, site_id, order_id, member_id, way, amount_fen, paid_fen, gift_fen, electricity_fen, service_fen,
      occupancy_fen, subsidy_fen, subsidies, reason, created_by_id, created_by)
    values (${order.organiseId}, ${order.agentId}, ${order.siteId}, ${order.id}, ${order.memberId}, ${refund.way}, ${refund.amountFen.toString()},
      ${of.paidFen.toString()}, ${of.giftFen.toString()}, ${of.electricityFen.toString()}, ${of.serviceFen.toString()}, ${of.occupancyFen.toString()},
      ${of.subsidyFen.toString()}, ${storedSubsidies(refund.subsidies)}::jsonb, ${refund.reason}, ${by.id}, ${by.name}) returning id`.execute(
    db,
  )
  return rows[0]?.id ?? ''
}

export type OrderRefund = RefundParts & {
  id: string
  organiseId: string
  agentId: string | null
  siteId: string
  orderId: string
  memberId: string | null
  cardId: string | null
  way: number
  status: number
  amountFen: bigint
  subsidies: Subsidy[]
  reason: string
  createdById: string
}

/** A refund in the caller's scope, locked before a change of status. */
export async function readRefund(db: Db, id: string, how: 'lock' | 'look'): Promise<OrderRefund | undefined> {
  type Row = Omit<Texts<OrderRefund, (typeof parts)[number] | 'amountFen'>, 'subsidies'> & {
    subsidies: Stored[] | null
  }
  const { rows } = await sql<Row>`
    select id, organise_id as "organiseId", agent_id as "agentId", site_id as "siteId", order_id as "orderId", member_id as "memberId",
      ${paidCard(sql`(select card_id from charging_order where charging_order.id = refund_order.order_id)`, how)} as "cardId", way, status, amount_fen as "amountFen", paid_fen as "paidFen", gift_fen as "giftFen", electricity_fen as "electricityFen", service_fen as "serviceFen",
      occupancy_fen as "occupancyFen", subsidy_fen as "subsidyFen", subsidies, reason, created_by_id as "createdById"
    from refund_order where id = ${id} ${how === 'lock' ? sql`for update` : sql``}`.execute(db)
  const [row] = rows
  if (row === undefined) return undefined
  const subsidies = (row.subsidies ?? []).map((one) => ({ ...one, shareFen: BigInt(one.shareFen) as Fen }))
  return { ...row, ...fenOf(row, [...parts, 'amountFen']), subsidies }
}

type Decision = { by: string; byId: string | null; words: string | null; trace: object | null }
type Decided = Decision & { as: 'approve' | 'arrive' }

/** Approves by rule or by a person other than the requester (maker-checker). Without a provider refund it arrives at once. */
export async function writeApproved(db: Db, id: string, decided: Decided): Promise<boolean> {
  const kind = decided.byId === null ? refundKind.code.auto : refundKind.code.manual
  const { numAffectedRows } = await sql`
    update refund_order set status = ${refundFlow.to(decided.as)}, kind = ${kind}, decided_by_id = ${decided.byId}, decided_by = ${decided.by},
      decided_at = now(), words = ${decided.words}, trace = ${decided.trace === null ? null : JSON.stringify(decided.trace)}::jsonb,
      arrived_at = case when ${decided.as} = 'arrive' then now() end
    where id = ${id} and created_by_id is distinct from ${decided.byId} and status = any(${refundFlow.from('approve')}::smallint[])`.execute(
    db,
  )
  return numAffectedRows === 1n
}

export async function writeDeclined(db: Db, id: string, by: { id: string; name: string }, why: string) {
  const { numAffectedRows } = await sql`
    update refund_order set status = ${refundFlow.to('decline')}, decided_by_id = ${by.id}, decided_by = ${by.name}, decided_at = now(), decision = ${why}
    where id = ${id} and created_by_id <> ${by.id} and status = any(${refundFlow.from('decline')}::smallint[])`.execute(
    db,
  )
  return numAffectedRows === 1n
}

export async function writeWords(db: Db, id: string, words: string): Promise<void> {
  await sql`update refund_order set words = ${words.slice(0, 200)} where id = ${id}`.execute(db)
}

/** Marks a refund as arrived. The caller checks that no part is pending or stuck. */
export async function writeArrived(db: Db, id: string): Promise<void> {
  const { refunding } = refundStatus.code
  await sql`update refund_order set status = ${refundFlow.to('arrive')}, arrived_at = now()
    where id = ${id} and status = ${refunding}`.execute(db)
}

/** Gives the coupon of a wholly refunded order back, if it is still valid. */
export const returnCoupon = (db: Db, orderId: string, organiseId: string) =>
  sql`select app.return_coupon(${orderId}, ${organiseId})`.execute(db)
