import { connectAsync } from 'mqtt'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { realHabits } from '../../simulator/src/habits.ts'
import { noFaults } from '../../simulator/src/faults.ts'
import { startFleet } from '../../simulator/src/fleet.ts'
import { startApi, type TestApi } from '../../server/test/harness/api.ts'
import { makeFixture, type Fixture } from '../../server/test/harness/people.ts'
import { freePort, startGatewayProcess, startWorkerProcess } from '../../server/test/harness/process.ts'
import { until } from '../../server/test/harness/until.ts'
import { nextBoot, registerFleet } from '../../../tools/demo/fleet-data.ts'
import { makeBroker } from './mqtt-broker.ts'

/** MQTT devices with certificates, through broker, gateway, stream and worker to the database. */
let api: TestApi
let fixture: Fixture
let broker: Awaited<ReturnType<typeof makeBroker>>
let worker: Awaited<ReturnType<typeof startWorkerProcess>>
let gateway: Awaited<ReturnType<typeof startGatewayProcess>>
let identities: Awaited<ReturnType<typeof registerFleet>>
let certificates: ReturnType<typeof broker.ca.issue>
let boot = 0
const habits = { ...realHabits, heartbeatMs: 2000, reportMs: 1000, resendMs: 1000, idleMs: 0 }
const stranger = 'M99999999'

beforeAll(async () => {
  api = await startApi()
  fixture = await makeFixture(api)
  identities = await registerFleet(api.database, { organiseId: fixture.green.id, dny: 0, mqtt: 8, ports: 10 })
  broker = await makeBroker(freePort)
  certificates = broker.ca.issue([...identities.map(({ deviceNo }) => deviceNo), stranger])
  worker = await startWorkerProcess(api.config)
  gateway = await startGateway()
})
afterAll(async () => {
  await gateway.stop()
  await worker.stop()
  await broker.remove()
})

async function startGateway() {
  const started = await startGatewayProcess(api.config, broker.ca.gatewayEnv(broker.gatewayPort))
  await until(async () => (await metricOf(started.admin, 'gateway_mqtt_connected')) === 1 || undefined)
  return started
}
async function metricOf(admin: string, name: string): Promise<number> {
  const text = await (await fetch(`${admin}/metrics`)).text()
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN)
}
const noOf = (place: number) => identities[place]?.deviceNo ?? ''
const fleetOf = (from: number, to: number, more: Partial<Parameters<typeof startFleet>[0]> = {}) => {
  boot += 1
  return startFleet({
    identities: identities.slice(from, to),
    habits,
    faults: noFaults,
    seed: 1,
    mqtt: { urls: [broker.deviceUrl], ca: broker.ca.platformCa, certificates, boot },
    connectsPerSecond: 1000,
    ...more,
  })
}
/** A plain client with a device's certificate. */
const bare = (deviceNo: string) =>
  connectAsync(broker.deviceUrl, {
    ca: broker.ca.platformCa,
    ...certificates.get(deviceNo),
    clientId: deviceNo,
    username: deviceNo,
    reconnectPeriod: 0,
  })
type Row = { id: string; online: boolean; working_ports: number; install_status: number }
const deviceOf = async (no: string) =>
  (
    await api.sql<Row>(
      'select id, online, working_ports, install_status, software_version, iccid from device where device_no = $1',
      [no],
    )
  )[0]
const isOnline = (place: number, online = true) =>
  until(async () => {
    const row = await deviceOf(noOf(place))
    return row?.online === online ? row : undefined
  })
const eventsOf = async (id: string) =>
  (await api.sql<{ kind: string }>('select kind from device_event where device_id = $1 order by at, id', [id])).map(
    ({ kind }) => kind,
  )
const pause = (ms: number) => new Promise((resume) => setTimeout(resume, ms))

describe('MQTT device', () => {
  it('comes online, reports its ports, and goes offline with its last will', async () => {
    const fleet = fleetOf(0, 1)
    const { id, ...online } = await isOnline(0)
    expect(online).toMatchObject({ install_status: 1, software_version: '1.26', iccid: identities[0]?.iccid })
    fleet.devices[0]?.plugIn(3, Date.now())
    await until(async () => (await deviceOf(noOf(0)))?.working_ports === 1 || undefined)
    const port = await until(async () => {
      const [row] = await api.sql<{ status: number; power_dw: number | null }>(
        'select status, power_dw from port where device_id = $1 and port_no = 3',
        [id],
      )
      return (row?.power_dw ?? 0) > 0 ? row : undefined
    })
    expect(port).toMatchObject({ status: 2 })
    await until(() => Promise.resolve(fleet.unacked() === 0 || undefined))
    fleet.stop()
    await isOnline(0, false)
    expect(await eventsOf(id)).toEqual(['online', 'registered', 'portStatus', 'offline'])
  })

  it('stays online when the will of an older connection arrives', async () => {
    const fleet = fleetOf(1, 2)
    const { id } = await isOnline(1)
    const device = await until(async () => {
      const [row] = await api.sql<{ session: string }>('select session from device_state where device_id = $1', [id])
      return row?.session === '0' ? undefined : row
    })
    expect(BigInt(device?.session ?? 0)).toBe((BigInt(boot) << 40n) | 1n)
    fleet.storm()
    await isOnline(1, false)
    await isOnline(1)
    fleet.stop()
    await isOnline(1, false)
    // The device is online when two late wills arrive: one of an earlier boot, one of an earlier connection.
    const connection = await bare(noOf(1))
    const say = (message: object) =>
      connection.publishAsync(`d/${noOf(1)}/up`, JSON.stringify({ v: 1, ...message }), { qos: 1 })
    await say({ k: 'here', boot: 900, seq: 50 })
    await isOnline(1)
    await say({ k: 'gone', boot: 899, seq: 70 })
    await say({ k: 'gone', boot: 900, seq: 49 })
    await pause(500)
    expect((await deviceOf(noOf(1)))?.online).toBe(true)
    await say({ k: 'gone', boot: 900, seq: 50 })
    await isOnline(1, false)
    await connection.endAsync()
  })

  it('keeps its settlement until the commit, and it is stored once', async () => {
    const fleet = fleetOf(2, 3)
    const [device] = fleet.devices
    const { id } = await isOnline(2)
    await until(() => Promise.resolve(device?.unacked === 0 || undefined))
    await worker.kill()
    device?.plugIn(1, Date.now())
    device?.finish(1, Date.now())
    device?.alarm('smoke')
    // Alarms are acknowledged at once; the settlement stays unacknowledged until its commit.
    await until(() => device?.unacked === 1 || undefined)
    device?.alarm('smoke')
    await until(() => device?.unacked === 1 || undefined)
    worker = await startWorkerProcess(api.config)
    await until(() => Promise.resolve(device?.unacked === 0 || undefined))
    const records = await api.sql<{ record_key: string }>('select record_key from device_record where device_id = $1', [
      id,
    ])
    expect(records).toHaveLength(1)
    expect(records[0]?.record_key).toMatch(new RegExp(`^${boot}:\\d+$`))
    // It was sent several times: the first commit is acknowledged, the duplicates follow.
    const settlements = await until(async () => {
      const rows = await api.sql<{ seq: string }>(
        "select seq from device_message where device_id = $1 and kind = 'settlement'",
        [id],
      )
      return rows.length > 1 ? rows : undefined
    })
    expect(new Set(settlements.map(({ seq }) => seq)).size).toBe(1)
    fleet.stop()
  })

  it('receives a rejection of an invalid record, which the journal stores', async () => {
    const no = noOf(3)
    const connection = await bare(no)
    const replies: unknown[] = []
    connection.on('message', (_, payload) => replies.push(JSON.parse(payload.toString())))
    await connection.subscribeAsync(`d/${no}/down`, { qos: 1 })
    const say = (text: string) => connection.publishAsync(`d/${no}/up`, text, { qos: 1 })
    await say('{"v":1,"k":"settle","boot":1,"seq":7,"port":99}')
    await say('no JSON at all')
    await say('{"v":1,"k":"hb","boot":4194304,"seq":8,"p":[1]}')
    await say('{"v":1,"k":"swipe","boot":1,"seq":9,"card":"dd058d7a","port":2}')
    await until(() => Promise.resolve(replies.length >= 3 || undefined))
    expect(replies).toEqual([
      { v: 1, ack: { boot: 1, seq: 7, bad: 'port is not valid' } },
      { v: 1, ack: { boot: 1, seq: 9 } },
      { v: 1, k: 'card', card: 'dd058d7a', port: 2, acc: 2, fen: 0 },
    ])
    const id = (await deviceOf(no))?.id
    const journal = await api.sql<{ kind: string }>(
      'select kind, boot, seq from device_message where device_id = $1 order by seq',
      [id],
    )
    expect(journal).toEqual([
      { kind: 'unreadable', boot: '1', seq: '7' },
      { kind: 'swipe', boot: '1', seq: '9' },
    ])
    expect(await metricOf(gateway.admin, 'gateway_mqtt_unreadable_total')).toBe(3)
    await connection.endAsync()
  })

  it('is ignored when it has a certificate but is unknown to the platform', async () => {
    const connection = await bare(stranger)
    let replies = 0
    connection.on('message', () => replies++)
    await connection.subscribeAsync(`d/${stranger}/down`, { qos: 1 })
    await connection.publishAsync(`d/${stranger}/up`, '{"v":1,"k":"hb","boot":1,"seq":1,"p":[1]}', { qos: 1 })
    await until(async () => (await metricOf(gateway.admin, 'gateway_mqtt_strangers_total')) > 0 || undefined)
    expect(replies).toBe(0)
    await connection.endAsync()
  })
})

describe('failure', () => {
  it('of the broker: devices reconnect, and unacknowledged records are stored once', async () => {
    const fleet = fleetOf(4, 7)
    const rows = [await isOnline(4), await isOnline(5), await isOnline(6)]
    await until(() => Promise.resolve(fleet.unacked() === 0 || undefined))
    for (const device of fleet.devices) device.plugIn(2, Date.now())
    await broker.kill()
    for (const device of fleet.devices) device.finish(2, Date.now())
    await until(() => fleet.unacked() === 3 || undefined)
    await broker.startAgain()
    await until(() => Promise.resolve(fleet.unacked() === 0 || undefined))
    const records = await api.sql('select record_key from device_record where device_id = any($1::bigint[])', [
      rows.map(({ id }) => id),
    ])
    expect(records).toHaveLength(3)
    expect(fleet.tally.acked.size).toBe(3)
    fleet.stop()
  })

  it('of a gateway: another one receives all messages', async () => {
    const other = await startGateway()
    const fleet = fleetOf(7, 8, { habits: { ...habits, heartbeatMs: 60_000, reportMs: 60_000 } })
    const [device] = fleet.devices
    const { id } = await isOnline(7)
    await gateway.kill()
    // Until the broker detects the failure, it keeps delivering to the dead gateway.
    await until(async () => {
      const stored = await heartbeats(id)
      for (let count = 0; count < 4; count++) device?.heartbeat(Date.now())
      await pause(500)
      return (await heartbeats(id)) >= stored + 4 || undefined
    })
    const before = await heartbeats(id)
    for (let count = 0; count < 20; count++) device?.heartbeat(Date.now())
    await expect.poll(() => heartbeats(id)).toBeGreaterThanOrEqual(before + 20)
    fleet.stop()
    gateway = other
  })

  it('of a fleet: a restarted fleet continues its boot count', async () => {
    await api.sql(
      'update device_state set beat_ord = (4000000::bigint << 40) + 7 where device_id = (select id from device where device_no = $1)',
      [identities[0]?.deviceNo],
    )
    expect(await nextBoot(api.database)).toBe(4_000_001)
  })
})

const heartbeats = async (id: string) =>
  (await api.sql("select id from device_message where device_id = $1 and kind = 'heartbeat'", [id])).length
