import { createHash } from 'node:crypto'
import type { NatsConnection } from '@nats-io/transport-node'
import { type ChargeAnswer, type ChargeAsk, deviceBus } from '@wattdeck/contract/events/device-bus.ts'
import type { DeviceCommand, StartPortCommand } from '@wattdeck/device-protocol/message.ts'
import type { StartedEvent } from '@wattdeck/device-protocol/ocpp16/events.ts'
import { secondsOf } from '@wattdeck/device-protocol/ocpp16/up.ts'

const askMs = 5000
const maxTries = 8

/** What a charge begins with, as the charge point tells it however often. */
export type Beginning = { connectorId: number; idTag: string; meterStart: number; timestamp: string }

/**
 * The number of a transaction: 31 bits of a hash of what the charge point said, so that the same beginning gets the same
 * number on any gateway, also when it is sent again after days. `turn` makes another one of it.
 */
function transactionNumber({ connectorId, idTag, meterStart, timestamp }: Beginning, turn: number): number {
  const said = JSON.stringify([connectorId, idTag, meterStart, Date.parse(timestamp), turn])
  // 0 is none to many a charge point.
  return createHash('sha256').update(said).digest().readUInt32BE(0) >>> 1 || 1
}

const sameBeginning = (known: StartedEvent, { connectorId, meterStart, timestamp }: Beginning): boolean =>
  known.port === connectorId && known.meterWh === meterStart && known.deviceTimeS === secondsOf(timestamp)

export type Found = {
  started: StartedEvent | undefined
  /** When the platform heard of it. */
  startedMs: number
  ended: boolean
  ordered: StartPortCommand | undefined
}

/** What is known of charges, from workers: a gateway keeps none of it for longer than a line. */
export class OcppCharges {
  readonly #bus: NatsConnection
  readonly #prefix: string

  constructor(bus: NatsConnection, prefix: string) {
    this.#bus = bus
    this.#prefix = prefix
  }

  /** Rejects when nobody could tell. */
  async find(ask: ChargeAsk): Promise<Found> {
    const reply = await this.#bus.request(deviceBus.charge(this.#prefix), JSON.stringify(ask), { timeout: askMs })
    const { started, startedMs, ended, ordered } = reply.json<ChargeAnswer>()
    return {
      startedMs: startedMs ?? Date.now(),
      ended,
      started: (started as StartedEvent | null) ?? undefined,
      ordered: isStart(ordered as DeviceCommand | null) ? (ordered as StartPortCommand) : undefined,
    }
  }

  /**
   * The number that a beginning gets, or the one it has when it is told again. A charge point sends one message at a time and learns the number after the
   * commit, so a number that another of its charges has is seen here.
   */
  async numberFor(deviceId: string, beginning: Beginning): Promise<{ transactionId: number; found: Found }> {
    for (let turn = 0; turn < maxTries; turn++) {
      const transactionId = transactionNumber(beginning, turn)
      const found = await this.find({ deviceId, transactionId })
      if (found.started === undefined || sameBeginning(found.started, beginning)) return { transactionId, found }
    }
    throw new Error('no number is left for a transaction')
  }
}
const isStart = (command: DeviceCommand | null): boolean => command?.kind === 'startPort'

/** A charge that runs on this line. */
type Live = {
  started: StartedEvent
  /** By the platform's own clock. */
  sinceMs: number
  energyWh: number
  /** Since this line stands. */
  peakDw: number | undefined
  /** When its end was asked for last. */
  askedMs: number
}
const maxLive = 64
/** A charge point that did not end a charge is asked again. */
const askAgainMs = 60_000

/** Charges that run on one line: their peaks, and whether they have reached what was asked for. */
export class LiveCharges {
  readonly #live = new Map<number, Live>()

  add(started: StartedEvent, sinceMs: number): Live {
    const [oldest] = this.#live.keys()
    if (this.#live.size >= maxLive && oldest !== undefined) this.#live.delete(oldest)
    const live = { started, sinceMs, energyWh: 0, peakDw: undefined, askedMs: 0 }
    this.#live.set(started.transactionId, live)
    return live
  }

  get(transactionId: number): Live | undefined {
    return this.#live.get(transactionId)
  }
  ofOrder(orderNo: string): Live | undefined {
    return [...this.#live.values()].find(({ started }) => started.orderNo === orderNo)
  }
  /** The newest at a port, for reports that name no transaction. */
  atPort(port: number): Live | undefined {
    return [...this.#live.values()].findLast(({ started }) => started.port === port)
  }
  measured(transactionId: number, energyWh: number, powerDw: number | undefined): void {
    const live = this.#live.get(transactionId)
    if (live === undefined) return
    live.energyWh = Math.max(live.energyWh, energyWh)
    if (powerDw !== undefined) live.peakDw = Math.max(live.peakDw ?? 0, powerDw)
  }
  end(transactionId: number): void {
    this.#live.delete(transactionId)
  }

  /** Those that have reached their limit. */
  due(nowMs: number): StartedEvent[] {
    const due = [...this.#live.values()].filter((live) => nowMs - live.askedMs >= askAgainMs && isDue(live, nowMs))
    for (const live of due) live.askedMs = nowMs
    return due.map(({ started }) => started)
  }
}

function isDue({ started, sinceMs, energyWh }: Live, nowMs: number): boolean {
  const { limit, maxDurationS = Number.POSITIVE_INFINITY } = started
  const longestS = limit?.by === 'duration' ? Math.min(limit.durationS, maxDurationS) : maxDurationS
  return nowMs - sinceMs >= longestS * 1000 || (limit?.by === 'energy' && energyWh >= limit.energyWh)
}
