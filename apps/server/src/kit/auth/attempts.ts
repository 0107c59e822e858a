import { sql } from 'kysely'
import type { Db } from '../db/db.ts'

/** Counts an attempt and returns the attempts in its window, for all instances of the api together. */
export async function countAttempt(db: Db, key: string, windowSeconds: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    insert into attempt as seen (key, count, expires_at) values (${key}, 1, now() + make_interval(secs => ${windowSeconds}))
    on conflict (key) do update set
      count = case when seen.expires_at < now() then 1 else seen.count + 1 end,
      expires_at = case when seen.expires_at < now() then excluded.expires_at else seen.expires_at end
    returning count`.execute(db)
  return rows[0]?.count ?? 1
}

/** Returns the attempts in the window without counting one. */
export async function attemptsSoFar(db: Db, key: string): Promise<number> {
  const attempt = await db
    .selectFrom('attempt')
    .select('count')
    .where('key', '=', key)
    .where('expires_at', '>', sql<string>`now()`)
    .executeTakeFirst()
  return attempt?.count ?? 0
}
