import { isSuperAdmin } from '@wattdeck/domain/roles.ts'
import { sql } from 'kysely'
import type { Actor } from './actor.ts'
import { applyScope, type Db } from '../db/db.ts'
import { forbidden } from '../http/refusal.ts'
import type { Scope } from '../db/scope.ts'
import { systemScope } from '../db/system-scope.ts'

export type Rights = Pick<Actor, 'roleTopLevel' | 'unmask' | 'roleCodes' | 'menuKeys' | 'grants'>

/**
 * All rights of a person, read in the system scope, because roles outside of the caller's scope count as well. Call it only
 * for people who are visible in the caller's scope.
 */
export async function rightsOf(db: Db, scope: Scope, userId: string): Promise<Rights> {
  await applyScope(db, systemScope)
  const rights = await readRights(db, userId)
  await applyScope(db, scope)
  return rights
}

export async function readRights(db: Db, userId: string): Promise<Rights> {
  const { rows } = await sql<{ rights: Rights }>`select app.user_rights(${userId}) as rights`.execute(db)
  const rights = rows[0]?.rights
  if (rights === undefined) throw new Error('user_rights returned no row')
  return rights
}

/** The subset of these people who hold a menu, read in the system scope. */
export async function holdersOf(db: Db, scope: Scope, menu: string, userIds: readonly string[]): Promise<Set<string>> {
  await applyScope(db, systemScope)
  const { rows } = await sql<{ id: string }>`select id from unnest(${userIds}::bigint[]) as person (id)
    where app.user_rights(id) -> 'menuKeys' ? ${menu}`.execute(db)
  await applyScope(db, scope)
  return new Set(rows.map(({ id }) => id))
}

/** A grant may contain only rights that the granter currently holds. */
export function assertHolds(
  actor: Actor,
  requested: { menuKeys: readonly string[]; grants: readonly string[]; unmask: boolean },
): void {
  if (isSuperAdmin(actor)) return
  const menus = new Set(actor.menuKeys)
  const grants = new Set(actor.grants)
  const holdsAll =
    requested.menuKeys.every((key) => menus.has(key)) &&
    requested.grants.every((grant) => grants.has(grant)) &&
    (actor.unmask || !requested.unmask)
  if (!holdsAll) throw forbidden()
}

/** The caller may manage only a person of the same or a lower level, all of whose rights the caller holds. */
export function assertOutranks(actor: Actor, other: Rights): void {
  if (other.roleTopLevel < actor.roleTopLevel) throw forbidden()
  assertHolds(actor, other)
}
