import type { TemplateItem } from '@wattdeck/contract/product/attribute-template.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'

/** The attributes of a template in their order. */
export const itemsOf = (db: Db, templateId: string) =>
  db
    .selectFrom('attribute_template_item as item')
    .innerJoin('platform_attribute as attribute', 'attribute.id', 'item.platform_attribute_id')
    .select(['attribute.id as attributeId', 'item.default_value as defaultValue'])
    .select(shapeOf)
    .where('item.attribute_template_id', '=', templateId)
    .orderBy('item.sort')
    .orderBy('attribute.id')
    .$castTo<TemplateItem>()
    .execute()

/** Enabled attributes, to choose from. */
export const attributesInUse = (db: Db) =>
  db
    .selectFrom('platform_attribute as attribute')
    .select('attribute.id as attributeId')
    .select(shapeOf)
    .where('attribute.status', '=', 1)
    .orderBy('attribute.group_name')
    .orderBy('attribute.id')
    .$castTo<Omit<TemplateItem, 'defaultValue'>>()
    .execute()

/** Attributes by id, including disabled ones, which a template may keep. */
export const attributesNamed = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('platform_attribute as attribute')
    .select(['attribute.id as attributeId', 'attribute.status'])
    .select(shapeOf)
    .where('attribute.id', '=', sql<string>`any(${ids})`)
    .$castTo<Omit<TemplateItem, 'defaultValue'> & { status: number }>()
    .execute()

const shapeOf = () => [
  sql<string>`attribute.identifier`.as('identifier'),
  sql<string>`attribute.name`.as('name'),
  sql<number>`attribute.data_type`.as('dataType'),
  sql<string | null>`attribute.unit`.as('unit'),
  sql<number | null>`attribute.minimum::float8`.as('minimum'),
  sql<number | null>`attribute.maximum::float8`.as('maximum'),
  sql`attribute.options`.as('options'),
  sql<number>`attribute.access`.as('access'),
  sql<string>`attribute.group_name`.as('groupName'),
  sql<string | null>`attribute.default_value`.as('ownDefault'),
]

type NewItem = { attributeId: string; defaultValue?: string | undefined }

/** Writes only the difference, so that the audit log shows only the difference. */
export async function setItems(db: Db, templateId: string, items: readonly NewItem[]): Promise<void> {
  const ids = items.map((item) => item.attributeId)
  const defaults = items.map((item) => item.defaultValue ?? null)
  await sql`delete from attribute_template_item
    where attribute_template_id = ${templateId} and platform_attribute_id <> all(${ids}::bigint[])`.execute(db)
  await sql`insert into attribute_template_item (attribute_template_id, platform_attribute_id, default_value, sort)
    select ${templateId}::bigint, wanted.id, wanted.value, wanted.place
    from unnest(${ids}::bigint[], ${defaults}::text[]) with ordinality as wanted (id, value, place)
    on conflict (attribute_template_id, platform_attribute_id) do update set default_value = excluded.default_value, sort = excluded.sort
    where row(attribute_template_item.default_value, attribute_template_item.sort)
      is distinct from row(excluded.default_value, excluded.sort)`.execute(db)
}

export async function copyItems(db: Db, from: string, to: string): Promise<void> {
  await sql`insert into attribute_template_item (attribute_template_id, platform_attribute_id, default_value, sort)
    select ${to}::bigint, platform_attribute_id, default_value, sort
    from attribute_template_item where attribute_template_id = ${from}`.execute(db)
}
