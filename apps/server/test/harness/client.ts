import type { AnyRoute, BodyOf, DataOf, ParamsOf, QueryOf } from '@wattdeck/contract/kit/route.ts'
import { fillPath } from '@wattdeck/contract/kit/route.ts'
import { dropEmpty, wireText } from '@wattdeck/domain/params.ts'

/** `bytes` is the response of a file route, which has no envelope and no `data`. */
type Reply<D> = { status: number; message: string; data: D; headers: Headers; bytes?: Buffer }
type Input<R extends AnyRoute> = {
  params?: ParamsOf<R>
  query?: Partial<QueryOf<R>>
  body?: BodyOf<R>
  headers?: Record<string, string>
  file?: Blob
}

/**
 * Calls a route as the console does: the same encoding, the same dropped fields, an idempotency key where one is
 * required.
 */
export const callerOf =
  (url: string) =>
  async <R extends AnyRoute>(token: string | undefined, route: R, input: Input<R> = {}): Promise<Reply<DataOf<R>>> => {
    const fields = (values: object) =>
      Object.entries(dropEmpty(values)).map(([key, value]) => [key, wireText(value)] as [string, string])
    const search = new URLSearchParams(fields((input.query ?? {}) as object))
    const headers: Record<string, string> = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(route.method === 'POST' ? { 'idempotency-key': crypto.randomUUID() } : {}),
      ...input.headers,
    }
    let body: RequestInit['body']
    if (route.encoding === 'multipart') {
      const form = new FormData()
      for (const [name, value] of fields((input.body ?? {}) as object)) form.append(name, value)
      if (input.file !== undefined) form.append('file', input.file)
      body = form
    } else if (route.encoding === 'json') {
      body = JSON.stringify(input.body ?? {})
      headers['content-type'] = 'application/json'
    } else if (route.method === 'POST') body = new URLSearchParams(fields((input.body ?? {}) as object))
    const response = await fetch(
      `${url}${fillPath(route.path, input.params as Record<string, string>)}${search.size > 0 ? `?${search.toString()}` : ''}`,
      {
        method: route.method,
        headers,
        ...(body === undefined ? {} : { body }),
      },
    )
    if (route.reply === 'file' && response.ok) {
      const bytes = Buffer.from(await response.arrayBuffer())
      return { status: response.status, message: '', data: undefined as never, headers: response.headers, bytes }
    }
    const reply = (await response.json()) as { message: string; data: DataOf<R> }
    return { status: response.status, message: reply.message, data: reply.data, headers: response.headers }
  }
