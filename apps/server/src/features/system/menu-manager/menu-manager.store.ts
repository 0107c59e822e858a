import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import type { menuManager } from '@wattdeck/contract/system/menu-manager.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'

type Fields = Omit<BodyOf<typeof menuManager.edit>, 'id'>

const columnsOf = (fields: Fields) => ({
  title: fields.title,
  route: fields.route ?? null,
  kind: fields.kind,
  icon: fields.icon ?? null,
  sort: fields.sort,
  always_visible: fields.alwaysVisible,
})

/** Locked for the change that follows. */
export const findMenu = (db: Db, id: string) =>
  db
    .selectFrom('menu')
    .select(['id', 'parent_id', 'menu_key', 'always_visible', 'status'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

/** Undefined: the key is taken. */
export async function addMenu(
  db: Db,
  menu: Fields & { parentId: string | null; menuKey: string },
): Promise<string | undefined> {
  const made = await db
    .insertInto('menu')
    .values({ ...columnsOf(menu), parent_id: menu.parentId, menu_key: menu.menuKey })
    .onConflict((clash) => clash.column('menu_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  return made?.id
}

export async function editMenu(db: Db, id: string, fields: Fields): Promise<void> {
  await db.updateTable('menu').set(columnsOf(fields)).where('id', '=', id).execute()
}

export async function setMenuStatus(db: Db, id: string, status: number): Promise<boolean> {
  const changed = await db
    .updateTable('menu')
    .set({ status })
    .where('id', '=', id)
    .where('status', '<>', status)
    .executeTakeFirst()
  return changed.numUpdatedRows === 1n
}

/** The menus under one parent in the order in which they are shown, locked so that two moves cannot mix. */
export async function siblingIds(db: Db, parentId: string | null): Promise<string[]> {
  const rows = await db
    .selectFrom('menu')
    .select('id')
    .where('parent_id', 'is not distinct from', parentId)
    .orderBy('sort')
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.map((row) => row.id)
}

export async function orderMenus(db: Db, ids: readonly string[]): Promise<void> {
  await sql`update menu set sort = wanted.place from unnest(${ids}::bigint[]) with ordinality as wanted (id, place)
    where menu.id = wanted.id and menu.sort <> wanted.place`.execute(db)
}

export async function menuUses(db: Db, id: string) {
  const { rows } = await sql<{ below: boolean; resource: boolean; only_ceiling: boolean }>`
    select exists (select from menu where parent_id = ${id}) as below,
      exists (select from resource where menu_id = ${id}) as resource,
      exists (select from department_menu own where own.menu_id = ${id} and not exists (
        select from department_menu other where other.department_id = own.department_id and other.menu_id <> ${id}
      )) as only_ceiling`.execute(db)
  const uses = rows[0]
  if (uses === undefined) throw new Error('a select of expressions answers one row')
  return uses
}

export async function removeMenu(db: Db, id: string): Promise<void> {
  await db.deleteFrom('menu').where('id', '=', id).execute()
}

export async function personExists(db: Db, id: string): Promise<boolean> {
  const found = await db
    .selectFrom('user_account')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return found !== undefined
}
