import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import {
  type ClockAnswer,
  clockBus,
  type ClockVerdict,
  judgeClock,
  measureClock,
  type Measured,
} from '@wattdeck/contract/events/clock.ts'
import type { Logger } from 'pino'
import { Gauge } from 'prom-client'

const difference = new Gauge({
  name: 'clock_difference_seconds',
  help: 'Clock of this process minus the reference clock',
  labelNames: ['to'],
})
const wrong = new Gauge({ name: 'gateway_clock_wrong', help: '1 while devices are refused because of the clock' })
const everyMs = 10_000
const answerMs = 3000

/** Reads the NATS clock from the timestamp of a message that it has just stored. */
async function readBusClock(bus: NatsConnection, prefix: string): Promise<number> {
  const { seq } = await jetstream(bus).publish(clockBus.tick(prefix, 'gateway'))
  const manager = await jetstreamManager(bus)
  const stored = await manager.streams.getMessage(clockBus.stream(prefix), { seq })
  return stored === null ? Number.NaN : stored.time.getTime()
}

/** Creates the stream when NATS has lost it and no worker has started yet. Other deployments may deny this right. */
const makeStream = (bus: NatsConnection, prefix: string) =>
  jetstreamManager(bus)
    .then((manager) => manager.streams.add(clockBus.config(prefix)))
    .catch(() => undefined)

/** Requests the database time from a worker. */
async function readDatabaseClock(bus: NatsConnection, prefix: string): Promise<number> {
  const answer = await bus.request(clockBus.ask(prefix), '', { timeout: answerMs })
  return answer.json<ClockAnswer>().ms
}

type Parts = {
  bus: NatsConnection
  prefix: string
  log: Logger
  /** Ends all connections, because their messages would carry a wrong time. */
  onWrong: () => void
  /** Admits devices again. */
  onRight: () => void
}

/**
 * Compares the gateway's clock with NATS and the database every ten seconds. That clock sets the receive time and
 * liveness of every device. A gateway that differs from both refuses devices until it agrees again; they connect to
 * another gateway.
 */
export function startClockGuard({ bus, prefix, log, onWrong, onRight }: Parts) {
  let verdict: ClockVerdict = 'right'
  const measure = async (to: 'nats' | 'database', readMs: () => Promise<number>): Promise<Measured | undefined> => {
    const measured = await measureClock(readMs).catch(() => undefined)
    if (measured === undefined || !Number.isFinite(measured.differenceS)) return undefined
    difference.set({ to }, measured.differenceS)
    return measured
  }
  const look = async () => {
    const measureNats = () => measure('nats', () => readBusClock(bus, prefix))
    const nats = (await measureNats()) ?? (await makeStream(bus, prefix).then(measureNats))
    const database = await measure('database', () => readDatabaseClock(bus, prefix))
    // While neither clock can be read, the previous verdict stays.
    if (nats === undefined && database === undefined) return
    const before = verdict
    verdict = judgeClock(nats, database)
    wrong.set(Number(verdict === 'wrong'))
    if (verdict === before) return
    const fields = { verdict, toNatsS: nats?.differenceS, toDatabaseS: database?.differenceS }
    if (verdict === 'wrong') log.fatal(fields, 'clock is wrong; devices are refused')
    else if (verdict === 'doubtful') log.error(fields, 'clock differs')
    else log.info(fields, 'clock agrees again')
    if (verdict === 'wrong') onWrong()
    else if (before === 'wrong') onRight()
  }
  const firstLook = look()
  let isBusy = false
  const timer = setInterval(() => {
    if (isBusy || bus.isClosed()) return
    isBusy = true
    void look().finally(() => (isBusy = false))
  }, everyMs)
  return {
    /** Await this before devices may connect. */
    firstLook,
    mayTake: () => verdict !== 'wrong',
    isReady: () => verdict === 'right',
    stop: () => clearInterval(timer),
  }
}
