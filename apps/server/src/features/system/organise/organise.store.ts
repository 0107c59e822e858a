import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { type Organise, type organise, organiseList } from '@wattdeck/contract/system/organise.ts'
import { sql } from 'kysely'
import { organisesNow } from '../../../core/statistics/stat-now.store.ts'
import { exportOf } from '../../../kit/bulk/list-export.ts'
import type { Db } from '../../../kit/db/db.ts'
import { ifGiven, type Source } from '../../../kit/db/list-query.ts'
import { containing } from '../../../kit/db/paging.ts'
import { regionOf } from '../../_shared/region-path.store.ts'
import { adminRole } from '../_shared/template-roles.store.ts'

type Filter = QueryOf<typeof organise.list>

export const organiseSource: Source = {
  table: 'organise',
  where: sql<boolean>`organise.deleted_at is null`,
  place: ({ from, to }: Filter, { scope }) => [
    // The platform sees all organisations, an organisation itself. Its agents and sites do not see its documents.
    ...(scope.level > 1 ? [sql<boolean>`false`] : []),
    ...ifGiven(from, (day) => sql<boolean>`organise.created_at >= ${day}::date`),
    ...ifGiven(to, (day) => sql<boolean>`organise.created_at < ${day}::date + 1`),
  ],
  computed: {
    regionName: regionOf('organise'),
    serviceExpiresOn: sql`(select to_char(expires_on, 'YYYY-MM-DD') from organise_base_service terms
      where terms.id = organise.id)`,
    adminLoginName: sql`(select person.login_name from user_account person
      where person.id = organise.admin_user_id and person.deleted_at is null)`,
  },
  fill: {
    agentCount: (rows: Organise[], db) => countIn(db, 'agent', rows),
    siteCount: (rows: Organise[], db) => countIn(db, 'site', rows),
    deviceCount: async (rows: Organise[], db) => {
      const ids = rows.map(({ id }) => id)
      const now = await organisesNow(db, ids, ['devices'])
      return ids.map((id) => Number(now.get(id)?.devices ?? 0n))
    },
  },
  own: ({ keyword, organiseId }: Filter) => [
    ...ifGiven(organiseId, (id) => sql<boolean>`organise.id = ${id}`),
    ...ifGiven(
      keyword,
      (text) => sql<boolean>`(organise.name ilike ${containing(text)} or organise.short_name ilike ${containing(text)}
            or organise.code = ${text.toUpperCase()})`,
    ),
  ],
}

export const organiseExport = exportOf('organise', organiseList, organiseSource, { title: '机构列表' })

/** Agents or sites of the organisations on a page; no others are counted. */
async function countIn(db: Db, table: 'agent' | 'site', rows: readonly Organise[]): Promise<number[]> {
  const ids = rows.map(({ id }) => id)
  const counts = await db
    .selectFrom(table)
    .select(['organise_id', sql<number>`count(*)::int`.as('count')])
    .where('organise_id', '=', sql<string>`any(${ids})`)
    .where('deleted_at', 'is', null)
    .groupBy('organise_id')
    .execute()
  const byOrganise = new Map(counts.map((row) => [row.organise_id, row.count]))
  return ids.map((id) => byOrganise.get(id) ?? 0)
}

/** Locked for the change that follows. */
export const lockOrganise = (db: Db, id: string) =>
  db
    .selectFrom('organise')
    .select(['id', 'name', 'status', 'admin_user_id', 'licence_file_id'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()

type OrganiseValues = {
  name: string
  short_name: string | null
  type: number
  contact: string | null
  phone?: string
  province_code: string | null
  city_code: string | null
  district_code: string | null
  address: string | null
  public_account: string | null
  mini_program: string | null
  credit_code: string | null
  legal_person?: string
  licence_file_id: string | null
  settlement_way: number
  remark: string | null
}

export async function addOrganise(db: Db, values: OrganiseValues & { test: boolean; created_by: string }) {
  const row = await db.insertInto('organise').values(values).returning('id').executeTakeFirstOrThrow()
  return row.id
}

export async function changeOrganise(db: Db, id: string, values: Partial<OrganiseValues> & { admin_user_id?: string }) {
  await db.updateTable('organise').set(values).where('id', '=', id).execute()
}

export async function setOrganiseStatus(db: Db, id: string, status: number): Promise<boolean> {
  const changed = await db
    .updateTable('organise')
    .set({ status })
    .where('id', '=', id)
    .where('status', '<>', status)
    .executeTakeFirst()
  return changed.numUpdatedRows === 1n
}

export const readAdminRole = (db: Db, organiseId: string) => adminRole(db, organiseId).executeTakeFirst()

/** Locked for the change that follows. */
export const lockAdminRole = (db: Db, organiseId: string) => adminRole(db, organiseId).forUpdate().executeTakeFirst()

/** Counts of rows that prevent the removal. */
export async function belongings(db: Db, { id, admin }: { id: string; admin: string | null }) {
  const { rows } = await sql<{ agents: number; sites: number; people: number }>`select
    (select count(*)::int from agent where organise_id = ${id} and deleted_at is null) as agents,
    (select count(*)::int from site where organise_id = ${id} and deleted_at is null) as sites,
    (select count(*)::int from user_account where organise_id = ${id} and deleted_at is null
      and id is distinct from ${admin}::bigint) as people`.execute(db)
  return rows[0] ?? { agents: 0, sites: 0, people: 0 }
}

/** Soft delete, because logs and orders refer to the organisation; its name becomes available again. */
export async function removeOrganise(db: Db, id: string): Promise<void> {
  await sql`update organise set deleted_at = now(), status = 0, name = left(name, 40) || '#' || id where id = ${id}`.execute(
    db,
  )
}
