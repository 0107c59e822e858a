import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { OperationArea, operationArea } from '@wattdeck/contract/system/operation-area.ts'
import type { Point } from '@wattdeck/domain/geo.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { ownedBy } from '../../../kit/db/ownership.ts'
import { byId, containing, pageOf } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import type { Place } from '../../_shared/place.store.ts'
import { regionText } from '../../_shared/region-path.store.ts'

type Filter = QueryOf<typeof operationArea.list>

function areasMatching(db: Db, scope: Scope, filter: Filter) {
  const { keyword, provinceCode, cityCode, districtCode, status } = filter
  return (
    db
      .selectFrom('operation_area')
      // Named besides row security, which is a filter: the index needs a condition of its own.
      .$if(scope.level > 0, (query) => query.where('operation_area.organise_id', '=', scope.organiseId))
      .where(ownedBy('operation_area', filter))
      .$if(keyword !== undefined, (query) => query.where('operation_area.name', 'ilike', containing(keyword ?? '')))
      .$if(provinceCode !== undefined, (query) => query.where('operation_area.province_code', '=', provinceCode ?? ''))
      .$if(cityCode !== undefined, (query) => query.where('operation_area.city_code', '=', cityCode ?? ''))
      .$if(districtCode !== undefined, (query) => query.where('operation_area.district_code', '=', districtCode ?? ''))
      .$if(status !== undefined, (query) => query.where('operation_area.status', '=', status ?? 0))
  )
}

// Who has left, and what is not in sight, is not counted.
const siteCount = sql<number>`(select count(*)::int from operation_area_site link
  join site on site.id = link.assigned_site_id and site.deleted_at is null where link.area_id = operation_area.id)`
const userCount = sql<number>`(select count(*)::int from operation_area_user link
  join user_account person on person.id = link.user_id and person.deleted_at is null where link.area_id = operation_area.id)`

export async function listAreas(db: Db, scope: Scope, filter: Filter) {
  const found = await pageOf(db, areasMatching(db, scope, filter), filter, {
    key: byId('operation_area.id'),
    columns: (query) =>
      query.select([
        'operation_area.id',
        'operation_area.name',
        'operation_area.organise_id as organiseId',
        'operation_area.agent_id as agentId',
        sql<string>`(select organise.name from organise where organise.id = operation_area.organise_id)`.as(
          'organiseName',
        ),
        sql<string | null>`(select agent.name from agent where agent.id = operation_area.agent_id)`.as('agentName'),
        'operation_area.province_code as provinceCode',
        'operation_area.city_code as cityCode',
        'operation_area.district_code as districtCode',
        regionText(
          sql.ref('operation_area.province_code'),
          sql.ref('operation_area.city_code'),
          sql.ref('operation_area.district_code'),
        ).as('regionName'),
        'operation_area.leader',
        'operation_area.phone',
        siteCount.as('siteCount'),
        userCount.as('userCount'),
        'operation_area.remark',
        'operation_area.status',
        'operation_area.created_by as createdBy',
        'operation_area.created_at as createdAt',
        'operation_area.updated_at as updatedAt',
      ]),
  })
  return { ...found, rows: found.rows as OperationArea[] }
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
  const made = await db.insertInto('operation_area').values(values).returning('id').executeTakeFirstOrThrow()
  return made.id
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
