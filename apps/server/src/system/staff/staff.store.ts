import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { Staff, staff } from '@wattdeck/contract/system/staff.ts'
import { maskEmail, maskPhone } from '@wattdeck/domain/masks.ts'
import { sql } from 'kysely'
import type { Db } from '../../kit/db.ts'
import { containing, pageOf } from '../../kit/paging.ts'
import type { Scope } from '../../kit/scope.ts'
import { newToken, sha256 } from '../../kit/tokens.ts'

type Filter = QueryOf<typeof staff.list>

// Named besides row security, which is a filter: the index needs a condition of its own.
const people = (db: Db, scope: Scope) =>
  db
    .selectFrom('user_account')
    .where('user_account.deleted_at', 'is', null)
    .$if(scope.level > 0, (query) => query.where('user_account.organise_id', '=', scope.organiseId))

export async function listStaff(db: Db, scope: Scope, filter: Filter) {
  const matching = people(db, scope)
    .$if(filter.organiseId !== undefined, (query) =>
      query.where('user_account.organise_id', '=', filter.organiseId ?? ''),
    )
    .$if(filter.status !== undefined, (query) => query.where('user_account.status', '=', filter.status ?? 1))
    .$if(filter.departmentId !== undefined, (query) =>
      query.where('user_account.department_id', '=', filter.departmentId ?? ''),
    )
    .$if(filter.roleId !== undefined, (query) =>
      query.where((row) =>
        row.exists(
          row
            .selectFrom('user_role')
            .select('user_role.user_id')
            .whereRef('user_role.user_id', '=', 'user_account.id')
            .where('user_role.role_id', '=', filter.roleId ?? ''),
        ),
      ),
    )
    .$if(filter.keyword !== undefined, (query) =>
      query.where((row) =>
        row.or([
          row('user_account.name', 'like', containing(filter.keyword ?? '')),
          row('user_account.login_name', 'like', containing(filter.keyword ?? '')),
          // A phone is found whole only: a search by parts would give masked digits away one by one.
          row('user_account.phone', '=', filter.keyword ?? ''),
        ]),
      ),
    )
  const found = await pageOf(db, matching, filter, (query) =>
    query
      .leftJoin('organise', 'organise.id', 'user_account.organise_id')
      .leftJoin('department', 'department.id', 'user_account.department_id')
      .select([
        'user_account.id',
        'user_account.employee_no as employeeNo',
        'user_account.name',
        'user_account.login_name as loginName',
        'user_account.phone',
        'user_account.email',
        'user_account.organise_id as organiseId',
        'organise.name as organiseName',
        'user_account.department_id as departmentId',
        'department.name as departmentName',
        'user_account.user_type as userType',
        'user_account.status',
        'user_account.last_login_at as lastLoginAt',
        'user_account.created_by as createdBy',
        'user_account.created_at as createdAt',
        'user_account.updated_at as updatedAt',
        sql<boolean>`coalesce(user_account.locked_until > now(), false)`.as('locked'),
        sql<
          Staff['roles']
        >`coalesce((select jsonb_agg(jsonb_build_object('id', role.id::text, 'name', role.name) order by role.id)
          from user_role join role on role.id = user_role.role_id where user_role.user_id = user_account.id), '[]')`.as(
          'roles',
        ),
      ])
      .orderBy('user_account.organise_id')
      .orderBy('user_account.id', 'desc'),
  )
  const rows = found.rows.map(
    (row) =>
      ({ ...row, phone: maskPhone(row.phone), email: row.email === null ? null : maskEmail(row.email) }) as Staff,
  )
  return { ...found, rows }
}

/** A person in scope, locked for the change that follows. */
export const findStaff = (db: Db, scope: Scope, id: string) =>
  people(db, scope)
    .select(['id', 'organise_id', 'agent_id', 'site_id', 'name', 'login_name', 'password_hash', 'user_type', 'status'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export const departmentIn = (db: Db, _scope: Scope, id: string, organiseId: string) =>
  db.selectFrom('department').select('id').where('id', '=', id).where('organise_id', '=', organiseId).executeTakeFirst()

type NewStaff = {
  place: { organise_id: string; agent_id: string | null; site_id: string | null }
  userType: number
  employeeNo: string
  name: string
  loginName: string
  phone: string
  email: string | undefined
  departmentId: string | undefined
  passwordHash: string
  createdBy: string
}

export async function addStaff(db: Db, _scope: Scope, person: NewStaff): Promise<string> {
  const made = await db
    .insertInto('user_account')
    .values({
      ...person.place,
      user_type: person.userType,
      employee_no: person.employeeNo,
      name: person.name,
      login_name: person.loginName,
      phone: person.phone,
      email: person.email ?? null,
      department_id: person.departmentId ?? null,
      password_hash: person.passwordHash,
      must_change_password: true,
      created_by: person.createdBy,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return made.id
}

type Edit = {
  employeeNo: string
  name: string
  email: string | undefined
  departmentId: string | undefined
  phone: string | undefined
}

export async function editStaff(db: Db, _scope: Scope, id: string, edit: Edit): Promise<void> {
  await db
    .updateTable('user_account')
    .set({
      employee_no: edit.employeeNo,
      name: edit.name,
      department_id: edit.departmentId ?? null,
      // The console knows these only masked, so leaving them out leaves them as they are.
      ...(edit.email === undefined ? {} : { email: edit.email }),
      ...(edit.phone === undefined ? {} : { phone: edit.phone }),
    })
    .where('id', '=', id)
    .execute()
}

export async function setStatus(db: Db, _scope: Scope, ids: readonly string[], status: number): Promise<number> {
  const changed = await db
    .updateTable('user_account')
    .set({ status })
    .where('id', '=', sql<string>`any(${ids})`)
    .where('status', '<>', status)
    .executeTakeFirst()
  return Number(changed.numUpdatedRows)
}

/** Removed people stay for the audit trail; their login name and phone become free again. */
export async function removeStaff(db: Db, _scope: Scope, ids: readonly string[]): Promise<number> {
  const removed = await sql`
    update user_account set deleted_at = now(), status = 0, login_name = 'gone_' || id,
      phone = '19' || lpad((id % 1000000000)::text, 9, '0'), employee_no = employee_no || '#' || id
    where id = any(${ids}) and deleted_at is null`.execute(db)
  return Number(removed.numAffectedRows ?? 0)
}

/** Gives the person just these roles; only the difference is written, so only the difference stands in the log. */
export async function setRoles(
  db: Db,
  _scope: Scope,
  person: { id: string; organise_id: string; agent_id: string | null; site_id: string | null },
  roleIds: readonly string[],
) {
  await sql`delete from user_role where user_id = ${person.id} and role_id <> all(${roleIds}::bigint[])`.execute(db)
  await sql`insert into user_role (user_id, role_id, organise_id, agent_id, site_id)
    select ${person.id}, role.id, ${person.organise_id}, ${person.agent_id}::bigint, ${person.site_id}::bigint
    from role where role.id = any(${roleIds}::bigint[]) on conflict do nothing`.execute(db)
}

/** Roles with all that they grant, for comparing with what the giver holds. */
export async function rolesWithRights(db: Db, _scope: Scope, filter: { organiseId?: string; ids?: readonly string[] }) {
  const { rows } = await sql<{
    id: string
    organise_id: string
    name: string
    user_type: 1 | 2 | 3 | 4
    top_level: number
    unmask: boolean
    menuKeys: string[]
    grants: string[]
  }>`
    select role.id, role.organise_id, role.name, role.user_type, role.top_level, role.can_unmask as unmask,
      array(select menu.menu_key from role_menu join app.live_menus() menu on menu.id = role_menu.menu_id where role_menu.role_id = role.id) as "menuKeys",
      array(select menu.menu_key || ':' || resource.action from role_resource join resource on resource.id = role_resource.resource_id
        join app.live_menus() menu on menu.id = resource.menu_id and resource.status = 1 where role_resource.role_id = role.id) as grants
    from role
    where role.status = 1
      and (${filter.organiseId ?? null}::bigint is null or role.organise_id = ${filter.organiseId ?? null})
      and (${filter.ids ?? null}::bigint[] is null or role.id = any(${filter.ids ?? null}))
    order by role.organise_id, role.id limit 500`.execute(db)
  return rows
}

export async function unlock(db: Db, _scope: Scope, id: string): Promise<void> {
  await db.updateTable('user_account').set({ failed_logins: 0, locked_until: null }).where('id', '=', id).execute()
}

export async function issueTicket(
  db: Db,
  _scope: Scope,
  person: { id: string; organise_id: string; agent_id: string | null; site_id: string | null },
  issuedBy: string,
) {
  const ticket = newToken()
  const { id, organise_id, agent_id, site_id } = person
  const issued = await db
    .insertInto('login_ticket')
    .values({
      user_id: id,
      organise_id,
      agent_id,
      site_id,
      token_hash: sha256(ticket),
      issued_by: issuedBy,
      expires_at: sql<string>`now() + interval '5 minutes'`,
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow()
  return { ticket, expiresAt: issued.expires_at }
}

export const organiseOptions = (db: Db, _scope: Scope, keyword: string | undefined) =>
  db
    .selectFrom('organise')
    .select(['id', 'name'])
    .$if(keyword !== undefined, (query) => query.where('name', 'like', containing(keyword ?? '')))
    .orderBy('id')
    .limit(100)
    .execute()
