import { NoRespondersError, type NatsConnection, RequestError } from '@nats-io/transport-node'
import { deviceBus, type DownAnswer, type DownEnvelope, type DownItem } from '@wattdeck/contract/events/device-bus.ts'
import { commandFlow, commandStatus, whenOffline } from '@wattdeck/contract/product/device-command.ts'
import { pingBus } from '@wattdeck/bus/bus.ts'
import { type RawBuilder, sql } from 'kysely'
import type pg from 'pg'
import type { Logger } from 'pino'
import { Counter } from 'prom-client'
import { type Db, inScope, commit } from '../../kit/db/db.ts'
import { startPeriodicJob } from '../../kit/jobs/every.ts'
import { useGenericPlans } from '../../kit/db/plans.ts'
import { systemScope } from '../../kit/db/system-scope.ts'
import { startWorkLoop } from '../../kit/jobs/work-loop.ts'
import { alive, type DeviceStates, endCommands, lockDevices, parkOrFail } from './command.store.ts'

const sent = new Counter({ name: 'device_commands_sent_total', help: 'Commands sent to gateways' })
const most = 500
const pollMs = 1000
const { code } = commandStatus
/** Literals as in the partial indexes of open commands: a cached plan cannot use these indexes with a parameter. */
const stands = { queued: sql.lit(code.queued), parked: sql.lit(code.parked), sent: sql.lit(code.sent) }
const requestMs = 3000
/** A bus that does not answer a ping within this time counts as down; commands then stay queued and are not lost. */
const pingMs = 1000
/** Limit of unanswered requests to gateways, so that a hanging gateway does not block commands to others. */
const maxSending = 50
/** Time for a device to answer, in seconds. A DNY device answers within 15 s, or within 15 s after a retry. */
const answerS = 45
/** Adapters whose devices every gateway reaches through the broker. */
const everywhere: ReadonlySet<string> = new Set(['mqtt-json'])

/**
 * Sends queued commands at most once: a command is marked as sent before it leaves, so that no crash sends it twice. A
 * marked command that did not leave times out with an unknown result. Its charge then occupies port and money for 90
 * seconds. So commands are marked only while the bus answers. Several workers share them.
 */
export function startDispatch(pool: pg.Pool, url: string, bus: NatsConnection, prefix: string, log: Logger) {
  const sending = new Set<Promise<void>>()
  const isBusThere = pingBus(bus, pingMs)

  /** Runs the next round as soon as the limit of unanswered requests allows it. */
  async function round(): Promise<number> {
    while (sending.size >= maxSending) await Promise.race(sending)
    if (!(await isBusThere())) return 0
    const { taken, leaving } = await inScope(pool, systemScope, 'record', async ({ db }) => commit(await claim(db)))
    for (const [gateway, own] of Map.groupBy(leaving, (one) => one.gateway)) {
      const items = own.map(({ item }) => item)
      const request = give(pool, bus, prefix, gateway, items)
        .catch((error: unknown) => {
          log.warn({ err: error, gateway, commands: items.length }, 'command dispatch unacknowledged')
        })
        .finally(() => sending.delete(request))
      sending.add(request)
    }
    return taken
  }

  const loop = startWorkLoop({
    url,
    channel: 'device_command',
    pollMs,
    round: async () => (await round()) === most,
    log,
  })
  const stopSweeping = startPeriodicJob({ name: 'command deadlines', everyMs: pollMs, round: () => sweep(pool), log })
  return async () => {
    await stopSweeping()
    await loop.stop()
    await Promise.all(sending)
  }
}

type Command = { id: string; deviceId: string }
type Due = {
  id: string
  deviceId: string
  content: { kind: string }
  whenOffline: number
  at: number
  exp: number
  online: boolean
  expired: boolean
  gone: boolean
  adapter: string
  wireId: string
}
type Leaving = { gateway: number | 'any'; item: DownItem }

/** Sends commands to a gateway. Commands for devices that are absent there were certainly not sent and are set aside. */
async function give(pool: pg.Pool, bus: NatsConnection, prefix: string, gateway: number | 'any', items: DownItem[]) {
  const absent = await send(bus, prefix, gateway, items)
  sent.inc(items.length - absent.length)
  if (absent.length === 0) return
  const gone = new Set(absent)
  await inScope(pool, systemScope, 'record', async ({ db }) => {
    await lockDevices(
      db,
      items.flatMap(({ id, d }) => (gone.has(id) ? [{ deviceId: d }] : [])),
    )
    return commit(await parkOrFail(db, absent, 'absent'))
  })
}

async function send(
  bus: NatsConnection,
  prefix: string,
  gateway: number | 'any',
  items: DownItem[],
): Promise<string[]> {
  const envelope: DownEnvelope = { items }
  try {
    const answer = await bus.request(deviceBus.down(prefix, gateway), JSON.stringify(envelope), { timeout: requestMs })
    return answer.json<DownAnswer>().absent
  } catch (error) {
    const hasNoResponder =
      error instanceof NoRespondersError || (error instanceof RequestError && error.isNoResponders())
    if (!hasNoResponder) throw error
    return items.map(({ id }) => id)
  }
}

/** Claims queued commands and marks them as sent. Commands for offline devices are parked or fail, as requested. */
async function claim(db: Db): Promise<{ taken: number; leaving: Leaving[] }> {
  await useGenericPlans(db)
  const queued = await sql<Command>`
    select id, device_id as "deviceId" from device_command
    where status = ${stands.queued} and ${alive()} order by id limit ${most}`.execute(db)
  if (queued.rows.length === 0) return { taken: 0, leaving: [] }
  const states = await lockDevices(db, queued.rows)
  // Another worker may have sent them in the meantime.
  const { rows } = await sql<Due>`
    select c.id, c.device_id as "deviceId", c.content, c.when_offline as "whenOffline",
      floor(extract(epoch from app.message_time(c.id)))::float8 as at, floor(extract(epoch from c.expires_at))::float8 as exp,
      d.online, c.expires_at <= now() as expired, d.deleted_at is not null as gone, d.adapter, d.wire_id as "wireId"
    from device_command c join device d on d.id = c.device_id
    where c.id = any(${queued.rows.map(({ id }) => id)}::bigint[]) and c.status = ${stands.queued} order by c.id
    for update of c skip locked`.execute(db)
  const end = (row: Due, reason: string) => ({ id: row.id, deviceId: row.deviceId, reason })
  const ends = rows.flatMap((row) => (row.gone ? [end(row, 'removed')] : row.expired ? [end(row, 'expired')] : []))
  await endCommands(db, 'fail', ends)
  const open = rows.filter((row) => !row.gone && !row.expired)
  const away = open.filter((row) => !row.online)
  await parkOrFail(
    db,
    away.map(({ id }) => id),
    'offline',
  )
  return {
    taken: queued.rows.length,
    leaving: await markSent(
      db,
      states,
      open.filter((row) => row.online),
    ),
  }
}

async function markSent(db: Db, states: DeviceStates, due: readonly Due[]): Promise<Leaving[]> {
  if (due.length === 0) return []
  const leaving = due.flatMap((row): Leaving[] => {
    const state = states.get(row.deviceId)
    if (state === undefined) return []
    state.count += 1
    const { id, deviceId: d, adapter: a, wireId: w, at, exp, content: c } = row
    return [{ gateway: everywhere.has(a) ? 'any' : state.gateway, item: { id, d, a, w, n: state.count, at, exp, c } }]
  })
  await sql`update device_state s set command_count = u.count from unnest(${[...states.keys()]}::bigint[],
      ${[...states.values()].map(({ count }) => count)}::bigint[]) as u (id, count) where s.device_id = u.id`.execute(
    db,
  )
  const ids = leaving.map(({ item }) => item.id)
  await sql`update device_command c set status = ${commandFlow.to('send')}::smallint, sent_at = now(), counter = u.counter,
      answer_by = least(now() + make_interval(secs => ${answerS}), greatest(c.expires_at, now() + interval '5 s') + interval '5 s')
    from unnest(${ids}::bigint[], ${leaving.map(({ item }) => item.n)}::bigint[]) as u (id, counter)
    where c.id = u.id and c.id = any(${ids}::bigint[]) and c.status = ${stands.queued}`.execute(db)
  return leaving
}

/** Ends overdue and expired commands, and enqueues parked commands of online devices. */
const sweep = (pool: pg.Pool): Promise<void> =>
  inScope(pool, systemScope, 'record', async ({ db }) => {
    await useGenericPlans(db)
    const find = async (condition: RawBuilder<boolean>) =>
      (
        await sql<Command>`select c.id, c.device_id as "deviceId" from device_command c join device d on d.id = c.device_id
          where ${condition} and ${alive('c')} limit ${most}`.execute(db)
      ).rows
    const isSilent = sql<boolean>`c.status = ${stands.sent} and c.answer_by < now()`
    const isOld = sql<boolean>`c.status in (${stands.queued}, ${stands.parked}) and c.expires_at <= now()`
    const isReady = sql<boolean>`c.status = ${stands.parked} and c.when_offline = ${whenOffline.code.wait} and d.online`
    const [silent, old, ready] = [await find(isSilent), await find(isOld), await find(isReady)]
    if (silent.length + old.length + ready.length === 0) return commit(undefined)
    await lockDevices(db, [...silent, ...old, ...ready])
    await endCommands(
      db,
      'timeOut',
      (await still(db, silent, isSilent)).map((row) => ({ ...row, reason: 'noAnswer' })),
    )
    await endCommands(
      db,
      'fail',
      (await still(db, old, isOld)).map((row) => ({ ...row, reason: 'expired' })),
    )
    const woken = await sql`update device_command c set status = ${commandFlow.to('wake')}::smallint
      where c.id = any(${ready.map(({ id }) => id)}::bigint[]) and c.status = ${stands.parked}`.execute(db)
    if ((woken.numAffectedRows ?? 0n) > 0n) await sql`select pg_notify('device_command', '')`.execute(db)
    return commit(undefined)
  })

/** Those of the commands to which the condition still applies, under the locks of their devices. */
async function still(db: Db, found: readonly Command[], condition: RawBuilder<boolean>): Promise<readonly Command[]> {
  if (found.length === 0) return []
  const { rows } = await sql<Command>`select c.id, c.device_id as "deviceId" from device_command c
    where c.id = any(${found.map(({ id }) => id)}::bigint[]) and ${condition}`.execute(db)
  return rows
}
