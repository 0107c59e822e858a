import type { OperationArea } from '@wattdeck/contract/system/operation-area.ts'
import type { Point } from '@wattdeck/domain/geo.ts'
import { sql } from 'kysely'
import { sitesNow } from '../../../core/statistics/stat-now.store.ts'
import type { Db } from '../../../kit/db/db.ts'
import { organisePlace, type Source } from '../../../kit/db/list-query.ts'
import type { Place } from '../../_shared/place.store.ts'
import { regionOf } from '../../_shared/region-path.store.ts'

export const areaSource: Source = {
  table: 'operation_area',
  place: organisePlace('operation_area'),
  computed: {
    regionName: regionOf('operation_area'),
    // Removed or invisible sites and users are not counted.
    siteCount: sql`(select count(*)::int from operation_area_site link
      join site on site.id = link.assigned_site_id and site.deleted_at is null where link.area_id = operation_area.id)`,
    userCount: sql`(select count(*)::int from operation_area_user link
      join user_account person on person.id = link.user_id and person.deleted_at is null where link.area_id = operation_area.id)`,
  },
  fill: {
    deviceCount: (rows: OperationArea[], db) =>
      countDevices(
        db,
        rows.map(({ id }) => id),
      ),
  },
}

/** Devices of the sites that are assigned to each area, as far as the reader sees them. */
async function countDevices(db: Db, ids: readonly string[]): Promise<number[]> {
  const links = await db
    .selectFrom('operation_area_site as link')
    .innerJoin('site', 'site.id', 'link.assigned_site_id')
    .select(['link.area_id as areaId', 'site.id as siteId'])
    .where('link.area_id', '=', sql<string>`any(${ids})`)
    .where('site.deleted_at', 'is', null)
    .execute()
  const now = await sitesNow(db, [...new Set(links.map((link) => link.siteId))], ['devices'])
  const counts = new Map<string, number>()
  for (const { areaId, siteId } of links)
    counts.set(areaId, (counts.get(areaId) ?? 0) + Number(now.get(siteId)?.devices ?? 0n))
  return ids.map((id) => counts.get(id) ?? 0)
}

export type Area = NonNullable<Awaited<ReturnType<typeof readArea>>>

const area = (db: Db, id: string) =>
  db
    .selectFrom('operation_area')
    .select(['id', 'name', 'organise_id', 'agent_id', 'site_id', 'province_code', 'city_code', 'district_code'])
    .select(sql<Point[]>`polygon`.as('polygon'))
    .where('id', '=', id)

export const readArea = (db: Db, id: string) => area(db, id).executeTakeFirst()
/** An area in scope, locked for the change that follows. */
export const findArea = (db: Db, id: string) => area(db, id).forUpdate().executeTakeFirst()

type Values = {
  name: string
  province_code: string | null
  city_code: string | null
  district_code: string | null
  leader: string | null
  phone?: string
  remark: string | null
}

export async function addArea(db: Db, values: Values & Place & { created_by: string }): Promise<string> {
  const row = await db.insertInto('operation_area').values(values).returning('id').executeTakeFirstOrThrow()
  return row.id
}

export async function changeArea(db: Db, id: string, values: Values): Promise<void> {
  await db.updateTable('operation_area').set(values).where('id', '=', id).execute()
}

export async function setStatus(db: Db, id: string, status: number): Promise<void> {
  await db.updateTable('operation_area').set({ status }).where('id', '=', id).where('status', '<>', status).execute()
}

export async function setPolygon(db: Db, id: string, corners: readonly Point[]): Promise<void> {
  await db
    .updateTable('operation_area')
    .set({ polygon: JSON.stringify(corners) })
    .where('id', '=', id)
    .execute()
}

export async function removeArea(db: Db, id: string): Promise<void> {
  await db.deleteFrom('operation_area').where('id', '=', id).execute()
}
