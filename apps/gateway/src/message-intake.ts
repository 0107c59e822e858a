import type {
  CommandFailure,
  ConnectionEvent,
  DownItem,
  Identity,
  SwipeAnswer,
  SwipeAsk,
  UpItem,
} from '@wattdeck/contract/events/device-bus.ts'
import {
  type CommandResultEvent,
  type DeviceEvent,
  restsOnIt,
  type SwipeEvent,
} from '@wattdeck/device-protocol/message.ts'
import type { Logger } from 'pino'
import type { Downlink, DeviceConnection } from './downlink.ts'
import type { ClaimedConnection, ConnectionClaims } from './connection-claims.ts'
import type { Registry } from './registry.ts'
import type { Uplink } from './uplink.ts'

/** What goes up: events of the device, of its line, and frames that nobody could read. */
export type Reported = DeviceEvent | ConnectionEvent | { kind: 'unreadable'; reason: string }

/** How it was on the wire, and what the protocol counts by. */
export type OnWire = {
  bytes: Uint8Array
  /** Undefined: messages count in the order they came. */
  ord?: string | undefined
  boot?: number | undefined
  seq?: number | undefined
  /** Of an event that a bill rests on. */
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
  /** False while the clock is wrong: it would be the time of every message. */
  mayTake?: () => boolean
  /** For the proof that it matters, never for use. */
  answerEarly: boolean
}

/** What every protocol does with a message once it is understood. */
export class MessageIntake {
  readonly #parts: Parts
  readonly log: Logger
  #warnedMs = 0

  constructor(parts: Parts) {
    this.#parts = parts
    this.log = parts.log
  }

  /** Null for somebody we do not know, and when nobody could tell: they come again. */
  async identify(adapter: string, wireId: string): Promise<Identity | null> {
    const found = await this.lookUp(adapter, wireId)
    return found.known ? found.identity : null
  }

  /** The same for those who answer a stranger otherwise than somebody of whom nobody could tell. */
  async lookUp(
    adapter: string,
    wireId: string,
    isNew = false,
  ): Promise<{ known: true; identity: Identity | null } | { known: false }> {
    if (this.#parts.mayTake?.() === false) return { known: false }
    try {
      return { known: true, identity: await this.#parts.registry.find(adapter, wireId, isNew) }
    } catch (error) {
      // While no worker runs, every message ends here.
      if (Date.now() - this.#warnedMs > warnEveryMs) {
        this.#warnedMs = Date.now()
        this.log.warn({ err: error, adapter }, 'device identity unanswered')
      }
      return { known: false }
    }
  }

  /** No, unless a worker says otherwise: a pile must not sell by prices that nobody vouches for. */
  async holdsTariff({ deviceId }: Identity, modelNo: number): Promise<boolean> {
    try {
      return await this.#parts.registry.holdsTariff({ deviceId, modelNo })
    } catch (error) {
      this.log.warn({ err: error, deviceId }, 'tariff check unanswered')
      return false
    }
  }

  /** Answers the number of the message, or nothing when it could not be taken. */
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

  /** Answers, if it is to be answered: what a bill rests on after the commit, anything else once it is on its way. */
  take(identity: Identity, event: DeviceEvent, wire: OnWire, answer: ((messageId: string) => void) | undefined): void {
    const waits = restsOnIt[event.kind] && !this.#parts.answerEarly && answer !== undefined
    const id = this.send(identity, event, wire, waits ? () => answer(id ?? '') : undefined)
    if (!waits && id !== undefined) answer?.(id)
  }

  /**
   * A card: once its message is committed, a worker decides. The key is the same however often the device sends it. While
   * nobody can tell there is no answer, and the device or the person tries again.
   */
  swipe(
    identity: Identity,
    event: SwipeEvent,
    { key, ...wire }: OnWire & { key: string },
    answer: (decided: SwipeAnswer) => void,
  ): void {
    const { deviceId } = identity
    const id = this.send(identity, event, wire, () => {
      this.decideSwipe({ id: id ?? '', deviceId, key, swipe: event }).then(answer, (error: unknown) => {
        this.log.warn({ err: error, deviceId }, 'card authorisation unanswered')
      })
    })
  }
  /** The same for who has waited for the commit. Rejects when nobody could tell. */
  decideSwipe(ask: SwipeAsk): Promise<SwipeAnswer> {
    return this.#parts.registry.decideSwipe(ask)
  }

  /** Commands to this device go to this line from now on; a line it had before has lost it. */
  hold(identity: Identity, connection: DeviceConnection): void {
    this.#parts.downlink.hold(identity.deviceId, connection)
  }
  release(identity: Identity, connection: DeviceConnection): void {
    this.#parts.downlink.release(identity.deviceId, connection)
    this.#parts.claims.release(identity.deviceId, connection)
  }

  /** The same of a device that proves nothing: only if it does not answer on another line. False: it does. */
  async claim(identity: Identity, connection: ClaimedConnection, address: string): Promise<boolean> {
    const { claims, downlink } = this.#parts
    if (await claims.take(identity, connection)) {
      downlink.hold(identity.deviceId, connection)
      return true
    }
    this.contested(identity, address)
    return false
  }
  /** A second line at this address said that it is the device. */
  contested(identity: Identity, address: string): void {
    this.log.warn({ deviceId: identity.deviceId, address }, 'second connection of a device refused')
    if (this.#parts.claims.isNews(identity.deviceId)) this.send(identity, { kind: 'contested', address })
  }

  /** All devices of an adapter are told by this line. */
  holdAll(adapter: string, connection: DeviceConnection): void {
    this.#parts.downlink.holdAll(adapter, connection)
  }

  /** The command has been written to the device's line. */
  told(identity: Pick<Identity, 'deviceId'>, { id, c }: DownItem, bytes: Uint8Array): void {
    this.send(identity, { kind: 'command', commandId: id, command: c }, { bytes })
  }
  /** What the device said to a command; without a frame the gateway knew that it must say so. */
  answered(identity: Identity, { id }: DownItem, result: CommandResultEvent, wire?: OnWire): void {
    this.send(identity, { ...result, commandId: id }, wire)
  }
  /** Nothing more will be heard of the command. */
  givenUp(identity: Pick<Identity, 'deviceId'>, commandId: string, reason: CommandFailure): void {
    this.send(identity, { kind: 'commandFailed', commandId, reason })
  }

  /** Resolves as soon as the stream keeps up again. */
  waitForCapacity(): Promise<void> {
    return this.#parts.uplink.waitForCapacity()
  }
}
