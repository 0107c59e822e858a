import { openCharging } from '@wattdeck/contract/open/open-charging.ts'
import { orderReview } from '@wattdeck/contract/order/order-review.ts'
import { alarmCenter } from '@wattdeck/contract/product/alarm-center.ts'
import type { DeviceEvent } from '@wattdeck/device-protocol/message.ts'
import { plugStatus } from '@wattdeck/device-protocol/plug-status.ts'
import type { OpenClient } from '@wattdeck/open-client/open-client.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { registerFleet } from '../../../tools/demo/fleet-data.ts'
import { startApi, type TestApi } from '../../server/test/harness/api.ts'
import { makeOpenApp, makePayer } from '../../server/test/fixtures/charging.ts'
import { orderMenus } from '../../server/test/fixtures/orders.ts'
import { type Actor, makePerson, makeFixture, type Fixture } from '../../server/test/harness/people.ts'
import { startGatewayProcess, startWorkerProcess } from '../../server/test/harness/process.ts'
import { byEnergy, makeTariff } from '../../server/test/fixtures/tariffs.ts'
import { until } from '../../server/test/harness/until.ts'
import { openSocket } from './dny-socket.ts'
import { openPile } from './ykc-pile.ts'

/**
 * A laptop that uses the number of an unauthenticated device must neither replace the device nor settle its charges.
 */
let api: TestApi
let fixture: Fixture
let operator: Actor
let client: OpenClient
let worker: Awaited<ReturnType<typeof startWorkerProcess>>
let gateways: Awaited<ReturnType<typeof startGatewayProcess>>[]
let identities: Awaited<ReturnType<typeof registerFleet>>
const dnyCount = 8

beforeAll(async () => {
  api = await startApi()
  fixture = await makeFixture(api)
  const { id: organiseId, siteId } = fixture.green
  const menus = [...orderMenus, '4', '4.1', '4.1.7']
  operator = await makePerson(api, { organiseId, loginName: 'green_watch', menus })
  client = await makeOpenApp(api, organiseId)
  identities = await registerFleet(api.database, { organiseId, siteId, mqtt: 0, dny: dnyCount, ykc: 1 })
  const devices = await api.sql<{ id: string }>("select id from device where adapter = 'dny'")
  await makeTariff(api, { organiseId, rules: { ...byEnergy, minFeeFen: 0 }, deviceIds: devices.map(({ id }) => id) })
  worker = await startWorkerProcess(api.config)
  // Long enough for a responsive device on a busy machine.
  gateways = await Promise.all([1, 2].map(() => startGatewayProcess(api.config, { LINE_PROBE_MS: '4000' })))
})
afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.stop()))
  await worker.stop()
})

type Habits = Parameters<typeof openSocket>[2]
const socketAt = (gateway: number, place: number, habits?: Habits) =>
  openSocket(gateways[gateway]?.dnyPort ?? 0, identities[place]?.wireId ?? '', habits)
const deviceAt = async (place: number) => {
  const [row] = await api.sql<{ id: string; online: boolean; deviceNo: string }>(
    'select id, online, device_no as "deviceNo" from device where device_no = $1',
    [identities[place]?.deviceNo],
  )
  if (row === undefined) throw new Error('no device')
  return row
}
const isOnline = (place: number) => until(async () => (await deviceAt(place)).online || undefined)
const messagesOf = async (place: number, kind: string) =>
  api.sql('select id from device_message where device_id = $1 and kind = $2', [(await deviceAt(place)).id, kind])
const connections = async (place: number) => (await messagesOf(place, 'connected')).length

/**
 * Connects the real, responsive device. The database may still show it online from a connection of the previous test.
 */
async function ownConnection(place: number, gateway = 0) {
  const before = await connections(place)
  const connection = socketAt(gateway, place, { isAwake: true })
  connection.beat()
  await until(async () => (await connections(place)) > before || undefined)
  await isOnline(place)
  return connection
}
const alarmsOf = async (place: number) => {
  const { deviceNo } = await deviceAt(place)
  const { data } = await api.call(operator.token, alarmCenter.list, { query: { keyword: deviceNo } as never })
  return data.rows
}
const impostorAlarm = (place: number, word: string) =>
  until(async () =>
    (await alarmsOf(place)).find(({ kind, detail }) => kind === 15 && String(detail['word']).includes(word)),
  )

/** Starts a paid charge at the device. */
async function charge(place: number) {
  const memberId = await makePayer(api, fixture.green.id, 1000n)
  const { deviceNo } = await deviceAt(place)
  const body = { memberId, deviceNo, portNo: '1', limitBy: '4' } as never
  const { orderNo } = await client.call(openCharging.start, { body })
  await becomes(orderNo, 2)
  // Backdates the start, so that the figures are plausible.
  await api.sql("update charging_order set started_at = now() - interval '30 minutes' where id = $1", [orderNo])
  return { orderNo, memberId }
}
const order = (orderNo: string) => client.call(openCharging.order, { params: { orderNo } })
const becomes = (orderNo: string, status: number) =>
  until(async () => {
    const current = await order(orderNo)
    return current.status === status ? current : undefined
  })
const bill = (orderNo: string, energyWh: number, durationS = 1800): DeviceEvent => ({
  kind: 'settlement',
  port: 1,
  orderNo,
  durationS,
  energyWh,
  maxPowerDw: 5000,
  stopReason: { name: 'full', raw: 1 },
  deviceTimeS: Math.floor(Date.now() / 1000),
})
const report = (orderNo: string, energyWh: number): DeviceEvent => ({
  kind: 'portReport',
  port: 1,
  orderNo,
  status: plugStatus.say('dny', 'working'),
  powerDw: 5000,
  durationS: 1800,
  energyWh,
})
const reviewsOf = async (place: number) => {
  const { deviceNo } = await deviceAt(place)
  const { data } = await api.call(operator.token, orderReview.list, { query: { deviceNo } as never })
  return data.rows
}

describe('second connection of a responsive device', () => {
  it('is refused at this gateway and at another, and raises an alarm', async () => {
    const own = await ownConnection(0)
    for (const gateway of [0, 1]) {
      const laptop = socketAt(gateway, 0)
      laptop.beat()
      await laptop.closes()
      expect(laptop.received).toEqual([])
    }
    expect(await impostorAlarm(0, '127.0.0.1')).toMatchObject({ kind: 15, status: 1 })
    expect([own.isOpen(), await connections(0)]).toEqual([true, 1])
    own.end()
  })

  it('is closed when it was admitted before the workers knew the first connection', async () => {
    const own = await ownConnection(0)
    // Simulates that the `connected` message of the first connection has not arrived yet.
    await api.sql('update device set online = false where device_no = $1', [identities[0]?.deviceNo])
    const laptop = socketAt(1, 0, { isAwake: true })
    laptop.beat()
    await laptop.closes()
    expect(own.isOpen()).toBe(true)
    own.end()
  })

  it('of a pile is refused like an unknown pile', async () => {
    const place = dnyCount
    const pileNo = identities[place]?.wireId ?? ''
    const pile = openPile(gateways[0]?.ykcPort ?? 0, pileNo)
    await pile.login()
    await isOnline(place)
    const beats = setInterval(() => pile.say({ kind: 'heartbeat', ports: [], port: 1 }), 200)
    const laptop = openPile(gateways[1]?.ykcPort ?? 0, pileNo)
    laptop.say({ kind: 'register', firmware: 'x', portCount: 2 })
    expect([...(await laptop.waitForFrame(0x02)).body].at(-1)).toBe(1)
    await laptop.closes()
    expect(await impostorAlarm(place, '同一编号')).toBeDefined()
    expect(await connections(place)).toBe(1)
    clearInterval(beats)
    pile.end()
  })

  it('settles nothing, and the bill of the real device goes to review', async () => {
    const own = await ownConnection(1)
    const { orderNo } = await charge(1)
    const laptop = socketAt(1, 1)
    laptop.say(bill(orderNo, 0, 0), 7)
    await laptop.closes()
    await impostorAlarm(1, '同一编号')
    expect((await order(orderNo)).status).toBe(2)
    own.say(bill(orderNo, 400), 9)
    await becomes(orderNo, 5)
    expect(await reviewsOf(1)).toMatchObject([{ id: orderNo, reviewReasons: ['contested'], energyDwh: 4000 }])
    own.end()
  })
})

describe('restarted device', () => {
  it('is admitted at any gateway although its old connection is still open', async () => {
    const silent = socketAt(0, 2)
    silent.beat()
    await isOnline(2)
    const back = socketAt(0, 2)
    back.beat()
    await silent.closes()
    await until(async () => (await connections(2)) === 2 || undefined)
    const elsewhere = socketAt(1, 2)
    elsewhere.beat()
    await back.closes()
    await until(async () => (await connections(2)) === 3 || undefined)
    expect([elsewhere.isOpen(), await messagesOf(2, 'contested')]).toEqual([true, []])
    elsewhere.end()
  })
})

describe('false bill from a laptop while the device is offline', () => {
  it('is contradicted by the device: its charge is stopped, and its true bill goes to review', async () => {
    const own = await ownConnection(3)
    const { orderNo, memberId } = await charge(3)
    own.end()
    await until(async () => !(await deviceAt(3)).online || undefined)
    const laptop = socketAt(0, 3)
    laptop.say(bill(orderNo, 0, 0), 7)
    expect((await becomes(orderNo, 3)).total).toBe('0.00')
    laptop.end()
    await until(async () => !(await deviceAt(3)).online || undefined)

    await api.sql("update charging_order set settled_at = settled_at - interval '1 minute' where id = $1", [orderNo])
    const back = await ownConnection(3)
    back.say(report(orderNo, 300), 11)
    await until(() => Promise.resolve(back.commands.find(({ kind }) => kind === 'stopPort')))
    expect(await impostorAlarm(3, '仍在充电')).toBeDefined()
    back.say(bill(orderNo, 400), 12)
    const [rival] = await until(async () => {
      const rows = await reviewsOf(3)
      return rows.length > 0 ? rows : undefined
    })
    expect(rival).toMatchObject({ energyDwh: 4000, rivals: [{ id: orderNo, energyDwh: 0, total: '0.00', status: 3 }] })
    expect(rival?.reviewReasons).toContain('contradicts')
    expect(await impostorAlarm(3, '两份不同的账单')).toBeDefined()

    // The device resends its bill, which adds nothing new.
    back.say({ ...bill(orderNo, 400), deviceTimeS: Math.floor(Date.now() / 1000) + 60 } as DeviceEvent, 13)
    await until(async () => (await messagesOf(3, 'settlement')).length === 3 || undefined)
    await until(async () => (await api.sql('select from charge_news')).length === 0 || undefined)
    expect(await reviewsOf(3)).toHaveLength(1)

    const id = rival?.id ?? ''
    const { data: options } = await api.call(operator.token, orderReview.options, { params: { id } })
    const device = options.find(({ choice }) => choice === 'device')
    expect(device).toMatchObject({ problem: null, energyDwh: 4000, newHold: true })
    const body = { id, choice: 'device', total: device?.total, reason: '设备账单属实' } as never
    expect((await api.call(operator.token, orderReview.decide, { body })).status).toBe(200)
    const { balance } = await client.call(openCharging.member, { params: { memberId } })
    expect(Number(balance)).toBeCloseTo(10 - Number(device?.total), 2)
    expect(await api.sql('select * from app.ledger_breaks() union all select * from app.order_breaks()')).toEqual([])
    back.end()
  })

  it('below the reported energy goes to review', async () => {
    const own = await ownConnection(4)
    const { orderNo } = await charge(4)
    own.say(report(orderNo, 300), 3)
    await until(async () => (await api.sql('select from charge_sample where order_id = $1', [orderNo])).length > 0)
    own.end()
    await until(async () => !(await deviceAt(4)).online || undefined)
    const laptop = socketAt(0, 4)
    laptop.say(bill(orderNo, 0), 7)
    await becomes(orderNo, 5)
    expect(await reviewsOf(4)).toMatchObject([{ id: orderNo, reviewReasons: ['backwards'] }])
    laptop.end()
  })

  it('cannot be charged twice: the second bill waits until the first is refunded', async () => {
    const own = await ownConnection(5)
    const { orderNo } = await charge(5)
    own.say(bill(orderNo, 300), 3)
    const { total } = await becomes(orderNo, 3)
    own.say(bill(orderNo, 400), 4)
    const [rival] = await until(async () => {
      const rows = await reviewsOf(5)
      return rows.length > 0 ? rows : undefined
    })
    const { data } = await api.call(operator.token, orderReview.options, { params: { id: rival?.id ?? '' } })
    expect(data.map(({ choice, problem }) => [choice, problem])).toEqual([
      ['device', `同一次充电已按订单 ${orderNo} 收费，请先退款`],
      ['sample', '没有可信的上报读数'],
      ['release', null],
    ])
    expect((await order(orderNo)).total).toBe(total)
    own.end()
  })
})

describe('source address', () => {
  const knock = async (port: number, wireId: string, localAddress: string) => {
    const socket = openSocket(port, wireId, { localAddress })
    socket.beat()
    return socket
  }

  it('is blocked after twenty unknown numbers and cannot detect devices', async () => {
    const own = await ownConnection(6)
    const port = gateways[0]?.dnyPort ?? 0
    const refused = async () => {
      const metrics = await (await fetch(`${gateways[0]?.admin}/metrics`)).text()
      return Number(/gateway_refused_sockets_total\{reason="strangers"\} (\d+)/.exec(metrics)?.[1] ?? 0)
    }
    for (let number = 0; number < 200; number++) {
      const wireId = number === 150 ? identities[6]?.wireId : `0A${number.toString(16).padStart(6, '0')}`
      const socket = await knock(port, wireId ?? '', '127.0.0.77')
      await socket.closes()
      expect(socket.received).toEqual([])
    }
    expect(await refused()).toBe(180)
    // Other clients are served, and the real device was not probed.
    expect([own.isOpen(), await messagesOf(6, 'contested')]).toEqual([true, []])
    own.end()
  })

  it('is refused outside the listed networks or with too many sockets', async () => {
    const env = { DEVICE_NETWORKS: '127.0.0.2/32,fd00::/8', MAX_SOCKETS_PER_ADDRESS: '2' }
    const door = await startGatewayProcess(api.config, env)
    const stranger = await knock(door.dnyPort, identities[7]?.wireId ?? '', '127.0.0.1')
    await stranger.closes()
    const device = await knock(door.dnyPort, identities[7]?.wireId ?? '', '127.0.0.2')
    await isOnline(7)
    const second = await knock(door.ykcPort, identities[7]?.wireId ?? '', '127.0.0.2')
    const third = await knock(door.dnyPort, identities[7]?.wireId ?? '', '127.0.0.2')
    await third.closes()
    expect(device.isOpen()).toBe(true)
    device.end()
    second.end()
    await door.stop()
  })
})
