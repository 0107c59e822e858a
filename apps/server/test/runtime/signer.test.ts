import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectBus } from '@wattdeck/bus/bus.ts'
import { type SignerReply, signerSubject } from '@wattdeck/contract/events/signer-bus.ts'
import { paySetting } from '@wattdeck/contract/accounting/pay-setting.ts'
import { deviceAuth } from '@wattdeck/contract/product/device-auth.ts'
import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDeviceCa } from '../../../../tools/ops/device-ca.ts'
import { callerOf } from '../harness/client.ts'
import { makeDevice, makeModels, type Models } from '../fixtures/devices.ts'
import * as payments from '../fixtures/payments.ts'
import { type Actor, makePerson, makeFixture, type Fixture } from '../harness/people.ts'
import { startApiProcess, startWorkerProcess } from '../harness/process.ts'
import { until } from '../harness/until.ts'

/** The processes as deployed: the api has neither merchant keys nor the key of the device authority. */
let there: payments.PayContext
let fixture: Fixture
let models: Models
let keeper: Actor
let api: Awaited<ReturnType<typeof startApiProcess>>
let worker: Awaited<ReturnType<typeof startWorkerProcess>>
const authority = openDeviceCa(mkdtempSync(join(tmpdir(), 'wattdeck-signer-')))
const { DEVICE_CA_CERT } = authority.authorityEnv
const config = () => ({ ...there.api.config, prefix: `${there.api.config.prefix}_apart` })
const startWorker = () =>
  startWorkerProcess(config(), {
    ...authority.authorityEnv,
    WECHAT_PAY_URL: there.sandbox.url,
    ALIPAY_PAY_GATEWAY: there.sandbox.gateway,
  })
beforeAll(async () => {
  there = await payments.startPayFixture()
  fixture = await makeFixture(there.api)
  models = await makeModels(there.api)
  keeper = await makePerson(there.api, { organiseId: fixture.green.id, loginName: 'keeper', menus: '*' })
  api = await startApiProcess(config(), { DEVICE_CA_CERT })
  worker = await startWorker()
})
afterAll(async () => {
  await Promise.all([api.stop(), worker.stop()])
  rmSync(authority.folder, { recursive: true })
})

const call: ReturnType<typeof callerOf> = (...args) => callerOf(api.url)(...args)
let serial = 0
async function newDevice(typeId = models.mqtt) {
  const deviceNo = `SG${String(++serial).padStart(6, '0')}`
  return { deviceNo, id: await makeDevice(there.api, { organiseId: fixture.green.id, typeId, deviceNo }) }
}
const issue = (deviceNo: string) => call(keeper.token, deviceAuth.issueKeys, { body: { deviceNos: deviceNo } as never })
const rsa = () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return {
    own: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    public: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  }
}

describe('an api without keys', () => {
  it('stores a merchant key that it cannot open itself', async () => {
    const trader = await payments.makeTrader(there, fixture.green.id, 'alipay')
    const body = { id: trader.id, privateKey: rsa().own, providerKey: rsa().public }
    expect(await call(keeper.token, paySetting.addKey, { body: body as never })).toMatchObject({ status: 200 })
    const [key] = await there.api.sql<{ secret_sealed: string }>(
      'select secret_sealed from pay_key where merchant_id = $1 order by id desc limit 1',
      [trader.id],
    )
    expect(key?.secret_sealed).toMatch(/^signer\./)
    expect(() => there.api.deps.vault.open(key?.secret_sealed ?? '')).toThrow('no secret key')
  })

  it('issues certificates, and refuses with 503 and stores none while no worker responds', async () => {
    const device = await newDevice()
    expect((await issue(device.deviceNo)).data.count).toBe(1)
    await worker.stop()
    const other = await newDevice()
    expect((await issue(other.deviceNo)).status).toBe(503)
    expect(await there.api.sql('select from device_credential where device_id = $1', [other.id])).toEqual([])
    worker = await startWorker()
    await until(async () => ((await issue(other.deviceNo)).status === 200 ? true : undefined))
  })
})

describe('the signer', () => {
  it('certifies devices by their number in the database only, and no device without certificates', async () => {
    const bus = await connectBus(there.api.config.natsUrl)
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const key = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
    const ask = async (request: object) =>
      (await bus.request(signerSubject(config().prefix), JSON.stringify(request), { timeout: 5000 })).json<
        SignerReply<'certify'>
      >()
    const [mqttDevice, dny] = [await newDevice(), await newDevice(models.dny)]
    const certify = (deviceIds: string[], days = 30) =>
      ask({ kind: 'certify', devices: deviceIds.map((deviceId) => ({ deviceId, publicKey: key })), days })
    expect(await certify([mqttDevice.id])).toMatchObject({ certificates: [{ cert: expect.any(String) as string }] })
    const refused = { refused: 'a device uses no certificate' }
    expect(await certify([dny.id])).toEqual(refused)
    expect(await certify(['999999999'])).toEqual(refused)
    expect(await certify([mqttDevice.id, dny.id])).toEqual(refused)
    expect(await certify([mqttDevice.id], 36_500)).toEqual({ refused: 'too many devices or days' })
    await bus.close()
  })
})
