import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { Instruction, instructionSet } from '@wattdeck/contract/product/instruction-set.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { containing, pageOf } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { devicesMatching } from '../../_shared/device-filter.ts'
import { testOf } from './instruction-test.rules.ts'

export async function listInstructions(db: Db, setId: string, filter: QueryOf<typeof instructionSet.instructions>) {
  const { keyword, direction } = filter
  const matching = db
    .selectFrom('instruction')
    .where('instruction_set_id', '=', setId)
    .$if(keyword !== undefined, (query) =>
      query.where((where) =>
        where.or([
          where('name', 'like', containing(keyword ?? '')),
          where(sql<string>`lower(command_word)`, 'like', containing((keyword ?? '').toLowerCase())),
        ]),
      ),
    )
    .$if(direction !== undefined, (query) => query.where('direction', '=', direction ?? 0))
  const page = await pageOf(db, matching, filter, {
    columns: (query) =>
      query
        .select(['id', 'name', 'command_word as commandWord', 'direction', 'params', 'timeout_s as timeoutS'])
        .select(['retries', 'sort', 'updated_at as updatedAt', adapterOf.as('adapter')])
        .orderBy('sort')
        .orderBy('id')
        .$castTo<Omit<Instruction, 'test' | 'testProblem'> & { adapter: string | null }>(),
  })
  return { ...page, rows: page.rows.map(({ adapter, ...row }) => ({ ...row, ...testOf({ ...row, adapter }) })) }
}

/** Adapter of the protocol of the instruction's set. */
const adapterOf = sql<string | null>`(select protocol.adapter from instruction_set made
  join dtu_protocol protocol on protocol.id = made.protocol_id where made.id = instruction.instruction_set_id)`

/** An instruction with the data for its test. */
export const instructionToTest = (db: Db, id: string) =>
  db
    .selectFrom('instruction')
    .select(['id', 'instruction_set_id as setId', 'name', 'command_word as commandWord', 'direction'])
    .select(adapterOf.as('adapter'))
    .where('id', '=', id)
    .executeTakeFirst()

const mostOffered = 20
/** Devices in scope with the protocol of a set; with an id, only that device. */
export function devicesOfSet(
  db: Db,
  scope: Scope,
  setId: string,
  { keyword, deviceId }: { keyword?: string | undefined; deviceId?: string },
) {
  return devicesMatching(db, scope, keyword === undefined ? {} : { keyword })
    .select(['device.id', 'device.device_no as deviceNo', 'device.name', 'device.online'])
    .select('device.port_count as portCount')
    .where(
      'device.device_type_id',
      'in',
      sql<string>`(select type.id from device_type type
        join instruction_set made on made.protocol_id = type.protocol_id where made.id = ${setId})`,
    )
    .$if(deviceId !== undefined, (query) => query.where('device.id', '=', deviceId ?? ''))
    .orderBy('device.id', 'desc')
    .limit(mostOffered)
    .execute()
}

type Values = {
  name: string
  command_word: string
  direction: number
  params: string | null
  timeout_s: number
  retries: number
  sort: number
}

/** Undefined where the set already has that word in that direction. */
export async function addInstruction(
  db: Db,
  values: Values & { instruction_set_id: string },
): Promise<string | undefined> {
  const row = await db
    .insertInto('instruction')
    .values(values)
    .onConflict((clash) => clash.columns(['instruction_set_id', 'command_word', 'direction']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** An instruction, locked for the change that follows. */
export const findInstruction = (db: Db, id: string) =>
  db.selectFrom('instruction').select(['id', 'instruction_set_id']).where('id', '=', id).forUpdate().executeTakeFirst()

/** Whether another instruction of the set has that word in that direction. */
export async function commandWordExists(
  db: Db,
  own: { id: string; instruction_set_id: string },
  { command_word, direction }: Values,
): Promise<boolean> {
  const other = await db
    .selectFrom('instruction')
    .select('id')
    .where('instruction_set_id', '=', own.instruction_set_id)
    .where('command_word', '=', command_word)
    .where('direction', '=', direction)
    .where('id', '<>', own.id)
    .executeTakeFirst()
  return other !== undefined
}

export async function changeInstruction(db: Db, id: string, values: Values): Promise<void> {
  await db.updateTable('instruction').set(values).where('id', '=', id).execute()
}

export async function removeInstruction(db: Db, id: string): Promise<void> {
  await db.deleteFrom('instruction').where('id', '=', id).execute()
}

/** Resolves the codes of a sheet: existing sets and protocols, and the words that the sets already have. */
export async function resolveCodes(db: Db, setCodes: readonly string[], protocolCodes: readonly string[]) {
  const [sets, protocols, words] = await Promise.all([
    db
      .selectFrom('instruction_set')
      .select(['id', 'code'])
      .where('code', '=', sql<string>`any(${setCodes})`)
      .execute(),
    db
      .selectFrom('dtu_protocol')
      .select(['id', 'code'])
      .where('code', '=', sql<string>`any(${protocolCodes})`)
      .where('status', '=', 1)
      .execute(),
    db
      .selectFrom('instruction')
      .innerJoin('instruction_set', 'instruction_set.id', 'instruction.instruction_set_id')
      .select(['instruction_set.code', 'instruction.command_word', 'instruction.direction'])
      .where('instruction_set.code', '=', sql<string>`any(${setCodes})`)
      .execute(),
  ])
  return {
    sets: new Map(sets.map((set) => [set.code, set.id])),
    protocols: new Map(protocols.map((protocol) => [protocol.code, protocol.id])),
    words: new Set(words.map((word) => `${word.code} ${word.direction} ${word.command_word}`)),
  }
}
