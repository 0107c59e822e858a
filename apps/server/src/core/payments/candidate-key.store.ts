import { sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'
import type { Claim } from './pay-order.store.ts'

export type DueKey = {
  id: string
  merchantId: string
  serial: string
  tries: number
  /** Approved more than a day ago: the key is given up. */
  old: boolean
}

/** Claims approved keys to try at the provider, each with a lease for this worker. */
export async function claimKeys(db: Db, ask: Claim): Promise<DueKey[]> {
  const { rows } = await sql<DueKey>`
    update pay_key set try_at = now() + make_interval(secs => ${ask.leaseS}), tries = least(tries + 1, 1000)
    where id in (select id from pay_key where try_at <= now() order by try_at limit ${ask.most} for update skip locked)
    returning id, merchant_id as "merchantId", serial, tries, approved_at < now() - interval '1 day' as old`.execute(db)
  return rows
}

/** Returns whether the key was a candidate until now. */
export async function makeKeyLive(db: Db, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update pay_key set live_at = now(), try_at = null, words = null
    where id = ${id} and approved_at is not null and live_at is null and retired_at is null`.execute(db)
  return numAffectedRows === 1n
}

export async function tryKeyLater(db: Db, id: string, words: string, seconds: number): Promise<void> {
  await sql`update pay_key set try_at = now() + make_interval(secs => ${seconds}), words = ${words.slice(0, 200)}
    where id = ${id} and live_at is null and retired_at is null`.execute(db)
}

/** Returns whether the key was a candidate until now. */
export async function giveUpKey(db: Db, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update pay_key set retired_at = now(), try_at = null
    where id = ${id} and live_at is null and retired_at is null`.execute(db)
  return numAffectedRows === 1n
}
