import { replayLanes } from '@wattdeck/contract/events/device-bus.ts'
import { replayFlow, replayStatus } from '@wattdeck/contract/product/message-replay.ts'
import { isBillingEvent } from '@wattdeck/device-protocol/message.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { statusAt } from './message-replay.comparison.ts'
import { laneGateway, type Recorded } from './message-replay.rules.ts'

/** The database steps of a replay, as a worker runs them. */
export type Running = {
  id: string
  deviceId: string
  targetDeviceId: string
  firstId: string
  endId: string
  speed: number
  done: number
  position: string
  lane: number
  anchorId: string
  lastId: string | null
  userId: string | null
}
/** Lease: a worker owns a replay for this time and renews it; after expiry another worker may take over. */
const lease = sql`now() + interval '5 seconds'`
const { waiting, running } = replayStatus.code

/** Starts the replay that has waited longest, if a lane is free. Ids start after the last one of the lane, even where clocks differ. */
export async function beginNext(db: Db): Promise<boolean> {
  const { rows } = await sql<{ id: string; deviceId: string; targetDeviceId: string; firstId: string }>`
    update message_replay r set status = ${replayFlow.to('begin')}, started_at = now(), next_at = now(), lane = free.lane,
      anchor_id = greatest(app.message_id(clock_timestamp()),
        ((select (max(last_id) >> 22) + 1 from message_replay where lane = free.lane) << 22))
    from (select id from message_replay where status = ${sql.lit(waiting)} order by next_at, id limit 1 for update skip locked) first,
      (select lane from generate_series(0, ${replayLanes - 1}::int) lane
        where not exists (select from message_replay taken where taken.lane = lane.lane and taken.status = ${sql.lit(running)}) limit 1) free
    where r.id = first.id
    returning r.id, r.device_id as "deviceId", r.target_device_id as "targetDeviceId", r.first_id as "firstId"`.execute(
    db,
  )
  const [begun] = rows
  if (begun === undefined) return false
  await setBack(db, begun)
  return true
}

type Begun = { deviceId: string; targetDeviceId: string; firstId: string }

/**
 * Resets the target to the state of the source before the first message. Otherwise a replay would depend on the previous one. Locks are
 * taken in the order of the message intake.
 */
async function setBack(db: Db, { deviceId, targetDeviceId, firstId }: Begun): Promise<void> {
  await sql`select from device_state where device_id = ${targetDeviceId} for update`.execute(db)
  await sql`update port p set status = ${statusAt('was', firstId)}, status_since = now(), ord = 0, reported_at = null, order_no = null,
      power_dw = null, voltage_dv = null, current_ma = null, energy_wh = null, minutes = null, temperature_c = null
    from port was where was.device_id = ${deviceId} and p.device_id = ${targetDeviceId} and p.port_no = was.port_no`.execute(
    db,
  )
  await sql`update device d set online = coalesce((select event.kind = 'offline' from device_event event
        where event.device_id = was.id and event.kind in ('online', 'offline') and event.at >= app.message_time(${firstId}::bigint)
        order by event.at, event.id limit 1), was.online),
      free_ports = n.free, working_ports = n.working, fault_ports = n.fault, appointed_ports = n.appointed,
      connected_ports = n.connected, warning_ports = n.warning, down_ports = n.down
    from device was, (select count(*) filter (where status = 1) as free, count(*) filter (where status = 2) as working,
        count(*) filter (where status = 3) as fault, count(*) filter (where status = 4) as appointed,
        count(*) filter (where status = 5) as connected, count(*) filter (where status = 6) as warning,
        count(*) filter (where status = 7) as down from port where device_id = ${targetDeviceId}) n
    where d.id = ${targetDeviceId} and was.id = ${deviceId}`.execute(db)
  await sql`update device_state s set beat_ord = 0, csq_ord = 0, told_ord = 0, session = 0, plug_ords = '{}',
      plugs = (select array_agg(status order by port_no) from port where port.device_id = s.device_id),
      last_seen_at = null, online_until = case when d.online then quiet.until end, check_at = case when d.online then quiet.until end,
       connected_at = null, disconnected_at = null,
      address = null, gateway = null, csq = null, temperature_c = null, voltage_dv = null
    from device d join device_type t on t.id = d.device_type_id join dtu_protocol p on p.id = t.protocol_id
      cross join lateral (select now() + make_interval(secs => p.heartbeat_s * p.missed_heartbeats) as until) quiet
    where d.id = s.device_id and s.device_id = ${targetDeviceId}`.execute(db)
}

/** Claims the replays that are due, for the time of the lease. */
export async function takeDue(db: Db): Promise<Running[]> {
  const { rows } = await sql<Running>`update message_replay r set next_at = ${lease}
    from (select id from message_replay where status = ${sql.lit(running)} and next_at <= now() for update skip locked) due
    where r.id = due.id
    returning r.id, device_id as "deviceId", target_device_id as "targetDeviceId", first_id as "firstId", end_id as "endId",
      speed, done, position, lane, anchor_id as "anchorId", last_id as "lastId", user_id as "userId"`.execute(db)
  return rows
}

const kindsOfRecords = Object.entries(isBillingEvent).flatMap(([kind, rests]) => (rests ? [kind] : []))

/**
 * The next messages in their order of arrival. A record that the device sent again is the same record: its content is the same, and its
 * first occurrence is in the replay, too.
 */
export async function readNext(db: Db, replay: Running, most: number): Promise<Recorded[]> {
  const { rows } = await sql<Recorded>`
    select m.id::text, m.boot::text, m.seq::text, m.content, case when r.message_id is not null then
      jsonb_build_object('messageId', r.message_id::text, 'atS', extract(epoch from r.recorded_at)) end as record
    from device_message m
    left join lateral (select message_id, recorded_at from device_record
      where device_id = m.device_id and m.kind = any(${kindsOfRecords}) and kind = m.kind and content = m.content
        and message_id between ${replay.firstId}::bigint and m.id
      order by message_id desc limit 1) r on true
    where m.device_id = ${replay.deviceId} and m.id > ${replay.position}::bigint and m.id >= ${replay.firstId}::bigint
      and m.id < ${replay.endId}::bigint and m.direction = 1
    order by m.id limit ${most}`.execute(db)
  return rows
}

/** Records the last id that is about to be sent. False where the replay was cancelled, or another worker is ahead. */
export async function recordLastId(db: Db, { id, done }: Running, lastId: string): Promise<boolean> {
  const changed = await sql`update message_replay set last_id = greatest(last_id, ${lastId}::bigint), next_at = ${lease}
    where id = ${id} and status = ${running} and done = ${done}`.execute(db)
  return changed.numAffectedRows === 1n
}

/** The stream has accepted the messages, whether or not the replay was cancelled meanwhile. */
export async function recordSent(db: Db, { id, done }: Running, sent: { count: number; position: string }) {
  await sql`update message_replay set done = done + ${sent.count}::int, position = ${sent.position}::bigint, next_at = ${lease}
    where id = ${id} and done = ${done}`.execute(db)
}

/** Postpones the replay until its next step is due. */
export async function sleepUntil(db: Db, id: string, atMs: number): Promise<void> {
  await sql`update message_replay set next_at = to_timestamp(${atMs / 1000}::float8) where id = ${id} and status = ${running}`.execute(
    db,
  )
}

/** Whether the journal has all sent messages; missing ones are dead letters or still on the way. */
export async function hasAllArrived(db: Db, replay: Running): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`select count(*) >= ${replay.done}::int as taken from device_message
    where device_id = ${replay.targetDeviceId} and id between ${replay.anchorId}::bigint and ${replay.lastId}::bigint
      and (id >> 10) & 4095 = ${laneGateway(replay.lane)}::int`.execute(db)
  return rows[0]?.taken === true
}

export async function endReplay(db: Db, id: string, how: 'finish' | 'stop', reason: string | null) {
  await sql`update message_replay set status = ${replayFlow.to(how)}::smallint, reason = ${reason}, finished_at = now()
    where id = ${id} and status = any(${replayFlow.from(how)}::smallint[])`.execute(db)
}
