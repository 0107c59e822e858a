import { comparedRows, type ReplayComparison } from '@wattdeck/contract/product/message-replay.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { laneGateway, notCompared } from './message-replay.rules.ts'

type Compared = {
  replayId: string
  source: string
  target: string
  firstId: string
  endId: string
  sent: number
  /** Messages of this lane, from the anchor to the last assigned id. */
  gateway: number
  anchorId: string
  lastId: string
}

/** Compares the effects of the messages then and now. Undefined where no message has been replayed yet. */
export async function compareReplay(db: Db, id: string): Promise<ReplayComparison | undefined> {
  const replay = await db
    .selectFrom('message_replay as replay')
    .innerJoin('device as target', 'target.id', 'replay.target_device_id')
    .select([
      'replay.id',
      'device_id',
      'target_device_id',
      'first_id',
      'end_id',
      'done',
      'lane',
      'anchor_id',
      'last_id',
    ])
    .where('replay.id', '=', id)
    .executeTakeFirst()
  if (!replay || replay.lane === null || replay.anchor_id === null || replay.last_id === null) return undefined
  const compared = {
    replayId: replay.id,
    source: replay.device_id,
    target: replay.target_device_id,
    firstId: replay.first_id,
    endId: replay.end_id,
    sent: replay.done,
    gateway: laneGateway(replay.lane),
    anchorId: replay.anchor_id,
    lastId: replay.last_id,
  }
  const [storedCount, events, records, ports, commands] = await Promise.all([
    countStored(db, compared),
    compareEvents(db, compared),
    compareRecords(db, compared),
    comparePorts(db, compared),
    readCommands(db, compared),
  ])
  return { messages: { sent: compared.sent, taken: storedCount }, events, records, ports, sentCommands: commands }
}

const fromThen = (column: string, { firstId, endId }: Compared) =>
  sql`${sql.ref(column)} >= ${firstId}::bigint and ${sql.ref(column)} < ${endId}::bigint`
const fromNow = (column: string, { anchorId, lastId, gateway }: Compared) =>
  sql`${sql.ref(column)} between ${anchorId}::bigint and ${lastId}::bigint and (${sql.ref(column)} >> 10) & 4095 = ${gateway}::int`

async function countStored(db: Db, compared: Compared): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from device_message
    where device_id = ${compared.target} and ${fromNow('id', compared)}`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Events that the messages caused, grouped by content and counted. Timeouts by silence are left out on both sides, because they depend on
 * the speed. Differences come first.
 */
async function compareEvents(db: Db, compared: Compared): Promise<ReplayComparison['events']> {
  const { rows } = await sql<ReplayComparison['events'][number]>`
    select kind, port_no as "portNo", detail, (count(*) filter (where old))::int as before,
      (count(*) filter (where not old))::int as after
    from (
      select kind, port_no, detail - 'address' as detail, true as old from device_event
      where device_id = ${compared.source} and ${fromThen('id', compared)} and detail ->> 'reason' is distinct from 'silence'
      union all
      select kind, port_no, detail - 'address', false from device_event
      where device_id = ${compared.target} and ${fromNow('id', compared)}) event
    group by kind, port_no, detail
    order by count(*) filter (where old) = count(*) filter (where not old), kind, port_no, detail::text
    limit ${comparedRows}`.execute(db)
  return rows
}

/** Records by the message that they came from. Personal fields are neither compared nor shown. */
async function compareRecords(db: Db, compared: Compared): Promise<ReplayComparison['records']> {
  const bare = (side: string) => sql`${sql.ref(`${side}.content`)} - ${notCompared}::text[]`
  const { rows } = await sql<ReplayComparison['records'][number]>`
    select coalesce(was.message_id, now.message_id)::text as id, coalesce(was.kind, now.kind) as kind,
      coalesce(was.port_no, now.port_no) as "portNo", coalesce(${bare('was')} = ${bare('now')}, false) as same,
      ${bare('was')} as before, ${bare('now')} as after
    from (select * from device_record where device_id = ${compared.source} and ${fromThen('message_id', compared)}) was
    full join (select * from device_record where device_id = ${compared.target} and ${fromNow('message_id', compared)}) now
      on now.record_key = 'r' || ${compared.replayId}::text || ':' || was.message_id
    order by same, coalesce(was.message_id, now.message_id)
    limit ${comparedRows}`.execute(db)
  return rows
}

/**
 * Status of each source port at the end of the period: as the next change recorded it or, without a change since, the current one. Its last
 * report is in the messages.
 */
async function comparePorts(db: Db, compared: Compared): Promise<ReplayComparison['ports']> {
  const { source, target, endId } = compared
  const { rows } = await sql<ReplayComparison['ports'][number]>`
    select was.port_no as "portNo", ${statusAt('was', endId)} as "statusBefore", now.status as "statusAfter",
      (said.content ->> 'energyWh')::int as "energyWhBefore", now.energy_wh as "energyWhAfter",
      (said.content ->> 'durationS')::int / 60 as "minutesBefore", now.minutes as "minutesAfter"
    from port was join port now on now.device_id = ${target} and now.port_no = was.port_no
    left join lateral (select content from device_message
      where device_id = ${source} and ${fromThen('id', compared)} and kind = 'portReport' and port_no = was.port_no
      order by id desc limit 1) said on true
    where was.device_id = ${source} order by was.port_no`.execute(db)
  return rows
}

/** The status of a port of `side` at the time of this message id. */
export const statusAt = (side: string, messageId: string) =>
  sql<number>`coalesce((select (next.detail ->> 'from')::smallint from device_event next
    where next.device_id = ${sql.ref(`${side}.device_id`)} and next.kind = 'portStatus' and next.port_no = ${sql.ref(`${side}.port_no`)}
      and next.id >= ${messageId}::bigint and next.at >= app.message_time(${messageId}::bigint)
    order by next.at, next.id limit 1), ${sql.ref(`${side}.status`)})`

async function readCommands(db: Db, compared: Compared): Promise<ReplayComparison['sentCommands']> {
  const { rows } = await sql<ReplayComparison['sentCommands'][number]>`
    select id::text, app.message_time(id) as at, kind, port_no as "portNo", content from device_message
    where device_id = ${compared.source} and ${fromThen('id', compared)} and direction = 2 order by id limit ${comparedRows}`.execute(
    db,
  )
  return rows
}
