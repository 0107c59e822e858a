import type { AnyRoute, BodyOf, DataOf, ParamsOf, QueryOf } from '@wattdeck/contract/kit/route.ts'
import { fillPath } from '@wattdeck/contract/kit/route.ts'
import { dropEmpty, wireText } from '@wattdeck/domain/params.ts'
import pg from 'pg'
import { copyDatabase, dropDatabase, superuserUrl } from '../../../tools/database.ts'
import { buildApi } from '../src/api.ts'
import type { Config } from '../src/kit/config.ts'
import { testConfig } from './config.ts'
import { runName, templateDatabase } from './names.ts'

let made = 0

/** Stops everything that a test file started; see setup.ts. */
export const running: (() => Promise<void>)[] = []

export type TestApi = Awaited<ReturnType<typeof startApi>>
export type Reply<D> = { status: number; message: string; data: D; headers: Headers }

/** A whole api on a database of its own, listening on a free port; gone when the test file ends. */
export async function startApi(overrides: Partial<Config> = {}) {
  const database = `${runName}_${process.env['VITEST_POOL_ID'] ?? '1'}_${process.pid}_${++made}`
  await copyDatabase(templateDatabase, database)
  const config = testConfig(database, overrides)
  const { app, deps, ready } = await buildApi(config)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const owner = new pg.Pool({ connectionString: superuserUrl(database), max: 2 })
  owner.on('error', () => undefined)
  const stop = async () => {
    await app.close()
    await owner.end()
    await dropDatabase(database)
  }
  running.push(stop)

  /** Plain SQL with every right, for arranging and for looking behind the scenes. */
  const sql = async <R extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<R[]> =>
    (await owner.query<R>(text, values)).rows
  const call = callerOf(url)
  return { app, deps, ready, url, config, database, sql, call }
}

type Input<R extends AnyRoute> = {
  params?: ParamsOf<R>
  query?: Partial<QueryOf<R>>
  body?: BodyOf<R>
  headers?: Record<string, string>
  file?: Blob
}

/** Calls a route as the console would: the same encoding, the same dropped fields, a key for what must happen once. */
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
      if (input.file !== undefined) form.append('file', input.file)
      body = form
    } else if (route.encoding === 'json') {
      body = JSON.stringify(input.body ?? {})
      headers['content-type'] = 'application/json'
    } else if (route.method === 'POST') body = new URLSearchParams(fields((input.body ?? {}) as object))
    const response = await fetch(
      `${url}${fillPath(route.path, input.params as Record<string, unknown>)}${search.size > 0 ? `?${search}` : ''}`,
      {
        method: route.method,
        headers,
        ...(body === undefined ? {} : { body }),
      },
    )
    const reply = (await response.json()) as { message: string; data: DataOf<R> }
    return { status: response.status, message: reply.message, data: reply.data, headers: response.headers }
  }
