import { sql } from 'kysely'
import { applyScope, type Db } from '../db/db.ts'
import { type NewNotice, notifyAll } from './outbox.ts'
import type { Scope } from '../db/scope.ts'
import { systemScope } from '../db/system-scope.ts'

type Place = { organise_id: string; agent_id: string | null; site_id: string | null }
type Params = { place: Place; grant: { menu: string; action: string }; except: string }

/** Limit of notified approvers. */
const most = 50

/**
 * Notifies the people of an organisation who see a place and hold an action, except the caller. Runs in the system scope,
 * because approvers may be above the caller and outside of the caller's scope. Returns nothing about them.
 */
export async function notifyHolders(
  db: Db,
  scope: Scope,
  { place, grant, except }: Params,
  notice: NewNotice,
): Promise<void> {
  await applyScope(db, systemScope)
  // Filters by roles first, because computing all rights of a person is slow.
  const { rows } = await sql<Place & { userId: string }>`
    with named as materialized (
      select distinct person.organise_id, person.agent_id, person.site_id, person.id from resource
      join menu on menu.id = resource.menu_id and menu.menu_key = ${grant.menu}
      join role_resource on role_resource.resource_id = resource.id and role_resource.organise_id = ${place.organise_id}
      join user_role on user_role.role_id = role_resource.role_id
      join user_account person on person.id = user_role.user_id and person.organise_id = ${place.organise_id}
      where resource.action = ${grant.action} and person.status = 1 and person.deleted_at is null and person.id <> ${except}
        and case when person.site_id is not null then person.site_id = ${place.site_id}::bigint
          when person.agent_id is not null then ${place.agent_id}::bigint = any(app.agents_below(person.agent_id)) else true end
      order by person.id limit ${most}
    )
    select organise_id, agent_id, site_id, id as "userId" from named
    where app.user_rights(id) -> 'grants' ? ${`${grant.menu}:${grant.action}`}`.execute(db)
  await notifyAll(db, rows, notice)
  await applyScope(db, scope)
}

/** Notifies one person in the system scope, because the requester may be outside of the approver's scope. */
export async function notifyPerson(db: Db, scope: Scope, userId: string, notice: NewNotice): Promise<void> {
  await applyScope(db, systemScope)
  const person = await db
    .selectFrom('user_account')
    .select(['organise_id', 'agent_id', 'site_id', 'id as userId'])
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  await notifyAll(db, person === undefined ? [] : [person], notice)
  await applyScope(db, scope)
}
