import { deadLetterStatus } from '@wattdeck/contract/product/device-codes.ts'
import { sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'

/** A device event about a charge, in the queue of the workers. */
export type ChargeEvent = {
  id: string
  deviceId: string
  kind: string
  content: object
  atMs: number
  ord: string
  tries: number
  /** Received a moment ago: earlier messages of the device may still be in transit. */
  isFresh: boolean
}

/** Longer than `ackWaitMs`, after which the stream redelivers the messages of a crashed worker. */
const settleInS = 10
/** Workers choose at random among this many devices with the oldest events. */
const candidates = 1000

/**
 * Devices whose first event is due. A device whose first event waits for a retry is excluded, so its later events wait,
 * too. The choice is random, so that several workers begin with different devices.
 */
export async function dueDevices(db: Db, most: number): Promise<string[]> {
  const { rows } = await sql<{ deviceId: string }>`
    select device_id as "deviceId"
    from (
      select device_id
      from charge_news first
      where not_before <= now()
        and not exists (
          select from charge_news earlier
          where earlier.device_id = first.device_id and (earlier.ord, earlier.id) < (first.ord, first.id)
        )
      order by id
      limit ${candidates}
    ) oldest
    order by random()
    limit ${most}`.execute(db)
  return rows.map(({ deviceId }) => deviceId)
}

/**
 * The first event of a device, if it is due and no other worker holds the device's advisory lock. A separate first
 * statement acquires the lock, so that the second one sees the commits of the previous holder.
 */
export async function lockFirst(db: Db, deviceId: string): Promise<ChargeEvent | undefined> {
  const [{ rows: locks }, { rows }] = await Promise.all([
    sql<{ isMine: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended('charge events', ${deviceId}::bigint)) as "isMine"`.execute(db),
    sql<ChargeEvent & { isDue: boolean }>`
      select
        id,
        device_id as "deviceId",
        kind,
        content,
        (extract(epoch from at) * 1000)::float8 as "atMs",
        ord,
        tries,
        added_at > now() - make_interval(secs => ${settleInS}) as "isFresh",
        not_before <= now() as "isDue"
      from charge_news
      where device_id = ${deviceId}
      order by device_id, ord, id
      limit 1`.execute(db),
  ])
  const [first] = rows
  return locks[0]?.isMine === true && first?.isDue === true ? first : undefined
}

export async function removeEvent(db: Db, id: string): Promise<void> {
  await sql`delete from charge_news where id = ${id}`.execute(db)
}

/** Retries every half second until all earlier messages of the device must have arrived. */
export async function awaitEarlierMessages(db: Db, id: string): Promise<void> {
  await sql`
    update charge_news
    set not_before = least(now() + interval '0.5 seconds', added_at + make_interval(secs => ${settleInS}))
    where id = ${id}`.execute(db)
}

/** Exponential back-off, at most one minute. */
export async function postponeEvent(db: Db, id: string): Promise<void> {
  await sql`
    update charge_news
    set tries = least(tries + 1, 30), not_before = now() + make_interval(secs => least(60, 2 ^ tries))
    where id = ${id}`.execute(db)
}

/**
 * Moves the event to the dead letters, from which an operator may replay it. The letter has no record key, so a replay
 * enqueues the event again.
 */
export async function deadLetterEvent(db: Db, event: ChargeEvent, reason: string): Promise<void> {
  const { id, deviceId, ord, content } = event
  const gateway = Number((BigInt(id) >> 10n) & 0xfffn)
  const letter = JSON.stringify({ id, d: deviceId, o: ord, e: content, gateway })
  const { waiting, replayed } = deadLetterStatus.code
  await sql`
    insert into device_dead_letter (id, wire, reason, content)
    values (${id}, ${deviceId}, ${reason.slice(0, 500)}, ${letter})
    on conflict (id) do update
      set status = ${waiting}, reason = excluded.reason, failed_at = now()
      where device_dead_letter.status = ${replayed}`.execute(db)
  await removeEvent(db, id)
}

/** Queue length and age of the oldest event, for the metrics. */
export async function measureQueue(db: Db) {
  const { rows } = await sql<{ waiting: number; oldestS: number }>`
    select
      count(*)::int as waiting,
      coalesce(extract(epoch from now() - min(added_at)), 0)::float8 as "oldestS"
    from charge_news`.execute(db)
  return rows[0] ?? { waiting: 0, oldestS: 0 }
}
