import { siteList } from '@wattdeck/contract/system/site.ts'
import { sql } from 'kysely'
import { exportOf } from '../../../kit/bulk/list-export.ts'
import type { Db } from '../../../kit/db/db.ts'
import { beginsWith, knownTotal, searchKeyword } from '../../../kit/db/keyword.ts'
import { pageOfList } from '../../../kit/db/list-query.ts'
import type { Paging } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { type SiteFilter, sitesMatching } from '../../_shared/site-filter.ts'
import { siteSource } from '../_shared/site-source.ts'

const searchNames = (db: Db, scope: Scope, filter: SiteFilter) =>
  filter.keyword === undefined ? undefined : searchKeyword(db, named(db, scope, filter))

const tailLength = 12
function named(db: Db, scope: Scope, { keyword = '', organiseId }: SiteFilter) {
  const start = Array.from(keyword.toLowerCase()).slice(0, tailLength).join('')
  const within = scope.level > 0 ? scope.organiseId : organiseId
  return db
    .selectFrom('site_name_tail')
    .select('site_id as id')
    .where(beginsWith('tail', start))
    .$if(within !== undefined, (query) => query.where('organise_id', '=', within ?? ''))
}

export async function listSites(db: Db, scope: Scope, filter: SiteFilter & Paging) {
  const search = await searchNames(db, scope, filter)
  const matching = sitesMatching(db, scope, filter, search)
  return pageOfList(db, siteList, siteSource, matching, filter, knownTotal(search, filter, 'keyword'))
}

export const siteExport = exportOf('site', siteList, (db, scope, query) => listSites(db, scope, query), {
  title: '站点列表',
})

/** Totals of the whole filter, however long the list. */
export async function siteTotals(db: Db, scope: Scope, filter: SiteFilter) {
  const { count, parkingSpaces, capacityKva } = await sitesMatching(db, scope, filter)
    .select([
      sql<number>`count(*)::int`.as('count'),
      sql<string>`coalesce(sum(site.parking_spaces), 0)::text`.as('parkingSpaces'),
      sql<string>`coalesce(sum(site.capacity_kva), 0)::text`.as('capacityKva'),
    ])
    .executeTakeFirstOrThrow()
  return { count, sums: { parkingSpaces, capacityKva } }
}

/** A site in scope, locked for the change that follows. */
export const findSite = (db: Db, id: string) =>
  db
    .selectFrom('site')
    .select(['id', 'organise_id', 'agent_id', 'name', 'status', sql<string[]>`picture_ids::text[]`.as('picture_ids')])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()

type SiteValues = Partial<{
  code: string
  type: number
  agent_id: string | null
  province_code: string | null
  city_code: string | null
  district_code: string | null
  address: string | null
  lng: number | null
  lat: number | null
  contact: string | null
  phone: string | null
  parking_spaces: number
  capacity_kva: number
  parking_note: string | null
  open_hours: string
  price_type: number
  insured: boolean
  insured_until: string | null
  picture_ids: string[]
  remark: string | null
  status: number
}>

export async function addSite(
  db: Db,
  values: SiteValues & { organise_id: string; name: string; created_by: string },
): Promise<string> {
  const row = await db.insertInto('site').values(values).returning('id').executeTakeFirstOrThrow()
  return row.id
}

export async function changeSite(db: Db, id: string, values: SiteValues & { name?: string }) {
  await db.updateTable('site').set(values).where('id', '=', id).execute()
}

/** Users of a site move with it. The status of their new agent decides whether they can log in. */
export async function moveSite(db: Db, id: string, agentId: string | null): Promise<void> {
  await changeSite(db, id, { agent_id: agentId })
  await db.updateTable('user_account').set({ agent_id: agentId }).where('site_id', '=', id).execute()
}

export async function setStatus(db: Db, ids: readonly string[], status: number): Promise<number> {
  const changed = await db
    .updateTable('site')
    .set({ status })
    .where('id', '=', sql<string>`any(${ids})`)
    .where('status', '<>', status)
    .executeTakeFirst()
  return Number(changed.numUpdatedRows)
}

export async function hasAccounts(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select exists (
    select from user_account where site_id = ${id} and deleted_at is null) as found`.execute(db)
  return rows[0]?.found === true
}

export async function hasDevices(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select exists (
    select from device where site_id = ${id} and organise_id = (select organise_id from site where id = ${id}) and deleted_at is null) as found`.execute(
    db,
  )
  return rows[0]?.found === true
}

/** Soft delete, because orders and logs refer to the site; its code becomes available again. */
export async function removeSite(db: Db, id: string): Promise<void> {
  await sql`update site set deleted_at = now(), status = 0, code = left(code, 20) || '#' || id where id = ${id}`.execute(
    db,
  )
}

/** The given codes that exist, with their organisations. */
export async function findExistingCodes(db: Db, codes: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('site')
    .select(['organise_id', 'code'])
    .where('code', '=', sql<string>`any(${codes})`)
    .execute()
  return new Set(rows.map((row) => `${row.organise_id} ${row.code}`))
}

/** Agents and organisations by their names in a sheet. */
export async function ownersNamed(db: Db, agents: readonly string[], organises: readonly string[]) {
  const [foundAgents, foundOrganises] = await Promise.all([
    db
      .selectFrom('agent')
      .select(['id', 'organise_id', 'name'])
      .where('name', '=', sql<string>`any(${agents})`)
      .where('deleted_at', 'is', null)
      .execute(),
    db
      .selectFrom('organise')
      .select(['id', 'name'])
      .where('name', '=', sql<string>`any(${organises})`)
      .where('deleted_at', 'is', null)
      .execute(),
  ])
  return {
    agents: new Map(foundAgents.map((agent) => [`${agent.organise_id} ${agent.name}`, agent.id])),
    organises: new Map(foundOrganises.map((organise) => [organise.name, organise.id])),
  }
}
