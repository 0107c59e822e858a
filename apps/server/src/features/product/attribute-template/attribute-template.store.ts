import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { attributeTemplate } from '@wattdeck/contract/product/attribute-template.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import type { Condition } from '../../../kit/db/list-query.ts'
import { containing } from '../../../kit/db/paging.ts'
import { countRows, lockRow } from '../../../kit/db/rows.ts'

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
export const findTemplate = (db: Db, id: string) => lockRow(db, 'attribute_template', id, ['id', 'name'])

export const typesUsing = (db: Db, id: string) => countRows(db, 'device_type', { attribute_template_id: id })
