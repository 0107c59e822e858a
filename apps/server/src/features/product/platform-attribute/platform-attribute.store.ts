import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { platformAttribute } from '@wattdeck/contract/product/platform-attribute.ts'
import type { AttributeOption } from '@wattdeck/domain/attribute-value.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import type { Source } from '../../../kit/db/list-query.ts'
import { beginning, containing } from '../../../kit/db/paging.ts'

export const attributeSource: Source = {
  table: 'platform_attribute',
  order: [sql`platform_attribute.group_name`, sql`platform_attribute.id`],
  computed: {
    minimum: sql`platform_attribute.minimum::float8`,
    maximum: sql`platform_attribute.maximum::float8`,
    templateCount: sql`(select count(*)::int from attribute_template_item item
      where item.platform_attribute_id = platform_attribute.id)`,
  },
  own: ({ keyword, groupName }: QueryOf<typeof platformAttribute.list>) => [
    ...(keyword === undefined
      ? []
      : [
          sql<boolean>`(platform_attribute.name like ${containing(keyword)}
            or lower(platform_attribute.identifier) like ${beginning(keyword.toLowerCase())})`,
        ]),
    ...(groupName === undefined ? [] : [sql<boolean>`platform_attribute.group_name = ${groupName}`]),
  ],
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
