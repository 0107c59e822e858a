import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { PlatformAttribute, platformAttribute } from '@wattdeck/contract/product/platform-attribute.ts'
import type { AttributeOption } from '@wattdeck/domain/attribute-value.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { beginning, containing, pageOf } from '../../../kit/db/paging.ts'

export async function listAttributes(db: Db, filter: QueryOf<typeof platformAttribute.list>) {
  const { keyword, dataType, groupName, status } = filter
  const matching = db
    .selectFrom('platform_attribute')
    .$if(keyword !== undefined, (query) =>
      query.where((where) =>
        where.or([
          where('name', 'like', containing(keyword ?? '')),
          where(sql<string>`lower(identifier)`, 'like', beginning((keyword ?? '').toLowerCase())),
        ]),
      ),
    )
    .$if(dataType !== undefined, (query) => query.where('data_type', '=', dataType ?? 0))
    .$if(groupName !== undefined, (query) => query.where('group_name', '=', groupName ?? ''))
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 0))
  return pageOf(db, matching, filter, {
    columns: (query) =>
      query
        .select([
          'id',
          'identifier',
          'name',
          'data_type as dataType',
          'unit',
          sql`minimum::float8`.as('minimum'),
          sql`maximum::float8`.as('maximum'),
          'options',
          'access',
          'group_name as groupName',
          'default_value as defaultValue',
          sql`(select count(*)::int from attribute_template_item item
            where item.platform_attribute_id = platform_attribute.id)`.as('templateCount'),
          'status',
          'created_by as createdBy',
          'created_at as createdAt',
          'updated_at as updatedAt',
        ])
        .orderBy('group_name')
        .orderBy('id')
        .$castTo<PlatformAttribute>(),
  })
}

export async function groupNames(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('platform_attribute').select('group_name').distinct().orderBy('group_name').execute()
  return rows.map((row) => row.group_name)
}

/** An attribute, locked for the change that follows. */
export const findAttribute = (db: Db, id: string) =>
  db
    .selectFrom('platform_attribute')
    .select(['id', 'name', 'data_type'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

type Values = {
  name: string
  data_type: number
  unit: string | null
  minimum: number | null
  maximum: number | null
  options: readonly AttributeOption[]
  default_value: string | null
  access: number
  group_name: string
}
const stored = ({ options, ...values }: Values) => ({ ...values, options: JSON.stringify(options) })

/** Undefined: the identifier is taken. */
export async function addAttribute(
  db: Db,
  { identifier, created_by, ...values }: Values & { identifier: string; created_by: string },
): Promise<string | undefined> {
  const made = await db
    .insertInto('platform_attribute')
    .values({ ...stored(values), identifier, created_by })
    .onConflict((clash) => clash.column('identifier').doNothing())
    .returning('id')
    .executeTakeFirst()
  return made?.id
}

export async function changeAttribute(db: Db, id: string, values: Values): Promise<void> {
  await db.updateTable('platform_attribute').set(stored(values)).where('id', '=', id).execute()
}

export async function setStatus(db: Db, id: string, status: number): Promise<boolean> {
  const changed = await db
    .updateTable('platform_attribute')
    .set({ status })
    .where('id', '=', id)
    .where('status', '<>', status)
    .executeTakeFirst()
  return changed.numUpdatedRows === 1n
}

/** What the templates that have an attribute say of its default, one entry a template. */
export async function templateDefaults(db: Db, id: string): Promise<(string | null)[]> {
  const rows = await db
    .selectFrom('attribute_template_item')
    .select('default_value')
    .where('platform_attribute_id', '=', id)
    .execute()
  return rows.map((row) => row.default_value)
}

export async function removeAttribute(db: Db, id: string): Promise<void> {
  await db.deleteFrom('platform_attribute').where('id', '=', id).execute()
}
