import { type NatsConnection, NoRespondersError, RequestError } from '@nats-io/transport-node'
import { answerTo } from '@wattdeck/bus/bus.ts'
import {
  type ClaimAnswer,
  type ClaimAsk,
  deviceBus,
  type Held,
  type Identity,
} from '@wattdeck/contract/events/device-bus.ts'
import { Counter } from 'prom-client'
import { busCallback } from './bus-callback.ts'
import type { DeviceConnection } from './downlink.ts'

const contested = new Counter({ name: 'gateway_contested_lines_total', help: 'Lines that claimed a device of another' })

/** A line of devices that prove nothing. */
export type ClaimedConnection = DeviceConnection & {
  /** Whether the device is still there: asks it, and waits for anything that it says. */
  isAlive: (deviceId: string) => Promise<boolean>
  /** The device speaks elsewhere: on the line that replaces this one, or on an older one that this one contested. */
  lose: (deviceId: string, why: 'replaced' | 'contested') => void
}

type Parts = {
  bus: NatsConnection
  prefix: string
  gateway: number
  /** So long a device has to answer on the line that it has. */
  probeMs: number
  /** Whether there is a gateway with this number. */
  isLeased: (gateway: number) => Promise<boolean>
}

type Claim = { line: ClaimedConnection; sinceMs: number }

const tellEveryMs = 60_000
const maxTold = 100_000
/** On the bus, beyond what the device takes. */
const answerMs = 2000

/**
 * Which line has a device that proves nothing. The line that has it keeps it as long as the device answers there; a
 * second line is refused, here and at every other gateway. A device that has restarted does not answer on its old line,
 * which then is dropped.
 */
export class ConnectionClaims {
  readonly #parts: Parts
  readonly #lines = new Map<string, Claim>()
  readonly #toldMs = new Map<string, number>()

  constructor(parts: Parts) {
    this.#parts = parts
    const { bus, prefix, gateway } = parts
    bus.subscribe(deviceBus.claim(prefix, gateway), {
      callback: busCallback((message) => {
        const { deviceId, isRefused } = message.json<ClaimAsk>()
        if (isRefused === true) return this.#drop(deviceId, 'contested')
        const answer = (isHeld: boolean): ClaimAnswer => ({ isHeld })
        void this.#livesHere(deviceId).then((isHeld) => answerTo(message, answer(isHeld)))
      }),
    })
    bus.subscribe(deviceBus.held(prefix), {
      callback: busCallback((message) => void this.#defend(message.json<Held>())),
    })
  }

  /** Whether the line has the device from now on. */
  async take({ deviceId, gateway }: Identity, connection: ClaimedConnection): Promise<boolean> {
    if (this.#lines.get(deviceId)?.line === connection) return true
    const isFree = !(await this.#livesHere(deviceId)) && !(await this.#livesElsewhere(deviceId, gateway ?? undefined))
    // Of two lines that waited for the same answer, the first has it.
    if (!isFree || this.#lines.has(deviceId)) {
      contested.inc()
      return false
    }
    const sinceMs = Date.now()
    this.#lines.set(deviceId, { line: connection, sinceMs })
    const { bus, prefix, gateway: own } = this.#parts
    const held: Held = { deviceId, gateway: own, sinceMs }
    bus.publish(deviceBus.held(prefix), JSON.stringify(held))
    return true
  }

  release(deviceId: string, connection: DeviceConnection): void {
    if (this.#lines.get(deviceId)?.line === connection) this.#lines.delete(deviceId)
  }

  /** Limits how often a claim is reported: not at every attempt of a client that retries each second. */
  isNews(deviceId: string): boolean {
    const nowMs = Date.now()
    if (nowMs - (this.#toldMs.get(deviceId) ?? 0) < tellEveryMs) return false
    if (this.#toldMs.size >= maxTold) this.#toldMs.clear()
    this.#toldMs.set(deviceId, nowMs)
    return true
  }

  async #livesHere(deviceId: string): Promise<boolean> {
    const claim = this.#lines.get(deviceId)
    if (claim === undefined) return false
    if (await claim.line.isAlive(deviceId)) return true
    if (this.#lines.get(deviceId) === claim) this.#drop(deviceId, 'replaced')
    return false
  }

  #drop(deviceId: string, why: 'replaced' | 'contested'): void {
    const claim = this.#lines.get(deviceId)
    this.#lines.delete(deviceId)
    claim?.line.lose(deviceId, why)
  }

  /** The worker may not have heard of our line yet when another gateway let one in: of two that live the older stays. */
  async #defend({ deviceId, gateway, sinceMs }: Held): Promise<void> {
    const { bus, prefix, gateway: own } = this.#parts
    const claim = this.#lines.get(deviceId)
    if (gateway === own || claim === undefined) return
    const isOlder = claim.sinceMs < sinceMs || (claim.sinceMs === sinceMs && own < gateway)
    if (!isOlder || !(await this.#livesHere(deviceId))) return
    const ask: ClaimAsk = { deviceId, isRefused: true }
    bus.publish(deviceBus.claim(prefix, gateway), JSON.stringify(ask))
  }

  /** A gateway that is gone does not hold it. One that does not answer may: the device comes again. */
  async #livesElsewhere(deviceId: string, gateway: number | undefined): Promise<boolean> {
    const { bus, prefix, probeMs, isLeased } = this.#parts
    if (gateway === undefined || gateway === this.#parts.gateway) return false
    const ask: ClaimAsk = { deviceId }
    try {
      const subject = deviceBus.claim(prefix, gateway)
      const reply = await bus.request(subject, JSON.stringify(ask), { timeout: probeMs + answerMs })
      return reply.json<ClaimAnswer>().isHeld
    } catch (error) {
      return isNobodyThere(error) ? false : isLeased(gateway)
    }
  }
}

const isNobodyThere = (error: unknown): boolean =>
  error instanceof NoRespondersError || (error instanceof RequestError && error.isNoResponders())
