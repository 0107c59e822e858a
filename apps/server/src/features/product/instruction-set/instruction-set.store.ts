import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { instructionSet } from '@wattdeck/contract/product/instruction-set.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import type { Source } from '../../../kit/db/list-query.ts'
import { beginning, containing } from '../../../kit/db/paging.ts'

export const setSource: Source = {
  table: 'instruction_set',
  computed: {
    protocolName: sql`(select name from dtu_protocol where dtu_protocol.id = instruction_set.protocol_id)`,
    typeNames: sql`array(select type.name from device_type type
      where type.instruction_set_id = instruction_set.id order by type.code)`,
    instructionCount: sql`(select count(*)::int from instruction one where one.instruction_set_id = instruction_set.id)`,
  },
  own: ({ keyword, deviceTypeId }: QueryOf<typeof instructionSet.list>) => [
    ...(keyword === undefined
      ? []
      : [
          sql<boolean>`(instruction_set.name like ${containing(keyword)}
            or instruction_set.code like ${beginning(keyword.toUpperCase())})`,
        ]),
    ...(deviceTypeId === undefined
      ? []
      : [
          sql<boolean>`instruction_set.id in (
            select instruction_set_id from device_type where device_type.id = ${deviceTypeId})`,
        ]),
  ],
}

export const setOptions = (db: Db) =>
  db
    .selectFrom('instruction_set')
    .select(['id', 'code', 'name', 'protocol_id as protocolId'])
    .where('status', '=', 1)
    .orderBy('code')
    .execute()

/** A set, locked for the change that follows. */
export const findSet = (db: Db, id: string) =>
  db
    .selectFrom('instruction_set')
    .select(['id', 'name', 'protocol_id'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export async function setExists(db: Db, id: string): Promise<boolean> {
  return (await db.selectFrom('instruction_set').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

export const findProtocol = (db: Db, id: string) =>
  db.selectFrom('dtu_protocol').select(['id', 'status']).where('id', '=', id).executeTakeFirst()

type Values = { name: string; version: string; protocol_id: string | null; remark: string | null }

/** Undefined where the code exists. */
export async function addSet(
  db: Db,
  values: Values & { code: string; created_by: string },
): Promise<string | undefined> {
  const row = await db
    .insertInto('instruction_set')
    .values(values)
    .onConflict((clash) => clash.column('code').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

export async function changeSet(db: Db, id: string, values: Values): Promise<void> {
  await db.updateTable('instruction_set').set(values).where('id', '=', id).execute()
}

export async function setStatus(db: Db, id: string, status: number): Promise<boolean> {
  const changed = await db
    .updateTable('instruction_set')
    .set({ status })
    .where('id', '=', id)
    .where('status', '<>', status)
    .executeTakeFirst()
  return changed.numUpdatedRows === 1n
}

/** Number of types that use a set, and of those with another protocol than this one. */
export async function setUses(db: Db, id: string, protocolId: string | null = null) {
  const { rows } = await sql<{ types: number; others: number }>`
    select count(*)::int as types, (count(*) filter (where protocol_id <> ${protocolId}::bigint))::int as others
    from device_type where instruction_set_id = ${id}`.execute(db)
  return rows[0] ?? { types: 0, others: 0 }
}

export async function removeSet(db: Db, id: string): Promise<void> {
  await db.deleteFrom('instruction_set').where('id', '=', id).execute()
}
