import { connectBus } from '@wattdeck/bus/bus.ts'
import pg from 'pg'
import { pino } from 'pino'
import { copyDatabase, dropDatabase, superuserUrl } from '../../../../tools/ops/database.ts'
import { buildApi } from '../../src/app/api.ts'
import type { Config } from '../../src/kit/ops/config.ts'
import { openDeviceCa } from '../../src/kit/crypto/device-ca.ts'
import { Vault } from '../../src/kit/crypto/vault.ts'
import { Merchants } from '../../src/core/payments/merchants.ts'
import { serveSignerRequests } from '../../src/app/signer.jobs.ts'
import { callerOf } from './client.ts'
import { testConfig } from './config.ts'
import { runName, templateDatabase } from './names.ts'

let serial = 0

/** The signer of a worker, which the api requires: it has the keys of merchants and of the device authority. */
async function startSigner(config: Config): Promise<() => Promise<void>> {
  const pool = new pg.Pool({ connectionString: config.workerDatabaseUrl, max: 1, idleTimeoutMillis: 1000 })
  pool.on('error', () => undefined)
  const bus = await connectBus(config.natsUrl, config.natsAccess)
  const vault = new Vault([...config.signerKeys, ...config.secretKeys])
  const merchants = new Merchants(vault, config.pay)
  const log = pino({ level: config.logLevel })
  serveSignerRequests(bus, { pool, prefix: config.prefix, vault, merchants, ca: openDeviceCa(config.deviceCa), log })
  return async () => {
    await bus.close()
    await pool.end()
  }
}

/** Stops everything that a test file started; see setup.ts. */
export const running: (() => Promise<void>)[] = []

export type TestApi = Awaited<ReturnType<typeof startApi>>

/** A complete api on a database of its own, listening on a free port; removed when the test file ends. */
export async function startApi(overrides: Partial<Config> = {}) {
  const database = `${runName}_${process.env['VITEST_POOL_ID'] ?? '1'}_${process.pid}_${++serial}`
  await copyDatabase(templateDatabase, database)
  const config = testConfig(database, overrides)
  const { app, deps, ready } = await buildApi(config)
  const stopSigner = await startSigner(config)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const owner = new pg.Pool({ connectionString: superuserUrl(database), max: 2 })
  owner.on('error', () => undefined)
  const stop = async () => {
    await app.close()
    await stopSigner()
    await owner.end()
    await dropDatabase(database)
  }
  running.push(stop)

  /** Plain SQL with every right, to arrange and inspect rows. */
  const sql = async <R extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<R[]> =>
    (await owner.query<R>(text, values)).rows
  const call = callerOf(url)
  return { app, deps, ready, url, config, database, sql, call }
}
