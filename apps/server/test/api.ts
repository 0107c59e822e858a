import pg from 'pg'
import { copyDatabase, dropDatabase, superuserUrl } from '../../../tools/database.ts'
import { buildApi } from '../src/api.ts'
import type { Config } from '../src/kit/config.ts'
import { callerOf } from './client.ts'
import { testConfig } from './config.ts'
import { runName, templateDatabase } from './names.ts'

let made = 0

/** Stops everything that a test file started; see setup.ts. */
export const running: (() => Promise<void>)[] = []

export type TestApi = Awaited<ReturnType<typeof startApi>>

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
