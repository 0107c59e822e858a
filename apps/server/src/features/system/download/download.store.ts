import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { type download, downloadFlow } from '@wattdeck/contract/system/download.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { byId, containing, pageOf } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'

const kept = (db: Db, scope: Scope) =>
  db
    .selectFrom('download')
    .where('download.deleted_at', 'is', null)
    .$if(scope.level > 0, (query) => query.where('download.organise_id', '=', scope.organiseId))

export const listDownloads = (db: Db, scope: Scope, userId: string, filter: QueryOf<typeof download.list>) =>
  pageOf(
    db,
    kept(db, scope)
      .$if(filter.module !== undefined, (query) =>
        query.where('download.module', 'like', containing(filter.module ?? '')),
      )
      .$if(filter.status !== undefined, (query) => query.where('download.status', '=', filter.status ?? 0))
      .$if(filter.from !== undefined, (query) =>
        query.where('download.created_at', '>=', sql<string>`${filter.from ?? ''}::date::timestamptz`),
      )
      .$if(filter.to !== undefined, (query) =>
        query.where('download.created_at', '<', sql<string>`(${filter.to ?? ''}::date + 1)::timestamptz`),
      ),
    filter,
    {
      key: byId('download.id'),
      columns: (query) =>
        query.select([
          'download.id',
          'download.title',
          'download.module',
          'download.conditions',
          sql<'xlsx' | 'csv' | 'zip' | null>`download.format`.as('format'),
          'download.rows',
          sql<number | null>`download.bytes::float8`.as('bytes'),
          sql<0 | 1 | 2 | 3 | 4>`download.status`.as('status'),
          'download.reason',
          'download.created_by as createdBy',
          sql<boolean>`download.user_id = ${userId}`.as('own'),
          'download.created_at as createdAt',
          'download.finished_at as finishedAt',
          'download.expires_at as expiresAt',
        ]),
    },
  )

/** A file is its maker's own: it holds what they may see, which may be more than others in the same place may. */
export const lockOwn = (db: Db, scope: Scope, userId: string, id: string) =>
  kept(db, scope)
    .select(['id', 'title', 'format', 'status', 'object_key', 'created_at'])
    .select(sql<boolean>`expires_at > now()`.as('fresh'))
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()

export async function moveTo(db: Db, id: string, action: 'retry'): Promise<boolean> {
  const moved = await db
    .updateTable('download')
    .set({ status: downloadFlow.to(action), reason: null, finished_at: null, expires_at: null })
    .where('id', '=', id)
    .where('status', '=', sql<number>`any(${downloadFlow.from(action)})`)
    .executeTakeFirst()
  return moved.numUpdatedRows === 1n
}

/** Out of sight at once; the file itself goes with the next housekeeping. */
export async function removeDownload(db: Db, id: string): Promise<void> {
  await db
    .updateTable('download')
    .set({ deleted_at: sql<string>`now()` })
    .where('id', '=', id)
    .execute()
}
