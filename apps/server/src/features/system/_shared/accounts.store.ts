import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { firstPasswordEnd } from '../../../kit/auth/passwords.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { newToken, sha256 } from '../../../kit/auth/tokens.ts'
import type { Place } from '../../_shared/place.store.ts'

/** Accounts of users, for every screen that manages them: staff, administrators of organisations, users of agents. */

/** The organisation is repeated beside row-level security, which is only a filter: the index needs a condition of its own. */
export const people = (db: Db, scope: Scope) =>
  db
    .selectFrom('user_account')
    .where('user_account.deleted_at', 'is', null)
    .$if(scope.level > 0, (query) => query.where('user_account.organise_id', '=', scope.organiseId))

/** An account in scope, locked for the change that follows. */
export const findAccount = (db: Db, scope: Scope, id: string) =>
  people(db, scope)
    .select([
      'id',
      'organise_id',
      'agent_id',
      'site_id',
      'name',
      'login_name',
      'phone',
      'password_hash',
      'user_type',
      'status',
    ])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export async function setPhone(db: Db, id: string, phone: string): Promise<void> {
  await db.updateTable('user_account').set({ phone }).where('id', '=', id).execute()
}

/** Whether a user took part in resetting the second factor of an account within 24 hours. */
export async function hasResetFactor(db: Db, userId: string, by: string): Promise<boolean> {
  const row = await db
    .selectFrom('credential_change')
    .select('id')
    .where('user_id', '=', userId)
    .where('changed_by', '=', by)
    .where('kind', '=', 'secondFactor')
    .where('created_at', '>', sql<string>`now() - interval '24 hours'`)
    .executeTakeFirst()
  return row !== undefined
}

export type NewAccount = {
  place: Place
  userType: number
  employeeNo: string
  name: string
  loginName: string
  phone: string
  email?: string | undefined
  departmentId?: string | undefined
}

export async function addAccount(
  db: Db,
  person: NewAccount & { passwordHash: string; createdBy: string },
): Promise<string> {
  const row = await db
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
      first_password_ends_at: firstPasswordEnd,
      created_by: person.createdBy,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

export async function setAccountStatus(db: Db, ids: readonly string[], status: number): Promise<number> {
  const changed = await db
    .updateTable('user_account')
    .set({ status })
    .where('id', '=', sql<string>`any(${ids})`)
    .where('status', '<>', status)
    .executeTakeFirst()
  return Number(changed.numUpdatedRows)
}

/** Soft delete, because the audit trail refers to the accounts; their login name and phone become available again. */
export async function removeAccounts(db: Db, ids: readonly string[]): Promise<void> {
  await sql`
    update user_account set deleted_at = now(), status = 0, login_name = 'gone_' || id,
      phone = '19' || lpad((id % 1000000000)::text, 9, '0'), employee_no = employee_no || '#' || id
    where id = any(${ids}) and deleted_at is null`.execute(db)
}

/** Sets exactly these roles. Only the difference is written, so that the audit log shows only the difference. */
export async function setRoles(db: Db, person: Place & { id: string }, roleIds: readonly string[]) {
  await sql`delete from user_role where user_id = ${person.id} and role_id <> all(${roleIds}::bigint[])`.execute(db)
  await sql`insert into user_role (user_id, role_id, organise_id, agent_id, site_id)
    select ${person.id}, role.id, ${person.organise_id}, ${person.agent_id}::bigint, ${person.site_id}::bigint
    from role where role.id = any(${roleIds}::bigint[]) on conflict do nothing`.execute(db)
}

/** Roles with all their rights, for comparison with the rights of the granter. */
export async function rolesWithRights(db: Db, filter: { organiseId?: string; ids?: readonly string[] }) {
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

/** Users with an open session: all of an organisation, or those of one agent and its sites. */
export async function listUsersWithSession(db: Db, { organise_id, agent_id }: Omit<Place, 'site_id'>) {
  const { rows } = await sql<{ id: string }>`select person.id from user_account person
    where person.organise_id = ${organise_id} and (${agent_id}::bigint is null or person.agent_id = ${agent_id})
      and exists (select from session where session.user_id = person.id and session.ended_at is null)`.execute(db)
  return rows.map((person) => person.id)
}

export async function issueTicket(db: Db, person: Place & { id: string }, issuedBy: string) {
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
