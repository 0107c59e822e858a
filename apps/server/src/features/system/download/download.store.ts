import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { type download, downloadFlow } from '@wattdeck/contract/system/download.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import type { Source } from '../../../kit/db/list-query.ts'
import { containing } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'

export const downloadSource = (readerId: string): Source => ({
  table: 'download',
  where: sql<boolean>`download.deleted_at is null`,
  computed: { bytes: sql`download.bytes::float8`, own: sql`download.user_id = ${readerId}` },
  own: ({ module }: QueryOf<typeof download.list>, { scope }) => [
    ...(scope.level > 0 ? [sql<boolean>`download.organise_id = ${scope.organiseId}`] : []),
    ...(module === undefined ? [] : [sql<boolean>`download.module like ${containing(module)}`]),
  ],
})

/** A file belongs to the user who requested it: it contains what that user may see, possibly more than others at the place. */
export const lockOwn = (db: Db, scope: Scope, userId: string, id: string) =>
  db
    .selectFrom('download')
    .where('deleted_at', 'is', null)
    .$if(scope.level > 0, (query) => query.where('organise_id', '=', scope.organiseId))
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

/** Hidden at once; the next housekeeping removes the file itself. */
export async function removeDownload(db: Db, id: string): Promise<void> {
  await db
    .updateTable('download')
    .set({ deleted_at: sql<string>`now()` })
    .where('id', '=', id)
    .execute()
}
