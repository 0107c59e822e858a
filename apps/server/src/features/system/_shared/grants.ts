import type { actionKind } from '@wattdeck/contract/common.ts'
import type { Privilege } from '@wattdeck/contract/system/role.ts'
import { isSuperAdmin } from '@wattdeck/domain/roles.ts'
import type { Actor } from '../../../kit/auth/actor.ts'
import { menuTree } from '../../../kit/auth/menus.ts'
import { forbidden, invalid, notFound } from '../../../kit/http/refusal.ts'
import { assertHolds } from '../../../kit/auth/rights.ts'
import { liveMenuIds, type MenuRow } from './live-menus.ts'

/** What a role may be given, and by whom: decisions without SQL, for roles and for the administrators of organisations. */
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
 * What the actor decides about. What is disabled, or below a disabled menu, is nobody's right at the moment: only a
 * super admin grants it, takes it away or copies it; for everybody else it stays with the roles that have it.
 */
export function inPlay(actor: Actor, all: Catalogue): Catalogue {
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
  const gone = new Set(others)
  return ids.filter((id) => !gone.has(id))
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

/** What the actor may grant to others. */
export function grantableBy(actor: Actor, all: Catalogue): Catalogue {
  const { menus, resources } = inPlay(actor, all)
  if (isSuperAdmin(actor)) return { menus, resources }
  return {
    menus: menus.filter((menu) => actor.menuKeys.includes(menu.menuKey)),
    resources: resources.filter((resource) => actor.grants.includes(resource.grant)),
  }
}

/** Each exists, the actor holds it, and no resource comes without its menu: nobody could see such a right. */
function assertMayGrant(actor: Actor, all: Catalogue, wanted: Granted & { unmask: boolean }): void {
  const chosen = pick(all, wanted)
  if (!isEmpty(without(wanted, idsOf(chosen)))) throw notFound()
  assertHolds(actor, rightsIn(chosen, wanted.unmask))
  const menuIds = new Set(wanted.menuIds)
  if (!chosen.resources.every((resource) => menuIds.has(resource.menuId))) throw invalid('资源须与其所属菜单一同授予')
}

/** Who changes or copies a role holds all that it grants, and stands no lower than those who have it. */
export function assertAbove(
  actor: Actor,
  role: { top_level: number; can_unmask: boolean },
  all: Catalogue,
  granted: Granted,
): void {
  if (role.top_level < actor.roleTopLevel) throw forbidden()
  assertHolds(actor, rightsIn(pick(inPlay(actor, all), granted), role.can_unmask))
}

type RoleNow = { granted: Granted; canUnmask: boolean }

/** What the actor may grant, and which of it the role has, as the console shows it. */
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

export type Wanted = { menuIds?: string[] | undefined; resourceIds?: string[] | undefined; canUnmask: boolean }

/** What must be added and removed so that the role has just what is wanted, if the actor may grant that. */
export function grantChanges(actor: Actor, all: Catalogue, granted: Granted, wanted: Wanted) {
  const chosen = { menuIds: [...new Set(wanted.menuIds)], resourceIds: [...new Set(wanted.resourceIds)] }
  assertMayGrant(actor, all, { ...chosen, unmask: wanted.canUnmask })
  return {
    added: without(chosen, granted),
    removed: without(idsOf(pick(inPlay(actor, all), granted)), chosen),
  }
}
