import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { AttributeTemplate, attributeTemplate } from '@wattdeck/contract/product/attribute-template.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { byId, containing, pageOf } from '../../../kit/db/paging.ts'

export async function listTemplates(db: Db, filter: QueryOf<typeof attributeTemplate.list>) {
  const { keyword, deviceTypeId, status } = filter
  const matching = db
    .selectFrom('attribute_template')
    .$if(keyword !== undefined, (query) => query.where('name', 'like', containing(keyword ?? '')))
    .$if(deviceTypeId !== undefined, (query) =>
      query.where('id', 'in', (type) =>
        type
          .selectFrom('device_type')
          .select('attribute_template_id')
          .where('device_type.id', '=', deviceTypeId ?? ''),
      ),
    )
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 0))
  return pageOf(db, matching, filter, {
    key: byId('attribute_template.id'),
    columns: (query) =>
      query
        .select([
          'id',
          'name',
          'version',
          sql`(select count(*)::int from attribute_template_item item
            where item.attribute_template_id = attribute_template.id)`.as('attributeCount'),
          sql`array(select attribute.group_name from attribute_template_item item
            join platform_attribute attribute on attribute.id = item.platform_attribute_id
            where item.attribute_template_id = attribute_template.id
            group by attribute.group_name order by min(item.sort))`.as('groupNames'),
          sql`array(select type.name from device_type type
            where type.attribute_template_id = attribute_template.id order by type.code)`.as('typeNames'),
          'remark',
          'status',
          'created_by as createdBy',
          'created_at as createdAt',
          'updated_at as updatedAt',
        ])
        .$castTo<AttributeTemplate>(),
  })
}

export const templateOptions = (db: Db) =>
  db
    .selectFrom('attribute_template')
    .select(['id', 'name', 'version'])
    .where('status', '=', 1)
    .orderBy('name')
    .execute()

/** A template, locked for the change that follows. */
export const findTemplate = (db: Db, id: string) =>
  db.selectFrom('attribute_template').select(['id', 'name']).where('id', '=', id).forUpdate().executeTakeFirst()

export async function templateExists(db: Db, id: string): Promise<boolean> {
  return (await db.selectFrom('attribute_template').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

export async function nameTaken(db: Db, id: string, name: string): Promise<boolean> {
  const other = await db
    .selectFrom('attribute_template')
    .select('id')
    .where('name', '=', name)
    .where('id', '<>', id)
    .executeTakeFirst()
  return other !== undefined
}

type Values = { name: string; version: string; remark: string | null }

/** Undefined: the name is taken. */
export async function addTemplate(db: Db, values: Values & { created_by: string }): Promise<string | undefined> {
  const made = await db
    .insertInto('attribute_template')
    .values(values)
    .onConflict((clash) => clash.column('name').doNothing())
    .returning('id')
    .executeTakeFirst()
  return made?.id
}

export async function changeTemplate(db: Db, id: string, values: Values): Promise<void> {
  await db.updateTable('attribute_template').set(values).where('id', '=', id).execute()
}

export async function setStatus(db: Db, id: string, status: number): Promise<boolean> {
  const changed = await db
    .updateTable('attribute_template')
    .set({ status })
    .where('id', '=', id)
    .where('status', '<>', status)
    .executeTakeFirst()
  return changed.numUpdatedRows === 1n
}

export async function typesUsing(db: Db, id: string): Promise<number> {
  const { count } = await db
    .selectFrom('device_type')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('attribute_template_id', '=', id)
    .executeTakeFirstOrThrow()
  return count
}

export async function removeTemplate(db: Db, id: string): Promise<void> {
  await db.deleteFrom('attribute_template').where('id', '=', id).execute()
}
