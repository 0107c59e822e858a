import { existsSync } from 'node:fs'
import { testConfig } from '../apps/server/test/harness/config.ts'
import { freePort, startApiProcess, startWorkerProcess } from '../apps/server/test/harness/process.ts'
import { Vault } from '../apps/server/src/kit/crypto/vault.ts'
import { startPaySandbox } from '../apps/pay-sandbox/src/sandbox.ts'
import { buildSandbox } from '../apps/sms-sandbox/src/sandbox.ts'
import { newSandboxKeys, sandboxEnv, startAlipaySandbox } from '../tools/dev/alipay-sandbox.ts'
import { asSuperuser, copyDatabase, dropDatabase, ensureDatabase, ensureRoles, migrate } from '../tools/ops/database.ts'
import { ensureDemoData } from '../tools/demo/demo-data.ts'
import { startFileSandbox } from '../tools/dev/file-sandbox.ts'
import { dropStreams } from '../tools/dev/streams.ts'

/** Addresses of an installation. */
export type InstallationAddress = { url: string; inbox: string; alipay: string; simulator: string; database: string }

/** A migrated database with the demo data. */
export async function buildDemoDatabase(database: string, options?: { cityPerDay: number }): Promise<void> {
  await ensureRoles()
  await dropDatabase(database)
  await ensureDatabase(database)
  await migrate(database)
  await asSuperuser(database, async (client) => {
    await client.query('set role wattdeck_owner')
    await ensureDemoData(client, new Vault(testConfig(database).secretKeys), options)
  })
}

/**
 * A complete installation with the demo data: the built console served by the api, a worker, the emulators. Its
 * database is a copy of the template, or is built without one.
 */
export async function startInstallation(database: string, template?: string) {
  const consoleDir = new URL('../apps/console/dist', import.meta.url).pathname
  if (!existsSync(`${consoleDir}/index.html`)) throw new Error('build the console first: npm run build')
  await (template === undefined ? buildDemoDatabase(database) : copyDatabase(template, database))
  const files = await startFileSandbox()
  const config = testConfig(database)
  config.files.endpoint = files.endpoint
  const sandbox = buildSandbox({ sandbox: 'sandbox-secret' })
  const inbox = await sandbox.listen({ port: 0, host: '127.0.0.1' })
  const alipayKeys = newSandboxKeys()
  const alipay = await startAlipaySandbox(alipayKeys)
  const simulator = await startPaySandbox({ retryMs: [500, 1000, 2000] })
  const port = await freePort()
  // A host name, because browsers accept passkeys for names only.
  const url = `http://localhost:${port}`
  const env = {
    CONSOLE_DIR: consoleDir,
    SMS_ENDPOINT: inbox,
    PUBLIC_PER_MINUTE: '100000',
    // Every test logs in with the same few demo accounts.
    SESSIONS_PER_PERSON: '1000',
    ...sandboxEnv(alipayKeys, alipay.url),
    API_PORT: String(port),
    CONSOLE_URL: url,
    WECHAT_PAY_URL: simulator.url,
    ALIPAY_PAY_GATEWAY: simulator.gateway,
    PAY_NOTIFY_URL: `http://127.0.0.1:${port}`,
  }
  const [api, worker] = await Promise.all([startApiProcess(config, env), startWorkerProcess(config, env)])
  const address: InstallationAddress = { url, inbox, alipay: alipay.url, simulator: simulator.url, database }
  return {
    ...address,
    address,
    stop: async () => {
      await Promise.all([api.stop(), worker.stop(), sandbox.close(), alipay.stop(), simulator.stop()])
      await files.stop()
      await dropDatabase(database)
      await dropStreams(database)
    },
  }
}
