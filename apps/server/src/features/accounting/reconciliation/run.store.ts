import { runStatus } from '@wattdeck/contract/accounting/recon-codes.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import type { Compared, RunDay } from './keep-breaks.store.ts'

const { waiting, running, even, uneven, noBill, failed } = runStatus.code

/** Creates or resets the runs of a day, one for each merchant and one for the orders. Returns all of them. */
export async function planDay(
  db: Db,
  { day, organiseId, by }: { day: string; organiseId: string; by: string | null },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into recon_run (organise_id, merchant_id, day, asked_by)
    select ${organiseId}, merchant_id, ${day}::date, ${by}::text from (select null::bigint as merchant_id
      union all select id from pay_merchant where organise_id = ${organiseId} and (deleted_at is null
        or exists (select from pay_order where pay_order.merchant_id = pay_merchant.id and paid_at >= ${day}::date::timestamptz))) every_one
    on conflict (organise_id, merchant_id, day) do update set status = ${waiting}, tries = 0, asked_by = excluded.asked_by
    returning id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Organisations with a merchant, or with settled orders on the day. */
export async function organisesOf(db: Db, day: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from organise where exists (select from pay_merchant where pay_merchant.organise_id = organise.id and deleted_at is null)
      or exists (select from charging_order where charging_order.organise_id = organise.id and settled_at >= ${day}::date::timestamptz
        and settled_at < (${day}::date + 1)::timestamptz)
    order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Runs of the last week that did not finish, mostly for lack of a bill. */
export async function unfinishedRuns(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from recon_run where status in (${waiting}, ${noBill}, ${running}) and day > current_date - 8 and day < current_date - 1 order by id`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

export async function yesterday(db: Db): Promise<string> {
  const { rows } = await sql<{ day: string }>`select (current_date - 1)::text as day`.execute(db)
  return rows[0]?.day ?? ''
}

export async function startRun(db: Db, id: string): Promise<(RunDay & { tries: number }) | undefined> {
  const { rows } = await sql<RunDay & { tries: number }>`
    update recon_run set status = ${running}, started_at = clock_timestamp(), tries = tries + 1, problem = null where id = ${id}
    returning id, organise_id as "organiseId", merchant_id as "merchantId", day::text as day, tries,
      (select provider from pay_merchant where pay_merchant.id = recon_run.merchant_id) as provider`.execute(db)
  return rows[0]
}

/** The run of the previous day, if it was compared. Its late payments may be in the bill of this day. */
export async function runBefore(db: Db, { organiseId, merchantId, day }: RunDay): Promise<RunDay | undefined> {
  const { rows } = await sql<RunDay>`
    select id, organise_id as "organiseId", merchant_id as "merchantId", day::text as day,
      (select provider from pay_merchant where pay_merchant.id = recon_run.merchant_id) as provider
    from recon_run where organise_id = ${organiseId} and merchant_id = ${merchantId} and day = ${day}::date - 1 and status in (${even}, ${uneven})`.execute(
    db,
  )
  return rows[0]
}

/**
 * An advisory lock serialises runs of the same day; planning does not wait for it. find-channel.store.ts explains the
 * planner settings.
 */
export async function lockRun(db: Db, id: string): Promise<void> {
  await sql`set local lock_timeout = '20min'`.execute(db)
  await sql`set local enable_nestloop = off`.execute(db)
  await sql`set local jit = off`.execute(db)
  await sql`select pg_advisory_xact_lock(hashtext('recon_run'), ${id}::bigint::int)`.execute(db)
}

export async function finishRun(db: Db, id: string, compared: Compared): Promise<void> {
  const { ownCount, ownFen, otherCount, otherFen, breaks } = compared
  await sql`
    update recon_run set status = case when exists (select from recon_break open_one where open_one.organise_id = recon_run.organise_id
          and open_one.merchant_id is not distinct from recon_run.merchant_id and open_one.day = recon_run.day and open_one.status = 1) then ${uneven} else ${even} end::smallint,
      own_count = ${ownCount}, own_fen = ${ownFen}, other_count = ${otherCount}, other_fen = ${otherFen}, breaks = ${breaks}, finished_at = clock_timestamp(),
      took_ms = least(extract(epoch from clock_timestamp() - started_at) * 1000, 2000000000)::int
    where id = ${id}`.execute(db)
}

export async function failRun(db: Db, id: string, { words, final }: { words: string; final: boolean }): Promise<void> {
  await sql`update recon_run set status = ${final ? failed : noBill}, problem = ${words.slice(0, 200)}, finished_at = clock_timestamp() where id = ${id}`.execute(
    db,
  )
}

/** Updates the status of the day after a difference was closed or reopened. */
export async function touchRun(
  db: Db,
  { organiseId, merchantId, day }: Omit<RunDay, 'id' | 'provider'>,
): Promise<void> {
  await sql`
    update recon_run set status = case when exists (select from recon_break where organise_id = ${organiseId} and merchant_id is not distinct from ${merchantId}::bigint
        and day = ${day}::date and status = 1) then ${uneven} else ${even} end::smallint
    where organise_id = ${organiseId} and merchant_id is not distinct from ${merchantId}::bigint and day = ${day}::date and status in (${even}, ${uneven})`.execute(
    db,
  )
}

export async function findRun(db: Db, { organiseId, merchantId, day }: Omit<RunDay, 'id' | 'provider'>) {
  const { rows } = await sql<{ id: string }>`
    select id from recon_run where organise_id = ${organiseId} and merchant_id is not distinct from ${merchantId}::bigint and day = ${day}::date`.execute(
    db,
  )
  return rows[0]?.id
}
