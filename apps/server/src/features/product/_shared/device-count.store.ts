import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import type { Scope } from '../../../kit/db/scope.ts'

type Kind = 'category_id' | 'small_category_id' | 'device_type_id'

/** Number of devices by kind, as far as the caller sees them. One query serves a whole page of kinds. */
export async function countDevices(
  db: Db,
  scope: Scope,
  kind: Kind,
  ids: readonly string[],
): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('device')
    .select([sql<string>`${sql.ref(`device.${kind}`)}::text`.as('id'), sql<number>`count(*)::int`.as('count')])
    .where('device.deleted_at', 'is', null)
    .$if(scope.level > 0, (query) => query.where('device.organise_id', '=', scope.organiseId))
    .where(sql.ref(`device.${kind}`), '=', sql<string>`any(${ids}::bigint[])`)
    .groupBy(sql.ref(`device.${kind}`))
    .execute()
  return new Map(rows.map((row) => [row.id, row.count]))
}
