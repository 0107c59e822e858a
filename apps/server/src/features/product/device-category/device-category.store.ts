import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import {
  categoryUse,
  type DeviceCategory,
  type deviceCategory,
  deviceCategoryList,
} from '@wattdeck/contract/product/device-category.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { listQuery, type Source } from '../../../kit/db/list-query.ts'
import { beginning, containing } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { countDevices } from '../_shared/device-count.store.ts'
import { lockRow } from '../../../kit/db/rows.ts'

type Filter = QueryOf<typeof deviceCategory.list>
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

const categorySource: Source = {
  table: 'device_category',
  // A big category, followed by its small ones.
  order: [
    sql`coalesce((select above.sort from device_category above where above.id = device_category.parent_id), device_category.sort)`,
    sql`left(device_category.code, 2)`,
    sql`device_category.level`,
    sql`device_category.sort`,
    sql`device_category.code`,
  ],
  computed: {
    parentName: sql`(select above.name from device_category above where above.id = device_category.parent_id)`,
    smallCount: sql`(select count(*)::int from device_category below where below.parent_id = device_category.id)`,
    typeCount: sql`(select count(*)::int from device_type
      where device_category.id in (device_type.category_id, device_type.small_category_id))`,
    // Placeholder: listCategories counts for the whole page at once.
    deviceCount: sql`0`,
  },
  own: ({ keyword, parentId, disabled }: Filter) => [
    ...(keyword === undefined
      ? []
      : [
          sql<boolean>`(device_category.name like ${containing(keyword)}
            or device_category.code like ${beginning(keyword)})`,
        ]),
    ...(parentId === undefined
      ? []
      : [sql<boolean>`(device_category.id = ${parentId} or device_category.parent_id = ${parentId})`]),
    ...(disabled === undefined
      ? []
      : [sql<boolean>`device_category.disabled = ${disabled === categoryUse.code.disabled}`]),
  ],
}

export async function listCategories(db: Db, scope: Scope, filter: Filter) {
  const page = await listQuery(db, scope, deviceCategoryList, categorySource, filter)
  const idsAt = (level: number) => page.rows.filter((row) => row.level === level).map((row) => row.id)
  const [big, small] = await Promise.all([
    countDevices(db, scope, 'category_id', idsAt(1)),
    countDevices(db, scope, 'small_category_id', idsAt(2)),
  ])
  const rows = page.rows.map((row) => ({ ...row, deviceCount: (row.level === 1 ? big : small).get(row.id) ?? 0 }))
  return { ...page, rows }
}

/** A category, locked for the change that follows. */
export const findCategory = (db: Db, id: string) =>
  lockRow(db, 'device_category', id, ['id', 'level', 'code', 'name', 'disabled', 'parent_id'])

export async function categoryUses(db: Db, id: string) {
  const { rows } = await sql<{ small: number; types: number }>`
    select (select count(*)::int from device_category where parent_id = ${id}) as small,
      (select count(*)::int from device_type where ${id}::bigint in (category_id, small_category_id)) as types`.execute(
    db,
  )
  return rows[0] ?? { small: 0, types: 0 }
}
