import { commandStatus } from '@wattdeck/contract/product/device-command.ts'
import type { DeviceCommand } from '@wattdeck/device-protocol/message.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { realHabits } from '../../simulator/src/habits.ts'
import { noFaults } from '../../simulator/src/faults.ts'
import { startFleet } from '../../simulator/src/fleet.ts'
import { startApi, type TestApi } from '../../server/test/harness/api.ts'
import { makeFixture } from '../../server/test/harness/people.ts'
import { startGatewayProcess, startWorkerProcess } from '../../server/test/harness/process.ts'
import { until } from '../../server/test/harness/until.ts'
import { registerFleet } from '../../../tools/demo/fleet-data.ts'
import { chargePoint, rawConnection, type Reply } from './ocpp-charge-point.ts'

/** OCPP charge points, through gateway, stream and worker to the database. */
let api: TestApi
let worker: Awaited<ReturnType<typeof startWorkerProcess>>
let gateway: Awaited<ReturnType<typeof startGatewayProcess>>
let identities: Awaited<ReturnType<typeof registerFleet>>

beforeAll(async () => {
  api = await startApi()
  const fixture = await makeFixture(api)
  identities = await registerFleet(api.database, { organiseId: fixture.green.id, dny: 0, mqtt: 0, ocpp: 12 })
  worker = await startWorkerProcess(api.config)
  gateway = await startGatewayProcess(api.config)
})
afterAll(async () => {
  await gateway.stop()
  await worker.stop()
})

type Handlers = Parameters<typeof chargePoint>[3]
const noOf = (place: number) => identities[place]?.deviceNo ?? ''
const secretOf = (place: number) => identities[place]?.password ?? ''
const join = (place: number, handlers: Handlers = {}, port = gateway.ocppPort) =>
  chargePoint(port, noOf(place), secretOf(place), handlers)
const rowOf = async (place: number) => {
  const [row] = await api.sql<{ id: string; online: boolean; software_version: string | null; working_ports: number }>(
    'select id, online, software_version, working_ports from device where device_no = $1',
    [noOf(place)],
  )
  if (row === undefined) throw new Error(`no device ${place}`)
  return row
}
const portOf = async (place: number, portNo: number) => {
  const [row] = await api.sql<{
    status: number
    order_no: string | null
    power_dw: number | null
    energy_wh: number | null
  }>(
    'select p.status, order_no, power_dw, energy_wh from port p join device d on d.id = p.device_id where device_no = $1 and port_no = $2',
    [noOf(place), portNo],
  )
  return row
}
const recordsOf = (place: number) =>
  api.sql<{ kind: string; content: Record<string, unknown> }>(
    'select r.kind, r.content from device_record r join device d on d.id = r.device_id where device_no = $1 order by r.received_at',
    [noOf(place)],
  )
const isOnline = (place: number) => until(async () => (await rowOf(place)).online || undefined)
const status = (connectorId: number, word: string) => ({ connectorId, errorCode: 'NoError', status: word })
const meter = (transactionId: number, wh: number, watts: number) => ({
  connectorId: 1,
  transactionId,
  meterValue: [
    {
      timestamp: new Date().toISOString(),
      sampledValue: [
        { value: String(wh), measurand: 'Energy.Active.Import.Register', unit: 'Wh' },
        { value: String(watts), measurand: 'Power.Active.Import', unit: 'W' },
      ],
    },
  ],
})
const beginning = (idTag: string, meterStart = 1000) => ({
  connectorId: 1,
  idTag,
  meterStart,
  timestamp: new Date(Date.now() - 60_000).toISOString(),
})
const accept = () => ({ status: 'Accepted' })
let serial = 0
const newOrder = () => `${Date.now()}${String(++serial).padStart(7, '0')}`

const { code } = commandStatus
/** Inserts a command like the api; a worker sends it. */
async function sendCommand(place: number, command: DeviceCommand, aliveS = 60): Promise<string> {
  const [insertedRow] = await api.sql<{ id: string }>(
    `insert into device_command (organise_id, device_id, kind, content, when_offline, expires_at, issued_by)
     select organise_id, id, $2, $3, 2, now() + make_interval(secs => $4), '张伟' from device where device_no = $1 returning id`,
    [noOf(place), command.kind, JSON.stringify(command), aliveS],
  )
  return insertedRow?.id ?? ''
}
const outcome = (id: string) =>
  until(async () => {
    const [row] = await api.sql<{ status: number; reason: string | null; result: Reply | null }>(
      'select status, reason, result from device_command where id = $1 and ended_at is not null',
      [id],
    )
    return row
  })

describe('third-party charge point', () => {
  it('boots, comes online, charges by command, and its stop is answered after the commit', async () => {
    const started: unknown[] = []
    const point = await join(0, {
      RemoteStartTransaction: (payload) => {
        started.push(payload)
        return accept()
      },
    })
    expect(await point.boot()).toMatchObject({ status: 'Accepted', interval: 300 })
    await point.call('StatusNotification', status(1, 'Preparing'))
    await isOnline(0)
    await until(async () => (await rowOf(0)).software_version === '3.1' || undefined)
    await until(async () => (await portOf(0, 1))?.status === 5 || undefined)

    const orderNo = newOrder()
    const id = await sendCommand(0, { kind: 'startPort', port: 1, orderNo, limit: { by: 'full' } })
    expect(await outcome(id)).toMatchObject({ status: code.done, result: { port: 1, orderNo } })
    expect(started).toEqual([{ connectorId: 1, idTag: orderNo }])

    // Some charge points authorise every start, including ordered ones.
    expect(await point.call('Authorize', { idTag: orderNo })).toEqual({ idTagInfo: { status: 'Accepted' } })
    const start = beginning(orderNo)
    const begun = await point.call('StartTransaction', start)
    expect(begun).toMatchObject({ idTagInfo: { status: 'Accepted' } })
    const transactionId = Number(begun['transactionId'])
    // A resend after a lost answer: the charge keeps its number.
    expect(await point.call('StartTransaction', start)).toEqual(begun)
    await point.call('StatusNotification', status(1, 'Charging'))
    await point.call('MeterValues', meter(transactionId, 1750, 6900))
    await until(async () => (await portOf(0, 1))?.power_dw === 69_000 || undefined)
    expect(await portOf(0, 1)).toMatchObject({ status: 2, order_no: orderNo, energy_wh: 750 })

    // The worker is paused, not restarted: a gateway closes the connection when a commit takes too long.
    worker.child.kill('SIGSTOP')
    let answer: unknown
    const stop = { transactionId, meterStop: 2500, timestamp: new Date().toISOString(), reason: 'Remote' }
    const stopping = point.call('StopTransaction', stop).then((reply) => {
      answer = reply
    })
    await new Promise((resume) => setTimeout(resume, 2000))
    expect(answer).toBeUndefined()
    worker.child.kill('SIGCONT')
    await stopping
    expect(await recordsOf(0)).toMatchObject([
      { kind: 'started', content: { orderNo, transactionId, port: 1, meterWh: 1000 } },
      {
        kind: 'settlement',
        content: { orderNo, port: 1, energyWh: 1500, maxPowerDw: 69_000, stopReason: { name: 'remote' } },
      },
    ])
    await point.close()
    await until(async () => !(await rowOf(0)).online || undefined)
  })

  it('settles on another gateway, and an unknown stop is stored', async () => {
    const point = await join(1)
    await point.boot()
    const begun = await point.call('StartTransaction', beginning('04A2B3C4', 500))
    // The card is unknown: the charge point may end the charge, and its start is stored nevertheless.
    expect(begun).toMatchObject({ idTagInfo: { status: 'Invalid' } })
    const transactionId = Number(begun['transactionId'])
    await point.close()
    const other = await startGatewayProcess(api.config)
    const again = await join(1, {}, other.ocppPort)
    const timestamp = new Date().toISOString()
    expect(await again.call('StopTransaction', { transactionId, meterStop: 900, timestamp })).toEqual({})
    expect(await again.call('StopTransaction', { transactionId: -1, meterStop: 7, timestamp })).toEqual({})
    expect(await recordsOf(1)).toMatchObject([
      { kind: 'started', content: { card: '04a2b3c4' } },
      { kind: 'settlement', content: { orderNo: `T${transactionId}`, card: '04a2b3c4', energyWh: 400 } },
      { kind: 'strayStop', content: { transactionId: -1, meterWh: 7 } },
    ])
    await again.close()
    await other.stop()
  })

  it('is stopped at the limit of its order, even through another gateway', async () => {
    const stopped: unknown[] = []
    const handlers = {
      RemoteStartTransaction: accept,
      RemoteStopTransaction: (payload: Reply) => {
        stopped.push(payload)
        return accept()
      },
    }
    const point = await join(2, handlers)
    await point.boot()
    await isOnline(2)
    const orderNo = newOrder()
    const limit = { by: 'energy', energyWh: 2000 } as const
    await outcome(await sendCommand(2, { kind: 'startPort', port: 1, orderNo, limit }))
    await point.close()
    const other = await startGatewayProcess(api.config)
    const again = await join(2, handlers, other.ocppPort)
    const begun = await again.call('StartTransaction', beginning(orderNo))
    expect(begun).toMatchObject({ idTagInfo: { status: 'Accepted' } })
    const transactionId = Number(begun['transactionId'])
    await again.call('MeterValues', meter(transactionId, 2900, 6900))
    await again.call('Heartbeat', {})
    expect(stopped).toEqual([])
    await again.call('MeterValues', meter(transactionId, 3000, 6900))
    await until(() => Promise.resolve(stopped[0]))
    await again.call('Heartbeat', {})
    expect(stopped).toEqual([{ transactionId }])
    await again.close()
    await other.stop()
  })

  it('raises one alarm for a repeated fault', async () => {
    const point = await join(3)
    await point.boot()
    const fault = { ...status(1, 'Faulted'), errorCode: 'GroundFailure' }
    await point.call('StatusNotification', fault)
    await point.call('StatusNotification', fault)
    const events = await until(async () => {
      const rows = await api.sql<{ kind: string }>(
        "select kind from device_event where device_id = $1 and kind in ('alarm', 'portStatus')",
        [(await rowOf(3)).id],
      )
      return rows.length >= 2 ? rows.map(({ kind }) => kind).toSorted() : undefined
    })
    expect(events).toEqual(['alarm', 'portStatus'])
    await point.close()
  })
})

describe('command', () => {
  it('is recorded as executed once, refused or unanswered', async () => {
    const resets: unknown[] = []
    let starts = 0
    const silent = new Promise<never>(() => undefined)
    const point = await join(4, {
      Reset: (payload) => {
        resets.push(payload)
        return { status: resets.length === 1 ? 'Accepted' : 'Rejected' }
      },
      ChangeAvailability: () => ({ status: 'Scheduled' }),
      ChangeConfiguration: ({ key }) => ({ status: key === 'HeartbeatInterval' ? 'RebootRequired' : 'NotSupported' }),
      GetConfiguration: () => ({
        configurationKey: [{ key: 'HeartbeatInterval', readonly: false, value: '300' }],
        unknownKey: ['Nothing'],
      }),
      RemoteStartTransaction: () => {
        starts += 1
        return silent
      },
    })
    await point.boot()
    await isOnline(4)
    const runCommand = async (command: DeviceCommand) => outcome(await sendCommand(4, command))
    expect(await runCommand({ kind: 'restart' })).toMatchObject({ status: code.done })
    expect(await runCommand({ kind: 'restart', force: true })).toMatchObject({
      status: code.refused,
      reason: 'unknown',
    })
    expect(resets).toEqual([{ type: 'Soft' }, { type: 'Hard' }])
    expect(await runCommand({ kind: 'stop' })).toMatchObject({ status: code.done })
    expect(await runCommand({ kind: 'writeAttributes', values: { heartbeatInterval: 60 } })).toMatchObject({
      status: code.done,
      result: { restartNeeded: true },
    })
    expect(
      await runCommand({ kind: 'writeAttributes', values: { heartbeatInterval: 60, floatTime: 1 } }),
    ).toMatchObject({
      status: code.refused,
      reason: 'unsupported',
    })
    expect(await runCommand({ kind: 'readAttributes', identifiers: ['heartbeatInterval', 'nothing'] })).toMatchObject({
      status: code.done,
      result: { attributes: { heartbeatInterval: 300 } },
    })
    // This charge point has no handler for TriggerMessage.
    expect(await runCommand({ kind: 'query' })).toMatchObject({ status: code.refused, reason: 'unsupported' })
    expect(await runCommand({ kind: 'setClock', atS: 1 })).toMatchObject({ status: code.failed, reason: 'unsupported' })
    expect(await runCommand({ kind: 'stopPort', port: 1, orderNo: newOrder() })).toMatchObject({
      status: code.refused,
      reason: 'notCharging',
    })
    expect(await outcome(await sendCommand(4, { kind: 'restart' }, -1))).toMatchObject({ reason: 'expired' })
    const start = { kind: 'startPort', port: 1, orderNo: newOrder(), limit: { by: 'full' } } as const
    const unanswered = await outcome(await sendCommand(4, start))
    expect(unanswered).toMatchObject({ status: code.timedOut, reason: 'noAnswer' })
    expect(resets).toHaveLength(2)
    const lostCommandId = await sendCommand(4, { ...start, orderNo: newOrder() })
    await until(() => Promise.resolve(starts === 2 || undefined))
    await point.close()
    expect(await outcome(lostCommandId)).toMatchObject({ status: code.timedOut, reason: 'lineLost' })
    await until(async () => !(await rowOf(4)).online || undefined)
    expect(await runCommand({ kind: 'restart' })).toMatchObject({ status: code.failed, reason: 'offline' })
  })
})

describe('connection', () => {
  it('answers each violation with its error code, stores the frame, and closes after many', async () => {
    const connection = await rawConnection(gateway.ocppPort, noOf(5), secretOf(5))
    expect(await connection.ask('[2,"a","Fly",{}]')).toEqual([4, 'a', 'NotImplemented', 'action Fly is not known', {}])
    const errorOf = async (frame: string) => (await connection.ask(frame)).slice(0, 3)
    expect(await errorOf('[2,"b","Reset",{"type":"Soft"}]')).toEqual([4, 'b', 'NotSupported'])
    expect(await errorOf('[2,"c","Heartbeat"]')).toEqual([4, 'c', 'ProtocolError'])
    expect(await errorOf('[2,"d","Heartbeat",{"x":1}]')).toEqual([4, 'd', 'FormationViolation'])
    expect(await errorOf('[2,"e","Authorize",{}]')).toEqual([4, 'e', 'OccurrenceConstraintViolation'])
    expect(await errorOf('[2,"f","Authorize",{"idTag":7}]')).toEqual([4, 'f', 'TypeConstraintViolation'])
    const long = JSON.stringify([2, 'g', 'Authorize', { idTag: 'x'.repeat(21) }])
    expect(await errorOf(long)).toEqual([4, 'g', 'PropertyConstraintViolation'])
    // No answer is possible, and the connection stays open.
    for (const frame of ['garbage', '[9]', '[3,"nobody",{}]']) connection.socket.send(frame)
    expect(await connection.ask('[2,"h","Heartbeat",{}]')).toMatchObject([3, 'h', {}])
    const frame = await until(async () => {
      const [row] = await api.sql<{ frame: Buffer }>(
        "select frame from device_message where device_id = $1 and kind = 'unreadable' and content ->> 'reason' like 'Property%'",
        [(await rowOf(5)).id],
      )
      return row?.frame.toString()
    })
    expect(frame).toBe(long)
    for (let count = 0; count < 30; count++) connection.socket.send('garbage')
    await until(() => Promise.resolve(connection.closed()))
    expect(connection.closed()).toBe(1002)
  })

  it('is closed by an oversized frame', async () => {
    const connection = await rawConnection(gateway.ocppPort, noOf(5), secretOf(5))
    connection.socket.send(`[2,"a","DataTransfer",{"vendorId":"x","data":"${'x'.repeat(70_000)}"}]`)
    expect(await until(() => Promise.resolve(connection.closed()))).toBe(1009)
  })

  it('is closed when its charge point opens another one', async () => {
    const first = await rawConnection(gateway.ocppPort, noOf(6), secretOf(6))
    const second = await rawConnection(gateway.ocppPort, noOf(6), secretOf(6))
    expect(await until(() => Promise.resolve(first.closed()))).toBe(4000)
    expect(await second.ask('[2,"a","Heartbeat",{}]')).toMatchObject([3, 'a', {}])
    await isOnline(6)
    second.socket.terminate()
  })
})

describe('simulated charge points', () => {
  const habits = { ...realHabits, heartbeatMs: 2000, reportMs: 1000, resendMs: 1000, idleMs: 0 }
  it('settle each charge once although they lose their connections', async () => {
    const fleet = startFleet({
      identities: identities.slice(7, 10),
      habits,
      faults: { ...noFaults, drop: 0.02, duplicate: 0.1, garbage: 0.1 },
      seed: 1,
      ocpp: { urls: [`ws://127.0.0.1:${gateway.ocppPort}`] },
      connectsPerSecond: 1000,
    })
    for (const place of [7, 8, 9]) await isOnline(place)
    for (const device of fleet.devices) for (const port of [1, 2]) device.plugIn(port, Date.now())
    await until(async () => (await rowOf(7)).working_ports === 2 || undefined)
    fleet.storm()
    for (const device of fleet.devices) for (const port of [1, 2]) device.finish(port, Date.now())
    await until(() => Promise.resolve(fleet.unacked() === 0 || undefined))
    for (const place of [7, 8, 9]) {
      const kinds = (await recordsOf(place)).map(({ kind }) => kind).toSorted()
      expect(kinds).toEqual(['settlement', 'settlement', 'started', 'started'])
    }
    const [sim] = fleet.devices
    await until(() => Promise.resolve(sim?.up === true || undefined))
    expect(await outcome(await sendCommand(7, { kind: 'restart' }))).toMatchObject({ status: code.done })
    expect(sim?.restarts).toBe(1)
    fleet.stop()
  })
})
