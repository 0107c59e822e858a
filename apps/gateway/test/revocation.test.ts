import { deviceAuth } from '@wattdeck/contract/product/device-auth.ts'
import { connectAsync, type MqttClient } from 'mqtt'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startApi, type TestApi } from '../../server/test/api.ts'
import { makeDevice, makeModels, type Models } from '../../server/test/devices.ts'
import { type Actor, makeWorld } from '../../server/test/people.ts'
import { freePort, startGatewayProcess, startGuardProcess, startWorkerProcess } from '../../server/test/process.ts'
import { unpackZip } from '../../server/test/unpack-zip.ts'
import { until } from '../../server/test/until.ts'
import { makeBroker } from './mqtt-broker.ts'

// Processes are started and killed here.
vi.setConfig({ testTimeout: 60_000 })

/** From the button to the broker: a certificate is issued, used, revoked; its line is cut and stays closed. */
let api: TestApi
let keeper: Actor
let organiseId: string
let models: Models
let broker: Awaited<ReturnType<typeof makeBroker>>
let worker: Awaited<ReturnType<typeof startWorkerProcess>>
let gateway: Awaited<ReturnType<typeof startGatewayProcess>>
let guard: Awaited<ReturnType<typeof startGuardProcess>>
const open: MqttClient[] = []

beforeAll(async () => {
  broker = await makeBroker(freePort)
  api = await startApi({ deviceCa: broker.ca.authority })
  const world = await makeWorld(api)
  keeper = world.platform.root
  organiseId = world.green.id
  models = await makeModels(api)
  worker = await startWorkerProcess(api.config, broker.ca.authorityEnv)
  gateway = await startGatewayProcess(api.config, broker.ca.gatewayEnv(broker.gatewayPort))
  guard = await startGuard()
})
afterAll(async () => {
  for (const client of open) await client.endAsync(true)
  await guard.stop()
  await gateway.stop()
  await worker.stop()
  await broker.remove()
})
const startGuard = () =>
  startGuardProcess(api.config, { ...broker.ca.gatewayEnv(broker.gatewayPort), ...broker.guardEnv })

let serial = 0
async function newDevice(): Promise<string> {
  const deviceNo = `R${String(++serial).padStart(7, '0')}`
  await makeDevice(api, { organiseId, typeId: models.mqtt, deviceNo })
  return deviceNo
}
async function issue(deviceNo: string) {
  const { data } = await api.call(keeper.token, deviceAuth.issueKeys, { body: { deviceNos: deviceNo } as never })
  const files = unpackZip(Buffer.from(data.archive, 'base64'))
  const [key = '', cert = ''] = ['key', 'crt'].map((end) => files.get(`${deviceNo}/device.${end}`) ?? '')
  return { key, cert }
}
type Pems = Awaited<ReturnType<typeof issue>>

/** A device that comes back as often as it can, as devices do. */
async function connect(deviceNo: string, pems: Pems) {
  const options = { ca: broker.ca.platformCa, ...pems, clientId: deviceNo, reconnectPeriod: 200 }
  const client = await connectAsync(broker.deviceUrl, options, false)
  open.push(client)
  client.on('error', () => undefined)
  return client
}
const letIn = (deviceNo: string, pems: Pems) =>
  connectAsync(
    broker.deviceUrl,
    { ca: broker.ca.platformCa, ...pems, clientId: deviceNo, reconnectPeriod: 0 },
    false,
  ).then(
    async (client) => {
      await client.endAsync(true)
      return true
    },
    () => false,
  )
const rowsOf = async (deviceNo: string) =>
  (await api.call(keeper.token, deviceAuth.list, { query: { deviceNo } as never })).data.rows
const revoke = async (ids: string[]) =>
  expect((await api.call(keeper.token, deviceAuth.revoke, { body: { ids, reason: '被盗' } })).status).toBe(200)
/** Whatever it says: a gateway asks who speaks before it reads. */
const speak = (client: MqttClient, deviceNo: string) => client.publishAsync(`d/${deviceNo}/up`, '{}', { qos: 1 })
const pause = (ms: number) => new Promise((resume) => setTimeout(resume, ms))

describe('a revoked certificate', () => {
  it('is cut within five seconds and refused after, while the neighbour stays', async () => {
    const [stolen, neighbour] = [await newDevice(), await newDevice()]
    const [pems, other] = [await issue(stolen), await issue(neighbour)]
    const [client, quiet] = [await connect(stolen, pems), await connect(neighbour, other)]
    let closedAt = 0
    let quietLost = 0
    client.on('close', () => {
      closedAt ||= Date.now()
    })
    quiet.on('close', () => quietLost++)
    await speak(client, stolen)
    const seen = await until(async () => (await rowsOf(stolen)).find((row) => row.state === 1))
    expect(seen.firstSeenAt).not.toBeNull()

    const began = Date.now()
    await revoke([seen.id])
    await until(() => Promise.resolve(closedAt || undefined), 5000)
    // It tries to come back all the time.
    await until(() => Promise.resolve(!client.connected || undefined), 5000 - (Date.now() - began))
    await pause(3500)
    expect(client.connected).toBe(false)
    expect(await letIn(stolen, pems)).toBe(false)
    expect([quiet.connected, quietLost]).toEqual([true, 0])

    // With a new certificate it is welcome again.
    await client.endAsync(true)
    expect(await letIn(stolen, await issue(stolen))).toBe(true)
  })

  it('ends its own line only: the one beside it is good', async () => {
    const deviceNo = await newDevice()
    const [first, second] = [await issue(deviceNo), await issue(deviceNo)]
    expect([await letIn(deviceNo, first), await letIn(deviceNo, second)]).toEqual([true, true])
    const rows = await rowsOf(deviceNo)
    await revoke([rows.at(-1)?.id ?? ''])
    await until(async () => !(await letIn(deviceNo, first)) || undefined, 5000)
    // Not by chance, while the guard was throwing it out.
    await pause(3000)
    expect([await letIn(deviceNo, first), await letIn(deviceNo, second)]).toEqual([false, true])
  })

  it('is cut by a guard that was away when it was revoked', async () => {
    const deviceNo = await newDevice()
    const pems = await issue(deviceNo)
    const client = await connect(deviceNo, pems)
    await guard.kill()
    const [row] = await rowsOf(deviceNo)
    await revoke([row?.id ?? ''])
    await pause(1500)
    expect(client.connected).toBe(true)
    guard = await startGuard()
    await until(() => Promise.resolve(!client.connected || undefined), 5000)
    expect(await letIn(deviceNo, pems)).toBe(false)
  })

  it('is not good after its overlap either, though its own time is not over', async () => {
    const deviceNo = await newDevice()
    const first = await issue(deviceNo)
    await issue(deviceNo)
    const rows = await rowsOf(deviceNo)
    await api.sql("update device_credential set valid_until = now() - interval '1 second' where id = $1", [
      rows.at(-1)?.id,
    ])
    await guard.kill()
    guard = await startGuard()
    expect(await letIn(deviceNo, first)).toBe(false)
  })
})
