import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import {
  type MessageReplay,
  type messageReplay,
  replayFlow,
  replayMaxMessages,
  type ReplayTarget,
} from '@wattdeck/contract/product/message-replay.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { beginning, byId, pageOf } from '../../../kit/db/paging.ts'

const sourceNo = sql<string>`(select source.device_no from device source where source.id = message_replay.device_id)`

/** Requires both devices to be visible to the caller: row-level security hides one of them otherwise. */
const visibleReplays = (db: Db) =>
  db
    .selectFrom('message_replay')
    .innerJoin('device', 'device.id', 'message_replay.target_device_id')
    .innerJoin('organise', 'organise.id', 'device.organise_id')
    .where(sourceNo, 'is not', null)

const shown = [
  'message_replay.id',
  'message_replay.device_id as deviceId',
  sourceNo.as('deviceNo'),
  'message_replay.target_device_id as targetDeviceId',
  'device.device_no as targetDeviceNo',
  'organise.name as targetOrganiseName',
  sql<string>`app.message_time(message_replay.first_id)`.as('beginAt'),
  sql<string>`app.message_time(message_replay.end_id)`.as('endAt'),
  sql<MessageReplay['speed']>`message_replay.speed`.as('speed'),
  sql<MessageReplay['status']>`message_replay.status`.as('status'),
  'message_replay.reason',
  'message_replay.total',
  'message_replay.done',
  'message_replay.created_by as createdBy',
  'message_replay.created_at as createdAt',
  'message_replay.started_at as startedAt',
  'message_replay.finished_at as finishedAt',
] as const

export const listReplays = (db: Db, deviceId: string, filter: QueryOf<typeof messageReplay.list>) =>
  pageOf(
    db,
    visibleReplays(db)
      .where('message_replay.device_id', '=', deviceId)
      .$if(filter.status !== undefined, (query) => query.where('message_replay.status', '=', filter.status ?? 0)),
    filter,
    { key: byId('message_replay.id'), columns: (query) => query.select(shown) },
  )

export const readReplay = (db: Db, id: string): Promise<MessageReplay | undefined> =>
  visibleReplays(db).select(shown).where('message_replay.id', '=', id).executeTakeFirst()

export type ReplayDevice = NonNullable<Awaited<ReturnType<typeof findReplayDevice>>>

/** A device by its id or number, with the fields that decide whether it suits a replay. */
export const findReplayDevice = (db: Db, by: { id: string } | { deviceNo: string }) =>
  db
    .selectFrom('device')
    .innerJoin('organise', 'organise.id', 'device.organise_id')
    .select(['device.id', 'device.device_no', 'device.organise_id', 'device.agent_id', 'device.site_id'])
    .select(['device.device_type_id', 'device.port_count', 'device.barred', 'organise.test'])
    .where('id' in by ? 'device.id' : 'device.device_no', '=', 'id' in by ? by.id : by.deviceNo)
    .where('device.deleted_at', 'is', null)
    .executeTakeFirst()

const mostTargets = 50
export const listTargets = (db: Db, like: ReplayDevice, keyword: string | undefined): Promise<ReplayTarget[]> =>
  db
    .selectFrom('organise')
    .innerJoin('device', 'device.organise_id', 'organise.id')
    .select(['device.id', 'device.device_no as deviceNo', 'device.name', 'organise.name as organiseName'])
    .where('organise.test', '=', true)
    .where('organise.deleted_at', 'is', null)
    .where('device.device_type_id', '=', like.device_type_id)
    .where('device.port_count', '=', like.port_count)
    .where('device.id', '<>', like.id)
    .where('device.deleted_at', 'is', null)
    .where('device.barred', '=', false)
    .$if(keyword !== undefined, (query) => query.where('device.device_no', 'like', beginning(keyword ?? '')))
    .orderBy('device.id', 'desc')
    .limit(mostTargets)
    .execute()

/** Number of messages that the device sent in this time, and the first id. Counting stops at the limit of one replay. */
export async function countMessages(db: Db, deviceId: string, { from, to }: { from: string; to: string }) {
  const { rows } = await sql<{ count: number; first: string | null }>`
    select count(*)::int as count, min(id)::text as first from (
      select id from device_message where device_id = ${deviceId} and id >= ${from}::bigint and id < ${to}::bigint and direction = 1
      order by id limit ${replayMaxMessages + 1}) said`.execute(db)
  return rows[0] ?? { count: 0, first: null }
}

type NewReplay = {
  source: ReplayDevice
  target: ReplayDevice
  firstId: string
  endId: string
  speed: number
  total: number
  userId: string | null
  createdBy: string
}

export async function addReplay(db: Db, { source, target, ...params }: NewReplay): Promise<string> {
  const row = await db
    .insertInto('message_replay')
    .values({
      organise_id: source.organise_id,
      agent_id: source.agent_id,
      site_id: source.site_id,
      device_id: source.id,
      target_device_id: target.id,
      target_organise_id: target.organise_id,
      first_id: params.firstId,
      end_id: params.endId,
      speed: params.speed,
      total: params.total,
      user_id: params.userId,
      created_by: params.createdBy,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Returns false where the replay has ended. */
export async function cancelReplay(db: Db, id: string): Promise<boolean> {
  const changed = await db
    .updateTable('message_replay')
    .set({ status: replayFlow.to('cancel'), finished_at: sql<string>`now()` })
    .where('id', '=', id)
    .where('status', '=', sql<number>`any(${replayFlow.from('cancel')})`)
    .executeTakeFirst()
  return changed.numUpdatedRows === 1n
}
