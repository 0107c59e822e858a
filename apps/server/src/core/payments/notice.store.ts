import { sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'
import type { Claim } from './pay-order.store.ts'
import type { Notice } from './provider.ts'

/** 1 waiting, 2 done, 3 contradicts the stored payment. */
export const noticeStatus = { waiting: 1, done: 2, strange: 3 } as const
/** A literal as in the partial index of waiting notices: a cached plan cannot use that index with a parameter. */
const waiting = sql.lit(noticeStatus.waiting)

/** JSON with amounts as text and times in ISO format. */
const written = (notice: Notice): string =>
  JSON.stringify(notice, (_, value: unknown) => (typeof value === 'bigint' ? { fen: value.toString() } : value))
export const writeNotice = (notice: Notice): object => JSON.parse(written(notice)) as object
const times = new Set(['paidAt', 'refundedAt'])
export const readStored = (content: object): Notice =>
  JSON.parse(JSON.stringify(content), (name, value: unknown) => {
    if (times.has(name) && typeof value === 'string') return new Date(value)
    return isFen(value) ? BigInt(value.fen) : value
  }) as Notice
const isFen = (value: unknown): value is { fen: string } =>
  typeof value === 'object' && value !== null && 'fen' in value && typeof value.fen === 'string'

type From = { merchantId: string; organiseId: string; provider: number }

/** Stores a verified notice as evidence, once. The row stays locked, so concurrent copies wait here. */
export async function storeNotice(db: Db, from: From, notice: Notice): Promise<number> {
  const { rows } = await sql<{ status: number }>`
    insert into pay_notice as known (provider, merchant_id, notice_id, organise_id, kind, content, pay_no)
    values (${from.provider}, ${from.merchantId}, ${notice.id}, ${from.organiseId}, ${notice.kind === 'payment' ? 1 : 2}, ${written(notice)},
      ${notice.kind === 'payment' ? notice.payment.payNo : notice.refunding.payNo})
    on conflict (merchant_id, notice_id) do update set copies = known.copies + 1
    returning status`.execute(db)
  return rows[0]?.status ?? noticeStatus.waiting
}

type Key = { merchantId: string; noticeId: string }

export async function closeNotice(
  db: Db,
  { merchantId, noticeId }: Key,
  how: { status: number; problem: string | null },
): Promise<void> {
  await sql`update pay_notice set status = ${how.status}, problem = ${how.problem?.slice(0, 200) ?? null}, done_at = now(),
      ask_at = null
    where merchant_id = ${merchantId} and notice_id = ${noticeId}`.execute(db)
}

export type WaitingNotice = Key & { content: object; old: boolean }

/** Verified notices whose payment exists by now, or that have waited too long for it (`old`). */
export async function waitingNotices(db: Db, most: number): Promise<WaitingNotice[]> {
  // This runs at every step and rarely finds a row. Planning the search through all partitions costs far more.
  const any = await sql`select from pay_notice where status = ${waiting} and ask_at is null limit 1`.execute(db)
  if (any.rows.length === 0) return []
  const { rows } = await sql<WaitingNotice>`
    select merchant_id as "merchantId", notice_id as "noticeId", content, received_at < now() - interval '1 hour' as old
    from pay_notice notice where status = ${waiting} and ask_at is null and (received_at < now() - interval '1 hour'
      or kind = 1 and exists (select from pay_order where id = substring(pay_no from '^P([0-9]{1,18})$')::bigint)
      or kind = 2 and exists (select from pay_refund where id = substring(content #>> '{refunding,refundNo}' from '^R([0-9]{1,18})$')::bigint))
    order by received_at limit ${most}`.execute(db)
  return rows
}

export async function lockNotice(db: Db, { merchantId, noticeId }: Key): Promise<boolean> {
  const { rows } = await sql`select 1 from pay_notice where merchant_id = ${merchantId} and notice_id = ${noticeId}
    and status = ${waiting} for update skip locked`.execute(db)
  return rows.length > 0
}

/** Schedules a query at the provider that confirms the notice; copies do not change the schedule. */
export async function scheduleNoticeQuery(db: Db, { merchantId, noticeId }: Key): Promise<void> {
  await sql`update pay_notice set ask_at = coalesce(ask_at, now()) where merchant_id = ${merchantId} and notice_id = ${noticeId}`.execute(
    db,
  )
  await sql`select pg_notify('pay_work', '')`.execute(db)
}

export async function postponeNoticeQuery(db: Db, { merchantId, noticeId }: Key, seconds: number): Promise<void> {
  await sql`update pay_notice set ask_at = now() + make_interval(secs => ${seconds})
    where merchant_id = ${merchantId} and notice_id = ${noticeId} and ask_at is not null`.execute(db)
}

export type DueNotice = Key & { content: object; asks: number }

/** Claims notices that need confirmation by the provider, with a lease like `claimPays`. */
export async function claimNotices(db: Db, ask: Claim): Promise<DueNotice[]> {
  const { rows } = await sql<DueNotice>`
    update pay_notice set ask_at = now() + make_interval(secs => ${ask.leaseS}), asks = least(asks + 1, 1000)
    where (merchant_id, notice_id) in (
      select merchant_id, notice_id from pay_notice
      where ask_at <= now() and merchant_id <> all(${ask.busy}::bigint[])
      order by ask_at limit ${ask.most} for update skip locked)
    returning merchant_id as "merchantId", notice_id as "noticeId", content, asks`.execute(db)
  return rows
}
