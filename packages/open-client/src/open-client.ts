import { createHash, createHmac, randomUUID } from 'node:crypto'
import { type AnyRoute, type DataOf, fillPath } from '@wattdeck/contract/kit/route.ts'
import { dropEmpty, wireText } from '@wattdeck/domain/params.ts'
import type { z } from 'zod'

type Settings = { url: string; appKey: string; secret: string; timeoutMs?: number }
/** As it stands on the wire: amounts are yuan as text. */
type Input<R extends AnyRoute> = {
  params?: z.input<R['params']>
  query?: z.input<R['query']>
  body?: z.input<R['body']>
  /** The same for every attempt at the same thing; made up where none is given. */
  key?: string
}

/** What the platform says when it refuses. */
export class OpenRefusal extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/**
 * Calls /open/api as docs/open-api.md describes: a form, signed with the secret of the caller's own app. A call that
 * changes something and got no answer may be repeated with the same key: it happens once.
 */
export class OpenClient {
  readonly #settings: Settings
  constructor(settings: Settings) {
    this.#settings = settings
  }

  async call<R extends AnyRoute>(route: R, input: Input<R> = {}): Promise<DataOf<R>> {
    const { url, appKey, secret, timeoutMs = 15_000 } = this.#settings
    const query = formOf((input.query ?? {}) as object)
    const target = `${fillPath(route.path, input.params as Record<string, string>)}${query === '' ? '' : `?${query}`}`
    const body = route.method === 'POST' ? formOf((input.body ?? {}) as object) : ''
    const key = route.method === 'POST' ? (input.key ?? randomUUID()) : ''
    const timestamp = String(Date.now())
    const hash = createHash('sha256').update(body).digest('hex')
    const signed = [route.method, target, timestamp, key, hash].join('\n')
    const headers: Record<string, string> = {
      'x-app-key': appKey,
      'x-timestamp': timestamp,
      'x-signature': createHmac('sha256', secret).update(signed).digest('hex'),
      ...(key === '' ? {} : { 'idempotency-key': key, 'content-type': 'application/x-www-form-urlencoded' }),
    }
    const response = await fetch(`${url}${target}`, {
      method: route.method,
      headers,
      signal: AbortSignal.timeout(timeoutMs),
      ...(route.method === 'POST' ? { body } : {}),
    })
    const reply = (await response.json()) as { success: boolean; message: string; data: DataOf<R> }
    if (!reply.success) throw new OpenRefusal(response.status, reply.message)
    return reply.data
  }
}

const formOf = (values: object): string =>
  new URLSearchParams(
    Object.entries(dropEmpty(values)).map(([name, value]) => [name, wireText(value)] as [string, string]),
  ).toString()
