import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { attributeTemplate } from '@wattdeck/contract/product/attribute-template.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import type { Condition } from '../../../kit/db/list-query.ts'
import { containing } from '../../../kit/db/paging.ts'

type Filter = QueryOf<typeof attributeTemplate.list>

export const matchTemplates = ({ keyword, deviceTypeId }: Filter): Condition[] => [
  ...(keyword === undefined ? [] : [sql<boolean>`attribute_template.name like ${containing(keyword)}`]),
  ...(deviceTypeId === undefined
    ? []
    : [
        sql<boolean>`attribute_template.id in (
          select attribute_template_id from device_type where device_type.id = ${deviceTypeId})`,
      ]),
]

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

export async function typesUsing(db: Db, id: string): Promise<number> {
  const { count } = await db
    .selectFrom('device_type')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('attribute_template_id', '=', id)
    .executeTakeFirstOrThrow()
  return count
}
