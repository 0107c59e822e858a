import { payRefundStatus } from '@wattdeck/contract/accounting/pay-codes.ts'
import { accountKind, channel, postingKind } from '@wattdeck/contract/accounting/ledger-codes.ts'
import { orderStatus } from '@wattdeck/contract/order/order-codes.ts'
import { type RawBuilder, sql } from 'kysely'
import { endOf, kinds, otherThanReceipts, pairs, startOf } from './recon-labels.ts'
import { storedPay } from '../../../core/payments/stored-status.ts'

export type OrganiseDay = { organiseId: string; day: string }

const { siteElectricity, siteService, siteOccupancy } = accountKind.code
const income = sql.raw(`(${siteElectricity}, ${siteService}, ${siteOccupancy})`)
const code = (value: number) => sql.raw(String(value))
const billed = code(orderStatus.code.billed)
const part = (account: number) =>
  sql`coalesce(sum(amount_fen) filter (where account_kind = ${code(account)}), 0)::bigint`
const sums = sql`${part(siteElectricity)} as electricity_fen, ${part(siteService)} as service_fen, ${part(siteOccupancy)} as occupancy_fen,
  coalesce(sum(amount_fen), 0)::bigint as total_fen`
const payOf = sql`case when ref ~ '^P[1-9][0-9]{0,17}$' then substr(ref, 2)::bigint end`
const refundOf = sql`case when ref ~ '^R[1-9][0-9]{0,17}$' then substr(ref, 2)::bigint end`
/** A scalar lookup for each entry, so that the planner never scans all accounts for a few entries. */
const kindOfAccount = sql`(select account.kind from account where account.id = entry.account_id)`
const bookedParts = sql.raw('postings, last_id, electricity_fen, service_fen, occupancy_fen, total_fen')

/**
 * Compares the orders of an organisation and day with the ledger and with device reports. Also finds postings without
 * an order, payment or refund. As for merchants, `found` contains each difference once.
 */
export const organiseParts = (ask: OrganiseDay): RawBuilder<unknown> => sql`
  ${records(ask)},
  found (pair, kind, subject, ours, theirs, pay_id, refund_id, order_id, posting_id, words, found_day, settled) as materialized (
    ${ordersInLedger(ask)} union all ${ledgerWithoutOrder(ask)} union all ${ordersAndDevices}
    union all ${receiptsWithoutPayment(ask)} union all ${refundsInLedger(ask)} union all ${refundsWithoutRow(ask)})`

/**
 * Order and bill are written in one transaction, so around midnight they can fall on different days. References are
 * cast to plain id columns here: under row-level security an index serves a plain column, not a function result. Single
 * rows are looked up by id alone, so that the planner cannot prefer another index.
 */
const records = ({ organiseId, day }: OrganiseDay) => sql`
  our_orders as materialized (select id, id::text as no, electricity_fen, service_fen, occupancy_fen, total_fen, energy_dwh, duration_s, settlement, decided_by
    from charging_order where organise_id = ${organiseId} and status = ${billed} and settled_at >= ${startOf(day)} and settled_at < ${endOf(day)}),
  our_refunds as materialized (select id, 'R' || id as no, amount_fen, pay_order_id from pay_refund
    where merchant_id in (select id from pay_merchant where organise_id = ${organiseId}) and status = ${code(payRefundStatus.code.arrived)}
      and arrived_at >= ${startOf(day)} and arrived_at < ${endOf(day)}),
  bookings as materialized (select ref, count(distinct posting_id) as postings, max(posting_id) as last_id, min(posted_at) as posted_at, ${sums}
    from (select entry.*, account.kind as account_kind from account join entry on entry.account_id = account.id and entry.kind = ${code(postingKind.code.bill)}
        and entry.posted_at >= ${startOf(day)} - interval '1 hour' and entry.posted_at < ${endOf(day)} + interval '1 hour'
      where entry.account_id = any (array(select id from account where organise_id = ${organiseId} and kind in ${income}))) booked group by ref),
  strays as materialized (select *, case when ref ~ '^[1-9][0-9]{0,17}$' then ref::bigint end as ref_id from bookings where posted_at >= ${startOf(day)} and posted_at < ${endOf(day)}
    and not exists (select from our_orders own where own.no = bookings.ref)),
  channel_entries as materialized (select ref, kind, posting_id, amount_fen, ${payOf} as pay_id, ${refundOf} as refund_id from entry
    where posted_at >= ${startOf(day)} and posted_at < ${endOf(day)} and account_id = any (array(select id from account where organise_id = ${organiseId} and kind = ${code(accountKind.code.channel)}
      and owner_id <> ${code(channel.code.offline)})))`

/**
 * The ledger must contain each bill once, part by part. A bill posted at another time than its settlement is looked up
 * by number.
 */
const ordersInLedger = ({ organiseId }: OrganiseDay) => sql`
  select ${pairs.ledger}, kind, own.no, own.total_fen, theirs, null::bigint, null::bigint, own.id, it.last_id, words, null::date, false
  from our_orders own left join (select ref as near_ref, ${bookedParts} from bookings) near on near_ref = own.no
  left join lateral (select count(distinct posting_id) as postings, max(posting_id) as last_id, ${sums}
    from (select entry.*, ${kindOfAccount} as account_kind from entry
      where near_ref is null and ref = own.no and organise_id = ${organiseId} and kind = ${code(postingKind.code.bill)}) booked
    where account_kind in ${income}) far on true,
  lateral (select (case when near_ref is null then far.postings else near.postings end) as postings, (case when near_ref is null then far.last_id else near.last_id end) as last_id,
    (case when near_ref is null then far.total_fen else near.total_fen end) as fen,
    (case when near_ref is null then (far.electricity_fen, far.service_fen, far.occupancy_fen) else (near.electricity_fen, near.service_fen, near.occupancy_fen) end)
      is distinct from (own.electricity_fen, own.service_fen, own.occupancy_fen) as differs) it,
  lateral (
    select ${kinds.unbooked} as kind, null::bigint as theirs, '账务没有此账单' as words where it.postings = 0 and own.total_fen > 0
    union all select ${kinds.duplicate}, fen, '账务中有' || it.postings || '笔' where it.postings > 1
    union all select ${kinds.amount}, fen, case when own.total_fen = fen then '合计相同，分项不同' end where it.postings = 1 and differs
  ) named`

const ledgerWithoutOrder = ({ organiseId }: OrganiseDay) => sql`
  select ${pairs.ledger}, ${kinds.orphan}, ref, null::bigint, total_fen, null::bigint, null::bigint, null::bigint, last_id, '没有对应的已结算订单', null::date, false
  from strays where (select other.organise_id = ${organiseId} and other.status = ${billed} from charging_order other
    where other.id = strays.ref_id) is not true`

/**
 * The reported usage must equal the billed usage, unless a reviewer decided otherwise; the order names the reviewer.
 */
const ordersAndDevices = sql`
  select ${pairs.device}, ${kinds.device}, id::text, null::bigint, null::bigint, null::bigint, null::bigint, id, null::bigint,
    '订单' || round(energy_dwh / 10000.0, 4) || '度' || duration_s || '秒，设备'
      || coalesce(round(said_dwh / 10000.0, 4) || '度' || said_s || '秒', '未上报账单'), null::date, false
  from (select id, coalesce(energy_dwh, 0) as energy_dwh, coalesce(duration_s, 0) as duration_s,
      coalesce((settlement ->> 'energyDwh')::numeric, (settlement ->> 'energyWh')::numeric * 10) as said_dwh, (settlement ->> 'durationS')::numeric as said_s
    from our_orders where decided_by is null) own
  where (energy_dwh, duration_s) is distinct from (said_dwh, said_s)`

const receiptsWithoutPayment = ({ organiseId }: OrganiseDay) => sql`
  select ${pairs.ledger}, ${kinds.orphan}, ref, null::bigint, -sum(amount_fen)::bigint, null::bigint, null::bigint, null::bigint, max(posting_id),
    '没有对应的已支付支付单', null::date, false
  from channel_entries where kind not in ${otherThanReceipts} and (select pay.organise_id = ${organiseId} and pay.status = ${code(storedPay.number.paid)}
    from pay_order pay where pay.id = channel_entries.pay_id) is not true
  group by ref`

const refundsInLedger = ({ organiseId }: OrganiseDay) => sql`
  select ${pairs.ledger}, kind, no, amount_fen, theirs, pay_order_id, id, null::bigint, last_id, words, null::date, false
  from (select own.*, booked.*
    from our_refunds own, lateral (select count(distinct posting_id) as postings, sum(entry.amount_fen)::bigint as fen, max(posting_id) as last_id
      from entry where ${kindOfAccount} = ${code(accountKind.code.channel)} and entry.ref = own.no and entry.organise_id = ${organiseId}
        and entry.kind = ${code(postingKind.code.refund)}) booked) own,
  lateral (
    select ${kinds.refund} as kind, null::bigint as theirs, '账务没有此退款' as words where postings = 0
    union all select ${kinds.duplicate}, fen, '账务中有' || postings || '笔' where postings > 1
    union all select ${kinds.amount}, fen, null where postings = 1 and fen <> amount_fen
  ) named`

const refundsWithoutRow = ({ organiseId }: OrganiseDay) => sql`
  select ${pairs.ledger}, ${kinds.refund}, ref, null::bigint, sum(amount_fen)::bigint, null::bigint, null::bigint, null::bigint, max(posting_id),
    '没有对应的已到账退款', null::date, false
  from channel_entries where kind = ${code(postingKind.code.refund)} and (select back.organise_id = ${organiseId}
    and back.status = ${code(payRefundStatus.code.arrived)} from pay_refund back where back.id = channel_entries.refund_id) is not true
  group by ref`
