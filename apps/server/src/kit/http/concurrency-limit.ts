import type { FastifyInstance } from 'fastify'
import { Counter, Gauge } from 'prom-client'
import { overloaded } from './refusal.ts'

const refusals = new Counter({ name: 'gate_refused_total', help: 'Requests refused because all slots were taken' })
const insideNow = new Gauge({ name: 'gate_inside', help: 'Requests in progress' })

/**
 * Limits concurrent requests. Beyond the limit the api refuses at once, because a queue would only delay every request.
 * Receiving a body does not count, so that slow uploads cannot occupy slots.
 */
export class ConcurrencyLimit {
  readonly #max: number
  #inside = 0
  #watched = 0
  constructor(max: number) {
    this.#max = max
  }

  get isEmpty(): boolean {
    return this.#inside === 0 && this.#watched === 0
  }

  get isFull(): boolean {
    return this.#inside >= this.#max
  }

  /** Takes no slot, because a transfer may be slow. A closing server still waits for it. */
  async watch<T>(work: () => Promise<T>): Promise<T> {
    this.#watched++
    try {
      return await work()
    } finally {
      this.#watched--
    }
  }

  async pass<T>(work: () => Promise<T>): Promise<T> {
    if (this.isFull) {
      refusals.inc()
      throw overloaded()
    }
    insideNow.set(++this.#inside)
    try {
      return await work()
    } finally {
      insideNow.set(--this.#inside)
    }
  }
}

/**
 * Refuses requests before any other work while all slots are taken. An expensive refusal would delay admitted requests and
 * new connections: Node accepts one new connection in each round of its event loop. Must be added before all other hooks.
 */
export function refuseWhenFull(app: FastifyInstance, concurrency: ConcurrencyLimit): void {
  const { status, message, retryAfterSeconds } = overloaded()
  const body = JSON.stringify({ success: false, message, data: null })
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'retry-after': String(retryAfterSeconds),
  }
  app.addHook('onRequest', (request, reply, done) => {
    if (!concurrency.isFull || request.routeOptions.config.limited !== true) return done()
    refusals.inc()
    reply.hijack()
    reply.raw.writeHead(status, { ...headers, 'x-request-id': request.id }).end(body)
  })
}
