import { jetstreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { deviceBus } from '@wattdeck/contract/events/device-bus.ts'
import { commandStatus, deviceCommand } from '@wattdeck/contract/product/device-command.ts'
import type { DeviceCommand, DeviceEvent } from '@wattdeck/device-protocol/message.ts'
import { plugStatus } from '@wattdeck/device-protocol/plug-status.ts'
import { makeFrame } from '@wattdeck/device-protocol/ykc/frame.ts'
import { orderSerial } from '@wattdeck/device-protocol/ykc/serial.ts'
import { ykcTiming } from '@wattdeck/device-protocol/ykc/timing.ts'
import { encodeUp } from '@wattdeck/device-protocol/ykc/up-written.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { realHabits } from '../../simulator/src/habits.ts'
import { noFaults } from '../../simulator/src/faults.ts'
import { startFleet } from '../../simulator/src/fleet.ts'
import { startApi, type TestApi } from '../../server/test/harness/api.ts'
import { makePerson, makeFixture, type Fixture } from '../../server/test/harness/people.ts'
import { byClock, makeTariff } from '../../server/test/fixtures/tariffs.ts'
import { startGatewayProcess, startWorkerProcess } from '../../server/test/harness/process.ts'
import { until } from '../../server/test/harness/until.ts'
import { registerFleet } from '../../../tools/demo/fleet-data.ts'
import { asSuperuser } from '../../../tools/ops/database.ts'
import { openPile } from './ykc-pile.ts'

/** YKC piles, through gateway, stream and worker to the database, and commands in the other direction. */
let api: TestApi
let fixture: Fixture
let worker: Awaited<ReturnType<typeof startWorkerProcess>>
let gateway: Awaited<ReturnType<typeof startGatewayProcess>>
let identities: Awaited<ReturnType<typeof registerFleet>>
let bus: NatsConnection

beforeAll(async () => {
  api = await startApi()
  fixture = await makeFixture(api)
  identities = await registerFleet(api.database, { organiseId: fixture.green.id, dny: 0, mqtt: 0, ykc: 17 })
  worker = await startWorkerProcess(api.config)
  gateway = await startGatewayProcess(api.config)
  bus = await connect({ servers: api.config.natsUrl })
})
afterAll(async () => {
  await bus.close()
  await gateway.stop()
  await worker.stop()
})

const noOf = (place: number) => identities[place]?.deviceNo ?? ''
type Row = { id: string; online: boolean; software_version: string | null; working_ports: number; fault_ports: number }
const deviceOf = async (place: number): Promise<Row> => {
  const [row] = await api.sql<Row>('select * from device where device_no = $1', [noOf(place)])
  if (row === undefined) throw new Error('no such device')
  return row
}
const becomes = (place: number, is: (row: Row) => boolean) =>
  until(async () => {
    const row = await deviceOf(place)
    return is(row) ? row : undefined
  })
type Content = { kind: string; commandId?: string }
const messagesOf = async (place: number, kind: string) => {
  const rows = await api.sql<{ content: Content; frame: Buffer | null }>(
    'select content, frame from device_message where device_id = $1 and kind = $2 order by id',
    [(await deviceOf(place)).id, kind],
  )
  return rows
}
const recordsOf = async (place: number) =>
  api.sql<{ kind: string; content: Record<string, unknown> }>('select * from device_record where device_id = $1', [
    (await deviceOf(place)).id,
  ])
/** The answer to a later frame shows that the gateway has processed all earlier frames of the pile. */
async function exchangeHeartbeat(pile: ReturnType<typeof openPile>) {
  const answers = pile.ofType(0x04).length
  pile.say({ kind: 'heartbeat', ports: [], port: 1 })
  await pile.waitForFrame(0x04, answers + 1)
}
/** Starts a worker while the pile sends its heartbeats: the gateway closes the connection of a silent pile. */
async function startWorkerBesides(pile: ReturnType<typeof openPile>) {
  const beats = setInterval(() => pile.say({ kind: 'heartbeat', ports: [], port: 1 }), ykcTiming.heartbeatMs)
  worker = await startWorkerProcess(api.config).finally(() => clearInterval(beats))
}
/** Waits for a published message that contains the text. Without a worker it stays in the stream. */
const isPublished = (text: string) =>
  until(async () => {
    const { streams } = await jetstreamManager(bus)
    const stream = deviceBus.stream(api.config.prefix)
    const { first_seq, last_seq } = (await streams.info(stream)).state
    for (let seq = last_seq; seq >= first_seq; seq--)
      if ((await streams.getMessage(stream, { seq }))?.string().includes(text) === true) return true
    return undefined
  })

/** Connects and logs in a pile, and waits until it is online. */
async function pileAt(place: number) {
  const pile = openPile(gateway.ykcPort, noOf(place))
  await pile.login()
  await becomes(place, ({ online }) => online)
  return pile
}

/** Inserts a command like the platform does, for any kind. */
async function sendCommand(place: number, command: DeviceCommand): Promise<string> {
  const [insertedRow] = await api.sql<{ id: string }>(
    `insert into device_command (organise_id, agent_id, site_id, device_id, kind, content, when_offline, expires_at, issued_by)
     select organise_id, agent_id, site_id, id, $2, $3, 2, now() + interval '60 s', 'test' from device where id = $1 returning id`,
    [(await deviceOf(place)).id, command.kind, JSON.stringify(command)],
  )
  await api.sql("select pg_notify('device_command', '')")
  return insertedRow?.id ?? ''
}
type End = { status: number; reason: string | null }
/** Waits for the end of a command and returns it with the device's result, if any. */
const endOf = (place: number, id: string) =>
  until(async () => {
    const [end] = await api.sql<End>(
      'select status, reason from device_command where id = $1 and ended_at is not null',
      [id],
    )
    if (end === undefined) return undefined
    const result = (await messagesOf(place, 'commandResult')).find(({ content }) => content.commandId === id)
    return { ...result?.content, ...end }
  })
const { done, refused, failed, timedOut } = commandStatus.code
let orders = 0
const orderAt = (place: number, port: number) => orderSerial(noOf(place), port, Date.now(), ++orders)

const report = (port: number, change: Partial<Extract<DeviceEvent, { kind: 'portReport' }>> = {}): DeviceEvent => ({
  kind: 'portReport',
  port,
  status: plugStatus.say('ykc', 'free'),
  powerDw: 0,
  energyWh: 0,
  durationS: 0,
  ...change,
})
const bill = (orderNo: string): DeviceEvent => ({
  kind: 'settlement',
  port: 1,
  orderNo,
  durationS: 1800,
  energyWh: 12_346,
  energyDwh: 123_456,
  amountYuanE4: 161_234,
  deviceTimeS: 1_794_700_000,
  stopReason: { name: 'full', raw: 0x41 },
})

describe('simulated pile', () => {
  it('logs in, is started and stopped by commands, and its bill is committed before the acknowledgement', async () => {
    const fleet = startFleet({
      identities: identities.slice(0, 1),
      habits: { ...realHabits, heartbeatMs: 2000, reportMs: 1000, resendMs: 1000, idleMs: 0 },
      faults: noFaults,
      seed: 1,
      ykc: { host: '127.0.0.1', ports: [gateway.ykcPort] },
      connectsPerSecond: 1000,
    })
    const row = await becomes(0, ({ online }) => online)
    expect(row).toMatchObject({ software_version: '1.26', iccid: identities[0]?.iccid })
    const orderNo = orderAt(0, 2)
    const start = await sendCommand(0, { kind: 'startPort', port: 2, orderNo, limit: { by: 'full' }, balanceFen: 5000 })
    expect(await endOf(0, start)).toMatchObject({ status: done, port: 2, orderNo })
    await becomes(0, ({ working_ports: working }) => working === 1)
    const port = await until(async () => {
      const [one] = await api.sql<{ power_dw: number; order_no: string }>(
        'select power_dw, order_no from port where device_id = $1 and port_no = 2 and power_dw > 0',
        [row.id],
      )
      return one
    })
    expect(port?.order_no).toBe(orderNo)
    const query = await sendCommand(0, { kind: 'query' })
    expect(await endOf(0, query)).toMatchObject({ status: done })
    const stop = await sendCommand(0, { kind: 'stopPort', port: 2, orderNo })
    expect(await endOf(0, stop)).toMatchObject({ status: done })
    await until(() => Promise.resolve(fleet.unacked() === 0 || undefined))
    expect(await recordsOf(0)).toMatchObject([
      { kind: 'settlement', content: { orderNo, stopReason: { name: 'remote' } } },
    ])
    await becomes(0, ({ working_ports: working }) => working === 0)
    const restart = await sendCommand(0, { kind: 'restart' })
    expect(await endOf(0, restart)).toMatchObject({ status: done })
    expect(fleet.devices[0]?.restarts).toBe(1)
    fleet.stop()
    await becomes(0, ({ online }) => !online)
  })
})

describe('connection', () => {
  it('of an unknown pile is refused and closed', async () => {
    const pile = openPile(gateway.ykcPort, '99999999999999')
    expect([...(await pile.login()).body].at(-1)).toBe(1)
    await pile.closes()
  })

  it('without a login is closed, and its frames are ignored', async () => {
    const pile = openPile(gateway.ykcPort, noOf(1))
    pile.say(bill(orderAt(1, 1)))
    await pile.closes()
    expect(pile.received).toEqual([])
    expect(await recordsOf(1)).toEqual([])
  })

  it('cannot send frames of another pile', async () => {
    const pile = await pileAt(2)
    pile.say(bill(orderAt(3, 1)), noOf(3))
    await pile.closes()
    expect(pile.ofType(0x40)).toEqual([])
    const second = await pileAt(2)
    second.say({ kind: 'register', firmware: 'x', portCount: 2 }, noOf(3))
    expect([...(await second.waitForFrame(0x02, 2)).body].at(-1)).toBe(1)
    await second.closes()
    expect([...(await recordsOf(2)), ...(await recordsOf(3)), ...(await messagesOf(3, 'connected'))]).toEqual([])
  })

  it('full of garbage is closed', async () => {
    const pile = openPile(gateway.ykcPort, noOf(1))
    const junk = setInterval(() => pile.write(Buffer.alloc(16 * 1024, 'h\x05x')), 5)
    expect(await pile.closes()).toBe(true)
    clearInterval(junk)
  })

  it('without responses is dropped when its pile opens another one', async () => {
    // The old connection does not respond: the pile restarted without closing it.
    const old = await pileAt(4)
    const fresh = await pileAt(4)
    await old.closes()
    // This heartbeat is stored after the end of the old connection.
    await exchangeHeartbeat(fresh)
    await until(async () => (await messagesOf(4, 'heartbeat')).length > 0 || undefined)
    expect((await deviceOf(4)).online).toBe(true)
    fresh.end()
    await becomes(4, ({ online }) => !online)
  })
})

describe('frame of a pile', () => {
  it('is a heartbeat of a gun, answered for each gun and published once', async () => {
    const pile = await pileAt(5)
    const seqs = [1, 2, 1, 2].map((port) => pile.say({ kind: 'heartbeat', ports: [], port }))
    await pile.waitForFrame(0x04, 4)
    expect(pile.ofType(0x04).map(({ seq }) => seq)).toEqual(seqs)
    await until(async () => (await messagesOf(5, 'heartbeat')).length > 0 || undefined)
    expect(await messagesOf(5, 'heartbeat')).toHaveLength(1)
    expect(await pile.waitForFrame(0x56)).toBeDefined()
    pile.end()
  })

  it('sets the port status, and raises one alarm for an emergency stop', async () => {
    const pile = await pileAt(6)
    const fault = { name: 'fault' as const, raw: 1 }
    const faults = [{ name: 'emergencyStop' as const, raw: 1 }]
    pile.say(report(1, { status: { name: 'connected', raw: 2 } }))
    pile.say(report(2, { status: fault, faults }))
    pile.say(report(2, { status: fault, faults }))
    await becomes(6, (row) => row.fault_ports === 1)
    const { id } = await deviceOf(6)
    const ports = await api.sql<{ status: number }>('select status from port where device_id = $1 order by port_no', [
      id,
    ])
    expect(ports.map(({ status }) => status)).toEqual([5, 3])
    expect(await messagesOf(6, 'alarm')).toMatchObject([{ content: { alarm: { name: 'emergencyStop' }, port: 2 } }])
    pile.say({ kind: 'portStatus', port: 1, status: fault })
    await becomes(6, (row) => row.fault_ports === 2)
    pile.end()
  })

  it('with a settlement is acknowledged after the commit, and stored once despite repeats', async () => {
    const pile = await pileAt(7)
    const orderNo = orderAt(7, 1)
    await worker.kill()
    pile.say(bill(orderNo))
    pile.say(bill(orderNo))
    await isPublished(orderNo)
    await exchangeHeartbeat(pile)
    expect(pile.ofType(0x40)).toEqual([])
    await startWorkerBesides(pile)
    const first = await pile.waitForFrame(0x40, 2)
    expect(Buffer.from(first.body).toString('hex')).toBe(`${orderNo}00`)
    pile.say(bill(orderNo))
    await pile.waitForFrame(0x40, 3)
    expect(await recordsOf(7)).toMatchObject([
      { kind: 'settlement', content: { orderNo, energyDwh: 123_456, energyWh: 12_346, amountYuanE4: 161_234 } },
    ])
    pile.end()
  })

  it('with a settlement is redelivered and acknowledged after its worker died', async () => {
    const pile = await pileAt(16)
    const { id } = await deviceOf(16)
    await asSuperuser(api.database, async (client) => {
      await client.query('begin')
      const held = await client.query<{ pid: number }>(
        'select pg_backend_pid() as pid from device_state where device_id = $1 for update',
        [id],
      )
      pile.say(bill(orderAt(16, 1)))
      // The worker holds the message when it waits for the locked device row.
      const waiters = 'select pid from pg_stat_activity where $1 = any(pg_blocking_pids(pid))'
      await until(async () => (await api.sql(waiters, [held.rows[0]?.pid]))[0])
      await worker.kill()
    })
    await startWorkerBesides(pile)
    // The pile sent it once, so only the stream can redeliver it.
    await pile.waitForFrame(0x40)
    expect(await recordsOf(16)).toHaveLength(1)
    pile.end()
  })

  it('with an unknown card is refused, and its password is stored nowhere', async () => {
    const pile = await pileAt(8)
    const card = '00000000dd058d7a'
    const request = encodeUp(noOf(8), 50, { kind: 'swipe', card, port: 1 })
    const body = request.ok ? [...request.value.body] : []
    body.splice(18, 16, ...Buffer.from('c0ffee00c0ffee00'))
    const frame = makeFrame(50, 0x31, body)
    if (frame.ok) pile.write(frame.value.bytes)
    expect([...(await pile.waitForFrame(0x32)).body].slice(-2)).toEqual([0, 1])
    const [result] = await messagesOf(8, 'swipe')
    expect(result?.content).toMatchObject({ card, port: 1 })
    expect(`${JSON.stringify(result?.content)}${result?.frame?.toString('latin1')}`).not.toContain('c0ffee')
    pile.end()
  })

  it('with another tariff is refused; ours is sent on request and acknowledged by the pile', async () => {
    const pile = await pileAt(9)
    pile.say({ kind: 'tariffAsked', modelNo: 3 })
    expect([...(await pile.waitForFrame(0x06)).body].at(-1)).toBe(1)
    const request = pile.say({ kind: 'tariffAsked' })
    await until(async () => (await messagesOf(9, 'tariffAsked')).length === 2 || undefined)
    expect(pile.ofType(0x0a)).toEqual([])
    const price = { energyYuanE5: 80_000, serviceYuanE5: 40_000 }
    const periods = Array.from({ length: 48 }, () => 0)
    const tariff = { kind: 'setTariff' as const, modelNo: 7, prices: [price], periods, lossPercent: 0 }
    const id = await sendCommand(9, tariff)
    expect((await pile.waitForFrame(0x0a)).seq).toBe(request)
    pile.answer(await pile.waitForFrame(0x58), {})
    expect(await endOf(9, id)).toMatchObject({ status: done })
    const many = await sendCommand(9, { ...tariff, prices: Array.from({ length: 5 }, () => price) })
    expect(await endOf(9, many)).toMatchObject({
      status: refused,
      refusal: { name: 'badValue', raw: '5 prices, a pile knows 4' },
    })
    pile.end()
  })
})

describe('tariff', () => {
  it('reaches the pile when it is published, holds once confirmed, and is resent to a pile with another', async () => {
    const pile = await pileAt(10)
    const { id } = await deviceOf(10)
    const pushed = async () =>
      (
        await api.sql<{ state: number; model_no: number; version_id: string }>(
          'select state, model_no, version_id from tariff_push where device_id = $1',
          [id],
        )
      )[0]
    const agrees = async (modelNo: number) => {
      pile.forget(0x06)
      pile.say({ kind: 'tariffAsked', modelNo })
      return [...(await pile.waitForFrame(0x06)).body].at(-1) === 0
    }
    const first = await makeTariff(api, { organiseId: fixture.green.id, deviceIds: [id] })
    const firstPush = await pile.waitForFrame(0x58)
    expect(await pushed()).toMatchObject({ state: 2, version_id: first.versionId })
    expect(await agrees((await pushed())?.model_no ?? 0)).toBe(false)
    pile.answer(firstPush, {})
    await until(async () => ((await pushed())?.state === 3 ? true : undefined))
    const held = (await pushed())?.model_no ?? 0
    expect(await agrees(held)).toBe(true)
    expect((await pushed())?.state).toBe(3)

    // A new version invalidates the confirmation and gets another number.
    pile.forget(0x58)
    const second = await makeTariff(api, { organiseId: fixture.green.id, rules: byClock, deviceIds: [id] })
    const again = await pile.waitForFrame(0x58)
    expect(await agrees(held)).toBe(false)
    pile.answer(again, {})
    await until(async () => ((await pushed())?.state === 3 ? true : undefined))
    expect(await pushed()).toMatchObject({ version_id: second.versionId, model_no: held + 1 })
    expect(await agrees(held + 1)).toBe(true)

    // The pile lost its tariff: it reports none and receives it again.
    pile.forget(0x58)
    expect(await agrees(0)).toBe(false)
    pile.answer(await pile.waitForFrame(0x58), {})
    await until(async () => ((await pushed())?.state === 3 ? true : undefined))
    pile.end()
  })
})

describe('console operation', () => {
  it('restarts and locks a pile, and refuses a test charge without an end', async () => {
    const menus = ['4', '4.1', '4.1.1', '4.1.2']
    const { token } = await makePerson(api, { organiseId: fixture.green.id, loginName: 'ykc_control', menus })
    const pile = await pileAt(14)
    const deviceId = (await deviceOf(14)).id
    const operate = async (operation: 1 | 2 | 3) => {
      const body = { deviceId, operation, whenOffline: 2 } as const
      return (await api.call(token, deviceCommand.operate, { body })).data.commandId
    }
    const ended = (id: string) =>
      until(async () => {
        const { data } = await api.call(token, deviceCommand.read, { params: { id } })
        return data.endedAt === null ? undefined : data
      })
    const restart = await operate(1)
    pile.answer(await pile.waitForFrame(0x92), {})
    expect(await ended(restart)).toMatchObject({ kind: 'restart', status: 4, reason: null })
    const lock = await operate(2)
    const locked = await pile.waitForFrame(0x52)
    expect([...locked.body].slice(-2)).toEqual([1, 100])
    pile.answer(locked, {})
    expect(await ended(lock)).toMatchObject({ kind: 'stop', status: 4 })
    expect(await api.call(token, deviceCommand.startPort, { body: { deviceId, portNo: 1, minutes: 5 } })).toMatchObject(
      {
        status: 409,
        message: '云快充设备只能按金额结束充电，不能按时长启动测试',
      },
    )
    pile.end()
  })
})

describe('command', () => {
  it('is executed once, or refused by the pile', async () => {
    const pile = await pileAt(10)
    const first = await sendCommand(10, { kind: 'restart' })
    const second = await sendCommand(10, { kind: 'stop' })
    const request = await pile.waitForFrame(0x92)
    const sent = 'select from device_command where id = $1 and status = $2'
    await until(async () => (await api.sql(sent, [second, commandStatus.code.sent])).length > 0 || undefined)
    await exchangeHeartbeat(pile)
    // The next command waits for the previous answer.
    expect(pile.ofType(0x52)).toEqual([])
    pile.answer(request, {})
    expect(await endOf(10, first)).toMatchObject({ status: done, ok: true, carriedOut: true })
    pile.answer(await pile.waitForFrame(0x52), { ok: false })
    expect(await endOf(10, second)).toMatchObject({ status: refused, carriedOut: false })
    expect(pile.ofType(0x92)).toHaveLength(1)
    const change = await sendCommand(10, { kind: 'changePort', port: 1, limit: { by: 'duration', durationS: 60 } })
    expect(await endOf(10, change)).toMatchObject({ status: failed, reason: 'unsupported' })
    pile.end()
  })

  it('without an answer is not retried, and its result is unknown', async () => {
    const pile = await pileAt(11)
    const id = await sendCommand(11, { kind: 'restart' })
    await pile.waitForFrame(0x92)
    const beat = setInterval(() => pile.say({ kind: 'heartbeat', ports: [], port: 1 }), 5000)
    expect(await endOf(11, id)).toMatchObject({ status: timedOut, reason: 'noAnswer' })
    clearInterval(beat)
    expect(pile.ofType(0x92)).toHaveLength(1)
    const lost = await sendCommand(11, { kind: 'restart' })
    await pile.waitForFrame(0x92, 2)
    pile.end()
    expect(await endOf(11, lost)).toMatchObject({ status: timedOut, reason: 'lineLost' })
  })

  it('to start waits for the member to plug in before it is refused', async () => {
    const pile = await pileAt(12)
    const orderNo = orderAt(12, 1)
    const id = await sendCommand(12, { kind: 'startPort', port: 1, orderNo, limit: { by: 'full' }, balanceFen: 2000 })
    const request = await pile.waitForFrame(0x34)
    pile.answer(request, { ok: false, refusal: { name: 'unplugged', raw: 5 }, port: 1, orderNo })
    // The other gun is independent of it.
    const other = orderAt(12, 2)
    const beside = await sendCommand(12, {
      kind: 'startPort',
      port: 2,
      orderNo: other,
      limit: { by: 'full' },
      balanceFen: 2000,
    })
    pile.answer(await pile.waitForFrame(0x34, 2), {
      ok: false,
      refusal: { name: 'portFault', raw: 3 },
      port: 2,
      orderNo: other,
    })
    expect(await endOf(12, beside)).toMatchObject({ status: refused, refusal: { name: 'portFault', raw: 3 } })
    pile.answer(request, { port: 1, orderNo })
    expect(await endOf(12, id)).toMatchObject({ status: done, orderNo })
    const results = await messagesOf(12, 'commandResult')
    expect(results.filter(({ content }) => content.commandId === id)).toHaveLength(1)
    pile.end()
  })

  it('to stop reaches only its own order', async () => {
    const pile = await pileAt(13)
    const [running, other] = [orderAt(13, 1), orderAt(13, 1)]
    const working = report(1, { status: { name: 'working', raw: 3 }, orderNo: running })
    const wrong = await sendCommand(13, { kind: 'stopPort', port: 1, orderNo: other })
    // The gun's order is not known yet, so the pile is queried first.
    await pile.waitForFrame(0x12)
    pile.say(working)
    expect(await endOf(13, wrong)).toMatchObject({ status: refused, reason: 'otherOrder' })
    expect(pile.ofType(0x36)).toEqual([])
    const right = await sendCommand(13, { kind: 'stopPort', port: 1, orderNo: running })
    pile.answer(await pile.waitForFrame(0x36), { port: 1 })
    expect(await endOf(13, right)).toMatchObject({ status: done, port: 1 })
    pile.end()
  })

  it('to stop counts as unsent when the connection is lost during the query before it', async () => {
    const pile = await pileAt(15)
    const id = await sendCommand(15, { kind: 'stopPort', port: 1, orderNo: orderAt(15, 1) })
    await pile.waitForFrame(0x12)
    pile.end()
    expect(await endOf(15, id)).toMatchObject({ status: failed, reason: 'absent' })
  })
})
