import { commandStatus } from '@wattdeck/contract/product/device-command.ts'
import { orderStatus } from '@wattdeck/contract/order/order-codes.ts'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Logger } from 'pino'
import { Counter, Gauge } from 'prom-client'
import { type Db, inScope, commit } from '../../kit/db/db.ts'
import { refusalOf } from '../../kit/http/refusal.ts'
import { systemScope } from '../../kit/db/system-scope.ts'
import { startWorkLoop } from '../../kit/jobs/work-loop.ts'
import { applyEvent } from './apply-event.ts'
import * as queue from './charge-queue.store.ts'
import { lastReported, releaseOrder, settleOrder, publishOrderChange } from './settle-order.ts'
import * as store from './order.store.ts'

const moved = new Counter({
  name: 'charging_orders_moved_total',
  help: 'Steps of charging orders',
  labelNames: ['step'],
})
const failures = new Counter({
  name: 'charge_step_failures_total',
  help: 'Failed steps of charging orders by outcome',
  labelNames: ['outcome'],
})
const waiting = new Gauge({ name: 'charge_events_waiting', help: 'Charge events in the queue' })
const oldest = new Gauge({ name: 'charge_event_oldest_seconds', help: 'Age of the oldest charge event in the queue' })
const most = 100
const pollMs = 250
const measureMs = 10_000
/** After this many tries, about two minutes, an event that cannot be applied becomes a dead letter. */
const maxTries = 8

type Means = { pool: pg.Pool; log: Logger }

/**
 * Advances orders on device events, command results and deadlines. Each step is its own transaction, so a failed step
 * delays only its device. Several workers share the queue; another worker repeats a step that was not committed.
 */
export function advanceOrders(pool: pg.Pool, url: string, log: Logger): () => Promise<void> {
  const means = { pool, log }
  let measuredMs = 0
  const loop = startWorkLoop({
    url,
    channel: 'charge_news',
    pollMs,
    round: async () => {
      if (Date.now() - measuredMs > measureMs) {
        measuredMs = Date.now()
        await measure(means)
      }
      return (await processEvents(means)) + (await judgeStarts(means)) + (await endOverdue(means)) > 0
    },
    log,
  })
  return loop.stop
}

const read = <T>({ pool }: Means, work: (db: Db) => Promise<T>): Promise<T> =>
  inScope(pool, systemScope, 'read', async ({ db }) => commit(await work(db)))
const write = <T>({ pool }: Means, work: (db: Db) => Promise<T>): Promise<T> =>
  inScope(pool, systemScope, 'record', async ({ db }) => commit(await work(db)))

async function measure(means: Means): Promise<void> {
  const queueState = await read(means, (db) => queue.measureQueue(db))
  waiting.set(queueState.waiting)
  oldest.set(queueState.oldestS)
}

/** Processes the events of one device strictly in sequence, across all workers, and different devices in parallel. */
export async function processEvents(means: Means): Promise<number> {
  const devices = await read(means, (db) => queue.dueDevices(db, most))
  let count = 0
  await someAtOnce(devices, async (deviceId) => {
    for (let tries = 0; tries < most && (await processFirst(means, deviceId)); tries++) count++
  })
  return count
}

/** Four lanes, so that other queries still get connections of the pool. */
async function someAtOnce<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const pending = items.values()
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (const item of pending) await work(item)
    }),
  )
}

/** Returns whether the first event of the device is done, so that the next one may follow. */
async function processFirst(means: Means, deviceId: string): Promise<boolean> {
  let event: queue.ChargeEvent | undefined
  try {
    const applied = await write(means, async (db) => {
      event = await queue.lockFirst(db, deviceId)
      if (event === undefined) return undefined
      const outcome = await applyEvent(db, event)
      if (outcome === 'done') await queue.removeEvent(db, event.id)
      else await queue.awaitEarlierMessages(db, event.id)
      return outcome
    })
    if (applied === 'done' && event !== undefined) moved.inc({ step: event.kind })
    return applied === 'done'
  } catch (error) {
    await postpone(means, deviceId, event, error)
    return false
  }
}

/** Later events of the device wait until this one is done or is a dead letter. */
async function postpone(means: Means, deviceId: string, event: queue.ChargeEvent | undefined, error: unknown) {
  const { log } = means
  const tries = (event?.tries ?? 0) + 1
  const isDeadLetter = event !== undefined && tries >= maxTries && !mayPass(error)
  const outcome = isDeadLetter ? 'deadLetter' : 'retry'
  failures.inc({ outcome })
  const facts = { err: error, deviceId, eventId: event?.id, kind: event?.kind, tries }
  if (isDeadLetter) log.error(facts, 'charge event dead-lettered; needs a decision')
  else log.error(facts, 'charge event failed; will retry, later events of the device wait')
  if (event === undefined) return
  const failed = event
  await write(means, async (db) => {
    if (!isDeadLetter) await queue.postponeEvent(db, failed.id)
    // A device that continues charging reports it again.
    else if (failed.kind === 'stray') await queue.removeEvent(db, failed.id)
    else await queue.deadLetterEvent(db, failed, error instanceof Error ? error.message : String(error))
  }).catch((failure: unknown) => log.error({ err: failure, eventId: failed.id }, 'charge event could not be postponed'))
}

/**
 * Faults of the installation, not of the event: connection, resources, locks, time-outs, a missing table, column or
 * partition. They are temporary, so an event never becomes a dead letter because of them.
 */
function mayPass(error: unknown): boolean {
  if (refusalOf(error)?.status === 503) return true
  const { code, constraint } = error as { code?: unknown; constraint?: unknown }
  if (typeof code !== 'string') return false
  return (
    /^(08|25|40|42|53|55|57|58|XX|ECONN|EPIPE|ETIMEDOUT)/.test(code) || (code === '23514' && constraint === undefined)
  )
}

type Start = {
  id: string
  status: number | null
  reason: string | null
  reported: boolean
  endedMs: number | null
}

const { done, refused, failed, cancelled } = commandStatus.code
/** A command that timed out is not included: the device may still report until the confirmation deadline. */
const ended = [done, refused, failed, cancelled]

/** Decides starts whose command ended, whose device reported or whose deadline passed. Returns how many advanced. */
async function judgeStarts(means: Means): Promise<number> {
  const due = await read(means, async (db) => {
    const { rows } = await sql<Start>`
      select
        open.order_id as id,
        command.status,
        command.reason,
        open.reported_at is not null as reported,
        (extract(epoch from coalesce(command.ended_at, open.reported_at)) * 1000)::float8 as "endedMs"
      from open_charge open
      left join device_command command on command.id = open.command_id
      where open.confirm_by is not null
        and open.retry_at <= now()
        and (open.confirm_by <= now() or open.reported_at is not null or command.status = any(${ended}::smallint[]))
      order by open.confirm_by
      limit ${most}`.execute(db)
    return rows
  })
  let count = 0
  await someAtOnce(due, async (start) => {
    if (await advance(means, start.id, 'start of a charge', (db) => judge(db, start))) count++
  })
  return count
}

async function judge(db: Db, { id, status, reason, reported, endedMs }: Start): Promise<boolean> {
  const order = await store.lockOrder(db, id)
  if (order === undefined || !order.open) return false
  if (order.status !== orderStatus.code.starting) {
    // Another event has already started the charge, so nothing is left to confirm.
    await store.confirmOrder(db, id, Date.now())
    return false
  }
  if (reported || status === done) {
    await store.confirmOrder(db, id, endedMs ?? Date.now())
    await publishOrderChange(db, order)
  } else await releaseOrder(db, order, reason ?? 'notConfirmed')
  moved.inc({ step: reported || status === done ? 'confirm' : 'release' })
  return true
}

/** Sends charges past their deadline without a bill to review, with their last reported reading. */
async function endOverdue(means: Means): Promise<number> {
  const due = await read(means, async (db) => {
    const { rows } = await sql<{ id: string }>`
      select order_id as id
      from open_charge
      where end_by <= now()
        and retry_at <= now()
      order by end_by
      limit ${most}`.execute(db)
    return rows
  })
  let count = 0
  await someAtOnce(due, async ({ id }) => {
    const isDone = await advance(means, id, 'end of a charge without a bill', async (db) => {
      const order = await store.lockOrder(db, id)
      if (order?.open !== true) return false
      await settleOrder(db, order, lastReported(order), ['noBill'])
      return true
    })
    if (isDone) count++
  })
  return count
}

/** One step of an open charge. A failed step is retried with back-off, so that it does not block others. */
const advance = (means: Means, id: string, step: string, work: (db: Db) => Promise<boolean>): Promise<boolean> =>
  write(means, work).catch(async (error: unknown) => {
    failures.inc({ outcome: 'retry' })
    means.log.error({ err: error, orderId: id, step }, 'step of an open charge failed; will retry')
    await write(means, (db) => store.postponeStep(db, id)).catch((failure: unknown) =>
      means.log.error({ err: failure, orderId: id }, 'step of an open charge could not be postponed'),
    )
    return false
  })
