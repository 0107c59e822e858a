import type { BodyOf, QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { Resource, resource } from '@wattdeck/contract/system/resource.ts'
import type { Db } from '../../../kit/db/db.ts'
import { containing, pageOf } from '../../../kit/db/paging.ts'

export async function listResources(db: Db, filter: QueryOf<typeof resource.list>) {
  const matching = db
    .selectFrom('resource')
    .innerJoin('menu', 'menu.id', 'resource.menu_id')
    .$if(filter.menuId !== undefined, (query) => query.where('resource.menu_id', '=', filter.menuId ?? ''))
    .$if(filter.action !== undefined, (query) => query.where('resource.action', '=', filter.action ?? ''))
    .$if(filter.name !== undefined, (query) => query.where('resource.name', 'like', containing(filter.name ?? '')))
  return pageOf(db, matching, filter, {
    columns: (query) =>
      query
        .select([
          'resource.id',
          'resource.name',
          'resource.code',
          'resource.menu_id as menuId',
          'menu.menu_key as menuKey',
          'menu.title as menuTitle',
          'resource.action',
          'resource.path',
          'resource.method',
          'resource.status',
          'resource.created_at as createdAt',
          'resource.updated_at as updatedAt',
        ])
        .orderBy('menu.menu_key')
        .orderBy('resource.id')
        .$castTo<Resource>(),
  })
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
