import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { realHabits } from '../../simulator/src/habits.ts'
import { noFaults } from '../../simulator/src/faults.ts'
import { startFleet } from '../../simulator/src/fleet.ts'
import { startApi, type TestApi } from '../../server/test/harness/api.ts'
import { makeFixture, type Fixture } from '../../server/test/harness/people.ts'
import { startGatewayProcess, startWorkerProcess } from '../../server/test/harness/process.ts'
import { until } from '../../server/test/harness/until.ts'
import { registerFleet } from '../../../tools/demo/fleet-data.ts'

/** Devices with their own protocol, through gateway, stream and worker to the database. */
let api: TestApi
let fixture: Fixture
let worker: Awaited<ReturnType<typeof startWorkerProcess>>
let gateway: Awaited<ReturnType<typeof startGatewayProcess>>
let identities: Awaited<ReturnType<typeof registerFleet>>
const habits = { ...realHabits, heartbeatMs: 2000, reportMs: 1000, resendMs: 1000, idleMs: 0 }

beforeAll(async () => {
  api = await startApi()
  fixture = await makeFixture(api)
  await api.sql(`insert into device_category (id, level, code, name) values (1, 1, '02', 'x') on conflict do nothing`)
  identities = await registerFleet(api.database, { organiseId: fixture.green.id, dny: 8, mqtt: 0, ports: 10 })
  ;[worker, gateway] = await Promise.all([startWorkerProcess(api.config), startGatewayProcess(api.config)])
})
afterAll(async () => {
  await gateway.stop()
  await worker.stop()
})

const fleetOf = (from: number, to: number, more: Partial<Parameters<typeof startFleet>[0]> = {}) =>
  startFleet({
    identities: identities.slice(from, to),
    habits,
    faults: noFaults,
    seed: 1,
    dny: { host: '127.0.0.1', ports: [gateway.dnyPort] },
    connectsPerSecond: 1000,
    ...more,
  })
const deviceOf = async (no: string) => {
  const [row] = await api.sql<{ id: string; online: boolean; working_ports: number; install_status: number }>(
    'select id, online, working_ports, install_status, software_version, iccid from device where device_no = $1',
    [no],
  )
  return row
}
const isOnline = (place: number) =>
  until(async () => {
    const row = await deviceOf(noOf(place))
    return row?.online === true ? row : undefined
  })
const noOf = (place: number) => identities[place]?.deviceNo ?? ''

// These tests wait for processes that start and exit.
describe('DNY device', () => {
  it('comes online, reports its ports, and goes offline when its connection closes', async () => {
    const fleet = fleetOf(0, 1)
    const online = await isOnline(0)
    expect(online).toMatchObject({ install_status: 1, software_version: '1.26', iccid: identities[0]?.iccid })
    fleet.devices[0]?.plugIn(3, Date.now())
    await until(async () => (await deviceOf(noOf(0)))?.working_ports === 1 || undefined)
    const port = await until(async () => {
      const [row] = await api.sql<{ status: number; power_dw: number | null }>(
        'select status, power_dw from port where device_id = $1 and port_no = 3',
        [online.id],
      )
      return (row?.power_dw ?? 0) > 0 ? row : undefined
    })
    expect(port).toMatchObject({ status: 2 })
    fleet.stop()
    await until(async () => (await deviceOf(noOf(0)))?.online === false || undefined)
    const events = await api.sql<{ kind: string }>(
      'select kind from device_event where device_id = $1 order by at, id',
      [online.id],
    )
    expect(events.map(({ kind }) => kind)).toEqual(['online', 'registered', 'portStatus', 'offline'])
  })

  it('keeps its settlement until the commit, and it is stored once', async () => {
    const fleet = fleetOf(1, 2)
    const [device] = fleet.devices
    await isOnline(1)
    await worker.kill()
    device?.plugIn(1, Date.now())
    device?.finish(1, Date.now())
    // Without a commit there is no acknowledgement, however often it is sent.
    await new Promise((resume) => setTimeout(resume, 2500))
    expect(device?.unacked).toBe(1)
    worker = await startWorkerProcess(api.config)
    await until(() => Promise.resolve(device?.unacked === 0 || undefined))
    const id = (await deviceOf(noOf(1)))?.id
    expect(await api.sql('select record_key from device_record where device_id = $1', [id])).toHaveLength(1)
    // It was sent several times: the first commit is acknowledged, the duplicates follow.
    await until(async () => {
      const messages = await api.sql("select id from device_message where device_id = $1 and kind = 'settlement'", [id])
      return messages.length > 1 || undefined
    })
    fleet.stop()
  })

  it('moves to another gateway when its own dies, and stays online', async () => {
    const other = await startGatewayProcess(api.config)
    const doomed = await startGatewayProcess(api.config)
    const fleet = fleetOf(2, 4, { dny: { host: '127.0.0.1', ports: [doomed.dnyPort, other.dnyPort] } })
    await isOnline(2)
    await isOnline(3)
    await doomed.kill()
    const id = (await deviceOf(noOf(2)))?.id
    await until(async () => {
      const rows = await api.sql<{ gateway: number }>(
        'select distinct (content ->> $2) as address from device_message where device_id = $1 and kind = $3',
        [id, 'address', 'connected'],
      )
      return rows.length === 2 || undefined
    })
    expect((await deviceOf(noOf(2)))?.online).toBe(true)
    fleet.stop()
    await other.stop()
  })

  it('is disconnected when it is unknown', async () => {
    const stranger = { ...identities[0], wireId: '01020305' } as (typeof identities)[number]
    const fleet = fleetOf(0, 0, { identities: [stranger] })
    await new Promise((resume) => setTimeout(resume, 1500))
    fleet.stop()
    expect(
      await api.sql(
        "select id from device_message where kind = 'register' and device_id not in (select id from device)",
      ),
    ).toEqual([])
    const metrics = await (await fetch(`${gateway.admin}/metrics`)).text()
    expect(metrics).toMatch(/gateway_dny_strangers_total [1-9]/)
  })
})

describe('connection', () => {
  it('full of garbage is closed, and others stay open', async () => {
    const fleet = fleetOf(4, 5)
    await isOnline(4)
    const socket = connect(gateway.dnyPort, '127.0.0.1')
    socket.on('error', () => undefined)
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
    const junk = Buffer.alloc(16 * 1024, 'DNYx')
    const timer = setInterval(() => socket.write(junk), 5)
    await closed
    clearInterval(timer)
    expect((await deviceOf(noOf(4)))?.online).toBe(true)
    fleet.stop()
  })
})
