import { connect as connectBus, type NatsConnection } from '@nats-io/transport-node'
import { type Cut, deviceBus } from '@wattdeck/contract/events/device-bus.ts'
import { deviceAuth } from '@wattdeck/contract/product/device-auth.ts'
import { connectAsync, type MqttClient } from 'mqtt'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../server/test/harness/api.ts'
import { makeDevice, makeModels, type Models } from '../../server/test/fixtures/devices.ts'
import { type Actor, makeFixture } from '../../server/test/harness/people.ts'
import {
  freePort,
  startGatewayProcess,
  startGuardProcess,
  startWorkerProcess,
} from '../../server/test/harness/process.ts'
import { unpackZip } from '../../server/test/harness/unpack-zip.ts'
import { until } from '../../server/test/harness/until.ts'
import { makeBroker } from './mqtt-broker.ts'

/** A certificate is issued, used and revoked through the console; its connection is closed and stays closed. */
let api: TestApi
let keeper: Actor
let organiseId: string
let models: Models
let broker: Awaited<ReturnType<typeof makeBroker>>
let worker: Awaited<ReturnType<typeof startWorkerProcess>>
let gateway: Awaited<ReturnType<typeof startGatewayProcess>>
let guard: Awaited<ReturnType<typeof startGuardProcess>>
const open: MqttClient[] = []
let bus: NatsConnection
const cuts: Cut[] = []

beforeAll(async () => {
  broker = await makeBroker(freePort)
  api = await startApi({ deviceCa: broker.ca.authority })
  const fixture = await makeFixture(api)
  keeper = fixture.platform.root
  organiseId = fixture.green.id
  models = await makeModels(api)
  worker = await startWorkerProcess(api.config, broker.ca.authorityEnv)
  gateway = await startGatewayProcess(api.config, broker.ca.gatewayEnv(broker.gatewayPort))
  guard = await startGuard()
  bus = await connectBus({ servers: api.config.natsUrl })
  bus.subscribe(deviceBus.cut(api.config.prefix), { callback: (_, message) => void cuts.push(message.json<Cut>()) })
  await bus.flush()
})
afterAll(async () => {
  await bus.close()
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

/** A device that reconnects continuously. */
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
const idOf = async (deviceNo: string) =>
  (await api.sql<{ id: string }>('select id from device where device_no = $1', [deviceNo]))[0]?.id ?? ''
const rowsOf = async (deviceNo: string) =>
  (await api.call(keeper.token, deviceAuth.list, { query: { deviceNo } as never })).data.rows
const revoke = async (ids: string[]) =>
  expect((await api.call(keeper.token, deviceAuth.revoke, { body: { ids, reason: '被盗' } })).status).toBe(200)
/** The content is irrelevant: a gateway identifies the sender before it decodes. */
const speak = (client: MqttClient, deviceNo: string) => client.publishAsync(`d/${deviceNo}/up`, '{}', { qos: 1 })
/** A single refusal may be the guard's kick; several in a row prove that the certificate is rejected. */
const refusalsInARow = 8

describe('revoked certificate', () => {
  it('is disconnected and then refused, while other devices stay connected', async () => {
    const [stolen, neighbour] = [await newDevice(), await newDevice()]
    const [pems, other] = [await issue(stolen), await issue(neighbour)]
    const [client, quiet] = [await connect(stolen, pems), await connect(neighbour, other)]
    let refusals = 0
    let quietLost = 0
    client.on('connect', () => {
      refusals = 0
    })
    client.on('close', () => refusals++)
    quiet.on('close', () => quietLost++)
    await speak(client, stolen)
    const usedRow = await until(async () => (await rowsOf(stolen)).find((row) => row.state === 1))
    expect(usedRow.firstSeenAt).not.toBeNull()

    await revoke([usedRow.id])
    await until(() => cuts.find(({ wireId }) => wireId === stolen))
    // It keeps trying to reconnect.
    await until(() => (refusals >= refusalsInARow ? true : undefined))
    expect(client.connected).toBe(false)
    expect(await letIn(stolen, pems)).toBe(false)
    expect([quiet.connected, quietLost]).toEqual([true, 0])

    // A new certificate is accepted again.
    await client.endAsync(true)
    expect(await letIn(stolen, await issue(stolen))).toBe(true)
  })

  it('is disconnected by the bus message, before the guard polls the list', async () => {
    const deviceNo = await newDevice()
    const client = await connect(deviceNo, await issue(deviceNo))
    let wasCut = false
    client.once('close', () => {
      wasCut = true
    })
    // This certificate is valid, so polling would never end the connection.
    const cut: Cut = { adapter: 'mqtt-json', wireId: deviceNo, deviceId: await idOf(deviceNo) }
    bus.publish(deviceBus.cut(api.config.prefix), JSON.stringify(cut))
    await until(() => wasCut || undefined)
    // It reconnects, because its certificate is valid.
    expect(await until(() => client.connected || undefined)).toBe(true)
  })

  it('is refused, while another certificate of the same device is accepted', async () => {
    const deviceNo = await newDevice()
    const [first, second] = [await issue(deviceNo), await issue(deviceNo)]
    expect([await letIn(deviceNo, first), await letIn(deviceNo, second)]).toEqual([true, true])
    const rows = await rowsOf(deviceNo)
    await revoke([rows.at(-1)?.id ?? ''])
    let refusals = 0
    await until(async () => {
      refusals = (await letIn(deviceNo, first)) ? 0 : refusals + 1
      return refusals >= refusalsInARow || undefined
    })
    await until(async () => (await letIn(deviceNo, second)) || undefined)
    expect(await letIn(deviceNo, first)).toBe(false)
  })

  it('is disconnected by a guard that was down at the revocation', async () => {
    const deviceNo = await newDevice()
    const pems = await issue(deviceNo)
    const client = await connect(deviceNo, pems)
    await guard.kill()
    const [row] = await rowsOf(deviceNo)
    await revoke([row?.id ?? ''])
    await until(() => cuts.find(({ wireId }) => wireId === deviceNo))
    // The broker acknowledges it on the connection that is still open.
    await speak(client, deviceNo)
    expect(client.connected).toBe(true)
    guard = await startGuard()
    await until(() => !client.connected || undefined)
    expect(await letIn(deviceNo, pems)).toBe(false)
  })

  it('is refused after its overlap period, before it expires', async () => {
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
