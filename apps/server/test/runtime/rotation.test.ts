import { execFile } from 'node:child_process'
import { randomBytes, X509Certificate } from 'node:crypto'
import { promisify } from 'node:util'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bigScreen } from '@wattdeck/contract/dashboard/big-screen.ts'
import { screenLink, screenScheme } from '@wattdeck/contract/dashboard/screen-link.ts'
import { openCharging } from '@wattdeck/contract/open/open-charging.ts'
import { deviceAuth } from '@wattdeck/contract/product/device-auth.ts'
import { department } from '@wattdeck/contract/system/department.ts'
import { file } from '@wattdeck/contract/auth/file.ts'
import { login } from '@wattdeck/contract/auth/login.ts'
import { OpenClient, type OpenRefusal } from '@wattdeck/open-client/open-client.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { HeadSigner, type HeadStore, publishHeads } from '../../src/kit/audit/heads.ts'
import { createPool } from '../../src/kit/db/db.ts'
import { type Config, readConfig } from '../../src/kit/ops/config.ts'
import { sealedColumns, signerColumns } from '../../src/kit/crypto/sealed-columns.ts'
import { totpCode, totpStep } from '../../src/features/auth/login/totp.ts'
import { makePayer } from '../fixtures/charging.ts'
import { callerOf } from '../harness/client.ts'
import { makeDevice, makeModels } from '../fixtures/devices.ts'
import * as payments from '../fixtures/payments.ts'
import { proveLedger } from '../fixtures/refunds.ts'
import { makePerson, makeFixture, password, type Fixture } from '../harness/people.ts'
import { openDeviceCa } from '../../../../tools/ops/device-ca.ts'
import { startFileSandbox } from '../../../../tools/dev/file-sandbox.ts'
import { unpackZip } from '../harness/unpack-zip.ts'
import { freePort, startApiProcess, startWorkerProcess } from '../harness/process.ts'

let there: payments.PayContext
let fixture: Fixture
let sandbox: Awaited<ReturnType<typeof startFileSandbox>>
beforeAll(async () => {
  sandbox = await startFileSandbox()
  const { files } = readConfig()
  there = await payments.startPayFixture({ files: { ...files, endpoint: sandbox.endpoint } })
  fixture = await makeFixture(there.api)
})

afterAll(() => sandbox.stop())

const newKey = (name: string) => `${name}:${randomBytes(32).toString('base64')}`
/** The output of `npm run reseal`. */
async function reseal(keys: string[], signerKeys: string[]): Promise<string> {
  const env = {
    ...process.env,
    DATABASE: there.api.database,
    SECRET_KEYS: keys.join(','),
    SIGNER_KEYS: signerKeys.join(','),
  }
  return (await promisify(execFile)(process.execPath, ['tools/ops/reseal.ts'], { env })).stdout
}

const hourMs = 3_600_000
async function publish(signer: HeadSigner, prefix: string, atMs: number): Promise<void> {
  const pool = createPool(there.api.config.workerDatabaseUrl, 1, 'heads')
  const store: HeadStore = { files: there.api.deps.files, prefix, signer }
  await publishHeads(pool, store, atMs)
  await pool.end()
}

/** The output of `npm run heads:prove`. */
async function proveHeads({ files, secretKeys, headKeys, prefix, workerDatabaseUrl }: Config): Promise<string[]> {
  const env = {
    ...process.env,
    SECRET_KEYS: secretKeys.join(','),
    HEAD_KEYS: headKeys.join(','),
    WORKER_DATABASE_URL: workerDatabaseUrl,
    S3_ENDPOINT: files.endpoint,
    S3_BUCKET: files.bucket,
    PREFIX: prefix,
  }
  const run = promisify(execFile)(process.execPath, ['tools/ops/heads-prove.ts'], { env })
  const { stdout } = await run.catch((error: unknown) => error as { stdout: string })
  return stdout.trim().split('\n')
}

const openScreen = async (url: string, token: string) => {
  const response = await fetch(`${url}${bigScreen.deviceBaseInfo.path}`, {
    method: 'POST',
    headers: { authorization: `${screenScheme} ${token}`, 'content-type': 'application/json' },
    body: '{}',
  })
  return response.status
}

describe('after every key was replaced and the old ones were removed', () => {
  it('everything except links to data screens works as before', async () => {
    const { api, sandbox: provider } = there
    const { vault } = api.deps
    const seed = 'JBSWY3DPEHPK3PXP'
    const person = await makePerson(api, { organiseId: fixture.green.id, loginName: 'has_factor', menus: '*' })
    await api.sql('update user_account set totp_secret = $2 where id = $1', [person.id, vault.seal(seed)])
    await payments.makeTrader(there, fixture.green.id)
    const memberId = await makePayer(api, fixture.green.id, 0n)
    const [appKey, secret] = [randomBytes(16).toString('hex'), randomBytes(32).toString('hex')]
    await api.sql(`insert into open_app (organise_id, name, app_key, secret_sealed) values ($1, '小程序', $2, $3)`, [
      fixture.green.id,
      appKey,
      vault.seal(secret),
    ])
    const deviceNo = 'ROTATE0001'
    const { mqtt: typeId } = await makeModels(api)
    await makeDevice(api, { organiseId: fixture.green.id, typeId, deviceNo })
    const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const picture = await api.call(person.token, file.uploadPicture, {
      file: new File([new Uint8Array(png)], 'a.png', { type: 'image/png' }),
    })
    const sticker = api.deps.codes.contentOf('0123456789')

    const added = {
      body: { name: '轮换部', code: 'ROTATE', type: 1 } as never,
      headers: { 'idempotency-key': crypto.randomUUID() },
    }
    const first = await api.call(person.token, department.add, added)
    expect(first.status).toBe(200)
    const aDay = { body: { name: '大屏', days: 1 } as never }
    const link = await api.call(person.token, screenLink.add, aDay)
    expect(await openScreen(api.url, link.data.token)).toBe(200)
    const prefix = `${api.config.prefix}_new`
    await publish(new HeadSigner(api.config), prefix, Date.now() - hourMs)

    const oldKeys = api.config.secretKeys
    const newest = newKey('k8')
    const newestSigner = newKey('s8')
    const printed = await reseal([newest, ...oldKeys], [newestSigner, ...api.config.signerKeys])
    const codeKeys = /CODE_KEYS=(.+)/.exec(printed)?.[1] ?? ''
    const headKeys = /HEAD_KEYS=(.+)/.exec(printed)?.[1] ?? ''
    const config = {
      ...api.config,
      secretKeys: [newest],
      signerKeys: [newestSigner],
      headKeys: headKeys.split(','),
      prefix,
    }
    const authority = openDeviceCa(mkdtempSync(join(tmpdir(), 'wattdeck-rotation-')))
    const port = await freePort()
    const env = {
      API_PORT: String(port),
      CODE_KEYS: codeKeys,
      HEAD_KEYS: headKeys,
      WECHAT_PAY_URL: provider.url,
      ALIPAY_PAY_GATEWAY: provider.gateway,
      PAY_NOTIFY_URL: `http://127.0.0.1:${port}`,
    }
    const { DEVICE_CA_CERT } = authority.authorityEnv
    const [renewed, worker] = await Promise.all([
      startApiProcess(config, { ...env, DEVICE_CA_CERT }),
      startWorkerProcess(config, { ...env, ...authority.authorityEnv }),
    ])
    onTestFinished(async () => {
      await Promise.all([renewed.stop(), worker.stop()])
      rmSync(authority.folder, { recursive: true })
    })
    const url = `http://127.0.0.1:${port}`
    const call = callerOf(url)

    const entered = await call(undefined, login.byPassword, { body: { loginName: 'has_factor', password } })
    expect(entered.data.stage).toBe('secondFactor')
    const proven = await call(entered.data.access_token, login.secondFactor, {
      body: { code: totpCode(seed, totpStep(Date.now())) },
    })
    expect(proven.data.stage).toBe('full')

    const client = new OpenClient({ url, appKey, secret })
    const rechargeNo = await payments.requestRecharge(client, memberId, '12.00')
    provider.pay({ codeUrl: await payments.codeOf(client, rechargeNo) })
    await payments.rechargeIn(client, rechargeNo, 'ALREADY_PAY_STATUS')

    // The code was never printed, but its signature is ours; a foreign one is refused.
    const scanned = async (code: string) =>
      client.call(openCharging.port, { query: { code } }).catch((error: unknown) => (error as OpenRefusal).status)
    expect(await scanned(sticker)).toBe(404)
    expect(await scanned(sticker.replace(/.$/, (last) => (last === '0' ? '1' : '0')))).toBe(422)
    expect(await sealedByOthers('k8', 's8')).toEqual([])

    const issued = await call(person.token, deviceAuth.issueKeys, { body: { deviceNos: deviceNo } as never })
    expect(issued.data.count).toBe(1)
    const certificate = unpackZip(Buffer.from(issued.data.archive, 'base64')).get(`${deviceNo}/device.crt`)
    expect(new X509Certificate(certificate ?? '').verify(new X509Certificate(authority.authority.cert).publicKey)).toBe(
      true,
    )

    const shown = await fetch(`${url}/seeker/api/file/${picture.data.id}`, {
      headers: { authorization: `Bearer ${person.token}` },
    })
    expect([shown.status, (await shown.arrayBuffer()).byteLength]).toEqual([200, picture.data.bytes])

    expect((await call(person.token, department.add, added)).data).toEqual(first.data)
    expect(await openScreen(url, link.data.token)).toBe(401)
    const newLink = await call(person.token, screenLink.add, aDay)
    expect(await openScreen(url, newLink.data.token)).toBe(200)

    await publish(new HeadSigner(config), prefix, Date.now())
    expect(await proveHeads(config)).toEqual([expect.stringMatching(/^[2-9] files, \d+ heads, 0 broken$/)])
    expect((await proveHeads({ ...config, headKeys: [] }))[0]).toMatch(/: unsigned$/)
    expect(await api.sql('select * from app.audit_breaks()')).toEqual([])
    await proveLedger(api)
  })
})

/** Texts sealed by another key, in any column of any table. */
async function sealedByOthers(newest: string, newestSigner: string): Promise<string[]> {
  const listedColumns = new Set([...sealedColumns, ...signerColumns].map(([table, column]) => `${table}.${column}`))
  const bySigner = new Set(signerColumns.map(([table, column]) => `${table}.${column}`))
  const columns = await there.api.sql<{ table: string; column: string }>(
    `select table_name as table, column_name as column from information_schema.columns join pg_class on relname = table_name
     where table_schema = 'public' and data_type = 'text' and relkind in ('r', 'p') and not relispartition`,
  )
  const found: string[] = []
  for (const { table, column } of columns) {
    const rows = await there.api.sql<{ text: string }>(
      `select ${column} as text from "${table}" where ${column} ~ '^\\w+\\.[A-Za-z0-9+/]{16}\\.[A-Za-z0-9+/=]{24,}$' limit 100`,
    )
    const place = `${table}.${column}`
    const key = bySigner.has(place) ? newestSigner : newest
    if (rows.some(({ text }) => !text.startsWith(`${key}.`)) || (rows.length > 0 && !listedColumns.has(place)))
      found.push(place)
  }
  return found
}
