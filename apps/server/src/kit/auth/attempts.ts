import { sql } from 'kysely'
import type { Db } from '../db/db.ts'

/** How often something was tried in its window, this time included. Counted for all copies of the api together. */
export async function countAttempt(db: Db, key: string, windowSeconds: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    insert into attempt as seen (key, count, expires_at) values (${key}, 1, now() + make_interval(secs => ${windowSeconds}))
    on conflict (key) do update set
      count = case when seen.expires_at < now() then 1 else seen.count + 1 end,
      expires_at = case when seen.expires_at < now() then excluded.expires_at else seen.expires_at end
    returning count`.execute(db)
  return rows[0]?.count ?? 1
}

/** How often it was tried, without trying. */
export async function attemptsSoFar(db: Db, key: string): Promise<number> {
  const seen = await db
    .selectFrom('attempt')
    .select('count')
    .where('key', '=', key)
    .where('expires_at', '>', sql<string>`now()`)
    .executeTakeFirst()
  return seen?.count ?? 0
}
