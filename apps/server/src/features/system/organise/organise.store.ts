import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { Organise, organise } from '@wattdeck/contract/system/organise.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { byId, containing, pageOf } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { regionText } from '../../_shared/region-path.store.ts'
import { adminRole } from '../_shared/template-roles.store.ts'

type Filter = QueryOf<typeof organise.list>

/** The platform finds all of them, an organisation itself. Its agents and sites have no business with its papers. */
function organisesMatching(db: Db, scope: Scope, filter: Filter) {
  const { keyword, provinceCode, cityCode, districtCode, basicServiceStatus, status, from, to } = filter
  return db
    .selectFrom('organise')
    .where('organise.deleted_at', 'is', null)
    .$if(scope.level > 1, (query) => query.where(sql<boolean>`false`))
    .$if(keyword !== undefined, (query) =>
      query.where((row) =>
        row.or([
          row('organise.name', 'ilike', containing(keyword ?? '')),
          row('organise.short_name', 'ilike', containing(keyword ?? '')),
          row('organise.code', '=', (keyword ?? '').toUpperCase()),
        ]),
      ),
    )
    .$if(provinceCode !== undefined, (query) => query.where('organise.province_code', '=', provinceCode ?? ''))
    .$if(cityCode !== undefined, (query) => query.where('organise.city_code', '=', cityCode ?? ''))
    .$if(districtCode !== undefined, (query) => query.where('organise.district_code', '=', districtCode ?? ''))
    .$if(basicServiceStatus !== undefined, (query) =>
      query.where('organise.basic_service_status', '=', basicServiceStatus ?? 0),
    )
    .$if(status !== undefined, (query) => query.where('organise.status', '=', status ?? 0))
    .$if(from !== undefined, (query) => query.where(sql<boolean>`organise.created_at >= ${from ?? ''}::date`))
    .$if(to !== undefined, (query) => query.where(sql<boolean>`organise.created_at < ${to ?? ''}::date + 1`))
}

export async function listOrganises(db: Db, scope: Scope, filter: Filter) {
  const found = await pageOf(db, organisesMatching(db, scope, filter), filter, {
    key: byId('organise.id'),
    columns: (query) =>
      query.select([
        'organise.id',
        'organise.code',
        'organise.name',
        'organise.short_name as shortName',
        'organise.type',
        'organise.contact',
        'organise.phone',
        'organise.province_code as provinceCode',
        'organise.city_code as cityCode',
        'organise.district_code as districtCode',
        regionText(
          sql.ref('organise.province_code'),
          sql.ref('organise.city_code'),
          sql.ref('organise.district_code'),
        ).as('regionName'),
        'organise.address',
        'organise.public_account as publicAccount',
        'organise.mini_program as miniProgram',
        'organise.credit_code as creditCode',
        'organise.legal_person as legalPerson',
        'organise.settlement_way as settlementWay',
        'organise.licence_file_id as licenceFileId',
        'organise.basic_service_status as basicServiceStatus',
        sql<string | null>`(select to_char(expires_on, 'YYYY-MM-DD') from organise_base_service terms
          where terms.id = organise.id)`.as('serviceExpiresOn'),
        sql<string | null>`(select person.login_name from user_account person
          where person.id = organise.admin_user_id and person.deleted_at is null)`.as('adminLoginName'),
        'organise.remark',
        'organise.test',
        'organise.status',
        'organise.created_by as createdBy',
        'organise.created_at as createdAt',
        'organise.updated_at as updatedAt',
      ]),
  })
  const counts = await countsOf(
    db,
    found.rows.map((row) => row.id),
  )
  return { ...found, rows: found.rows.map((row) => ({ ...row, ...counts(row.id) })) as Organise[] }
}

/** Agents and sites of the organisations on a page; nobody else's are counted. */
async function countsOf(db: Db, ids: readonly string[]) {
  const countIn = async (table: 'agent' | 'site') => {
    const rows = await db
      .selectFrom(table)
      .select(['organise_id', sql<number>`count(*)::int`.as('count')])
      .where('organise_id', '=', sql<string>`any(${ids})`)
      .where('deleted_at', 'is', null)
      .groupBy('organise_id')
      .execute()
    return new Map(rows.map((row) => [row.organise_id, row.count]))
  }
  const [agents, sites] = await Promise.all([countIn('agent'), countIn('site')])
  return (id: string) => ({ agentCount: agents.get(id) ?? 0, siteCount: sites.get(id) ?? 0 })
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
  const made = await db.insertInto('organise').values(values).returning('id').executeTakeFirstOrThrow()
  return made.id
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

/** What stands in the way of removing it. */
export async function belongings(db: Db, { id, admin }: { id: string; admin: string | null }) {
  const { rows } = await sql<{ agents: number; sites: number; people: number }>`select
    (select count(*)::int from agent where organise_id = ${id} and deleted_at is null) as agents,
    (select count(*)::int from site where organise_id = ${id} and deleted_at is null) as sites,
    (select count(*)::int from user_account where organise_id = ${id} and deleted_at is null
      and id is distinct from ${admin}::bigint) as people`.execute(db)
  return rows[0] ?? { agents: 0, sites: 0, people: 0 }
}

/** Removed organisations stay for the logs and orders that name them; their name becomes free again. */
export async function removeOrganise(db: Db, id: string): Promise<void> {
  await sql`update organise set deleted_at = now(), status = 0, name = left(name, 40) || '#' || id where id = ${id}`.execute(
    db,
  )
}
