import { OpenClient } from '@wattdeck/open-client/open-client.ts'
import pg from 'pg'
import { startPaySandbox } from '../../apps/pay-sandbox/src/sandbox.ts'
import { startJobClient } from '../../apps/server/src/kit/jobs/jobs.ts'
import { Vault } from '../../apps/server/src/kit/crypto/vault.ts'
import { freePort, startApiProcess, startWorkerProcess } from '../../apps/server/test/harness/process.ts'
import { startFileSandbox } from '../../tools/dev/file-sandbox.ts'
import { startOwnNats, startOwnPostgres } from '../../tools/dev/local-services.ts'
import { makePlace } from './money-fixture.ts'
import { rules } from './year-judge.ts'

const database = 'wattdeck_year'
const devices = 10
const members = 20
const startFen = 1_000_000_00n

/** A database and a bus of its own, an api, two workers and a payment provider, all under the clock of this process. */
export async function startInstallation() {
  const [nats, postgres, files, sandbox] = await Promise.all([
    startOwnNats(),
    startOwnPostgres('ephemeral'),
    startFileSandbox(),
    startPaySandbox({ retryMs: [500, 2000, 5000] }),
  ])
  process.env['POSTGRES'] = postgres.at
  process.env['NATS_URL'] = nats.url
  const { testConfig } = await import('../../apps/server/test/harness/config.ts')
  const { superuserUrl } = await import('../../tools/ops/database.ts')
  const config = { ...testConfig(database), natsUrl: nats.url }
  const { secretKeys, prefix } = config
  await makePlace(database, rules)
  const { makeTrader } = await import('../../apps/server/test/fixtures/payments.ts')
  const { makePayers } = await import('../../tools/demo/load-clients.ts')
  const { registerFleet } = await import('../../tools/demo/fleet-data.ts')
  const { app, memberIds } = await makePayers(database, { organiseId: '2', secretKeys, members, fen: startFen })
  await registerFleet(database, { organiseId: '2', siteId: '3', dny: devices, mqtt: 0, ports: 2 })
  const sql = new pg.Client({ connectionString: superuserUrl(database) })
  await sql.connect()
  await sql.query('update device_type set rated_w = 1000 * port_count')
  const { rows } = await sql.query<{ id: string; no: string }>('select id, device_no as no from device order by id')
  const api = {
    sql: async <R extends pg.QueryResultRow>(text: string, values?: unknown[]) =>
      (await sql.query<R>(text, values)).rows,
    deps: { vault: new Vault(secretKeys) },
  }
  for (const provider of ['wechat', 'alipay'] as const) await makeTrader({ api, sandbox }, '2', provider)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    NATS_URL: nats.url,
    S3_ENDPOINT: files.endpoint,
    WECHAT_PAY_URL: sandbox.url,
    ALIPAY_PAY_GATEWAY: sandbox.gateway,
    PAY_NOTIFY_URL: url,
    LOG_LEVEL: 'error',
  }
  const processes = await Promise.all([
    startApiProcess(config, { ...env, API_PORT: String(port) }),
    startWorkerProcess(config, env),
    startWorkerProcess(config, env),
  ])
  const pool = new pg.Pool({ connectionString: superuserUrl(database), max: 1 })
  const boss = await startJobClient(pool, () => undefined)
  return {
    sql,
    boss,
    sandbox,
    prefix,
    memberIds,
    natsUrl: nats.url,
    client: new OpenClient({ url, ...app, timeoutMs: 10_000 }),
    deviceIds: rows.map(({ id }) => id),
    deviceNos: rows.map(({ no }) => no),
    /** Log lines of the api and the workers at level error and above. */
    errorLines: () => processes.flatMap(({ output }) => output().split('\n').filter(isFault)),
    stop: async () => {
      await boss.stop({ graceful: false })
      await pool.end()
      await sql.end()
      await Promise.all(processes.map((one) => one.stop()))
      await Promise.all([nats.stop(), postgres.stop(), files.stop(), sandbox.stop()])
    },
  }
}

/** The clock of nats-server cannot be moved, and the workers report the difference. */
const isFault = (line: string) => line !== '' && !(line.includes('clock differs') && line.includes('"to":"nats"'))
