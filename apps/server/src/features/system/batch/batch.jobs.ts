import { batchStatus } from '@wattdeck/contract/system/batch.ts'
import { sql } from 'kysely'
import type pg from 'pg'
import { inScope, commit } from '../../../kit/db/db.ts'
import { systemScope } from '../../../kit/db/system-scope.ts'

/** Sheets that were never committed contain personal data, so they are kept for a day at most; ended jobs for 30 days. */
export async function removeOldJobs(pool: pg.Pool): Promise<void> {
  await inScope(pool, systemScope, 'write', async ({ db }) => {
    await db
      .deleteFrom('batch_job')
      .where((row) =>
        row.or([
          row('status', '=', batchStatus.code.prepared).and('created_at', '<', sql<string>`now() - interval '1 day'`),
          row('finished_at', '<', sql<string>`now() - interval '30 days'`),
        ]),
      )
      .execute()
    return commit(undefined)
  })
}
