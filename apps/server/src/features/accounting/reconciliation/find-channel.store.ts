import { payRefundStatus } from '@wattdeck/contract/accounting/pay-codes.ts'
import { accountKind } from '@wattdeck/contract/accounting/ledger-codes.ts'
import { type RawBuilder, sql } from 'kysely'
import { endOf, kinds, otherThanReceipts, pairs, startOf } from './recon-labels.ts'
import { storedPay } from '../../../core/payments/stored-status.ts'

export type MerchantDay = { organiseId: string; merchantId: string; provider: number; day: string }

const paid = sql.raw(String(storedPay.number.paid))
const waiting = sql.raw(String(storedPay.number.unpaid))
const arrived = sql.raw(String(payRefundStatus.code.arrived))
const channelKind = sql.raw(String(accountKind.code.channel))

/**
 * Compares the payments and refunds of one merchant and day with the provider's bill and with the ledger. The last
 * common table expression, `found`, contains each difference once. The database joins everything; a day may have a
 * million payments. Sets are hash-joined, single rows use lateral lookups. The statement disables nested loops, because
 * their cost estimate is unreliable right after a bill was written. A payment can be paid until a day after its
 * creation.
 */
export const merchantParts = (ask: MerchantDay): RawBuilder<unknown> => sql`
  ${theirRecords(ask)}, ${ourRecords(ask)},
  found (pair, kind, subject, ours, theirs, pay_id, refund_id, order_id, posting_id, words, found_day, settled) as materialized (
    ${paymentsNotInBill(ask)} union all ${paymentsInBill} union all ${refundsInBill} union all ${refundsNotInBill(ask)}
    union all ${paymentsInLedger(ask)})`

/** Only the newest bill of each day counts. */
const theirRecords = ({ merchantId, day }: MerchantDay) => sql`
  bills as materialized (select distinct on (day) day, id from channel_bill
    where merchant_id = ${merchantId} and day between ${day}::date - 1 and ${day}::date + 1 order by day, id desc),
  their_payments as materialized (select pay_no, pay_id, count(*) as copies, (array_agg(fen order by line))[1] as fen,
      (array_agg(fee_fen order by line))[1] as fee_fen, sum(fen)::bigint as all_fen
    from channel_bill_line where bill_id = (select id from bills where day = ${day}::date) and kind = 1 group by pay_no, pay_id),
  their_refunds as materialized (select coalesce(refund_no, pay_no) as refund_no, refund_id, count(*) as copies, (array_agg(fen order by line))[1] as fen,
      (array_agg(fee_fen order by line))[1] as fee_fen, sum(fen)::bigint as all_fen
    from channel_bill_line where bill_id = (select id from bills where day = ${day}::date) and kind = 2 group by 1, 2)`

const ourRecords = ({ merchantId, organiseId, provider, day }: MerchantDay) => sql`
  our_payments as materialized (select id, 'P' || id as no, amount_fen, paid_at from pay_order
    where merchant_id = ${merchantId} and status = ${paid} and paid_at >= ${startOf(day)} and paid_at < ${endOf(day)}),
  our_refunds as materialized (select id, 'R' || id as no, amount_fen, pay_order_id, created_at::date as asked_on from pay_refund
    where merchant_id = ${merchantId} and status = ${arrived} and arrived_at >= ${startOf(day)} and arrived_at < ${endOf(day)}),
  met as materialized (select their.*, pay.id, pay.amount_fen, pay.fee_fen as own_fee, pay.status
    from their_payments their left join pay_order pay on pay.id = their.pay_id and pay.merchant_id = ${merchantId}
      and pay.id >= app.message_id(${startOf(day)} - interval '3 days') and pay.id < app.message_id(${endOf(day)})),
  met_refunds as materialized (select their.*, back.id, back.amount_fen, back.status, back.pay_order_id,
      round(pay.fee_fen * back.amount_fen / pay.amount_fen::numeric) as fee_back
    from their_refunds their left join lateral (select * from pay_refund where id = their.refund_id offset 0) back on back.merchant_id = ${merchantId}
    left join lateral (select fee_fen, amount_fen from pay_order where id = back.pay_order_id) pay on true),
  channels as materialized (select id from account where organise_id = ${organiseId} and kind = ${channelKind} and owner_id = ${provider}),
  booked as materialized (select ref, count(distinct posting_id) as postings, -sum(amount_fen)::bigint as fen, max(posting_id) as last_id
    from entry where account_id = any (array(select id from channels)) and kind not in ${otherThanReceipts}
      and posted_at >= ${startOf(day)} - interval '1 hour' and posted_at < ${endOf(day)} + interval '1 day' group by ref)`

/**
 * Payments that are paid in our records but absent from the bill of the day. A payment found in an adjacent bill is
 * only late. A payment from the last 30 minutes before midnight waits for the next bill.
 */
const paymentsNotInBill = ({ day }: MerchantDay) => sql`
  select ${pairs.channel}, case when seen.day is not null or (own.paid_at >= ${endOf(day)} - interval '30 minutes'
      and not exists (select from bills where day = ${day}::date + 1)) then ${kinds.late} else ${kinds.missing} end,
    own.no, own.amount_fen, seen.fen, own.id, null::bigint, null::bigint, null::bigint,
    case when seen.day is not null then '见于' || seen.day || '的渠道账单' end, seen.day, seen.day is not null
  from our_payments own
  left join lateral (select line.fen, (select bills.day from bills where bills.id = line.bill_id) as day from channel_bill_line line
    where line.bill_id = any (array(select id from bills where day <> ${day}::date)) and line.pay_no = own.no and line.kind = 1 order by line.bill_id limit 1) seen on true
  where not exists (select from their_payments their where their.pay_no = own.no)`

const paymentsInBill = sql`
  select ${pairs.channel}, kind, pay_no, ours, theirs, id, null::bigint, null::bigint, null::bigint, words, null::date, false
  from met, lateral (
    select ${kinds.extra} as kind, amount_fen as ours, fen as theirs,
      case when id is null then '平台没有此支付单' when status = ${waiting} then '平台支付单待支付' else '平台支付单已关闭' end as words
    where status is distinct from ${paid}
    union all select ${kinds.amount}, amount_fen, fen, null where status = ${paid} and fen <> amount_fen
    union all select ${kinds.fee}, own_fee, fee_fen, '金额为手续费' where status = ${paid} and fen = amount_fen and fee_fen <> own_fee
    union all select ${kinds.duplicate}, fen, all_fen, '账单中出现' || copies || '次' where copies > 1
  ) named`

/** The provider rounds a refunded fee itself, so a difference of one fen is ignored. */
const refundsInBill = sql`
  select ${pairs.channel}, kind, refund_no, ours, theirs, pay_order_id, id, null::bigint, null::bigint, words, null::date, false
  from met_refunds, lateral (
    select ${kinds.refund} as kind, amount_fen as ours, fen as theirs, case when id is null then '平台没有此退款' else '平台退款未到账' end as words
    where status is distinct from ${arrived}
    union all select ${kinds.amount}, amount_fen, fen, null where status = ${arrived} and fen <> amount_fen
    union all select ${kinds.fee}, -fee_back::bigint, fee_fen, '金额为退回的手续费' where status = ${arrived} and fee_fen <> 0 and abs(fee_fen + fee_back) > 1
    union all select ${kinds.duplicate}, fen, all_fen, '账单中出现' || copies || '次' where copies > 1
  ) named`

/**
 * A provider bills a refund on the day of the request or of completion. The check therefore needs the bills of all
 * those days.
 */
const refundsNotInBill = ({ merchantId, day }: MerchantDay) => sql`
  select ${pairs.channel}, ${kinds.refund}, back.no, back.amount_fen, null::bigint, back.pay_order_id, back.id, null::bigint, null::bigint,
    '渠道账单没有此退款', null::date, false
  from our_refunds back
  where (select count(*) from channel_bill_line line where line.refund_no = back.no
      and line.bill_id = any (array(select id from channel_bill where merchant_id = ${merchantId} and day between ${day}::date - 31 and ${day}::date + 1))) = 0
    and not exists (select from generate_series(back.asked_on, ${day}::date, '1 day') as needed (day)
      where not exists (select from channel_bill bill where bill.merchant_id = ${merchantId} and bill.day = needed.day::date))`

/**
 * The ledger must contain each payment once, with the paid amount. A payment confirmed days later is posted then, so
 * the query also looks it up by number.
 */
const paymentsInLedger = ({ organiseId }: MerchantDay) => sql`
  select ${pairs.ledger}, kind, no, amount_fen, theirs, id, null::bigint, null::bigint, last_id, words, null::date, false
  from (select own.id, own.no, own.amount_fen, coalesce(booked.postings, later.postings) as postings, coalesce(booked.fen, later.fen) as fen,
      coalesce(booked.last_id, later.last_id) as last_id
    from our_payments own left join booked on booked.ref = own.no
    left join lateral (select count(distinct posting_id) as postings, -sum(amount_fen)::bigint as fen, max(posting_id) as last_id from entry
      where booked.ref is null and ref = own.no and organise_id = ${organiseId} and account_id + 0 = any (array(select id from channels)) and kind not in ${otherThanReceipts}) later on true) own,
  lateral (
    select ${kinds.unbooked} as kind, null::bigint as theirs, '账务没有此支付' as words where postings = 0
    union all select ${kinds.duplicate}, fen, '账务中有' || postings || '笔' where postings > 1
    union all select ${kinds.amount}, fen, null where postings = 1 and fen <> amount_fen
  ) named`
