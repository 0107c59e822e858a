import { jetstream } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import {
  type Committed,
  deviceBus,
  type Envelope,
  partitionOf,
  type UpItem,
  upPartitions,
} from '@wattdeck/contract/events/device-bus.ts'
import type { Logger } from 'pino'
import { Counter, Gauge } from 'prom-client'
import { busCallback } from './bus-callback.ts'

const published = new Counter({ name: 'gateway_messages_total', help: 'Device messages published to the stream' })
const dropped = new Counter({ name: 'gateway_dropped_total', help: 'Messages rejected because too many wait' })
const waitingNow = new Gauge({ name: 'gateway_waiting', help: 'Messages waiting for the stream' })
const gatherMs = 5
const maxItems = 100
const maxWaiting = 50_000
const retryMs = 300
const refusedMs = 10_000
/** A record without a commit notice is dropped after this time; its device resends it. */
const patienceMs = 120_000

type Lane = { items: UpItem[]; sending: boolean; timer: NodeJS.Timeout | undefined }
type Pending = { onCommitted: () => void; sinceMs: number }

/**
 * Publishes device messages to the stream, batched for some milliseconds into envelopes, in order per partition. An
 * unacknowledged envelope is retried; the stream deduplicates by message id.
 */
export class Uplink {
  readonly #bus: NatsConnection
  readonly #prefix: string
  readonly #gateway: number
  readonly #log: Logger
  readonly #lanes: Lane[]
  readonly #pending = new Map<string, Pending>()
  readonly #sweep: NodeJS.Timeout
  #waiting = 0
  /** Start of the current publish failures, by the monotonic clock. */
  #refusedSinceMs: number | undefined
  #warnedMs = Number.NEGATIVE_INFINITY
  #closing = false

  constructor(bus: NatsConnection, prefix: string, gateway: number, log: Logger) {
    this.#bus = bus
    this.#prefix = prefix
    this.#gateway = gateway
    this.#log = log
    this.#lanes = Array.from({ length: upPartitions }, () => ({ items: [], sending: false, timer: undefined }))
    bus.subscribe(deviceBus.committed(prefix, gateway), {
      callback: busCallback(
        (message) => {
          for (const id of message.json<Committed>().ids) this.#committed(id)
        },
        (error, subject) => log.error({ err: error, subject }, 'malformed bus message ignored'),
      ),
    })
    this.#sweep = setInterval(() => this.#forgetOld(), patienceMs / 4)
  }

  /** Returns false above the high-water mark: the message must then not be acknowledged to the device. */
  send(item: UpItem, onCommitted?: () => void): boolean {
    if (this.#waiting >= maxWaiting) {
      dropped.inc()
      return false
    }
    if (onCommitted !== undefined) this.#pending.set(item.id, { onCommitted, sinceMs: Date.now() })
    const lane = this.#lanes[partitionOf(item.d)]
    if (lane === undefined) return false
    lane.items.push(item)
    this.#waiting++
    waitingNow.set(this.#waiting)
    if (lane.items.length >= maxItems) void this.#drain(lane)
    else lane.timer ??= setTimeout(() => void this.#drain(lane), gatherMs)
    return true
  }

  /** False when publishing has failed for so long that devices should use another gateway. */
  get isStreamReady(): boolean {
    return this.#refusedSinceMs === undefined || performance.now() - this.#refusedSinceMs < refusedMs
  }

  /** Resolves when the queue is below its high-water mark. */
  async waitForCapacity(): Promise<void> {
    while (this.#waiting >= maxWaiting) await new Promise((resume) => setTimeout(resume, gatherMs))
  }

  /** Resolves when the stream has acknowledged every accepted message. */
  async close(): Promise<void> {
    this.#closing = true
    clearInterval(this.#sweep)
    await Promise.all(this.#lanes.map((lane) => this.#drain(lane)))
    while (this.#waiting > 0) await new Promise((resume) => setTimeout(resume, gatherMs))
  }

  async #drain(lane: Lane): Promise<void> {
    clearTimeout(lane.timer)
    lane.timer = undefined
    if (lane.sending) return
    lane.sending = true
    while (lane.items.length > 0) {
      const items = lane.items.splice(0, maxItems)
      await this.#publish(items)
      this.#waiting -= items.length
      waitingNow.set(this.#waiting)
      published.inc(items.length)
    }
    lane.sending = false
  }

  async #publish(items: UpItem[]): Promise<void> {
    const envelope: Envelope = { gateway: this.#gateway, items }
    const [first] = items
    const subject = deviceBus.up(this.#prefix, partitionOf(first?.d ?? '0'))
    const data = JSON.stringify(envelope)
    for (;;) {
      try {
        await jetstream(this.#bus).publish(subject, data, { msgID: `up-${first?.id ?? ''}`, timeout: 5000 })
        this.#refusedSinceMs = undefined
        return
      } catch (error) {
        this.#refused(error, items.length)
        await new Promise((resume) => setTimeout(resume, retryMs))
      }
    }
  }

  /** Logged at most once in ten seconds, because every lane retries several times a second. */
  #refused(error: unknown, messages: number): void {
    const now = performance.now()
    this.#refusedSinceMs ??= now
    if (now - this.#warnedMs < 10_000) return
    this.#warnedMs = now
    const waiting = this.#waiting
    this.#log.warn({ err: error, messages, waiting, closing: this.#closing }, 'stream publish failed; will retry')
  }

  #committed(id: string): void {
    this.#pending.get(id)?.onCommitted()
    this.#pending.delete(id)
  }

  #forgetOld(): void {
    const before = Date.now() - patienceMs
    for (const [id, { sinceMs }] of this.#pending) if (sinceMs < before) this.#pending.delete(id)
  }
}
