import { type NatsConnection, NoRespondersError, RequestError } from '@nats-io/transport-node'
import { answerTo } from '@wattdeck/bus/bus.ts'
import {
  type ClaimReply,
  type ClaimRequest,
  deviceBus,
  type Held,
  type Identity,
} from '@wattdeck/contract/events/device-bus.ts'
import { Counter } from 'prom-client'
import { busCallback } from './bus-callback.ts'
import type { DeviceConnection } from './downlink.ts'

const contested = new Counter({
  name: 'gateway_contested_lines_total',
  help: 'Connections that claimed a device of another connection',
})

/** A connection of devices that do not authenticate. */
export type ClaimedConnection = DeviceConnection & {
  /** Whether the device still responds: sends a probe and accepts any frame as the response. */
  isAlive: (deviceId: string) => Promise<boolean>
  /** The device uses another connection: `replaced` by a newer one, or `contested` by an older one. */
  lose: (deviceId: string, why: 'replaced' | 'contested') => void
}

type Parts = {
  bus: NatsConnection
  prefix: string
  gateway: number
  /** How long a device may take to respond on its current connection. */
  probeMs: number
  /** Whether a gateway holds this number. */
  isLeased: (gateway: number) => Promise<boolean>
}

type Claim = { line: ClaimedConnection; sinceMs: number }

const reportEveryMs = 60_000
const maxReported = 100_000
/** Bus latency allowed on top of the probe time. */
const answerMs = 2000

/**
 * Assigns each unauthenticated device to one connection. The current connection keeps the device while it responds
 * there; other connections are refused at every gateway. A restarted device does not respond on its old connection,
 * which is then dropped.
 */
export class ConnectionClaims {
  readonly #parts: Parts
  readonly #lines = new Map<string, Claim>()
  readonly #reportedMs = new Map<string, number>()

  constructor(parts: Parts) {
    this.#parts = parts
    const { bus, prefix, gateway } = parts
    bus.subscribe(deviceBus.claim(prefix, gateway), {
      callback: busCallback((message) => {
        const { deviceId, isRefused } = message.json<ClaimRequest>()
        if (isRefused === true) return this.#drop(deviceId, 'contested')
        const answer = (isHeld: boolean): ClaimReply => ({ isHeld })
        void this.#livesHere(deviceId).then((isHeld) => answerTo(message, answer(isHeld)))
      }),
    })
    bus.subscribe(deviceBus.held(prefix), {
      callback: busCallback((message) => void this.#defend(message.json<Held>())),
    })
  }

  /** Returns whether the connection owns the device from now on. */
  async take({ deviceId, gateway }: Identity, connection: ClaimedConnection): Promise<boolean> {
    if (this.#lines.get(deviceId)?.line === connection) return true
    const isFree = !(await this.#livesHere(deviceId)) && !(await this.#livesElsewhere(deviceId, gateway ?? undefined))
    // Two connections may await the same probe; the first one wins.
    if (!isFree || this.#lines.has(deviceId)) {
      contested.inc()
      return false
    }
    const sinceMs = Date.now()
    this.#lines.set(deviceId, { line: connection, sinceMs })
    const { bus, prefix, gateway: own } = this.#parts
    const announcement: Held = { deviceId, gateway: own, sinceMs }
    bus.publish(deviceBus.held(prefix), JSON.stringify(announcement))
    return true
  }

  release(deviceId: string, connection: DeviceConnection): void {
    if (this.#lines.get(deviceId)?.line === connection) this.#lines.delete(deviceId)
  }

  /** Throttles reports of contested claims for a client that retries each second. */
  isNews(deviceId: string): boolean {
    const nowMs = Date.now()
    if (nowMs - (this.#reportedMs.get(deviceId) ?? 0) < reportEveryMs) return false
    if (this.#reportedMs.size >= maxReported) this.#reportedMs.clear()
    this.#reportedMs.set(deviceId, nowMs)
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

  /**
   * Another gateway may admit the device before the worker knows our connection. Of two live connections the older one
   * stays.
   */
  async #defend({ deviceId, gateway, sinceMs }: Held): Promise<void> {
    const { bus, prefix, gateway: own } = this.#parts
    const claim = this.#lines.get(deviceId)
    if (gateway === own || claim === undefined) return
    const isOlder = claim.sinceMs < sinceMs || (claim.sinceMs === sinceMs && own < gateway)
    if (!isOlder || !(await this.#livesHere(deviceId))) return
    const request: ClaimRequest = { deviceId, isRefused: true }
    bus.publish(deviceBus.claim(prefix, gateway), JSON.stringify(request))
  }

  /** A gateway that is down holds nothing. A gateway that does not respond may hold the device, which retries later. */
  async #livesElsewhere(deviceId: string, gateway: number | undefined): Promise<boolean> {
    const { bus, prefix, probeMs, isLeased } = this.#parts
    if (gateway === undefined || gateway === this.#parts.gateway) return false
    const request: ClaimRequest = { deviceId }
    try {
      const subject = deviceBus.claim(prefix, gateway)
      const reply = await bus.request(subject, JSON.stringify(request), { timeout: probeMs + answerMs })
      return reply.json<ClaimReply>().isHeld
    } catch (error) {
      return hasNoResponder(error) ? false : isLeased(gateway)
    }
  }
}

const hasNoResponder = (error: unknown): boolean =>
  error instanceof NoRespondersError || (error instanceof RequestError && error.isNoResponders())
