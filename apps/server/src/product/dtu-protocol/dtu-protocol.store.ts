import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { DtuProtocol, dtuProtocol } from '@wattdeck/contract/product/dtu-protocol.ts'
import { sql } from 'kysely'
import type { Db } from '../../kit/db.ts'
import { beginning, byId, containing, pageOf } from '../../kit/paging.ts'
import type { Scope } from '../../kit/scope.ts'

export async function listProtocols(db: Db, _scope: Scope, filter: QueryOf<typeof dtuProtocol.list>) {
  const { keyword, transport, accessWay, status } = filter
  const matching = db
    .selectFrom('dtu_protocol')
    .$if(keyword !== undefined, (query) =>
      query.where((where) =>
        where.or([
          where('name', 'like', containing(keyword ?? '')),
          where('code', 'like', beginning((keyword ?? '').toUpperCase())),
        ]),
      ),
    )
    .$if(transport !== undefined, (query) => query.where('transport', '=', transport ?? 0))
    .$if(accessWay !== undefined, (query) => query.where('access_way', '=', accessWay ?? 0))
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 0))
  return pageOf(db, matching, filter, {
    key: byId('dtu_protocol.id'),
    columns: (query) =>
      query
        .select([
          'id',
          'code',
          'name',
          'version',
          'adapter',
          'transport',
          'access_way as accessWay',
          'endpoint',
          'heartbeat_s as heartbeatS',
          'missed_heartbeats as missedHeartbeats',
          'frame_format as frameFormat',
          'remark',
          sql`array(select type.name from device_type type where type.protocol_id = dtu_protocol.id order by type.code)`.as(
            'typeNames',
          ),
          sql`(select count(*)::int from instruction_set made where made.protocol_id = dtu_protocol.id)`.as('setCount'),
          'status',
          'created_by as createdBy',
          'created_at as createdAt',
          'updated_at as updatedAt',
        ])
        .$castTo<DtuProtocol>(),
  })
}

export const protocolOptions = (db: Db, _scope: Scope) =>
  db
    .selectFrom('dtu_protocol')
    .select(['id', 'code', 'name', 'adapter'])
    .where('status', '=', 1)
    .orderBy('code')
    .$castTo<{ id: string; code: string; name: string; adapter: DtuProtocol['adapter'] }>()
    .execute()

const protocol = (db: Db, id: string) =>
  db
    .selectFrom('dtu_protocol')
    .select(['id', 'name', 'adapter'])
    .where('id', '=', id)
    .$castTo<{ id: string; name: string; adapter: DtuProtocol['adapter'] }>()
export const readProtocol = (db: Db, _scope: Scope, id: string) => protocol(db, id).executeTakeFirst()
/** A protocol, locked for the change that follows. */
export const findProtocol = (db: Db, _scope: Scope, id: string) => protocol(db, id).forUpdate().executeTakeFirst()

type Values = {
  name: string
  version: string
  adapter: string | null
  transport: number
  access_way: number
  endpoint: string | null
  heartbeat_s: number
  missed_heartbeats: number
  frame_format: string | null
  remark: string | null
}

/** Undefined: the code is taken. */
export async function addProtocol(
  db: Db,
  _scope: Scope,
  values: Values & { code: string; created_by: string },
): Promise<string | undefined> {
  const made = await db
    .insertInto('dtu_protocol')
    .values(values)
    .onConflict((clash) => clash.column('code').doNothing())
    .returning('id')
    .executeTakeFirst()
  return made?.id
}

export async function changeProtocol(db: Db, _scope: Scope, id: string, values: Values): Promise<void> {
  await db.updateTable('dtu_protocol').set(values).where('id', '=', id).execute()
}

export async function setStatus(db: Db, _scope: Scope, id: string, status: number): Promise<boolean> {
  const changed = await db
    .updateTable('dtu_protocol')
    .set({ status })
    .where('id', '=', id)
    .where('status', '<>', status)
    .executeTakeFirst()
  return changed.numUpdatedRows === 1n
}

export async function protocolUses(db: Db, _scope: Scope, id: string) {
  const { rows } = await sql<{ types: number; sets: number }>`
    select (select count(*)::int from device_type where protocol_id = ${id}) as types,
      (select count(*)::int from instruction_set where protocol_id = ${id}) as sets`.execute(db)
  return rows[0] ?? { types: 0, sets: 0 }
}

export async function removeProtocol(db: Db, _scope: Scope, id: string): Promise<void> {
  await db.deleteFrom('dtu_protocol').where('id', '=', id).execute()
}
