import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { platformAttribute } from '@wattdeck/contract/product/platform-attribute.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import type { Source } from '../../../kit/db/list-query.ts'
import { beginning, containing } from '../../../kit/db/paging.ts'
import { lockRow } from '../../../kit/db/rows.ts'

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
export const findAttribute = (db: Db, id: string) => lockRow(db, 'platform_attribute', id, ['id', 'name', 'data_type'])

/** Default values in the templates that use an attribute, one entry per template. */
export async function templateDefaults(db: Db, id: string): Promise<(string | null)[]> {
  const rows = await db
    .selectFrom('attribute_template_item')
    .select('default_value')
    .where('platform_attribute_id', '=', id)
    .execute()
  return rows.map((row) => row.default_value)
}
