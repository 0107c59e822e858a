import { actionKind } from '@wattdeck/contract/common.ts'
import type { MenuNode } from '@wattdeck/contract/auth/menu-node.ts'
import type { Privilege } from '@wattdeck/contract/system/role.ts'
import { difference, flatMenus, givable, type Ids, menuIds, withMenu, withoutMenu, withPath } from './menu-choice.ts'

export type Offer = Privilege
type Resource = Offer['resources'][number]
export type Choice = { menus: Ids; resources: Ids; unmask: boolean }

export const grantedChoice = (offer: Offer): Choice => ({
  menus: new Set(offer.grantedMenuIds),
  resources: new Set(offer.grantedResourceIds),
  unmask: offer.canUnmask,
})

const actionOrder = actionKind.options.map((option) => option.value)

export const resourcesOf = (offer: Offer, menu: MenuNode): Resource[] =>
  offer.resources
    .filter((resource) => resource.menuId === menu.id)
    .toSorted((one, other) => actionOrder.indexOf(one.action) - actionOrder.indexOf(other.action))

/** The offered menus with something to select. */
export const offeredMenus = (offer: Offer): MenuNode[] =>
  givable(offer.menus, (menu) => resourcesOf(offer, menu).length > 0)

/** An action without its menu is an invisible right, so both are selected and removed together. */
export function chooseMenu(offer: Offer, choice: Choice, id: string, on: boolean): Choice {
  if (on) return { ...choice, menus: withMenu(offer.menus, choice.menus, id) }
  const menus = withoutMenu(offer.menus, choice.menus, id)
  const remaining = offer.resources.filter(
    (resource) => choice.resources.has(resource.id) && menus.has(resource.menuId),
  )
  return { ...choice, menus, resources: new Set(remaining.map((resource) => resource.id)) }
}

export function chooseResource(offer: Offer, choice: Choice, resource: Resource, on: boolean): Choice {
  if (!on) return { ...choice, resources: new Set([...choice.resources].filter((id) => id !== resource.id)) }
  return {
    ...choice,
    menus: withPath(offer.menus, choice.menus, resource.menuId),
    resources: new Set([...choice.resources, resource.id]),
  }
}

export const chooseAll = (offer: Offer, choice: Choice): Choice => ({
  ...choice,
  menus: new Set([...choice.menus, ...menuIds(offeredMenus(offer))]),
  resources: new Set(offer.resources.map((resource) => resource.id)),
})

export const chooseNone = (offer: Offer, choice: Choice): Choice => {
  const offered = new Set(menuIds(offeredMenus(offer)))
  return { ...choice, menus: new Set([...choice.menus].filter((id) => !offered.has(id))), resources: new Set() }
}

/** The changes of a selection as text. */
export function changesOf(offer: Offer, before: Choice, after: Choice) {
  const menus = new Map(flatMenus(offer.menus).map((menu) => [menu.id, menu]))
  const resources = new Map(offer.resources.map((resource) => [resource.id, resource]))
  const menuText = (id: string) => `菜单：${menus.get(id)?.title ?? id}（${menus.get(id)?.menuKey ?? '-'}）`
  const resourceText = (id: string) => `操作：${resources.get(id)?.name ?? id}`
  const byMenu = difference(before.menus, after.menus)
  const byResource = difference(before.resources, after.resources)
  const unmask = ['查看明文']
  return {
    added: [
      ...byMenu.added.map(menuText),
      ...byResource.added.map(resourceText),
      ...(after.unmask && !before.unmask ? unmask : []),
    ],
    removed: [
      ...byMenu.removed.map(menuText),
      ...byResource.removed.map(resourceText),
      ...(before.unmask && !after.unmask ? unmask : []),
    ],
  }
}

/** The branches that match the text; a matching menu keeps all its children. */
export function searchMenus(menus: readonly MenuNode[], text: string): MenuNode[] {
  const query = text.trim()
  if (query === '') return [...menus]
  return menus.flatMap((menu) => {
    if (menu.title.includes(query)) return [menu]
    const childMenus = searchMenus(menu.childMenus, query)
    return childMenus.length > 0 ? [{ ...menu, childMenus }] : []
  })
}
