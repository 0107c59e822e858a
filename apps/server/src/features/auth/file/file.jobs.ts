import { sql } from 'kysely'
import type pg from 'pg'
import type { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { inScope, commit } from '../../../kit/db/db.ts'
import { enqueueOn } from '../../../kit/jobs/jobs.ts'
import { systemScope } from '../../../kit/db/system-scope.ts'

const atOnce = 500

/**
 * Pictures that no record has taken over within a day. A row goes in the same transaction that orders the removal of its
 * object, so neither is left without the other. One by one: a row that something still points to must not block the rest.
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
    // Asked again: a record may have taken it over since.
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
