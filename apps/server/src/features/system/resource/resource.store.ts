import type { BodyOf, QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { resource } from '@wattdeck/contract/system/resource.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { ifGiven, type Source } from '../../../kit/db/list-query.ts'
import { containing } from '../../../kit/db/paging.ts'
import { insertUnlessDuplicate } from '../../../kit/db/rows.ts'

const ofMenu = (column: string) => sql`(select ${sql.ref(`menu.${column}`)} from menu where menu.id = resource.menu_id)`

export const resourceSource: Source = {
  table: 'resource',
  computed: { menuKey: ofMenu('menu_key'), menuTitle: ofMenu('title') },
  order: [ofMenu('menu_key'), sql`resource.id`],
  own: ({ menuId, name }: QueryOf<typeof resource.list>) => [
    ...ifGiven(menuId, (id) => sql<boolean>`resource.menu_id = ${id}`),
    ...ifGiven(name, (text) => sql<boolean>`resource.name like ${containing(text)}`),
  ],
}

/** Undefined where the code exists. */
export const addResource = (db: Db, { menuId, code, name, action, path, method }: BodyOf<typeof resource.add>) =>
  insertUnlessDuplicate(db, 'resource', { menu_id: menuId, code, name, action, path, method }, ['code'])

/** Locked for the change that follows. */
export const findResource = (db: Db, id: string) =>
  db
    .selectFrom('resource')
    .innerJoin('menu', 'menu.id', 'resource.menu_id')
    .select(['resource.action', 'menu.menu_key'])
    .where('resource.id', '=', id)
    .forUpdate('resource')
    .executeTakeFirst()
