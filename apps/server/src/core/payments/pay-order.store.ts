import { sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'
import type { PayHandle } from './provider.ts'
import { storedPay } from './stored-status.ts'

const { unpaid: waiting, paid, closed } = storedPay.number

export type LockedPay = {
  id: string
  organiseId: string
  agentId: string | null
  siteId: string | null
  merchantId: string
  provider: number
  purpose: number
  refId: string | null
  memberId: string | null
  amountFen: bigint
  refundedFen: bigint
  feeFen: bigint
  status: number
  transactionId: string | null
  sent: boolean
  expired: boolean
}

type Amounts = 'amountFen' | 'refundedFen' | 'feeFen'

/** Locks a payment until the transaction ends. Every change of a payment acquires this lock first. */
export async function lockPay(db: Db, id: string): Promise<LockedPay | undefined> {
  const { rows } = await sql<Omit<LockedPay, Amounts> & Record<Amounts, string>>`
    select id, organise_id as "organiseId", agent_id as "agentId", site_id as "siteId", merchant_id as "merchantId", provider, purpose,
      ref_id as "refId", member_id as "memberId", amount_fen as "amountFen", refunded_fen as "refundedFen", fee_fen as "feeFen", status,
      transaction_id as "transactionId", handle is not null as sent, expires_at <= now() as expired
    from pay_order where id = ${id} for update`.execute(db)
  const [row] = rows
  if (row === undefined) return undefined
  return {
    ...row,
    amountFen: BigInt(row.amountFen),
    refundedFen: BigInt(row.refundedFen),
    feeFen: BigInt(row.feeFen),
  }
}

export type NewPay = {
  place: { organiseId: string; agentId: string | null; siteId: string | null }
  merchant: { id: string; provider: number }
  way: number
  purpose: number
  refId: string | null
  memberId: string | null
  openId: string | null
  fen: bigint
  livesS: number
}

/** Adds a payment that is due at once: a worker sends it after this transaction commits. */
export async function addPay(db: Db, pay: NewPay): Promise<string> {
  const { place, merchant } = pay
  const { rows } = await sql<{ id: string }>`
    insert into pay_order (organise_id, agent_id, site_id, merchant_id, provider, way, purpose, ref_id, member_id, open_id, amount_fen, profit_sharing,
      expires_at, look_at)
    values (${place.organiseId}, ${place.agentId}, ${place.siteId}, ${merchant.id}, ${merchant.provider}, ${pay.way}, ${pay.purpose}, ${pay.refId},
      ${pay.memberId}, ${pay.openId}, ${pay.fen.toString()}, false, now() + make_interval(secs => ${pay.livesS}), now())
    returning id`.execute(db)
  return rows[0]?.id ?? ''
}

export async function writeHandle(db: Db, id: string, handle: PayHandle, nextS: number): Promise<void> {
  await sql`update pay_order set handle = ${JSON.stringify(handle)}, sent_at = now(), looks = 0,
      look_at = least(now() + make_interval(secs => ${nextS}), expires_at)
    where id = ${id} and status = ${waiting} and handle is null`.execute(db)
}

type Received = { transactionId: string; paidAt: Date; payer: string | null; feeFen: bigint; late: boolean }
export async function writePaid(db: Db, id: string, received: Received): Promise<void> {
  const { transactionId, paidAt, payer, feeFen, late } = received
  await sql`update pay_order set status = ${paid}, transaction_id = ${transactionId}, paid_at = ${paidAt.toISOString()}, payer = ${payer},
      fee_fen = ${feeFen.toString()}, paid_late = ${late}, look_at = null where id = ${id}`.execute(db)
}

/** `lookBackS`: seconds after creation when a worker queries it once more; null if it cannot have been paid. */
type Closing = { failure: string | null; lookBackS: number | null }
export async function writeClosed(db: Db, id: string, closing: Closing): Promise<void> {
  const { failure, lookBackS } = closing
  await sql`update pay_order set status = ${closed}, closed_at = now(), failure = ${failure?.slice(0, 200) ?? null}, looks = 0,
      look_at = case when ${lookBackS}::float8 is not null then greatest(now(), created_at + make_interval(secs => ${lookBackS}::float8)) end
    where id = ${id}`.execute(db)
}

/** Schedules the next query, unless none is due any more. */
export async function lookAgain(db: Db, id: string, seconds: number): Promise<void> {
  await sql`update pay_order set look_at = now() + make_interval(secs => ${seconds}) where id = ${id} and look_at is not null`.execute(
    db,
  )
}

/** Returns rows that were claimed while the breaker was open, so that their schedule and back-off do not change. */
export async function putBack(db: Db, table: 'pay_order' | 'pay_refund', ids: readonly string[]): Promise<void> {
  await sql`update ${sql.table(table)} set look_at = now(), looks = looks - 1
    where id = any(${ids}::bigint[]) and look_at is not null and looks > 0`.execute(db)
}

export async function lookNoMore(db: Db, id: string): Promise<void> {
  await sql`update pay_order set look_at = null where id = ${id}`.execute(db)
}

/** Makes the payment and its refunds due now, on a manual request. */
export async function lookNow(db: Db, id: string): Promise<void> {
  await sql`update pay_order set look_at = now() where id = ${id}`.execute(db)
  await sql`update pay_refund set look_at = now() where pay_order_id = ${id} and look_at is not null`.execute(db)
  await sql`select pg_notify('pay_work', '')`.execute(db)
}

/** Expires a payment now; a worker closes it at the provider. */
export async function expireNow(db: Db, id: string): Promise<void> {
  await sql`update pay_order set expires_at = least(expires_at, now()), look_at = now() where id = ${id} and status = ${waiting}`.execute(
    db,
  )
  await sql`select pg_notify('pay_work', '')`.execute(db)
}

export type DuePay = {
  id: string
  merchantId: string
  purpose: number
  way: number
  openId: string | null
  amountFen: string
  status: number
  sent: boolean
  expired: boolean
  /** Expired more than a day ago: the provider itself no longer accepts a payment. */
  stale: boolean
  expiresMs: number
  looks: number
}

/** `busy`: merchants to skip, because of an open breaker or a full concurrency limit. */
export type Claim = { most: number; leaseS: number; busy: readonly string[] }

/**
 * Claims due payments with a lease for this worker; after a crash another worker claims them when the lease ends. The
 * provider is called after this transaction. Mostly nothing is due, so a separate select with a cached plan comes first:
 * an update over all month partitions would be planned each time.
 */
export async function claimPays(db: Db, ask: Claim): Promise<DuePay[]> {
  const due = await sql<{ id: string }>`
    select id from pay_order where look_at <= now() and merchant_id <> all(${ask.busy}::bigint[]) order by look_at limit ${ask.most}
    for update skip locked`.execute(db)
  if (due.rows.length === 0) return []
  const { rows } = await sql<DuePay>`
    update pay_order set look_at = now() + make_interval(secs => ${ask.leaseS}), looks = least(looks + 1, 1000)
    where id = any(${due.rows.map(({ id }) => id)}::bigint[])
    returning id, merchant_id as "merchantId", purpose, way, open_id as "openId", amount_fen as "amountFen", status,
      handle is not null as sent, expires_at <= now() as expired, expires_at <= now() - interval '1 day' as stale,
      (extract(epoch from expires_at) * 1000)::float8 as "expiresMs", looks`.execute(db)
  return rows
}
