import { sql } from 'kysely'
import type pg from 'pg'
import { commit, inScope } from '../../kit/db/db.ts'
import { systemScope } from '../../kit/db/system-scope.ts'

const slice = 200
/** Time limit of a run; the next run continues. */
const longestRunMs = 1_800_000

/**
 * Ends the gift money whose validity is over, and returns the number of members whose balance changed. Each member is a
 * transaction of its own, which locks the accounts first, so concurrent runs end a gift once. Money that a running charge
 * or a refund reserves stays; the next run after its release ends it.
 */
export async function expireGifts(pool: pg.Pool): Promise<number> {
  const endMs = Date.now() + longestRunMs
  let after = '0'
  let changed = 0
  while (Date.now() < endMs) {
    const due = await dueMembers(pool, after)
    for (const { organiseId, memberId } of due) if (await expireGift(pool, organiseId, memberId)) changed++
    const last = due.at(-1)
    if (last === undefined || due.length < slice) break
    after = last.memberId
  }
  return changed
}

type Due = { organiseId: string; memberId: string }

const dueMembers = (pool: pg.Pool, after: string): Promise<Due[]> =>
  inScope(pool, systemScope, 'read', async ({ db }) => {
    const { rows } = await sql<Due>`
      select distinct member_id as "memberId", organise_id as "organiseId"
      from gift_lot
      where left_fen > 0 and ends_at is not null and ends_at <= now() and member_id > ${after}
      order by member_id
      limit ${slice}`.execute(db)
    return commit(rows)
  })

const expireGift = (pool: pg.Pool, organiseId: string, memberId: string): Promise<boolean> =>
  inScope(pool, systemScope, 'record', async ({ db }) => {
    const { rows } = await sql<{ fen: string }>`select app.expire_gift(${organiseId}, ${memberId}) as fen`.execute(db)
    return commit(rows[0]?.fen !== '0')
  })
