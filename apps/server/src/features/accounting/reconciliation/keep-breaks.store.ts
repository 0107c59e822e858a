import { repairState } from '@wattdeck/contract/accounting/recon-codes.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { merchantParts } from './find-channel.store.ts'
import { organiseParts } from './find-orders.store.ts'
import { states } from './recon-labels.ts'

export type RunDay = { id: string; organiseId: string; merchantId: string | null; provider: number | null; day: string }
export type Compared = {
  /** New differences that are open. */
  fresh: number
  breaks: number
  ownCount: string
  ownFen: string
  otherCount: string
  otherFen: string
}

const agreed = '再次核对时已一致'
const { waiting, withdrawn } = repairState.code

/**
 * Compares the records of a day and stores the differences in one statement. Known differences keep their state. A
 * vanished difference is closed. A closed one reopens only if its values changed.
 */
export async function compareDay(db: Db, run: RunDay): Promise<Compared> {
  const { organiseId, merchantId, provider, day } = run
  const forMerchant = merchantId !== null && provider !== null
  const parts = forMerchant
    ? merchantParts({ organiseId, merchantId, provider, day })
    : organiseParts({ organiseId, day })
  const sums = forMerchant ? merchantSums : organiseSums
  const { rows } = await sql<Compared>`
    with ${parts}, ${upsertBreaks(run)}
    select (select count(*) from kept where is_new)::int as fresh, (select count(*) from found)::int as breaks, ${sums}`.execute(
    db,
  )
  const [compared] = rows
  if (compared === undefined) throw new Error('the count query returned no row')
  return compared
}

const merchantSums = sql`
  (select count(*) from our_payments) as "ownCount", (select coalesce(sum(amount_fen), 0)::bigint from our_payments) as "ownFen",
  (select coalesce(sum(copies), 0)::bigint from their_payments) as "otherCount", (select coalesce(sum(all_fen), 0)::bigint from their_payments) as "otherFen"`
const organiseSums = sql`
  (select count(*) from our_orders) as "ownCount", (select coalesce(sum(total_fen), 0)::bigint from our_orders) as "ownFen",
  (select coalesce(sum(postings), 0)::bigint from bookings) as "otherCount", (select coalesce(sum(total_fen), 0)::bigint from bookings) as "otherFen"`

const upsertBreaks = ({ organiseId, merchantId, day }: RunDay): RawBuilder<unknown> => sql`
  kept as (
    insert into recon_break as known (organise_id, merchant_id, day, pair, kind, subject, ours_fen, theirs_fen, words, pay_order_id, pay_refund_id, order_id,
      posting_id, found_day, status, closed_at, why)
    select ${organiseId}::bigint, ${merchantId}::bigint, ${day}::date, pair, kind, subject, ours, theirs, words, pay_id, refund_id, order_id, posting_id, found_day,
      case when settled then ${states.gone} else ${states.open} end, case when settled then now() end, case when settled then words end
    from found
    on conflict (organise_id, merchant_id, day, pair, kind, subject) do update set seen_at = now(), ours_fen = excluded.ours_fen,
      theirs_fen = excluded.theirs_fen, words = excluded.words, posting_id = excluded.posting_id, found_day = excluded.found_day,
      status = ${next}, closed_at = case when ${next} = ${states.open} then null else coalesce(known.closed_at, now()) end,
      closed_by = case when ${next} = ${states.open} then null else known.closed_by end,
      why = case when ${next} = ${states.open} then null else coalesce(known.why, excluded.why) end
    returning xmax = 0 and status = ${states.open} as is_new
  ), gone as (
    update recon_break set status = ${states.gone}, closed_at = now(), why = ${agreed}
    where organise_id = ${organiseId} and merchant_id is not distinct from ${merchantId}::bigint and day = ${day}::date and status = ${states.open}
      and not exists (select from found where (found.pair, found.kind, found.subject) = (recon_break.pair, recon_break.kind, recon_break.subject))
    returning id
  ), dropped as (
    update recon_repair set status = ${sql.raw(String(withdrawn))} where status = ${sql.raw(String(waiting))} and break_id in (select id from gone)
  )`

/** The next status of a known difference that is found again. */
const next = sql`(case when excluded.status = ${states.gone} and known.status = ${states.open} then ${states.gone}
  when known.status = ${states.gone} then excluded.status
  when known.status in (${states.repaired}, ${states.explained})
    and (known.ours_fen, known.theirs_fen, known.words) is distinct from (excluded.ours_fen, excluded.theirs_fen, excluded.words) then ${states.open}
  else known.status end)`
