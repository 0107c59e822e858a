import { isSuperAdmin } from '@wattdeck/domain/roles.ts'
import { sql } from 'kysely'
import type { Actor } from './actor.ts'
import { applyScope, type Db } from '../db/db.ts'
import { forbidden } from '../http/refusal.ts'
import type { Scope } from '../db/scope.ts'
import { systemScope } from '../db/system-scope.ts'

export type Rights = Pick<Actor, 'roleTopLevel' | 'unmask' | 'roleCodes' | 'menuKeys' | 'grants'>

/**
 * All rights of a person, read with the system's eyes: what the caller cannot see of another's roles must not make
 * that other look weaker than they are. Ask only for people the caller's scope has shown to exist.
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
  if (rights === undefined) throw new Error('user_rights answers one row')
  return rights
}

/** Which of these people hold a menu, read with the same eyes. */
export async function holdersOf(db: Db, scope: Scope, menu: string, userIds: readonly string[]): Promise<Set<string>> {
  await applyScope(db, systemScope)
  const { rows } = await sql<{ id: string }>`select id from unnest(${userIds}::bigint[]) as person (id)
    where app.user_rights(id) -> 'menuKeys' ? ${menu}`.execute(db)
  await applyScope(db, scope)
  return new Set(rows.map(({ id }) => id))
}

/** A grant may contain only what the granter holds now. */
export function assertHolds(
  actor: Actor,
  wanted: { menuKeys: readonly string[]; grants: readonly string[]; unmask: boolean },
): void {
  if (isSuperAdmin(actor)) return
  const menus = new Set(actor.menuKeys)
  const grants = new Set(actor.grants)
  const holdsAll =
    wanted.menuKeys.every((key) => menus.has(key)) &&
    wanted.grants.every((grant) => grants.has(grant)) &&
    (actor.unmask || !wanted.unmask)
  if (!holdsAll) throw forbidden()
}

/** Only somebody whose every right the caller holds, and who stands no higher, may be managed by the caller. */
export function assertOutranks(actor: Actor, other: Rights): void {
  if (other.roleTopLevel < actor.roleTopLevel) throw forbidden()
  assertHolds(actor, other)
}
