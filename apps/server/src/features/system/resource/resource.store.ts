import type { BodyOf, QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { resource } from '@wattdeck/contract/system/resource.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { ifGiven, type Source } from '../../../kit/db/list-query.ts'
import { containing } from '../../../kit/db/paging.ts'

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

export async function menuExists(db: Db, id: string): Promise<boolean> {
  const found = await db.selectFrom('menu').select('id').where('id', '=', id).executeTakeFirst()
  return found !== undefined
}

/** Undefined: the code is taken. */
export async function addResource(
  db: Db,
  { menuId, code, name, action, path, method }: BodyOf<typeof resource.add>,
): Promise<string | undefined> {
  const made = await db
    .insertInto('resource')
    .values({ menu_id: menuId, code, name, action, path, method })
    .onConflict((clash) => clash.column('code').doNothing())
    .returning('id')
    .executeTakeFirst()
  return made?.id
}

/** Locked for the change that follows. */
export const findResource = (db: Db, id: string) =>
  db
    .selectFrom('resource')
    .innerJoin('menu', 'menu.id', 'resource.menu_id')
    .select(['resource.action', 'menu.menu_key'])
    .where('resource.id', '=', id)
    .forUpdate('resource')
    .executeTakeFirst()

export async function editResource(
  db: Db,
  { id, name, action, path, method }: BodyOf<typeof resource.edit>,
): Promise<void> {
  await db.updateTable('resource').set({ name, action, path, method }).where('id', '=', id).execute()
}

export async function setResourceStatus(db: Db, id: string, status: number): Promise<boolean> {
  const changed = await db
    .updateTable('resource')
    .set({ status })
    .where('id', '=', id)
    .where('status', '<>', status)
    .executeTakeFirst()
  return changed.numUpdatedRows === 1n
}

export async function removeResource(db: Db, id: string): Promise<boolean> {
  const removed = await db.deleteFrom('resource').where('id', '=', id).executeTakeFirst()
  return removed.numDeletedRows === 1n
}
