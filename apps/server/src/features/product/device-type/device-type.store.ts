import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { type deviceType, type DeviceTypeChoice, deviceTypeList } from '@wattdeck/contract/product/device-type.ts'
import { sql } from 'kysely'
import { statPlace } from '../../../core/statistics/stat-place.store.ts'
import type { Db } from '../../../kit/db/db.ts'
import { type Condition, listQuery, type Source } from '../../../kit/db/list-query.ts'
import { beginning, containing } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { countDevices } from '../_shared/device-count.store.ts'
import { countRows, lockRow } from '../../../kit/db/rows.ts'

type Filter = QueryOf<typeof deviceType.list>

const typesInUse = (db: Db) =>
  db
    .selectFrom('device_type')
    .innerJoin('dtu_protocol', 'dtu_protocol.id', 'device_type.protocol_id')
    .select([
      'device_type.id',
      'device_type.code',
      'device_type.name',
      'device_type.category_id as categoryId',
      'device_type.small_category_id as smallCategoryId',
      'device_type.port_count as portCount',
      'device_type.metering',
      'dtu_protocol.adapter',
    ])
    .where('device_type.status', '=', 1)
    .orderBy('device_type.code')
    .$castTo<DeviceTypeChoice>()

export const everyType = (db: Db) => typesInUse(db).execute()

/** Undefined where the reader does not see the organisation. */
export async function typesOfOrganise(db: Db, scope: Scope, organiseId: string) {
  const organise = await db.selectFrom('organise').select('id').where('id', '=', organiseId).executeTakeFirst()
  if (organise === undefined) return undefined
  const place = await statPlace(db, scope, { organiseId })
  return typesInUse(db)
    .where(
      'device_type.id',
      'in',
      sql<string>`(select device_type_id from stat_now_live where ${place} group by device_type_id having sum(devices) > 0)`,
    )
    .execute()
}

const same = (column: string, value: string | undefined): Condition[] =>
  value === undefined ? [] : [sql<boolean>`${sql.ref(`device_type.${column}`)} = ${value}`]
const nameOf = (table: string, column: string) =>
  sql`(select name from ${sql.table(table)} where id = ${sql.ref(`device_type.${column}`)})`

const typeSource: Source = {
  table: 'device_type',
  order: [sql`device_type.code`],
  computed: {
    categoryName: nameOf('device_category', 'category_id'),
    smallCategoryName: nameOf('device_category', 'small_category_id'),
    protocolName: nameOf('dtu_protocol', 'protocol_id'),
    instructionSetName: nameOf('instruction_set', 'instruction_set_id'),
    attributeTemplateName: nameOf('attribute_template', 'attribute_template_id'),
    // Placeholder: listTypes counts for the whole page at once.
    deviceCount: sql`0`,
  },
  own: ({ keyword, categoryId, smallCategoryId, protocolId }: Filter) => [
    ...(keyword === undefined
      ? []
      : [sql<boolean>`(device_type.name like ${containing(keyword)} or device_type.code like ${beginning(keyword)})`]),
    ...same('category_id', categoryId),
    ...same('small_category_id', smallCategoryId),
    ...same('protocol_id', protocolId),
  ],
}

export async function listTypes(db: Db, scope: Scope, filter: Filter) {
  const page = await listQuery(db, scope, deviceTypeList, typeSource, filter)
  const ids = page.rows.map((row) => row.id)
  const devices = await countDevices(db, scope, 'device_type_id', ids)
  return { ...page, rows: page.rows.map((row) => ({ ...row, deviceCount: devices.get(row.id) ?? 0 })) }
}

/** A type, locked for the change that follows. */
export const findType = (db: Db, id: string) =>
  lockRow(db, 'device_type', id, [
    'id',
    'code',
    'name',
    'port_count',
    'protocol_id',
    'instruction_set_id',
    'attribute_template_id',
    'picture_id',
  ])

/** The lock prevents two models that are added at once from taking the same number. */
export const findSmallCategory = (db: Db, id: string) =>
  db
    .selectFrom('device_category')
    .select(['id', 'code', 'parent_id', 'disabled'])
    .where('id', '=', id)
    .where('level', '=', 2)
    .forUpdate()
    .executeTakeFirst()

/** The lowest number from 01 to 99 that no model of the category has; undefined when none is free. */
export async function nextModelNo(db: Db, smallCategoryId: string): Promise<string | undefined> {
  const { rows } = await sql<{ no: string }>`
    select lpad(n::text, 2, '0') as no from generate_series(1, 99) n
    where not exists (select from device_type where small_category_id = ${smallCategoryId} and right(code, 2) = lpad(n::text, 2, '0'))
    order by n limit 1`.execute(db)
  return rows[0]?.no
}

/** The protocol and the instruction set of a type, as far as they exist. */
export async function partsOf(db: Db, params: { protocolId: string; instructionSetId?: string | undefined }) {
  const [protocol, set] = await Promise.all([
    db
      .selectFrom('dtu_protocol')
      .select(['id', 'name', 'adapter', 'status'])
      .where('id', '=', params.protocolId)
      .executeTakeFirst(),
    params.instructionSetId === undefined
      ? undefined
      : db
          .selectFrom('instruction_set')
          .select(['id', 'name', 'protocol_id', 'status'])
          .where('id', '=', params.instructionSetId)
          .executeTakeFirst(),
  ])
  return { protocol, set }
}

export const findTemplate = (db: Db, id: string) =>
  db.selectFrom('attribute_template').select(['id', 'name', 'status']).where('id', '=', id).executeTakeFirst()

/** Removed devices are kept because other rows refer to them, so they count as well. */
export const devicesEver = (db: Db, id: string) => countRows(db, 'device', { device_type_id: id })
