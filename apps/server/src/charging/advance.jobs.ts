import { commandStatus, whenOffline } from '@wattdeck/contract/product/device-command.ts'
import { orderStatus, startMode } from '@wattdeck/contract/order/order-codes.ts'
import type { DeviceEvent } from '@wattdeck/device-protocol/message.ts'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Logger } from 'pino'
import { Counter } from 'prom-client'
import { giveCommand } from '../devices/command.store.ts'
import { type Db, inScope, keep } from '../kit/db.ts'
import { systemScope } from '../kit/system-scope.ts'
import { startWorkLoop } from '../kit/work-loop.ts'
import { lastHeard, meteredOf, releaseOrder, settleOrder, tellLists } from './settle-order.ts'
import * as store from './order.store.ts'
import { beginUnasked, keepUnknown } from './unasked-charge.ts'

const moved = new Counter({
  name: 'charging_orders_moved_total',
  help: 'Steps of charging orders',
  labelNames: ['step'],
})
const most = 100
const pollMs = 250

/**
 * Moves orders on: by what devices say, by how their commands end, and by time. Each step is a transaction of its own,
 * so one that fails holds up nobody. Several workers share the work; whatever dies in the middle is done again.
 */
export function advanceOrders(pool: pg.Pool, url: string, log: Logger): () => Promise<void> {
  const loop = startWorkLoop({
    url,
    channel: 'charge_news',
    pollMs,
    round: async () => (await takeNews(pool, log)) + (await judgeStarts(pool, log)) + (await endOverdue(pool, log)) > 0,
    onError: (error) => log.error({ err: error }, 'orders not moved on, will try again'),
  })
  return loop.stop
}

type News = { id: string; deviceId: string; kind: string; content: object; atMs: number; tries: number }

/** Of one device one after the other: what it says first is done first. */
async function takeNews(pool: pg.Pool, log: Logger): Promise<number> {
  const due = await inScope(pool, systemScope, 'read', async ({ db }) => {
    const { rows } = await sql<{
      id: string
      deviceId: string
    }>`select id, device_id as "deviceId" from charge_news where not_before <= now() order by id limit ${most}`.execute(
      db,
    )
    return keep(rows)
  })
  let done = 0
  await someAtOnce([...Map.groupBy(due, ({ deviceId }) => deviceId).values()], async (own) => {
    for (const { id } of own) if (await tryNews(pool, log, id)) done++
  })
  return done
}

/** As many as share the pool with everybody else. */
async function someAtOnce<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values()
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (const item of left) await work(item)
    }),
  )
}

const tryNews = (pool: pg.Pool, log: Logger, id: string): Promise<boolean> =>
  inScope(pool, systemScope, 'record', async ({ db }) => {
    const { rows } =
      await sql<News>`select id, device_id as "deviceId", kind, content, (extract(epoch from at) * 1000)::float8 as "atMs", tries
      from charge_news where id = ${id} for update skip locked`.execute(db)
    const [news] = rows
    if (news === undefined) return keep(false)
    await apply(db, news)
    await sql`delete from charge_news where id = ${id}`.execute(db)
    moved.inc({ step: news.kind })
    return keep(true)
  }).catch(async (error: unknown) => {
    log.error({ err: error, id }, 'what a device said of a charge could not be followed')
    await inScope(pool, systemScope, 'record', async ({ db }) => {
      // Tried again later and later, ten minutes at most; it is never given up.
      await sql`update charge_news set tries = least(tries + 1, 30), not_before = now() + make_interval(secs => least(600, 2 ^ tries)) where id = ${id}`.execute(
        db,
      )
      return keep(undefined)
    })
    return false
  })

async function apply(db: Db, { deviceId, kind, content, atMs }: News): Promise<void> {
  const event = content as DeviceEvent | { kind: 'stray'; port: number; orderNo: string }
  if (event.kind === 'settlement') return settle(db, deviceId, event, atMs)
  if (event.kind === 'started') return confirm(db, deviceId, event, atMs)
  if (event.kind === 'offlineStart') return beginUnasked(db, systemScope, deviceId, event, atMs)
  if (kind === 'stray') return stopStray(db, deviceId, content as Stray)
}
type Stray = { port: number; orderNo: string }
type Settlement = Extract<DeviceEvent, { kind: 'settlement' }>
type Started = Extract<DeviceEvent, { kind: 'started' }>

/** A test that nobody pays for begins with 9 and has one digit more than an order. */
const isTest = (orderNo: string | undefined) => orderNo !== undefined && /^9\d{18}$/.test(orderNo)

async function settle(db: Db, deviceId: string, event: Settlement, atMs: number): Promise<void> {
  if (isTest(event.orderNo)) return
  const said = event.orderNo === undefined ? { portNo: event.port } : { wireNo: event.orderNo }
  const id = await store.findOrder(db, systemScope, deviceId, said)
  const order = id === undefined ? undefined : await store.lockOrder(db, systemScope, id)
  if (order === undefined) return keepUnknown(db, systemScope, deviceId, event, atMs)
  const { billed, review, released } = orderStatus.code
  // A bill that comes again, or comes after the order was decided by a person, changes nothing.
  if (order.status === billed || order.status === review) return
  const known = order.status === released ? (['late'] as const) : []
  await settleOrder(db, systemScope, order, meteredOf(event, atMs, order), [...known])
}

const modeOf = ({ card }: Started) => startMode.code[card === undefined ? 'offline' : 'card']

async function confirm(db: Db, deviceId: string, event: Started, atMs: number): Promise<void> {
  const { orderNo: wireNo } = event
  if (isTest(wireNo)) return
  const id = await store.findOrder(db, systemScope, deviceId, { wireNo })
  if (id !== undefined) await store.confirmOrder(db, systemScope, id, atMs)
  else await beginUnasked(db, systemScope, deviceId, { ...event, startMode: modeOf(event) }, atMs)
}

/** It charges for an order whose money was given back, or that a person has ended: it is stopped, once. Of other orders that are over, the last report was late. */
async function stopStray(db: Db, deviceId: string, { port, orderNo }: Stray): Promise<void> {
  if (isTest(orderNo)) return
  const id = await store.findOrder(db, systemScope, deviceId, { wireNo: orderNo })
  const order = id === undefined ? undefined : await store.lockOrder(db, systemScope, id)
  if (order === undefined || order.open) return
  // A person may have ended an order by force whose device was away and comes back charging.
  const { rows } = await sql<{
    id: string
  }>`select id from charging_order where id = ${order.id} and stop_command_id is null
      and (status = ${orderStatus.code.released} or decided_by is not null)`.execute(db)
  if (rows.length === 0) return
  const commandId = await giveCommand(db, systemScope, {
    deviceId,
    command: { kind: 'stopPort', port, orderNo },
    whenOffline: whenOffline.code.fail,
    livesS: 60,
    by: { userId: null, name: '系统' },
  })
  await sql`update charging_order set stop_command_id = ${commandId ?? null} where id = ${order.id}`.execute(db)
}

type Start = {
  id: string
  status: number | null
  reason: string | null
  reported: boolean
  endedMs: number | null
}

/** Starts whose command has ended, or whose device has reported, or whose time is over. */
async function judgeStarts(pool: pg.Pool, log: Logger): Promise<number> {
  const due = await inScope(pool, systemScope, 'read', async ({ db }) => {
    const { rows } =
      await sql<Start>`select open.order_id as id, command.status, command.reason, open.reported_at is not null as reported,
        (extract(epoch from coalesce(command.ended_at, open.reported_at)) * 1000)::float8 as "endedMs"
      from open_charge open left join device_command command on command.id = open.command_id
      where open.confirm_by is not null and (open.confirm_by <= now() or open.reported_at is not null or command.status = any(${ended}::smallint[]))
      order by open.confirm_by limit ${most}`.execute(db)
    return keep(rows)
  })
  await someAtOnce(due, (start) => judge(pool, log, start))
  return due.length
}

const { done, refused, failed, cancelled } = commandStatus.code
/** Of one that timed out nobody knows: the device may still report, until its time is over. */
const ended = [done, refused, failed, cancelled]

const judge = (pool: pg.Pool, log: Logger, { id, status, reason, reported, endedMs }: Start): Promise<void> =>
  inScope(pool, systemScope, 'record', async ({ db }) => {
    const order = await store.lockOrder(db, systemScope, id)
    if (order === undefined || order.status !== orderStatus.code.starting) return keep(undefined)
    if (reported || status === done) {
      await store.confirmOrder(db, systemScope, id, endedMs ?? Date.now())
      await tellLists(db, order)
    } else await releaseOrder(db, systemScope, order, reason ?? 'notConfirmed')
    moved.inc({ step: reported || status === done ? 'confirm' : 'release' })
    return keep(undefined)
  }).catch((error: unknown) => log.error({ err: error, id }, 'a start could not be judged'))

/** Charges that must have ended long ago and of which no bill came: a person looks at what was last heard of them. */
async function endOverdue(pool: pg.Pool, log: Logger): Promise<number> {
  const due = await inScope(pool, systemScope, 'read', async ({ db }) => {
    const { rows } = await sql<{
      id: string
    }>`select order_id as id from open_charge where end_by <= now() order by end_by limit ${most}`.execute(db)
    return keep(rows)
  })
  for (const { id } of due)
    await inScope(pool, systemScope, 'record', async ({ db }) => {
      const order = await store.lockOrder(db, systemScope, id)
      if (order?.open === true) await settleOrder(db, systemScope, order, lastHeard(order), ['noBill'])
      return keep(undefined)
    }).catch((error: unknown) => log.error({ err: error, id }, 'an order without a bill could not be ended'))
  return due.length
}
