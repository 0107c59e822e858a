import type {
  CommandFailure,
  ConnectionEvent,
  DownItem,
  Identity,
  SwipeReply,
  SwipeRequest,
  UpItem,
} from '@wattdeck/contract/events/device-bus.ts'
import {
  type CommandResultEvent,
  type DeviceEvent,
  isBillingEvent,
  type SwipeEvent,
} from '@wattdeck/device-protocol/message.ts'
import type { Logger } from 'pino'
import type { Downlink, DeviceConnection } from './downlink.ts'
import type { ClaimedConnection, ConnectionClaims } from './connection-claims.ts'
import type { Registry } from './registry.ts'
import type { Uplink } from './uplink.ts'

/** Published events: of the device, of its connection, and frames that could not be decoded. */
export type Reported = DeviceEvent | ConnectionEvent | { kind: 'unreadable'; reason: string }

/** The raw frame, and the counters of its protocol. */
export type OnWire = {
  bytes: Uint8Array
  /** Undefined: messages are ordered by arrival. */
  ord?: string | undefined
  boot?: number | undefined
  seq?: number | undefined
  /** Set for an event that a bill depends on. */
  record?: UpItem['r']
}

const warnEveryMs = 1000

type Parts = {
  uplink: Uplink
  downlink: Downlink
  registry: Registry
  claims: ConnectionClaims
  nextNumber: () => string
  log: Logger
  /** False while the clock is wrong, because it stamps every message. */
  mayTake?: () => boolean
  /** Fault injection for tests, never for production. */
  answerEarly: boolean
}

/** Handling of decoded messages that all protocols share. */
export class MessageIntake {
  readonly #parts: Parts
  readonly log: Logger
  #warnedMs = 0

  constructor(parts: Parts) {
    this.#parts = parts
    this.log = parts.log
  }

  /** Returns null for an unknown device and when no worker responded; the device retries. */
  async identify(adapter: string, wireId: string): Promise<Identity | null> {
    const lookup = await this.lookUp(adapter, wireId)
    return lookup.known ? lookup.identity : null
  }

  /** Like `identify`, for protocols that distinguish an unknown device from a failed lookup. */
  async lookUp(
    adapter: string,
    wireId: string,
    isNew = false,
  ): Promise<{ known: true; identity: Identity | null } | { known: false }> {
    if (this.#parts.mayTake?.() === false) return { known: false }
    try {
      return { known: true, identity: await this.#parts.registry.find(adapter, wireId, isNew) }
    } catch (error) {
      // While no worker runs, every message fails here, so the log is throttled.
      if (Date.now() - this.#warnedMs > warnEveryMs) {
        this.#warnedMs = Date.now()
        this.log.warn({ err: error, adapter }, 'device identity unanswered')
      }
      return { known: false }
    }
  }

  /** False unless a worker confirms it: a charger must not sell at unconfirmed prices. */
  async holdsTariff({ deviceId }: Identity, modelNo: number): Promise<boolean> {
    try {
      return await this.#parts.registry.holdsTariff({ deviceId, modelNo })
    } catch (error) {
      this.log.warn({ err: error, deviceId }, 'tariff check unanswered')
      return false
    }
  }

  /** Returns the message number, or undefined when the message was not accepted. */
  send(
    identity: Pick<Identity, 'deviceId'>,
    event: Reported,
    wire?: OnWire,
    onCommitted?: () => void,
  ): string | undefined {
    if (this.#parts.mayTake?.() === false) return undefined
    const id = this.#parts.nextNumber()
    const item: UpItem = {
      id,
      d: identity.deviceId,
      o: wire?.ord ?? id,
      boot: wire?.boot,
      seq: wire?.seq,
      e: event,
      f: wire === undefined ? undefined : Buffer.from(wire.bytes).toString('base64'),
      r: wire?.record,
    }
    return this.#parts.uplink.send(item, onCommitted) ? id : undefined
  }

  /**
   * Sends the device's answer, if any: after the commit for an event that a bill depends on, otherwise once it is
   * queued.
   */
  take(identity: Identity, event: DeviceEvent, wire: OnWire, answer: ((messageId: string) => void) | undefined): void {
    const waits = isBillingEvent[event.kind] && !this.#parts.answerEarly && answer !== undefined
    const id = this.send(identity, event, wire, waits ? () => answer(id ?? '') : undefined)
    if (!waits && id !== undefined) answer?.(id)
  }

  /**
   * Publishes a card swipe and has a worker authorise it after the commit. The key is an idempotency key across
   * resends. Without a decision there is no answer, and the device or the member retries.
   */
  swipe(
    identity: Identity,
    event: SwipeEvent,
    { key, ...wire }: OnWire & { key: string },
    answer: (decided: SwipeReply) => void,
  ): void {
    const { deviceId } = identity
    const id = this.send(identity, event, wire, () => {
      this.decideSwipe({ id: id ?? '', deviceId, key, swipe: event }).then(answer, (error: unknown) => {
        this.log.warn({ err: error, deviceId }, 'card authorisation unanswered')
      })
    })
  }
  /** Requests the decision for a swipe that is already committed. Rejects when no worker responds. */
  decideSwipe(request: SwipeRequest): Promise<SwipeReply> {
    return this.#parts.registry.decideSwipe(request)
  }

  /** Routes the device's commands to this connection and closes the previous one. */
  attach(identity: Identity, connection: DeviceConnection): void {
    this.#parts.downlink.attach(identity.deviceId, connection)
  }
  detach(identity: Identity, connection: DeviceConnection): void {
    this.#parts.downlink.detach(identity.deviceId, connection)
    this.#parts.claims.release(identity.deviceId, connection)
  }

  /** Like `hold`, for a device without authentication. Returns false when the device responds on another connection. */
  async claim(identity: Identity, connection: ClaimedConnection, address: string): Promise<boolean> {
    const { claims, downlink } = this.#parts
    if (await claims.take(identity, connection)) {
      downlink.attach(identity.deviceId, connection)
      return true
    }
    this.reportContested(identity, address)
    return false
  }
  /** Reports a second connection, at this address, that claimed the device. */
  reportContested(identity: Identity, address: string): void {
    this.log.warn({ deviceId: identity.deviceId, address }, 'second connection of a device refused')
    if (this.#parts.claims.isNews(identity.deviceId)) this.send(identity, { kind: 'contested', address })
  }

  /** Routes the commands of all devices of an adapter to this connection. */
  attachAdapter(adapter: string, connection: DeviceConnection): void {
    this.#parts.downlink.attachAdapter(adapter, connection)
  }

  /** Publishes that the command was written to the connection. */
  publishSent(identity: Pick<Identity, 'deviceId'>, { id, c }: DownItem, bytes: Uint8Array): void {
    this.send(identity, { kind: 'command', commandId: id, command: c }, { bytes })
  }
  /** Publishes the result of a command. Without a frame the gateway itself determined the result. */
  publishResult(identity: Identity, { id }: DownItem, result: CommandResultEvent, wire?: OnWire): void {
    this.send(identity, { ...result, commandId: id }, wire)
  }
  /** Publishes that the command is abandoned. */
  publishFailure(identity: Pick<Identity, 'deviceId'>, commandId: string, reason: CommandFailure): void {
    this.send(identity, { kind: 'commandFailed', commandId, reason })
  }

  /** Backpressure: resolves when the stream has capacity again. */
  waitForCapacity(): Promise<void> {
    return this.#parts.uplink.waitForCapacity()
  }
}
