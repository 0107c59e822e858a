import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { defaultOrganiseId } from '@wattdeck/domain/roles.ts'
import type { RoleTemplate } from '../../../seed/role-templates.ts'
import { pagesOf } from '../../../seed/role-templates.ts'
import type { Place } from '../../_shared/place.store.ts'
import { type Catalogue, type Granted, idsOf } from './grants.ts'
import { lowestTypeAt } from './role-standing.ts'

/** User type of a role that is created from the template at the place; undefined where the template does not fit. */
export function userTypeAt({ userType, platformOnly = false }: RoleTemplate, place: Place): 1 | 2 | 3 | 4 | undefined {
  if (platformOnly !== (place.organise_id === defaultOrganiseId)) return undefined
  const lowest = lowestTypeAt(place)
  if (userType === 'ofPlace') return lowest
  return userType < lowest ? undefined : userType
}

const isAtOrAbove = (key: string, page: string) => page === key || page.startsWith(`${key}.`)

/**
 * The rights of a template among the offered ones: its pages, the directories above them and its actions. Undefined when only the work
 * table and always visible menus are left: such a role would open nothing.
 */
export function templateGrants(template: RoleTemplate, offered: Catalogue): Granted | undefined {
  const pages = pagesOf(template)
  const isPage = (key: string) => pages === undefined || pages.has(key)
  const selectedMenus = offered.menus.filter(({ menuKey: key }) => isPage(key))
  if (selectedMenus.every(({ menuKey: key, alwaysVisible }) => key === menuKey.workTable || alwaysVisible))
    return undefined
  const selectedIds = new Set(selectedMenus.map(({ id }) => id))
  const keyOf = new Map(selectedMenus.map(({ id, menuKey: key }) => [id, key]))
  return idsOf({
    menus: offered.menus.filter(({ id, menuKey: key }) =>
      selectedIds.has(id) ? true : selectedMenus.some((page) => isAtOrAbove(key, page.menuKey)),
    ),
    resources: offered.resources.filter(({ menuId, action }) => {
      const key = keyOf.get(menuId)
      if (key === undefined) return false
      const actions = pages === undefined ? 'all' : (pages.get(key) ?? [])
      return actions === 'all' || actions.includes(action)
    }),
  })
}
