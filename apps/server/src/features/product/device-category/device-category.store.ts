import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { type DeviceCategory, type deviceCategory, categoryUse } from '@wattdeck/contract/product/device-category.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { beginning, containing, pageOf } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { countDevices } from '../_shared/device-count.store.ts'

type Choice = { id: string; code: string; name: string; icon: DeviceCategory['icon']; parentId: string | null }

/** Categories to choose from, in their order. */
export const categoriesOf = (
  db: Db,
  { level, disabled, parentId }: { level: number; disabled: boolean; parentId?: string },
) =>
  db
    .selectFrom('device_category')
    .select(['id', 'code', 'name', 'icon', 'parent_id as parentId'])
    .where('level', '=', level)
    .where('disabled', '=', disabled)
    .$if(parentId !== undefined, (query) => query.where('parent_id', '=', parentId ?? ''))
    .orderBy('sort')
    .orderBy('code')
    .$castTo<Choice>()
    .execute()

export const bigCategory = (db: Db, code: string) =>
  db.selectFrom('device_category').select('id').where('code', '=', code).where('level', '=', 1).executeTakeFirst()

/** Both levels, the big ones first. */
export const everyCategory = (db: Db) =>
  db
    .selectFrom('device_category')
    .select(['id', 'code', 'name', 'disabled', 'parent_id as parentId'])
    .orderBy('level')
    .orderBy('sort')
    .orderBy('code')
    .execute()

export async function listCategories(db: Db, scope: Scope, filter: QueryOf<typeof deviceCategory.list>) {
  const { keyword, parentId, disabled } = filter
  const matching = db
    .selectFrom('device_category')
    .$if(keyword !== undefined, (query) =>
      query.where((where) =>
        where.or([
          where('device_category.name', 'like', containing(keyword ?? '')),
          where('device_category.code', 'like', beginning(keyword ?? '')),
        ]),
      ),
    )
    .$if(parentId !== undefined, (query) =>
      query.where((where) =>
        where.or([
          where('device_category.id', '=', parentId ?? ''),
          where('device_category.parent_id', '=', parentId ?? ''),
        ]),
      ),
    )
    .$if(disabled !== undefined, (query) =>
      query.where('device_category.disabled', '=', disabled === categoryUse.code.disabled),
    )
  const found = await pageOf(db, matching, filter, {
    columns: (query) =>
      query
        .select([
          'device_category.id',
          'device_category.parent_id as parentId',
          sql`(select above.name from device_category above where above.id = device_category.parent_id)`.as(
            'parentName',
          ),
          'device_category.level',
          'device_category.code',
          'device_category.name',
          'device_category.icon',
          'device_category.sort',
          'device_category.disabled',
          sql`(select count(*)::int from device_category below where below.parent_id = device_category.id)`.as(
            'smallCount',
          ),
          sql`(select count(*)::int from device_type
            where device_category.id in (device_type.category_id, device_type.small_category_id))`.as('typeCount'),
          'device_category.created_by as createdBy',
          'device_category.created_at as createdAt',
          'device_category.updated_at as updatedAt',
        ])
        // A big category, then what is below it.
        .orderBy(
          sql`coalesce((select above.sort from device_category above where above.id = device_category.parent_id), device_category.sort)`,
        )
        .orderBy(sql`left(device_category.code, 2)`)
        .orderBy('device_category.level')
        .orderBy('device_category.sort')
        .orderBy('device_category.code')
        .$castTo<Omit<DeviceCategory, 'deviceCount'>>(),
  })
  const idsAt = (level: number) => found.rows.filter((row) => row.level === level).map((row) => row.id)
  const [big, small] = await Promise.all([
    countDevices(db, scope, 'category_id', idsAt(1)),
    countDevices(db, scope, 'small_category_id', idsAt(2)),
  ])
  const rows = found.rows.map((row) => ({ ...row, deviceCount: (row.level === 1 ? big : small).get(row.id) ?? 0 }))
  return { ...found, rows }
}

/** A category, locked for the change that follows. */
export const findCategory = (db: Db, id: string) =>
  db
    .selectFrom('device_category')
    .select(['id', 'level', 'code', 'name', 'disabled', 'parent_id'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

type Fields = { name: string; icon: string | null; sort: number }

/** Undefined: the code is taken. */
export async function addCategory(
  db: Db,
  values: Fields & { parent_id: string | null; level: number; code: string; created_by: string },
): Promise<string | undefined> {
  const made = await db
    .insertInto('device_category')
    .values(values)
    .onConflict((clash) => clash.column('code').doNothing())
    .returning('id')
    .executeTakeFirst()
  return made?.id
}

export async function changeCategory(db: Db, id: string, fields: Fields): Promise<void> {
  await db.updateTable('device_category').set(fields).where('id', '=', id).execute()
}

export async function setDisabled(db: Db, id: string, disabled: boolean): Promise<boolean> {
  const changed = await db
    .updateTable('device_category')
    .set({ disabled })
    .where('id', '=', id)
    .where('disabled', '<>', disabled)
    .executeTakeFirst()
  return changed.numUpdatedRows === 1n
}

export async function categoryUses(db: Db, id: string) {
  const { rows } = await sql<{ small: number; types: number }>`
    select (select count(*)::int from device_category where parent_id = ${id}) as small,
      (select count(*)::int from device_type where ${id}::bigint in (category_id, small_category_id)) as types`.execute(
    db,
  )
  return rows[0] ?? { small: 0, types: 0 }
}

export async function removeCategory(db: Db, id: string): Promise<void> {
  await db.deleteFrom('device_category').where('id', '=', id).execute()
}
