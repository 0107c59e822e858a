import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { Role, role } from '@wattdeck/contract/system/role.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { ifGiven, organisePlace, type Source } from '../../../kit/db/list-query.ts'
import { byId, containing, pageOf } from '../../../kit/db/paging.ts'
import type { Place } from '../../_shared/place.store.ts'
import { dataScopeOf } from './role.rules.ts'
import { insertUnlessDuplicate, otherRowExists, removeRow } from '../../../kit/db/rows.ts'

type Filter = QueryOf<typeof role.list>

export const roleSource: Source = {
  table: 'role',
  place: organisePlace('role'),
  computed: {
    userCount: sql`(select count(*)::int from user_role join user_account on user_account.id = user_role.user_id
      where user_role.role_id = role.id and user_account.deleted_at is null)`,
  },
  fill: { dataScope: (rows: Role[]) => rows.map((row) => dataScopeOf(row.organiseId, row.userType)) },
  own: ({ name, code }: Filter) => [
    ...ifGiven(name, (text) => sql<boolean>`role.name like ${containing(text)}`),
    ...ifGiven(code, (text) => sql<boolean>`role.code like ${containing(text)}`),
  ],
}

export type RoleRow = NonNullable<Awaited<ReturnType<typeof readRole>>>

const roleById = (db: Db, id: string) =>
  db
    .selectFrom('role')
    .select(['id', 'organise_id', 'agent_id', 'site_id', 'name', 'code', 'top_level', 'user_type', 'can_unmask'])
    .select('audit_only')
    .where('id', '=', id)

export const readRole = (db: Db, id: string) => roleById(db, id).executeTakeFirst()

/** Locked for the change that follows. */
export const lockRole = (db: Db, id: string) => roleById(db, id).forUpdate().executeTakeFirst()

type NewRole = Place & {
  name: string
  code: string
  userType: number
  topLevel: number
  auditOnly: boolean
  canUnmask: boolean
}

/** Undefined where the name exists at the place. */
export async function addRole(
  db: Db,
  { name, code, userType, topLevel, auditOnly, canUnmask, ...place }: NewRole,
  createdBy: string,
): Promise<string | undefined> {
  const values = {
    ...place,
    name,
    code,
    user_type: userType,
    top_level: topLevel,
    audit_only: auditOnly,
    can_unmask: canUnmask,
    created_by: createdBy,
  }
  return insertUnlessDuplicate(db, 'role', values, ['organise_id', 'agent_id', 'site_id', 'name'])
}

export const nameTaken = (db: Db, { id, organise_id, agent_id, site_id }: RoleRow, name: string) =>
  otherRowExists(db, 'role', { organise_id, agent_id, site_id, name }, id)

const membership = (db: Db, roleId: string) =>
  db
    .selectFrom('user_role')
    .innerJoin('user_account', 'user_account.id', 'user_role.user_id')
    .where('user_role.role_id', '=', roleId)
    .where('user_account.deleted_at', 'is', null)

export const membersOf = (db: Db, roleId: string) =>
  membership(db, roleId)
    .select(['user_account.id as userId', 'user_account.organise_id', 'user_account.agent_id', 'user_account.site_id'])
    .orderBy('user_account.id')
    .execute()

export const memberPage = (db: Db, roleId: string, paging: QueryOf<typeof role.members>) =>
  pageOf(db, membership(db, roleId), paging, {
    key: byId('user_account.id'),
    columns: (query) =>
      query.select([
        'user_account.id',
        'user_account.name',
        'user_account.login_name as loginName',
        sql<string | null>`(select department.name from department
          where department.id = user_account.department_id)`.as('departmentName'),
        sql<0 | 1>`user_account.status`.as('status'),
      ]),
  })

export async function removeRole(db: Db, id: string): Promise<void> {
  // Removed users are kept only for the log; they must not keep their roles.
  await sql`delete from user_role using user_account
    where user_role.role_id = ${id} and user_account.id = user_role.user_id
      and user_account.deleted_at is not null`.execute(db)
  await removeRow(db, 'role', id)
}
