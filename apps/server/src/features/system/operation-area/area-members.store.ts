import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { areaMost, areaWhere, type operationArea } from '@wattdeck/contract/system/operation-area.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { agentsBelow, ownedBy } from '../../../kit/db/ownership.ts'
import { byId, containing, pageOf } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { people } from '../_shared/accounts.store.ts'
import { regionText } from '../../_shared/region-path.store.ts'
import type { Area } from './operation-area.store.ts'

/** Sites and users of areas: those that can be assigned, and those that are. */

/** Sites of the area's organisation, and of its agent where it has one, as far as the caller sees them. */
const sitesFor = (db: Db, { organise_id, agent_id }: Area) =>
  db
    .selectFrom('site')
    .where('site.deleted_at', 'is', null)
    .where('site.organise_id', '=', organise_id)
    .$if(agent_id !== null, (query) => query.where('site.agent_id', '=', sql<string>`${agentsBelow(agent_id ?? '')}`))

/** The same for users. */
const peopleFor = (db: Db, scope: Scope, { organise_id, agent_id }: Area) =>
  people(db, scope).where(ownedBy('user_account', { organiseId: organise_id, agentId: agent_id ?? undefined }))

const inRegion = (db: Db, area: Area) =>
  sitesFor(db, area)
    .$if(area.province_code !== null, (query) => query.where('site.province_code', '=', area.province_code))
    .$if(area.city_code !== null, (query) => query.where('site.city_code', '=', area.city_code))
    .$if(area.district_code !== null, (query) => query.where('site.district_code', '=', area.district_code))

export function listSites(db: Db, area: Area, filter: QueryOf<typeof operationArea.sites>) {
  const { keyword } = filter
  const matching = (filter.where === areaWhere.code.region ? inRegion : sitesFor)(db, area).$if(
    keyword !== undefined,
    (query) =>
      query.where((row) =>
        row.or([row('site.name', 'ilike', containing(keyword ?? '')), row('site.code', '=', keyword ?? '')]),
      ),
  )
  return pageOf(db, matching, filter, {
    key: byId('site.id'),
    columns: (query) =>
      query.select([
        'site.id',
        'site.code',
        'site.name',
        sql<string | null>`(select agent.name from agent where agent.id = site.agent_id)`.as('agentName'),
        regionText(sql.ref('site.province_code'), sql.ref('site.city_code'), sql.ref('site.district_code')).as(
          'regionName',
        ),
        sql<boolean>`site.lng is not null and site.lat is not null`.as('located'),
      ]),
  })
}

export async function sitePoints(db: Db, area: Area) {
  const rows = await inRegion(db, area)
    .select(['site.id', 'site.name', sql<number>`site.lng::float8`.as('lng'), sql<number>`site.lat::float8`.as('lat')])
    .where('site.lng', 'is not', null)
    .where('site.lat', 'is not', null)
    .orderBy('site.id', 'desc')
    .limit(areaMost.points + 1)
    .execute()
  return { rows: rows.slice(0, areaMost.points), more: rows.length > areaMost.points }
}

export function listPeople(db: Db, scope: Scope, area: Area, filter: QueryOf<typeof operationArea.users>) {
  const { keyword, userType } = filter
  const matching = peopleFor(db, scope, area)
    .$if(userType !== undefined, (query) => query.where('user_account.user_type', '=', userType ?? 0))
    .$if(keyword !== undefined, (query) =>
      query.where((row) =>
        row.or([
          row('user_account.name', 'like', containing(keyword ?? '')),
          row('user_account.login_name', 'like', containing(keyword ?? '')),
        ]),
      ),
    )
  return pageOf(db, matching, filter, {
    key: byId('user_account.id'),
    columns: (query) =>
      query.select([
        'user_account.id',
        'user_account.name',
        'user_account.login_name as loginName',
        sql<1 | 2 | 3 | 4>`user_account.user_type`.as('userType'),
        sql<string | null>`(select agent.name from agent where agent.id = user_account.agent_id)`.as('agentName'),
        sql<string | null>`(select site.name from site where site.id = user_account.site_id)`.as('siteName'),
      ]),
  })
}

/** Assigned sites and users that the caller sees, with their names. */
export async function assignedTo(db: Db, areaId: string) {
  const [sites, users] = await Promise.all([
    db
      .selectFrom('operation_area_site')
      .innerJoin('site', 'site.id', 'operation_area_site.assigned_site_id')
      .select(['site.id', 'site.name'])
      .where('operation_area_site.area_id', '=', areaId)
      .where('site.deleted_at', 'is', null)
      .orderBy('site.id')
      .execute(),
    db
      .selectFrom('operation_area_user')
      .innerJoin('user_account', 'user_account.id', 'operation_area_user.user_id')
      .select(['user_account.id', 'user_account.name'])
      .where('operation_area_user.area_id', '=', areaId)
      .where('user_account.deleted_at', 'is', null)
      .orderBy('user_account.id')
      .execute(),
  ])
  return { sites, users }
}

/** Number of these sites that can be assigned. */
export async function countSites(db: Db, area: Area, ids: readonly string[]): Promise<number> {
  const rows = await sitesFor(db, area)
    .select('site.id')
    .where('site.id', '=', sql<string>`any(${ids})`)
    .execute()
  return rows.length
}

export async function countPeople(db: Db, scope: Scope, area: Area, ids: readonly string[]): Promise<number> {
  const rows = await peopleFor(db, scope, area)
    .select('user_account.id')
    .where('user_account.id', '=', sql<string>`any(${ids})`)
    .execute()
  return rows.length
}

/**
 * Assigns exactly these sites. Only the difference is written, so that the audit log shows only the difference. Assignments that the caller
 * does not see stay unchanged.
 */
export async function setSites(db: Db, area: Area, ids: readonly string[]): Promise<void> {
  const { id, organise_id, agent_id, site_id } = area
  await sql`delete from operation_area_site where area_id = ${id} and assigned_site_id <> all(${ids}::bigint[])
    and exists (select from site where site.id = assigned_site_id)`.execute(db)
  await sql`insert into operation_area_site (area_id, assigned_site_id, organise_id, agent_id, site_id)
    select ${id}::bigint, chosen, ${organise_id}::bigint, ${agent_id}::bigint, ${site_id}::bigint
    from unnest(${ids}::bigint[]) as chosen on conflict do nothing`.execute(db)
}

/** The same for users. */
export async function setPeople(db: Db, area: Area, ids: readonly string[]): Promise<void> {
  const { id, organise_id, agent_id, site_id } = area
  await sql`delete from operation_area_user where area_id = ${id} and user_id <> all(${ids}::bigint[])
    and exists (select from user_account person where person.id = user_id)`.execute(db)
  await sql`insert into operation_area_user (area_id, user_id, organise_id, agent_id, site_id)
    select ${id}::bigint, chosen, ${organise_id}::bigint, ${agent_id}::bigint, ${site_id}::bigint
    from unnest(${ids}::bigint[]) as chosen on conflict do nothing`.execute(db)
}
