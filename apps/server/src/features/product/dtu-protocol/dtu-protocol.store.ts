import type { DtuProtocol } from '@wattdeck/contract/product/dtu-protocol.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'

export const protocolOptions = (db: Db) =>
  db
    .selectFrom('dtu_protocol')
    .select(['id', 'code', 'name', 'adapter'])
    .where('status', '=', 1)
    .orderBy('code')
    .$castTo<{ id: string; code: string; name: string; adapter: DtuProtocol['adapter'] }>()
    .execute()

export const readProtocol = (db: Db, id: string) =>
  db
    .selectFrom('dtu_protocol')
    .select(['name', 'adapter'])
    .where('id', '=', id)
    .$castTo<{ name: string; adapter: DtuProtocol['adapter'] }>()
    .executeTakeFirst()

export async function protocolUses(db: Db, id: string) {
  const { rows } = await sql<{ types: number; sets: number }>`
    select (select count(*)::int from device_type where protocol_id = ${id}) as types,
      (select count(*)::int from instruction_set where protocol_id = ${id}) as sets`.execute(db)
  return rows[0] ?? { types: 0, sets: 0 }
}
