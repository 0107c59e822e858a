import { chargingOrder } from '@wattdeck/contract/order/charging-order.ts'
import { consumeOrder } from '@wattdeck/contract/order/consume-order.ts'
import { orderReview } from '@wattdeck/contract/order/order-review.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../server/test/harness/api.ts'
import { cardMoney, makeCard, type TestCard } from '../../server/test/fixtures/cards.ts'
import { orderMenus } from '../../server/test/fixtures/orders.ts'
import { type Actor, makePerson, makeFixture, type Fixture } from '../../server/test/harness/people.ts'
import { startGatewayProcess, startWorkerProcess } from '../../server/test/harness/process.ts'
import { readPdf } from '../../server/test/harness/read-pdf.ts'
import { byEnergy, byTime, makeTariff } from '../../server/test/fixtures/tariffs.ts'
import { until } from '../../server/test/harness/until.ts'
import { type Faults, noFaults } from '../../simulator/src/faults.ts'
import { startFleet } from '../../simulator/src/fleet.ts'
import { realHabits } from '../../simulator/src/habits.ts'
import { registerFleet } from '../../../tools/demo/fleet-data.ts'
import { openSocket } from './dny-socket.ts'
import { chargePoint } from './ocpp-charge-point.ts'

/** Card swipes at simulated devices, through socket, gateway, stream and worker to the card's balance. */
let api: TestApi
let fixture: Fixture
let operator: Actor
let worker: Awaited<ReturnType<typeof startWorkerProcess>>
let gateway: Awaited<ReturnType<typeof startGatewayProcess>>
let identities: Awaited<ReturnType<typeof registerFleet>>
const [dnyCount, ocppCount, ykcCount] = [12, 2, 3]
const ocppAt = dnyCount
const ykcAt = dnyCount + ocppCount

beforeAll(async () => {
  api = await startApi()
  fixture = await makeFixture(api)
  const { id: organiseId, siteId } = fixture.green
  operator = await makePerson(api, { organiseId, loginName: 'green_orders', menus: orderMenus })
  const fleet = { organiseId, siteId, mqtt: 0, dny: dnyCount, ocpp: ocppCount, ykc: ykcCount }
  identities = await registerFleet(api.database, fleet)
  const idsOf = async (...adapters: string[]) =>
    (await api.sql<{ id: string }>('select id from device where adapter = any($1)', [adapters])).map(({ id }) => id)
  // 0.50 yuan per started minute; for cars, the smallest fee that leaves room for the pile's own calculation.
  const minutes = { ...byTime, unitMinutes: 1, tiers: [{ uptoMin: null, priceFen: 50 }] }
  await makeTariff(api, { organiseId, rules: minutes, deviceIds: await idsOf('dny', 'ocpp16') })
  await makeTariff(api, { organiseId, rules: { ...byEnergy, minFeeFen: 5 }, deviceIds: await idsOf('ykc') })
  worker = await startWorkerProcess(api.config)
  gateway = await startGatewayProcess(api.config)
})
afterAll(async () => {
  await gateway.stop()
  await worker.stop()
})

const habits = { ...realHabits, heartbeatMs: 2000, reportMs: 500, resendMs: 1000, idleMs: 0 }
async function fleetOf(places: readonly number[], faults: Partial<Faults> = {}) {
  const place = (port: number) => ({ host: '127.0.0.1', ports: [port] })
  const fleet = startFleet({
    identities: places.flatMap((at) => identities[at] ?? []),
    habits: { ...habits, priceE5: 102_000 },
    faults: { ...noFaults, ...faults },
    seed: 1,
    dny: place(gateway.dnyPort),
    ykc: place(gateway.ykcPort),
    connectsPerSecond: 1000,
  })
  const numbers = places.map((at) => identities[at]?.deviceNo)
  await until(async () => {
    const rows = await api.sql('select id from device where device_no = any($1) and online', [numbers])
    return rows.length === places.length || undefined
  })
  const [device] = fleet.devices
  if (device === undefined) throw new Error('no device')
  return { ...fleet, device }
}
const card = (paidFen = 1000, giftFen = 0) =>
  makeCard(api, { organiseId: fixture.green.id, siteId: fixture.green.siteId, paidFen, giftFen })

type Order = Record<'id' | 'status' | 'start_mode' | 'wire_no', unknown> & { id: string; total: number }
const ordersOf = ({ id }: TestCard) =>
  api.sql<Order>('select *, total_fen::int as total from charging_order where card_id = $1 order by id', [id])
const becomes = (of: TestCard, status: number) =>
  until(async () => (await ordersOf(of)).find((order) => order.status === status))
type Reader = Awaited<ReturnType<typeof fleetOf>>['device']['cards']
const waitForAnswers = (cards: Reader, count = 1) =>
  until(() => Promise.resolve(cards.decisions.length >= count ? cards.decisions : undefined))
const alarms = async (word: string) =>
  api.sql(
    `select from alarm_signal where kind = 14 and detail ->> 'word' = $1 union all
    select from alarm where kind = 14 and detail ->> 'word' = $1`,
    [word],
  )
const inEightBytes = (chip: string) => chip.padStart(16, '0')
const pause = (ms: number) => new Promise((resume) => setTimeout(resume, ms))

describe('card', () => {
  it('starts a charge at a DNY socket, pays with own money first, and appears masked in every view', async () => {
    const { device, stop } = await fleetOf([0])
    const own = await card(30, 970)
    device.cards.swipe(1, own.chip)
    expect(await waitForAnswers(device.cards)).toMatchObject([{ card: own.chip, account: 'good', balanceFen: 1000 }])
    const order = await becomes(own, 2)
    expect(order).toMatchObject({ start_mode: 2, member_id: null, card_no: own.cardNo })
    expect(await cardMoney(api, own)).toEqual({ paid: 0, gift: 0, held: 1000 })
    await until(async () => (await api.sql('select from charge_sample where order_id = $1', [order.id])).length > 1)
    await pause(1500)
    device.finish(1, Date.now())
    const { total } = await becomes(own, 3)
    expect(total).toBeGreaterThanOrEqual(50)
    expect(await cardMoney(api, own)).toEqual({ paid: 0, gift: 1000 - total, held: 0 })
    expect(await api.sql('select * from app.ledger_breaks() union all select * from app.order_breaks()')).toEqual([])
    await showsMasked(order.id, own)
    stop()
  })

  it('starts a YKC pile by the swipe answer alone, and pays the amount of the pile', async () => {
    const { device, stop } = await fleetOf([ykcAt])
    await until(async () => (await api.sql('select from tariff_push where state = 3')).length > 0 || undefined)
    const own = await card(2000)
    device.cards.swipe(1, inEightBytes(own.chip))
    expect(await waitForAnswers(device.cards)).toMatchObject([{ account: 'good', balanceFen: 2000 }])
    const order = await becomes(own, 2)
    expect(order).toMatchObject({ start_mode: 2, command_id: null, wire_no: device.orderAt(1) })
    await pause(1500)
    device.finish(1, Date.now())
    const { total } = await becomes(own, 3)
    expect(total).toBeGreaterThanOrEqual(5)
    expect(await cardMoney(api, own)).toEqual({ paid: 2000 - total, gift: 0, held: 0 })
    expect(await api.sql('select * from app.ledger_breaks() union all select * from app.order_breaks()')).toEqual([])
    stop()
  })

  it('that is lost, cancelled, empty or unknown is refused with the protocol’s status and starts no charge', async () => {
    const fleet = await fleetOf([1, ykcAt + 1])
    const [lostCard, cancelledCard, empty] = [await card(), await card(), await card(0)]
    await api.sql('update stored_card set status = 1 where id = $1', [lostCard.id])
    await api.sql('update stored_card set status = 2 where id = $1', [cancelledCard.id])
    const unknown = '00c0ffee'
    for (const [nth, chip] of [cancelledCard.chip, lostCard.chip, empty.chip, unknown].entries()) {
      for (const { cards, identity } of fleet.devices) {
        cards.swipe(1, identity.adapter === 'ykc' ? inEightBytes(chip) : chip)
        await waitForAnswers(cards, nth + 1)
      }
    }
    const accounts = fleet.devices.map(({ cards }) => cards.decisions.map(({ account }) => account))
    expect(accounts).toEqual([
      ['notRegistered', 'notHere', 'tooLittleMoney', 'notRegistered'],
      ['notRegistered', 'frozen', expect.stringMatching(/tooLittleMoney|notHere/), 'notRegistered'],
    ])
    for (const one of [lostCard, cancelledCard, empty]) expect(await ordersOf(one)).toEqual([])
    expect(await alarms('挂失卡刷卡')).not.toEqual([])
    await expect(api.sql('update stored_card set status = 0 where id = $1', [cancelledCard.id])).rejects.toThrow(
      'cancelled',
    )
    fleet.stop()
  })

  it('of another organisation is refused as unknown', async () => {
    const { device, stop } = await fleetOf([2])
    const foreign = await makeCard(api, { organiseId: fixture.swift.id, paidFen: 1000 })
    device.cards.swipe(1, foreign.chip)
    expect(await waitForAnswers(device.cards)).toMatchObject([{ account: 'notRegistered', balanceFen: 0 }])
    expect(await cardMoney(api, foreign)).toMatchObject({ paid: 1000, held: 0 })
    stop()
  })

  it('whose message is duplicated gets two answers and starts one charge', async () => {
    const { device, stop } = await fleetOf([3], { duplicate: 1 })
    const own = await card()
    device.cards.swipe(1, own.chip)
    expect((await waitForAnswers(device.cards, 2)).map(({ account }) => account)).toEqual(['good', 'good'])
    await becomes(own, 2)
    expect(await ordersOf(own)).toHaveLength(1)
    device.finish(1, Date.now())
    const { total } = await becomes(own, 3)
    expect(await cardMoney(api, own)).toEqual({ paid: 1000 - total, gift: 0, held: 0 })
    stop()
  })

  it('whose message is replayed later is refused with an alarm', async () => {
    const own = await card()
    const wireId = identities[4]?.wireId ?? ''
    const swipe = { kind: 'swipe', card: own.chip, cardKind: 1, balanceFen: 9999, deviceTimeS: 1_790_000_000 } as const
    const play = async () => {
      const socket = openSocket(gateway.dnyPort, wireId)
      socket.say(swipe, 77)
      const answer = await until(() => Promise.resolve(socket.received[0]))
      socket.end()
      return answer
    }
    // The balance in the card's message is ignored.
    expect(await play()).toMatchObject({ account: { name: 'good' }, balanceFen: 1000 })
    await api.sql('update card_swipe set id = id - (120000::bigint << 22) where card_id = $1', [own.id])
    expect(await play()).toMatchObject({ account: { name: 'alreadyCharging' } })
    expect(await alarms('重复的刷卡报文')).not.toEqual([])
  })

  it('swiped at two devices at once starts one charge', async () => {
    const fleet = await fleetOf([5, 6])
    const own = await card()
    for (const { cards } of fleet.devices) cards.swipe(1, own.chip)
    for (const { cards } of fleet.devices) await waitForAnswers(cards)
    const accounts = fleet.devices.map(({ cards }) => cards.decisions[0]?.account ?? '')
    expect(new Set(accounts)).toEqual(new Set(['alreadyCharging', 'good']))
    await becomes(own, 2)
    expect(await ordersOf(own)).toHaveLength(1)
    expect(await alarms('充电中的卡在另一设备刷卡')).not.toEqual([])
    fleet.stop()
  })

  it('that was used too far away a short time ago is refused', async () => {
    const { device, stop } = await fleetOf([7])
    const own = await card()
    const [far] = await api.sql<{ id: string }>(
      `insert into site (organise_id, agent_id, name, lng, lat) values ($1, $2, '上海站', 121.47, 31.23) returning id`,
      [fixture.green.id, fixture.green.agentId],
    )
    await api.sql('update site set lng = 120.15, lat = 30.28 where id = $1', [fixture.green.siteId])
    await api.sql(`update stored_card set used_site_id = $2, used_at = now() - interval '10 minutes' where id = $1`, [
      own.id,
      far?.id,
    ])
    device.cards.swipe(1, own.chip)
    expect(await waitForAnswers(device.cards)).toMatchObject([{ account: 'notHere' }])
    expect(await alarms('短时间内异地刷卡')).not.toEqual([])
    await api.sql(`update stored_card set used_at = now() - interval '3 hours' where id = $1`, [own.id])
    device.cards.swipe(1, own.chip)
    expect((await waitForAnswers(device.cards, 2)).at(-1)).toMatchObject({ account: 'good' })
    stop()
  })

  it('at an occupied port is refused and keeps its balance', async () => {
    const { device, stop } = await fleetOf([8])
    const [first, second] = [await card(), await card()]
    device.cards.swipe(1, first.chip)
    await becomes(first, 2)
    device.cards.swipe(1, second.chip)
    expect((await waitForAnswers(device.cards, 2)).at(-1)).toMatchObject({ account: 'alreadyCharging' })
    expect(await cardMoney(api, second)).toMatchObject({ paid: 1000, held: 0 })
    stop()
  })

  it('that charged offline is billed after manual review, from its own balance', async () => {
    const own = await card(1000)
    const socket = openSocket(gateway.dnyPort, identities[9]?.wireId ?? '')
    const stopReason = { name: 'full', raw: 1 } as const
    const start = { name: 'offlineCard', raw: 0 } as const
    const bill = {
      kind: 'settlement',
      port: 1,
      durationS: 90,
      energyWh: 10,
      maxPowerDw: 3000,
      stopReason,
      start,
    } as const
    socket.say({ ...bill, card: own.chip, orderNo: '77001', deviceTimeS: 1_790_000_000 }, 5)
    const { id } = await becomes(own, 5)
    socket.end()
    const [waiting] = await api.sql('select review_reasons, card_no from charging_order where id = $1', [id])
    expect(waiting).toEqual({ review_reasons: ['unknownOrder', 'notHeld'], card_no: own.cardNo })
    const { data: options } = await api.call(operator.token, orderReview.options, { params: { id } })
    const device = options.find(({ choice }) => choice === 'device')
    expect(device).toMatchObject({ problem: null, total: '1.00', newHold: true })
    const body = { id, choice: 'device', total: '1.00', reason: '离线刷卡' } as const
    expect((await api.call(operator.token, orderReview.decide, { body })).status).toBe(200)
    expect(await cardMoney(api, own)).toEqual({ paid: 900, gift: 0, held: 0 })
    expect(await api.sql('select * from app.ledger_breaks() union all select * from app.order_breaks()')).toEqual([])
  })

  it('is authorised by a charge point before the start, and pays for the charge', async () => {
    const { deviceNo = '', password = '' } = identities[ocppAt] ?? {}
    const point = await chargePoint(gateway.ocppPort, deviceNo, password)
    await point.boot()
    const own = await card(500)
    const idTag = own.chip.toUpperCase()
    expect(await point.call('Authorize', { idTag })).toMatchObject({ idTagInfo: { status: 'Accepted' } })
    expect(await point.call('Authorize', { idTag: 'C0FFEE' })).toMatchObject({ idTagInfo: { status: 'Invalid' } })
    const start = { connectorId: 1, idTag, meterStart: 1000, timestamp: new Date().toISOString() }
    const begun = await point.call('StartTransaction', start)
    expect(begun).toMatchObject({ idTagInfo: { status: 'Accepted' } })
    expect(await point.call('StartTransaction', start)).toEqual(begun)
    expect(await becomes(own, 2)).toMatchObject({ start_mode: 2 })
    expect(await cardMoney(api, own)).toMatchObject({ paid: 0, held: 500 })
    await pause(1500)
    const { transactionId } = begun
    await point.call('StopTransaction', { transactionId, meterStop: 1001, timestamp: new Date().toISOString() })
    const { total } = await becomes(own, 3)
    expect(total).toBe(50)
    expect(await cardMoney(api, own)).toEqual({ paid: 450, gift: 0, held: 0 })
    expect(await ordersOf(own)).toHaveLength(1)
    await point.close()
  })
})

/** Checks an order paid by a card without a member: list, page and evidence show a masked number. */
async function showsMasked(id: string, { cardNo }: TestCard): Promise<void> {
  const masked = `${cardNo.slice(0, 2)}****${cardNo.slice(-4)}`
  const { data: list } = await api.call(operator.token, consumeOrder.list, { query: { orderNo: id } })
  expect(list.rows).toMatchObject([{ id, memberName: null, memberPhone: null, cardNo: masked, startMode: 2 }])
  const { data: order } = await api.call(operator.token, chargingOrder.read, { params: { id } })
  expect(order).toMatchObject({ cardNo: masked, memberName: null })
  const { data: postings } = await api.call(operator.token, chargingOrder.postings, { params: { id } })
  expect(postings.flatMap(({ lines }) => lines.map(({ account }) => account))).toEqual(expect.arrayContaining([11, 14]))
  const reply = await fetch(`${api.url}${chargingOrder.evidence.path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operator.token}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ id }),
  })
  const { text } = await readPdf(Buffer.from(await reply.arrayBuffer()))
  const plain = text.replaceAll(/\s/g, '')
  expect(plain).toContain(`储值卡${masked}`)
  expect(plain).not.toContain(cardNo)
}
