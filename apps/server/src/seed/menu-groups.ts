import { menuGroups } from '@wattdeck/contract/menu-groups.ts'
import type pg from 'pg'

/**
 * Adds the groups of menus and moves the menus into them that still stand directly under their centre. A role that
 * holds a menu is granted its group: its holders pass the menu on together with the group, and give only what they hold.
 */
export async function ensureMenuGroups(client: pg.Client | pg.PoolClient): Promise<void> {
  for (const { key, title, icon, centre, holds } of menuGroups) {
    await client.query(
      `insert into menu (parent_id, menu_key, title, kind, icon, sort)
       select centre.id, $1, $2, 1, $3, (select min(sort) from menu where menu_key = any($5)) from menu centre where centre.menu_key = $4
       on conflict do nothing`,
      [key, title, icon, centre, holds],
    )
    await client.query(
      `update menu set parent_id = own.id from menu own, menu centre
       where own.menu_key = $1 and centre.menu_key = $2 and menu.menu_key = any($3) and menu.parent_id = centre.id`,
      [key, centre, holds],
    )
    for (const [table, holder] of [
      ['role_menu', 'role_id'],
      ['department_menu', 'department_id'],
    ])
      await client.query(
        `insert into ${table} (${holder}, menu_id, organise_id, agent_id, site_id)
         select distinct held.${holder}, own.id, held.organise_id, held.agent_id, held.site_id
         from ${table} held join menu on menu.id = held.menu_id and menu.menu_key = any($2) join menu own on own.menu_key = $1
         on conflict do nothing`,
        [key, holds],
      )
  }
}
