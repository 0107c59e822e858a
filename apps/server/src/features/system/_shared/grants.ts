import type { actionKind } from '@wattdeck/contract/common.ts'
import type { Privilege } from '@wattdeck/contract/system/role.ts'
import { isSuperAdmin } from '@wattdeck/domain/roles.ts'
import type { Actor } from '../../../kit/auth/actor.ts'
import { menuTree } from '../../../kit/auth/menus.ts'
import { forbidden, invalid, notFound } from '../../../kit/http/refusal.ts'
import { assertHolds } from '../../../kit/auth/rights.ts'
import { liveMenuIds, type MenuRow } from './live-menus.ts'

/** Which rights a role can get, and from whom: decisions without SQL, for roles and for administrators of organisations. */
export type ResourceRow = {
  id: string
  menuId: string
  name: string
  action: (typeof actionKind.options)[number]['value']
  status: number
  /** 'menu key:action' */
  grant: string
}
export type Catalogue = { menus: readonly MenuRow[]; resources: readonly ResourceRow[] }
export type Granted = { menuIds: readonly string[]; resourceIds: readonly string[] }

/**
 * The rights that the actor decides about. A disabled right, or one below a disabled menu, has no effect: only a super admin grants,
 * removes or copies it. For any other actor it stays with the roles that have it.
 */
export function decidableRights(actor: Actor, all: Catalogue): Catalogue {
  if (isSuperAdmin(actor)) return all
  const live = liveMenuIds(all.menus)
  return {
    menus: all.menus.filter((menu) => live.has(menu.id)),
    resources: all.resources.filter((resource) => resource.status === 1 && live.has(resource.menuId)),
  }
}

export function pick(from: Catalogue, granted: Granted): Catalogue {
  const menuIds = new Set(granted.menuIds)
  const resourceIds = new Set(granted.resourceIds)
  return {
    menus: from.menus.filter((menu) => menuIds.has(menu.id)),
    resources: from.resources.filter((resource) => resourceIds.has(resource.id)),
  }
}

export const idsOf = ({ menus, resources }: Catalogue) => ({
  menuIds: menus.map((menu) => menu.id),
  resourceIds: resources.map((resource) => resource.id),
})

const difference = (ids: readonly string[], others: readonly string[]) => {
  const excluded = new Set(others)
  return ids.filter((id) => !excluded.has(id))
}
export const without = (granted: Granted, other: Granted): Granted => ({
  menuIds: difference(granted.menuIds, other.menuIds),
  resourceIds: difference(granted.resourceIds, other.resourceIds),
})

export const isEmpty = ({ menuIds, resourceIds }: Granted) => menuIds.length + resourceIds.length === 0

const rightsIn = ({ menus, resources }: Catalogue, unmask: boolean) => ({
  menuKeys: menus.map((menu) => menu.menuKey),
  grants: resources.map((resource) => resource.grant),
  unmask,
})

/** The rights that the actor may grant to others. */
export function grantableBy(actor: Actor, all: Catalogue): Catalogue {
  const { menus, resources } = decidableRights(actor, all)
  if (isSuperAdmin(actor)) return { menus, resources }
  return {
    menus: menus.filter((menu) => actor.menuKeys.includes(menu.menuKey)),
    resources: resources.filter((resource) => actor.grants.includes(resource.grant)),
  }
}

/** Requires that each right exists and that the actor holds it. A resource must come with its menu, without which it has no effect. */
function assertMayGrant(actor: Actor, all: Catalogue, request: Granted & { unmask: boolean }): void {
  const chosen = pick(all, request)
  if (!isEmpty(without(request, idsOf(chosen)))) throw notFound()
  assertHolds(actor, rightsIn(chosen, request.unmask))
  const menuIds = new Set(request.menuIds)
  if (!chosen.resources.every((resource) => menuIds.has(resource.menuId))) throw invalid('资源须与其所属菜单一同授予')
}

/** An actor who changes or copies a role must hold all that it grants, and must not stand below its holders. */
export function assertAbove(
  actor: Actor,
  role: { top_level: number; can_unmask: boolean },
  all: Catalogue,
  granted: Granted,
): void {
  if (role.top_level < actor.roleTopLevel) throw forbidden()
  assertHolds(actor, rightsIn(pick(decidableRights(actor, all), granted), role.can_unmask))
}

type RoleNow = { granted: Granted; canUnmask: boolean }

/** The rights that the actor may grant, and those of them that the role has, as the console shows them. */
export function privilegeOf(actor: Actor, all: Catalogue, { granted, canUnmask }: RoleNow): Privilege {
  const offered = grantableBy(actor, all)
  const has = idsOf(pick(offered, granted))
  const offeredMenus = new Set(offered.menus.map((menu) => menu.id))
  return {
    menus: menuTree(all.menus, (menu) => offeredMenus.has(menu.id)),
    resources: offered.resources.map(({ id, menuId, name, action }) => ({ id, menuId, name, action })),
    grantedMenuIds: has.menuIds,
    grantedResourceIds: has.resourceIds,
    canUnmask,
    mayGrantUnmask: actor.unmask,
  }
}

export type GrantRequest = { menuIds?: string[] | undefined; resourceIds?: string[] | undefined; canUnmask: boolean }

/** The difference that gives the role exactly the requested rights, if the actor may grant them. */
export function grantChanges(actor: Actor, all: Catalogue, granted: Granted, request: GrantRequest) {
  const chosen = { menuIds: [...new Set(request.menuIds)], resourceIds: [...new Set(request.resourceIds)] }
  assertMayGrant(actor, all, { ...chosen, unmask: request.canUnmask })
  return {
    added: without(chosen, granted),
    removed: without(idsOf(pick(decidableRights(actor, all), granted)), chosen),
  }
}
