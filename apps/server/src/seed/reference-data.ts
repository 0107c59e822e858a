import { allRoutes } from '@wattdeck/contract/all-routes.ts'
import { actionKind } from '@wattdeck/contract/common.ts'
import type { Action } from '@wattdeck/contract/kit/route.ts'
import { menuKey, menuSeeds } from '@wattdeck/contract/menu-keys.ts'
import { superAdminMenuId } from '@wattdeck/domain/roles.ts'
import type pg from 'pg'
import { ensureCatalogue } from './delivered-catalogue.ts'
import { ensureHelp } from './delivered-help.ts'
import { ensureMenuGroups } from './menu-groups.ts'
import { ensureRegions } from './regions.ts'

/**
 * What every installation needs before the first person logs in: the platform's organisation, the regions, the menus, one
 * resource for each action kind of a menu that some route asks for, the product catalogue and the help documents. Adds what is missing; what
 * people can change is left as it is.
 */
export async function ensureReferenceData(client: pg.Client | pg.PoolClient): Promise<void> {
  await client.query(`select set_config('app.scope_level', '0', false), set_config('app.organise_id', '0', false),
    set_config('app.agent_ids', '{}', false), set_config('app.site_ids', '{}', false)`)
  await client.query(`insert into organise (id, name) values (1, '物联网控制平台') on conflict do nothing`)
  await ensureRegions(client)
  for (const [sort, menu] of menuSeeds.entries()) {
    const parent = menu.key.includes('.') ? menu.key.slice(0, menu.key.lastIndexOf('.')) : null
    await client.query(
      `insert into menu (id, parent_id, menu_key, title, route, kind, icon, sort, always_visible)
       values (coalesce($8::bigint, nextval(pg_get_serial_sequence('menu', 'id'))), (select id from menu where menu_key = $1), $2, $3, $4, $5, $6, $7, $9)
       on conflict do nothing`,
      // Spec §6: the super admin's menu has the id 1.
      [
        parent,
        menu.key,
        menu.title,
        menu.route ?? null,
        menu.route === undefined ? 1 : 2,
        menu.icon,
        sort * 10,
        menu.key === menuKey.system ? superAdminMenuId : null,
        menu.alwaysVisible ?? false,
      ],
    )
  }
  await ensureMenuGroups(client)
  const actions = new Map<string, { menu: string; action: Action; path: string; method: string }>()
  for (const { route } of allRoutes) {
    if (typeof route.access !== 'object' || route.access.action === undefined) continue
    const { action } = route.access
    for (const menu of [route.access.menu].flat()) {
      const code = `${menu}:${action}`
      if (!actions.has(code)) actions.set(code, { menu, action, path: route.path, method: route.method })
    }
  }
  for (const [code, { menu, action, path, method }] of actions) {
    await client.query(
      `insert into resource (menu_id, name, code, action, path, method)
       select id, title || '-' || $2, $3, $4, $5, $6 from menu where menu_key = $1 on conflict do nothing`,
      [menu, actionKind.show(action).label, code, action, path, method],
    )
  }
  await ensureCatalogue(client)
  await ensureHelp(client)
}
