import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import type { Msg, NatsConnection } from '@nats-io/transport-node'
import { answerTo } from '@wattdeck/bus/bus.ts'
import { type ClockAnswer, clockBus, isClockOff, measureClock, type Measured } from '@wattdeck/contract/events/clock.ts'
import type pg from 'pg'
import type { Logger } from 'pino'
import { Gauge } from 'prom-client'
import { startPeriodicJob } from '../jobs/every.ts'

const difference = new Gauge({
  name: 'clock_difference_seconds',
  help: 'Clock of this process minus the reference clock',
  labelNames: ['to'],
})
const everyMs = 10_000

/** Time of the database at the statement, not at the start of its transaction. */
async function readDatabaseClock(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ ms: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
  )
  return rows[0]?.ms ?? Number.NaN
}

/** Time of NATS, read from a message that it has just stored. */
async function readBusClock(bus: NatsConnection, prefix: string): Promise<number> {
  const stream = clockBus.stream(prefix)
  const { seq } = await jetstream(bus).publish(clockBus.tick(prefix, 'worker'))
  const manager = await jetstreamManager(bus)
  const stored = await manager.streams.getMessage(stream, { seq })
  return stored === null ? Number.NaN : stored.time.getTime()
}

/** Runs before each measurement, because NATS may have lost the stream. */
async function openClockStream(bus: NatsConnection, prefix: string): Promise<void> {
  const manager = await jetstreamManager(bus)
  await manager.streams.add(clockBus.config(prefix))
}

/**
 * Whether data may be dropped by age. Measures the clocks at each call. When worker and database differ, one of them is
 * wrong, and data dropped by a wrong clock is lost for good.
 */
export async function mayDropByAge(pool: pg.Pool, log: Logger): Promise<boolean> {
  const measured = await measureClock(() => readDatabaseClock(pool))
  const isAgreed = !isClockOff(measured)
  if (!isAgreed)
    log.error({ differenceS: measured.differenceS }, 'clock differs from the database; nothing is dropped by age')
  return isAgreed
}

/**
 * Compares the worker's clock with the database and NATS every ten seconds. A worker that differs from the database is not
 * ready. A worker that differs from NATS alone stays ready: worker and database agree, so the clock of NATS is wrong.
 */
export function startClockGuard(pool: pg.Pool, log: Logger) {
  const off = new Set<string>()
  let watchedBus: { bus: NatsConnection; prefix: string } | undefined
  const judge = (to: 'database' | 'nats', measured: Measured) => {
    if (!Number.isFinite(measured.differenceS)) return
    difference.set({ to }, measured.differenceS)
    const isOff = isClockOff(measured)
    if (isOff && !off.has(to)) log.error({ to, differenceS: measured.differenceS }, 'clock differs')
    if (!isOff && off.has(to)) log.info({ to }, 'clock agrees again')
    if (isOff) off.add(to)
    else off.delete(to)
  }
  // A clock that cannot be read is ignored; the readiness of the engine is checked elsewhere.
  const look = async () => {
    await measureClock(() => readDatabaseClock(pool)).then((measured) => judge('database', measured), ignore)
    if (watchedBus === undefined || watchedBus.bus.isClosed()) return
    const { bus, prefix } = watchedBus
    await openClockStream(bus, prefix).catch(ignore)
    await measureClock(() => readBusClock(bus, prefix)).then((measured) => judge('nats', measured), ignore)
  }
  const stop = startPeriodicJob({ name: 'clock', everyMs, round: look, log })
  return {
    isReady: () => !off.has('database'),
    watchBus: (bus: NatsConnection, prefix: string) => {
      watchedBus = { bus, prefix }
    },
    stop,
  }
}
const ignore = () => undefined

/** Replies to gateways, which have no database connection, with its time. A queue group shares the requests among workers. */
export function serveClockRequests(pool: pg.Pool, bus: NatsConnection, prefix: string, log: Logger): () => void {
  const subscription = bus.subscribe(clockBus.ask(prefix), { queue: 'clock' })
  const answer = async (message: Msg) => {
    try {
      const ms = await readDatabaseClock(pool)
      answerTo(message, { ms } satisfies ClockAnswer)
    } catch (error) {
      // Without a reply the gateway retries.
      log.error({ err: error }, 'database clock not read; will retry')
    }
  }
  void (async () => {
    for await (const message of subscription) void answer(message)
  })()
  return () => subscription.unsubscribe()
}
