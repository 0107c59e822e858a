import type { NatsConnection } from '@nats-io/transport-node'
import {
  deviceBus,
  type Identity,
  type IdentifyAnswer,
  type IdentifyAsk,
  type SwipeAnswer,
  type SwipeAsk,
  type TariffAnswer,
  type TariffAsk,
} from '@wattdeck/contract/events/device-bus.ts'

const gatherMs = 5
const maxAsked = 500
/** How long an answer is good for. What a removed device says meanwhile is not taken in by the worker either. */
const knownMs = 60_000
const unknownMs = 10_000
const maxKnown = 200_000
const tariffMs = 5000
const swipeMs = 8000

type Known = { identity: Identity | null; untilMs: number }
type Waiting = { wireId: string; resolve: (identity: Identity | null) => void; reject: (error: unknown) => void }

/** Who the devices are. The gateway holds no database: it asks a worker, many at once, and remembers for a while. */
export class Registry {
  readonly #bus: NatsConnection
  readonly #prefix: string
  readonly #known = new Map<string, Known>()
  readonly #asked = new Map<string, Waiting[]>()
  /** Grows when something is forgotten: what was asked before then is not remembered. */
  #forgotten = 0

  constructor(bus: NatsConnection, prefix: string) {
    this.#bus = bus
    this.#prefix = prefix
  }

  /** Null for somebody we do not know. Rejects when nobody could tell. `isNew`: of a line that begins, what is known now. */
  find(adapter: string, wireId: string, isNew = false): Promise<Identity | null> {
    const known = this.#known.get(`${adapter} ${wireId}`)
    if (known !== undefined && known.untilMs > Date.now() && (known.identity === null || !isNew))
      return Promise.resolve(known.identity)
    return new Promise((resolve, reject) => {
      const waiting = this.#asked.get(adapter) ?? []
      waiting.push({ wireId, resolve, reject })
      if (waiting.length === 1) {
        this.#asked.set(adapter, waiting)
        setTimeout(() => void this.#ask(adapter), gatherMs)
      }
    })
  }

  /** Whether a pile has the prices that hold. Never remembered: they may change at any moment. Rejects when nobody could tell. */
  async holdsTariff(ask: TariffAsk): Promise<boolean> {
    const reply = await this.#bus.request(deviceBus.tariff(this.#prefix), JSON.stringify(ask), { timeout: tariffMs })
    return reply.json<TariffAnswer>().holds
  }

  /** What becomes of a card. Rejects when nobody could tell. */
  async decideSwipe(ask: SwipeAsk): Promise<SwipeAnswer> {
    const reply = await this.#bus.request(deviceBus.swipe(this.#prefix), JSON.stringify(ask), { timeout: swipeMs })
    return reply.json<SwipeAnswer>()
  }

  /** Whatever was known of it is asked for again. */
  forget(adapter: string, wireId: string): void {
    this.#known.delete(`${adapter} ${wireId}`)
    this.#forgotten += 1
  }

  async #ask(adapter: string): Promise<void> {
    const waiting = this.#asked.get(adapter) ?? []
    this.#asked.delete(adapter)
    for (let from = 0; from < waiting.length; from += maxAsked) {
      const some = waiting.slice(from, from + maxAsked)
      const asked = this.#forgotten
      const ask: IdentifyAsk = { adapter, wireIds: some.map(({ wireId }) => wireId) }
      try {
        const answer = await this.#bus.request(deviceBus.identify(this.#prefix), JSON.stringify(ask), { timeout: 5000 })
        for (const [place, identity] of answer.json<IdentifyAnswer>().entries()) {
          const { wireId, resolve } = some[place] ?? {}
          if (wireId !== undefined && asked === this.#forgotten) this.#remember(`${adapter} ${wireId}`, identity)
          resolve?.(identity)
        }
      } catch (error) {
        for (const { reject } of some) reject(error)
      }
    }
  }

  #remember(key: string, identity: Identity | null): void {
    if (this.#known.size >= maxKnown) this.#known.clear()
    this.#known.set(key, { identity, untilMs: Date.now() + (identity === null ? unknownMs : knownMs) })
  }
}
