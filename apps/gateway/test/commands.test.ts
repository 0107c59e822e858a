import { type DeviceCommandRow, deviceCommand } from '@wattdeck/contract/product/device-command.ts'
import { batch, batchItemStatus, batchStatus } from '@wattdeck/contract/system/batch.ts'
import { connectAsync } from 'mqtt'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { realHabits } from '../../simulator/src/habits.ts'
import { type Faults, noFaults } from '../../simulator/src/faults.ts'
import { startFleet } from '../../simulator/src/fleet.ts'
import { startApi, type TestApi } from '../../server/test/harness/api.ts'
import { type Actor, makePerson, makeFixture, type Fixture } from '../../server/test/harness/people.ts'
import { freePort, startGatewayProcess, startWorkerProcess } from '../../server/test/harness/process.ts'
import { until } from '../../server/test/harness/until.ts'
import { registerFleet } from '../../../tools/demo/fleet-data.ts'
import { makeBroker } from './mqtt-broker.ts'

/** A console command through api, database, worker, stream and gateway to a device, and its result back. */
let api: TestApi
let fixture: Fixture
let operator: Actor
let broker: Awaited<ReturnType<typeof makeBroker>>
let worker: Awaited<ReturnType<typeof startWorkerProcess>>
let gateway: Awaited<ReturnType<typeof startGatewayProcess>>
let certificates: ReturnType<typeof broker.ca.issue>
let identities: Awaited<ReturnType<typeof registerFleet>>
const [dnyDevices, mqttDevices] = [10, 6]

beforeAll(async () => {
  api = await startApi({ commandsWithoutApproval: 12 })
  fixture = await makeFixture(api)
  const menus = ['4', '4.1', '4.1.1', '4.1.2']
  operator = await makePerson(api, { organiseId: fixture.green.id, loginName: 'green_control', menus })
  identities = await registerFleet(api.database, {
    organiseId: fixture.green.id,
    siteId: fixture.green.siteId,
    dny: dnyDevices,
    mqtt: mqttDevices,
    ports: 10,
  })
  broker = await makeBroker(freePort)
  certificates = broker.ca.issue(identities.map(({ deviceNo }) => deviceNo))
  worker = await startWorkerProcess(api.config, { LOG_LEVEL: 'warn' })
  gateway = await startGatewayProcess(api.config, broker.ca.gatewayEnv(broker.gatewayPort))
})
afterAll(async () => {
  await gateway.stop()
  await worker.stop()
  await broker.remove()
})

const habits = { ...realHabits, heartbeatMs: 2000, reportMs: 1000, resendMs: 1000, idleMs: 0 }
let boots = 0
function fleetOf(places: readonly number[], faults: Partial<Faults> = {}, dnyPort = gateway.dnyPort) {
  const own = places.flatMap((place) => identities[place] ?? [])
  boots += 10
  return startFleet({
    identities: own,
    habits,
    faults: { ...noFaults, ...faults },
    seed: 1,
    dny: { host: '127.0.0.1', ports: [dnyPort] },
    mqtt: {
      urls: [broker.deviceUrl],
      ca: broker.ca.platformCa,
      boot: boots,
      certificates,
    },
    connectsPerSecond: 1000,
  })
}
const idOf = async (place: number): Promise<string> =>
  (await api.sql<{ id: string }>('select id from device where device_no = $1', [identities[place]?.deviceNo]))[0]?.id ??
  ''
const online = (places: readonly number[]) =>
  until(async () => {
    const numbers = places.map((place) => identities[place]?.deviceNo)
    const rows = await api.sql('select id from device where device_no = any($1) and online', [numbers])
    return rows.length === places.length || undefined
  })
const ended = (id: string): Promise<DeviceCommandRow> =>
  until(async () => {
    const { data } = await api.call(operator.token, deviceCommand.read, { params: { id } })
    return data.endedAt === null ? undefined : data
  })
const operate = async (place: number, operation: 1 | 2 | 3 | 4, whenOffline: 1 | 2 = 2) => {
  const body = { deviceId: await idOf(place), operation, whenOffline }
  const { data } = await api.call(operator.token, deviceCommand.operate, { body })
  return data.commandId
}

describe('command', () => {
  it.each([
    ['a DNY device', 0],
    ['an MQTT device', dnyDevices],
  ])('restarts %s once and records both frames', async (_, place) => {
    const fleet = fleetOf([place])
    await online([place])
    const row = await ended(await operate(place, 1))
    expect(row).toMatchObject({ kind: 'restart', status: 4, reason: null, issuedBy: '姓名green_control' })
    expect([row.frame, row.answer].map((hex) => (hex ?? '').length > 10)).toEqual([true, true])
    expect(fleet.devices[0]?.restarts).toBe(1)
    await online([place])
    fleet.stop()
  })

  it('that is replayed twice and in another order is executed once', async () => {
    const place = dnyDevices + 5
    const fleet = fleetOf([place])
    await online([place])
    const frames: string[] = []
    for (let time = 0; time < 2; time++) {
      const { status, frame } = await ended(await operate(place, 1))
      expect(status).toBe(4)
      frames.push(frame ?? '')
      await online([place])
    }
    const recorder = await connectAsync(broker.gatewayUrl, {
      ca: broker.ca.platformCa,
      ...broker.ca.gateway,
      clientId: 'gateway:replay:1',
      protocolVersion: 5,
    })
    for (const frame of [...frames.toReversed(), ...frames])
      await recorder.publishAsync(`d/${identities[place]?.deviceNo}/down`, Buffer.from(frame, 'hex'), { qos: 1 })
    await recorder.endAsync()
    // The next command reaches the device after the replayed ones.
    expect(await ended(await operate(place, 1))).toMatchObject({ status: 4 })
    expect(fleet.devices[0]?.restarts).toBe(3)
    fleet.stop()
  })

  it('shows why a device refused it', async () => {
    const fleet = fleetOf([1, dnyDevices + 1], { refuse: 1 })
    await online([1, dnyDevices + 1])
    expect(await ended(await operate(dnyDevices + 1, 1))).toMatchObject({ status: 5, reason: '端口故障' })
    expect(await ended(await operate(1, 1))).toMatchObject({ status: 5 })
    expect(fleet.devices.map(({ restarts }) => restarts)).toEqual([0, 0])
    fleet.stop()
  })

  it('to an offline device fails, or waits until the device connects', async () => {
    expect(await ended(await operate(2, 1, 2))).toMatchObject({ status: 6, reason: '设备离线' })
    const waiting = await operate(2, 1, 1)
    const read = () => api.call(operator.token, deviceCommand.read, { params: { id: waiting } })
    await until(async () => (await read()).data.status === 2 || undefined)
    const fleet = fleetOf([2])
    expect(await ended(waiting)).toMatchObject({ status: 4 })
    expect(fleet.devices[0]?.restarts).toBe(1)
    fleet.stop()
  })

  it('can be cancelled before it is sent, but not after its end', async () => {
    const id = await operate(3, 1, 1)
    await until(
      async () =>
        (await api.call(operator.token, deviceCommand.read, { params: { id } })).data.status === 2 || undefined,
    )
    expect((await api.call(operator.token, deviceCommand.cancel, { body: { id } })).status).toBe(200)
    expect(await ended(id)).toMatchObject({ status: 8 })
    expect((await api.call(operator.token, deviceCommand.cancel, { body: { id } })).status).toBe(409)
  })

  it('has an unknown result when the connection is lost before the answer', async () => {
    const fleet = fleetOf([4], { mute: 1 })
    await online([4])
    const id = await operate(4, 1)
    // Status 3 alone is not enough: at the gateway the command queues, and it counts as unsent until its frame is
    // written.
    await until(async () => {
      const { data } = await api.call(operator.token, deviceCommand.read, { params: { id } })
      return (data.status === 3 && data.frame !== null) || undefined
    })
    fleet.devices[0]?.cut()
    expect(await ended(id)).toMatchObject({ status: 7, reason: '连接中断，结果未知' })
    fleet.stop()
  })

  it('that was queued when the connection was lost counts as unsent', async () => {
    const fleet = fleetOf([8])
    await online([8])
    // The worker sends both together. The first restarts the device half a second before the second may follow.
    const commands = await api.sql<{ id: string }>(
      `insert into device_command (organise_id, agent_id, site_id, device_id, kind, content, when_offline, expires_at, issued_by)
       select organise_id, agent_id, site_id, id, 'restart', '{"kind":"restart"}', 2, now() + interval '60 s', 'test'
       from device, generate_series(1, 2) where id = $1 returning id`,
      [await idOf(8)],
    )
    const [first, second] = await Promise.all(commands.map(({ id }) => ended(id)))
    expect([first, second]).toMatchObject([{ status: 4 }, { status: 6, reason: '设备不在线', frame: null }])
    expect(fleet.devices[0]?.restarts).toBe(1)
    fleet.stop()
  })

  it('is not delayed by a command to a gateway that hangs', async () => {
    const hanging = await startGatewayProcess(api.config, broker.ca.gatewayEnv(broker.gatewayPort))
    const stuck = fleetOf([9], {}, hanging.dnyPort)
    const fleet = fleetOf([8])
    await online([8, 9])
    hanging.child.kill('SIGSTOP')
    const timeouts = () => worker.output().split('command dispatch unacknowledged').length - 1
    const first = timeouts()
    try {
      // A single round may be slow; if the worker waited for the hanging gateway, every round would be.
      await until(async () => {
        const before = timeouts()
        const id = await operate(9, 4)
        const read = () => api.call(operator.token, deviceCommand.read, { params: { id } })
        await until(async () => (await read()).data.status === 3 || undefined)
        expect(await ended(await operate(8, 4))).toMatchObject({ status: 4 })
        return timeouts() === before || undefined
      })
      await until(() => timeouts() > first || undefined)
    } finally {
      // Otherwise the hanging gateway would receive every second MQTT command of the following tests.
      stuck.stop()
      fleet.stop()
      await hanging.kill()
    }
  })

  it('stops a device at the platform, and at the device where its protocol supports it', async () => {
    const place = dnyDevices + 2
    const fleet = fleetOf([5, place])
    await online([5, place])
    for (const one of [5, place]) {
      expect(await ended(await operate(one, 2))).toMatchObject({ status: 4 })
      const body = { deviceId: await idOf(one), portNo: 1, minutes: 5 }
      expect(await api.call(operator.token, deviceCommand.startPort, { body })).toMatchObject({
        status: 409,
        message: '设备已停用，不能启动',
      })
      expect(await ended(await operate(one, 3))).toMatchObject({ status: 4 })
    }
    fleet.stop()
  })

  it('starts a port and stops its charge', async () => {
    const fleet = fleetOf([6])
    await online([6])
    const deviceId = await idOf(6)
    const start = await api.call(operator.token, deviceCommand.startPort, { body: { deviceId, portNo: 2, minutes: 5 } })
    expect(await ended(start.data.commandId)).toMatchObject({ status: 4, portNo: 2 })
    const running = async () =>
      (
        await api.sql<{ order_no: string | null; status: number }>(
          'select order_no, status from port where device_id = $1 and port_no = 2',
          [deviceId],
        )
      )[0]
    await until(async () => (await running())?.status === 2 || undefined)
    const again = await api.call(operator.token, deviceCommand.startPort, { body: { deviceId, portNo: 2, minutes: 5 } })
    expect(again).toMatchObject({ status: 409, message: '端口正在工作' })
    await until(async () => ((await running())?.order_no ?? '').startsWith('9') || undefined)
    const stop = await api.call(operator.token, deviceCommand.stopPort, { body: { deviceId, portNo: 2 } })
    expect(await ended(stop.data.commandId)).toMatchObject({ status: 4 })
    await until(async () => (await running())?.status === 1 || undefined)
    fleet.stop()
  })

  it('that is the first on a new connection is not treated as a repeat', async () => {
    const fleet = fleetOf([7])
    await online([7])
    const deviceId = await idOf(7)
    const [device] = fleet.devices
    const start = async (portNo: number) => {
      const { data } = await api.call(operator.token, deviceCommand.startPort, {
        body: { deviceId, portNo, minutes: 5 },
      })
      return ended(data.commandId)
    }
    expect(await start(1)).toMatchObject({ status: 4, portNo: 1 })
    device?.cut()
    await until(async () => !device?.up || undefined)
    await until(async () => device?.up || undefined)
    await online([7])
    expect(await start(2)).toMatchObject({ status: 4, portNo: 2 })
    expect([1, 2].map((port) => device?.orderAt(port)?.startsWith('9'))).toEqual([true, true])
    fleet.stop()
  })
})

describe('batch of commands', () => {
  const job = (id: string) =>
    until(async () => {
      const { data } = await api.call(operator.token, batch.detail, { query: { id } })
      return data.status > batchStatus.code.running && data.status !== batchStatus.code.held ? data : undefined
    })

  it('reports the result of each device, and retries only failed ones', async () => {
    const places = [0, 1, 2, 3, 7, dnyDevices, dnyDevices + 3]
    const here = fleetOf([0, 1, 2, dnyDevices])
    const refusing = fleetOf([7, dnyDevices + 3], { refuse: 1 })
    await online(places.filter((place) => place !== 3))
    const ids = await Promise.all(places.map(idOf))
    const { data } = await api.call(operator.token, deviceCommand.batchOperate, {
      body: { ids, operation: 1, whenOffline: 2 },
    })
    expect(await job(data.jobId)).toMatchObject({ total: 7, done: 4, failed: 3, status: batchStatus.code.partly })
    const items = await api.call(operator.token, batch.items, {
      params: { id: data.jobId },
      query: { status: 2 } as never,
    })
    expect(new Set(items.data.rows.map(({ reason }) => reason))).toEqual(new Set(['未知原因', '端口故障', '设备离线']))
    refusing.stop()
    const willing = fleetOf([3, 7, dnyDevices + 3])
    await online(places)
    await api.call(operator.token, batch.retry, { body: { id: data.jobId } })
    expect(await job(data.jobId)).toMatchObject({ done: 7, failed: 0, status: batchStatus.code.done })
    expect([...here.devices, ...willing.devices].map(({ restarts }) => restarts)).toEqual([1, 1, 1, 1, 1, 1, 1])
    here.stop()
    willing.stop()
  })

  it('to many devices needs the approval of a second person', async () => {
    const filter = `siteId=${fixture.green.siteId}`
    const body = { filter, operation: 4 as const, whenOffline: 2 as const }
    const { data } = await api.call(operator.token, deviceCommand.batchOperate, { body })
    const held = await api.call(operator.token, deviceCommand.held)
    expect(held.data.rows).toMatchObject([{ id: data.jobId, total: 16, own: true }])
    expect(await api.call(operator.token, deviceCommand.approve, { body: { id: data.jobId } })).toMatchObject({
      status: 409,
      message: '不能审批自己发起的批量指令',
    })
    expect(
      (await api.call(fixture.swift.admin.token, deviceCommand.approve, { body: { id: data.jobId } })).status,
    ).toBe(404)
    const menus = ['4', '4.1', '4.1.1']
    const second = await makePerson(api, { organiseId: fixture.green.id, loginName: 'green_second', menus })
    expect((await api.call(second.token, deviceCommand.approve, { body: { id: data.jobId } })).status).toBe(200)
    expect((await job(data.jobId)).total).toBe(16)
    const old = await api.call(operator.token, deviceCommand.batchOperate, { body })
    await api.sql("update batch_job set created_at = now() - interval '25 hours' where id = $1", [old.data.jobId])
    expect((await api.call(second.token, deviceCommand.approve, { body: { id: old.data.jobId } })).status).toBe(409)
    const refused = await api.call(operator.token, deviceCommand.batchOperate, { body })
    const turnDown = { id: refused.data.jobId, reason: '先试一台' }
    expect((await api.call(second.token, deviceCommand.turnDown, { body: turnDown })).status).toBe(200)
    expect(await job(refused.data.jobId)).toMatchObject({ status: batchStatus.code.cancelled, reason: '先试一台' })
    const unapproved = { status: 409, message: '该任务未通过审批，请重新发起' }
    expect(await api.call(operator.token, batch.retry, { body: { id: refused.data.jobId } })).toMatchObject(unapproved)
    const called = await api.call(operator.token, deviceCommand.batchOperate, { body })
    expect((await api.call(operator.token, batch.cancel, { body: { id: called.data.jobId } })).status).toBe(200)
    expect(await api.call(operator.token, batch.retry, { body: { id: called.data.jobId } })).toMatchObject(unapproved)
  })

  it('needs approval when small batches of one person within an hour exceed the limit', async () => {
    const menus = ['4', '4.1', '4.1.1']
    const [one, other] = await Promise.all(
      ['green_salami', 'green_other'].map((loginName) =>
        makePerson(api, { organiseId: fixture.green.id, loginName, menus }),
      ),
    )
    const ids = await Promise.all([0, 1, 2, 3, 4, 5, 6].map(idOf))
    const give = async (person: Actor | undefined) => {
      const body = { ids, operation: 4 as const, whenOffline: 2 as const }
      const { data } = await api.call(person?.token ?? '', deviceCommand.batchOperate, { body })
      const [row] = await api.sql<{ held: boolean }>(
        'select held_at is not null as held from batch_job where id = $1',
        [data.jobId],
      )
      return { id: data.jobId, held: row?.held }
    }
    // Two batches of seven exceed the limit of twelve, even when they are issued at once.
    const both = await Promise.all([give(one), give(one)])
    expect(both.filter(({ held }) => held === true)).toHaveLength(1)
    expect(await give(one)).toMatchObject({ held: true })
    expect(await give(other)).toMatchObject({ held: false })
    const free = both.find(({ held }) => held === false)
    await api.sql("update batch_job set created_at = created_at - interval '61 minutes' where id = $1", [free?.id])
    expect(await give(one)).toMatchObject({ held: false })
  })

  it('receives the results of its rows even after it was stopped', async () => {
    const fleet = fleetOf([9], { mute: 1 })
    await online([9])
    const person = await makePerson(api, {
      organiseId: fixture.green.id,
      loginName: 'green_stop',
      menus: ['4', '4.1', '4.1.1'],
    })
    const body = { ids: [await idOf(9)], operation: 1 as const, whenOffline: 2 as const }
    const { data } = await api.call(person.token, deviceCommand.batchOperate, { body })
    const rowOf = async () => (await api.call(person.token, batch.items, { params: { id: data.jobId } })).data.rows[0]
    const sent = 'select from device_command where job_id = $1 and frame_id is not null'
    await until(async () => (await api.sql(sent, [data.jobId])).length === 1 || undefined)
    await api.sql('update batch_job set status = $2 where id = $1', [data.jobId, batchStatus.code.stopped])
    fleet.devices[0]?.cut()
    const row = await until(async () => {
      const now = await rowOf()
      return now?.status === batchItemStatus.code.failed ? now : undefined
    })
    expect(row.reason).toBe('连接中断，结果未知')
    fleet.stop()
  })
})
