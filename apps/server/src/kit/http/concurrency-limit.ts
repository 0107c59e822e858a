import type { FastifyInstance } from 'fastify'
import { Counter, Gauge } from 'prom-client'
import { overloaded } from './refusal.ts'

const refusals = new Counter({ name: 'gate_refused_total', help: 'Requests turned away because all places were taken' })
const insideNow = new Gauge({ name: 'gate_inside', help: 'Requests that are worked on' })

/**
 * So many requests at once; beyond that the api says so at once, because making everybody wait would help nobody.
 * A request counts from when it has arrived whole, so that dribbled bodies cannot hold the places of others.
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

  /** Takes no place, because bytes may take long to come and go; but a server that closes waits for it. */
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
 * Turns requests away before anything is done for them while all places are taken. A refusal that costs as much as an
 * answer takes the time of those who were let in, and of those who wait to be connected: Node takes up one new connection
 * for each round in which it serves the old ones. To be added before all other hooks.
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
