import type { NatsConnection } from '@nats-io/transport-node'
import {
  deviceBus,
  type Identity,
  type IdentifyReply,
  type IdentifyRequest,
  type SwipeReply,
  type SwipeRequest,
  type TariffCheckReply,
  type TariffCheckRequest,
} from '@wattdeck/contract/events/device-bus.ts'

const gatherMs = 5
const maxBatch = 500
/** Cache lifetime of an identity. The worker also rejects messages of a device that was removed meanwhile. */
const identityCacheMs = 60_000
const unknownMs = 10_000
const maxCached = 200_000
const tariffMs = 5000
const swipeMs = 8000

type CachedIdentity = { identity: Identity | null; untilMs: number }
type Waiting = { wireId: string; resolve: (identity: Identity | null) => void; reject: (error: unknown) => void }

/**
 * Resolves device identities. The gateway has no database: it requests them from a worker in batches and caches them.
 */
export class Registry {
  readonly #bus: NatsConnection
  readonly #prefix: string
  readonly #known = new Map<string, CachedIdentity>()
  readonly #pending = new Map<string, Waiting[]>()
  /** Incremented by each eviction; answers to earlier requests are then not cached. */
  #forgotten = 0

  constructor(bus: NatsConnection, prefix: string) {
    this.#bus = bus
    this.#prefix = prefix
  }

  /**
   * Returns null for an unknown device. Rejects when no worker responds. `isNew`: a new connection bypasses cached
   * identities.
   */
  find(adapter: string, wireId: string, isNew = false): Promise<Identity | null> {
    const cached = this.#known.get(`${adapter} ${wireId}`)
    if (cached !== undefined && cached.untilMs > Date.now() && (cached.identity === null || !isNew))
      return Promise.resolve(cached.identity)
    return new Promise((resolve, reject) => {
      const waiting = this.#pending.get(adapter) ?? []
      waiting.push({ wireId, resolve, reject })
      if (waiting.length === 1) {
        this.#pending.set(adapter, waiting)
        setTimeout(() => void this.#requestIdentities(adapter), gatherMs)
      }
    })
  }

  /**
   * Whether a charger has the current tariff. Not cached, because prices may change at any time. Rejects when no worker
   * responds.
   */
  async holdsTariff(request: TariffCheckRequest): Promise<boolean> {
    const reply = await this.#bus.request(deviceBus.tariff(this.#prefix), JSON.stringify(request), {
      timeout: tariffMs,
    })
    return reply.json<TariffCheckReply>().holds
  }

  /** Requests the decision on a card. Rejects when no worker responds. */
  async decideSwipe(request: SwipeRequest): Promise<SwipeReply> {
    const reply = await this.#bus.request(deviceBus.swipe(this.#prefix), JSON.stringify(request), { timeout: swipeMs })
    return reply.json<SwipeReply>()
  }

  /** Evicts the cached identity. */
  forget(adapter: string, wireId: string): void {
    this.#known.delete(`${adapter} ${wireId}`)
    this.#forgotten += 1
  }

  async #requestIdentities(adapter: string): Promise<void> {
    const waiting = this.#pending.get(adapter) ?? []
    this.#pending.delete(adapter)
    for (let from = 0; from < waiting.length; from += maxBatch) {
      const some = waiting.slice(from, from + maxBatch)
      const generation = this.#forgotten
      const request: IdentifyRequest = { adapter, wireIds: some.map(({ wireId }) => wireId) }
      try {
        const answer = await this.#bus.request(deviceBus.identify(this.#prefix), JSON.stringify(request), {
          timeout: 5000,
        })
        for (const [place, identity] of answer.json<IdentifyReply>().entries()) {
          const { wireId, resolve } = some[place] ?? {}
          if (wireId !== undefined && generation === this.#forgotten) this.#remember(`${adapter} ${wireId}`, identity)
          resolve?.(identity)
        }
      } catch (error) {
        for (const { reject } of some) reject(error)
      }
    }
  }

  #remember(key: string, identity: Identity | null): void {
    if (this.#known.size >= maxCached) this.#known.clear()
    this.#known.set(key, { identity, untilMs: Date.now() + (identity === null ? unknownMs : identityCacheMs) })
  }
}
