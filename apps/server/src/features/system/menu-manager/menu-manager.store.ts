import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import type { menuManager } from '@wattdeck/contract/system/menu-manager.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { insertUnlessDuplicate, lockRow, updateRow } from '../../../kit/db/rows.ts'

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
  lockRow(db, 'menu', id, ['id', 'parent_id', 'menu_key', 'always_visible', 'status'])

/** Undefined where the key exists. */
export const addMenu = (db: Db, menu: Fields & { parentId: string | null; menuKey: string }) =>
  insertUnlessDuplicate(db, 'menu', { ...columnsOf(menu), parent_id: menu.parentId, menu_key: menu.menuKey }, [
    'menu_key',
  ])

export const editMenu = (db: Db, id: string, fields: Fields) => updateRow(db, 'menu', id, columnsOf(fields))

/** The menus of one parent in their display order, locked so that concurrent moves cannot mix. */
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

export async function menuUses(db: Db, id: string) {
  const { rows } = await sql<{ below: boolean; resource: boolean; only_ceiling: boolean }>`
    select exists (select from menu where parent_id = ${id}) as below,
      exists (select from resource where menu_id = ${id}) as resource,
      exists (select from department_menu own where own.menu_id = ${id} and not exists (
        select from department_menu other where other.department_id = own.department_id and other.menu_id <> ${id}
      )) as only_ceiling`.execute(db)
  const uses = rows[0]
  if (uses === undefined) throw new Error('the query returned no row')
  return uses
}
