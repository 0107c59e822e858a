import { downloadFlow } from '@wattdeck/contract/system/download.ts'
import { sql } from 'kysely'
import type pg from 'pg'
import type { PgBoss } from 'pg-boss'
import { inScope, commit } from '../../../kit/db/db.ts'
import { enqueueOn } from '../../../kit/jobs/jobs.ts'
import { publishLive } from '../../../kit/events/outbox.ts'
import { systemScope } from '../../../kit/db/system-scope.ts'

const atOnce = 500

/** Expired files, and files of removed tasks. The row drops its object key in the transaction that enqueues the removal. */
export async function expireDownloads(pool: pg.Pool, boss: PgBoss): Promise<void> {
  await inScope(pool, systemScope, 'write', async ({ db, client }) => {
    const { rows } = await sql<{
      object_key: string
      organise_id: string
      agent_id: string | null
      site_id: string | null
      user_id: string
    }>`with gone as (
        select id, object_key from download
        where object_key is not null and (deleted_at is not null or (status = any(${downloadFlow.from('expire')}) and expires_at < now()))
        order by id limit ${atOnce} for update
      )
      update download set object_key = null,
        status = case when status = any(${downloadFlow.from('expire')}) then ${downloadFlow.to('expire')}::smallint else status end
      from gone where download.id = gone.id
      returning gone.object_key, organise_id, agent_id, site_id, user_id`.execute(db)
    for (const row of rows) {
      await enqueueOn(boss, client)('files.remove', { objectKey: row.object_key })
      await publishLive(db, row, row.user_id, { kind: 'changed', list: 'download' })
    }
    return commit(undefined)
  })
}
