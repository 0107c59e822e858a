import { createHash } from 'node:crypto'
import type { NatsConnection } from '@nats-io/transport-node'
import { type ChargeReply, type ChargeRequest, deviceBus } from '@wattdeck/contract/events/device-bus.ts'
import type { DeviceCommand, StartPortCommand } from '@wattdeck/device-protocol/message.ts'
import type { StartedEvent } from '@wattdeck/device-protocol/ocpp16/events.ts'
import { secondsOf } from '@wattdeck/device-protocol/ocpp16/up.ts'

const requestTimeoutMs = 5000
const maxTries = 8

/** The content of StartTransaction, identical in each resend. */
export type StartRequest = { connectorId: number; idTag: string; meterStart: number; timestamp: string }

/**
 * Transaction number: 31 bits of a hash of the start message, so every gateway derives the same number, even for a
 * resend days later. `turn` resolves collisions.
 */
function transactionNumber({ connectorId, idTag, meterStart, timestamp }: StartRequest, turn: number): number {
  const canonical = JSON.stringify([connectorId, idTag, meterStart, Date.parse(timestamp), turn])
  // Many charge points treat 0 as no transaction.
  return createHash('sha256').update(canonical).digest().readUInt32BE(0) >>> 1 || 1
}

const sameBeginning = (previous: StartedEvent, { connectorId, meterStart, timestamp }: StartRequest): boolean =>
  previous.port === connectorId && previous.meterWh === meterStart && previous.deviceTimeS === secondsOf(timestamp)

export type ChargeLookup = {
  started: StartedEvent | undefined
  /** When the platform received the start. */
  startedMs: number
  ended: boolean
  ordered: StartPortCommand | undefined
}

/** Charge lookups, answered by workers. A gateway keeps charges only as long as a connection. */
export class OcppCharges {
  readonly #bus: NatsConnection
  readonly #prefix: string

  constructor(bus: NatsConnection, prefix: string) {
    this.#bus = bus
    this.#prefix = prefix
  }

  /** Rejects when no worker responds. */
  async find(request: ChargeRequest): Promise<ChargeLookup> {
    const reply = await this.#bus.request(deviceBus.charge(this.#prefix), JSON.stringify(request), {
      timeout: requestTimeoutMs,
    })
    const { started, startedMs, ended, ordered } = reply.json<ChargeReply>()
    return {
      startedMs: startedMs ?? Date.now(),
      ended,
      started: (started as StartedEvent | null) ?? undefined,
      ordered: isStart(ordered as DeviceCommand | null) ? (ordered as StartPortCommand) : undefined,
    }
  }

  /**
   * Returns the number of a start, the same for a resend. A charge point sends one message at a time and learns the
   * number after the commit. Collisions with its other charges are therefore detected here.
   */
  async numberFor(deviceId: string, beginning: StartRequest): Promise<{ transactionId: number; found: ChargeLookup }> {
    for (let turn = 0; turn < maxTries; turn++) {
      const transactionId = transactionNumber(beginning, turn)
      const found = await this.find({ deviceId, transactionId })
      if (found.started === undefined || sameBeginning(found.started, beginning)) return { transactionId, found }
    }
    throw new Error('no free transaction number')
  }
}
const isStart = (command: DeviceCommand | null): boolean => command?.kind === 'startPort'

/** A charge that is running on this connection. */
type Live = {
  started: StartedEvent
  /** By the platform's own clock. */
  sinceMs: number
  energyWh: number
  /** Peak since this connection opened. */
  peakDw: number | undefined
  /** When the gateway last requested its stop. */
  stopRequestedMs: number
}
const maxLive = 64
/** Interval between stop requests for a charge that does not end. */
const stopRetryMs = 60_000

/** Running charges of one connection: their peak power, and whether they reached their limit. */
export class LiveCharges {
  readonly #live = new Map<number, Live>()

  add(started: StartedEvent, sinceMs: number): Live {
    const [oldest] = this.#live.keys()
    if (this.#live.size >= maxLive && oldest !== undefined) this.#live.delete(oldest)
    const live = { started, sinceMs, energyWh: 0, peakDw: undefined, stopRequestedMs: 0 }
    this.#live.set(started.transactionId, live)
    return live
  }

  get(transactionId: number): Live | undefined {
    return this.#live.get(transactionId)
  }
  ofOrder(orderNo: string): Live | undefined {
    return [...this.#live.values()].find(({ started }) => started.orderNo === orderNo)
  }
  /** The newest charge at a port, for reports without a transaction number. */
  atPort(port: number): Live | undefined {
    return [...this.#live.values()].findLast(({ started }) => started.port === port)
  }
  recordMeasurement(transactionId: number, energyWh: number, powerDw: number | undefined): void {
    const live = this.#live.get(transactionId)
    if (live === undefined) return
    live.energyWh = Math.max(live.energyWh, energyWh)
    if (powerDw !== undefined) live.peakDw = Math.max(live.peakDw ?? 0, powerDw)
  }
  end(transactionId: number): void {
    this.#live.delete(transactionId)
  }

  /** Returns the charges that reached their limit and whose stop request is due. */
  due(nowMs: number): StartedEvent[] {
    const due = [...this.#live.values()].filter(
      (live) => nowMs - live.stopRequestedMs >= stopRetryMs && isDue(live, nowMs),
    )
    for (const live of due) live.stopRequestedMs = nowMs
    return due.map(({ started }) => started)
  }
}

function isDue({ started, sinceMs, energyWh }: Live, nowMs: number): boolean {
  const { limit, maxDurationS = Number.POSITIVE_INFINITY } = started
  const longestS = limit?.by === 'duration' ? Math.min(limit.durationS, maxDurationS) : maxDurationS
  return nowMs - sinceMs >= longestS * 1000 || (limit?.by === 'energy' && energyWh >= limit.energyWh)
}
