import { sql } from 'kysely'
import type pg from 'pg'
import type { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { inScope, commit } from '../../../kit/db/db.ts'
import { enqueueOn } from '../../../kit/jobs/jobs.ts'
import { systemScope } from '../../../kit/db/system-scope.ts'

const atOnce = 500

/**
 * Removes pictures that no record attached within a day. One transaction deletes the row and enqueues the removal of
 * the object. Rows are removed one by one: a row that is still referenced must not block the others.
 */
export async function removeStrayPictures(pool: pg.Pool, boss: PgBoss, log: Logger): Promise<void> {
  const strays = await inScope(pool, systemScope, 'read', async ({ db }) =>
    commit(
      await db
        .selectFrom('stored_file')
        .select('id')
        .where('kind', '=', 'picture')
        .where('attached', '=', false)
        .where('created_at', '<', sql<string>`now() - interval '24 hours'`)
        .orderBy('created_at')
        .limit(atOnce)
        .execute(),
    ),
  )
  for (const { id } of strays) {
    await removeOne(pool, boss, id).catch((error: unknown) =>
      log.error({ err: error, id }, 'orphaned picture not removed; will retry'),
    )
  }
}

async function removeOne(pool: pg.Pool, boss: PgBoss, id: string): Promise<void> {
  await inScope(pool, systemScope, 'write', async ({ db, client }) => {
    // The condition is repeated, because a record may have attached the picture meanwhile.
    const removed = await db
      .deleteFrom('stored_file')
      .where('id', '=', id)
      .where('attached', '=', false)
      .returning('object_key')
      .executeTakeFirst()
    if (removed !== undefined) await enqueueOn(boss, client)('files.remove', { objectKey: removed.object_key })
    return commit(undefined)
  })
}
