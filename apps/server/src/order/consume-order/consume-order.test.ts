import { chargingOrder as detail } from '@wattdeck/contract/order/charging-order.ts'
import { completedOrder } from '@wattdeck/contract/order/completed-order.ts'
import { consumeOrder } from '@wattdeck/contract/order/consume-order.ts'
import { orderReview } from '@wattdeck/contract/order/order-review.ts'
import { unfinishedOrder } from '@wattdeck/contract/order/unfinished-order.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../../test/api.ts'
import { makePayer, makeStation } from '../../../test/charging.ts'
import { makeModels, type Models } from '../../../test/devices.ts'
import { chargingOrder, doubtedOrder, orderMenus, startedOrder } from '../../../test/orders.ts'
import { type Actor, makePerson, makeWorld, type World } from '../../../test/people.ts'

let api: TestApi
let world: World
let models: Models
let operator: Actor
let agent: Actor
beforeAll(async () => {
  api = await startApi()
  world = await makeWorld(api)
  models = await makeModels(api)
  const { id: organiseId, agentId } = world.green
  operator = await makePerson(api, { organiseId, loginName: 'green_orders', menus: orderMenus })
  agent = await makePerson(api, { organiseId, agentId, loginName: 'green_agent_orders', menus: orderMenus })
})

const list = async (query: object, token = operator.token) =>
  (await api.call(token, consumeOrder.list, { query: query as never })).data
const day = (offset: number) => new Date(Date.now() + (8 + offset * 24) * 3_600_000).toISOString().slice(0, 10)

describe('a stranger', () => {
  it('neither sees an order of another organisation nor does anything to it', async () => {
    const { id } = await chargingOrder(api, operator.token, world.green, models)
    const doubted = await doubtedOrder(api, operator.token, world.green, models)
    const { token } = await makePerson(api, {
      organiseId: world.swift.id,
      loginName: 'swift_orders',
      menus: orderMenus,
      canUnmask: true,
    })
    for (const route of [consumeOrder.list, completedOrder.list, unfinishedOrder.list, orderReview.list])
      expect((await api.call(token, route)).data.rows).toEqual([])
    const statuses = await Promise.all(
      [
        api.call(token, detail.read, { params: { id } }),
        api.call(token, detail.curve, { params: { id } }),
        api.call(token, detail.postings, { params: { id } }),
        api.call(token, detail.messages, { params: { id } }),
        api.call(token, detail.commands, { params: { id } }),
        api.call(token, detail.evidence, { body: { id } as never }),
        api.call(token, unfinishedOrder.stop, { body: { id } }),
        api.call(token, unfinishedOrder.query, { body: { id } }),
        api.call(token, unfinishedOrder.preview, { params: { id } }),
        api.call(token, unfinishedOrder.settle, { body: { id, total: '0.51', reason: '无' } }),
        api.call(token, orderReview.options, { params: { id: doubted.id } }),
        api.call(token, orderReview.decide, {
          body: { id: doubted.id, choice: 'release', total: '0.00', reason: '无' },
        }),
      ].map(async (call) => (await call).status),
    )
    expect(new Set(statuses)).toEqual(new Set([404]))
  })
})

describe('a list of orders', () => {
  it('is found by number, phone, device, type, way of starting, status and day', async () => {
    const { id, phone, deviceNo } = await chargingOrder(api, operator.token, world.green, models)
    await startedOrder(api, operator.token, world.green, models)
    const ids = async (query: object) => (await list(query)).rows.map((row) => row.id)
    expect(await ids({ orderNo: id })).toEqual([id])
    expect(await ids({ phone })).toEqual([id])
    expect(await ids({ deviceNo })).toEqual([id])
    expect(await ids({ deviceNo: 'NOBODY' })).toEqual([])
    expect(await ids({ phone: '13900000000' })).toEqual([])
    expect(await ids({ deviceNo, startMode: '5', status: '2', deviceTypeId: models.dny })).toEqual([id])
    expect(await ids({ deviceNo, startMode: '1' })).toEqual([])
    expect(await ids({ deviceNo, from: day(0), to: day(0) })).toEqual([id])
    expect(await ids({ deviceNo, to: day(-1) })).toEqual([])
    expect(await ids({ deviceNo, from: day(1) })).toEqual([])
  })

  it('shows members masked, also to an agent through whom they did not come, and to nobody else', async () => {
    const { id, phone, memberId } = await startedOrder(api, operator.token, world.green, models)
    const [row] = (await list({ orderNo: id }, agent.token)).rows
    expect(row).toMatchObject({ memberPhone: `${phone.slice(0, 3)}****${phone.slice(-4)}`, status: 1 })
    expect(JSON.stringify(row)).not.toContain(phone)
    expect(row?.memberName).toMatch(/^会\*+$/)
    expect(row?.memberName).not.toContain(memberId)
    expect(row?.tariffName).not.toBeNull()
  })

  it('is added up for a month at most', async () => {
    const totals = (query: object) => api.call(operator.token, consumeOrder.totals, { query: query as never })
    const found = await totals({ from: day(-30), to: day(0) })
    expect(found.data.count).toBeGreaterThan(0)
    expect(found.data.sums.total).toMatch(/^\d+\.\d\d$/)
    expect(await totals({ from: day(-31), to: day(0) })).toMatchObject({ status: 422 })
    expect((await totals({ from: day(0) })).status).toBe(422)
    expect((await totals({ from: day(0), to: day(-1) })).status).toBe(422)
  })
})

describe('a charge that is started from the console', () => {
  it('holds the member’s money and stands in their name, also where an agent asks', async () => {
    const { deviceNo } = await makeStation(api, world.green, models)
    const memberId = await makePayer(api, world.green.id, 1000n)
    await api.sql(`update member set phone = '13712345678' where id = $1`, [memberId])
    const payer = await api.call(agent.token, consumeOrder.payer, { query: { phone: '13712345678', deviceNo } })
    expect(payer.data).toMatchObject({ id: memberId, phone: '137****5678', balance: '10.00', enabled: true })
    const body = { deviceNo, portNo: '1', memberId, limitBy: '1', amount: '3.00' } as never
    const { data } = await api.call(agent.token, consumeOrder.start, { body })
    expect(data.held).toBe('3.00')
    const { data: order } = await api.call(operator.token, detail.read, { params: { id: data.id } })
    expect(order).toMatchObject({ startMode: 5, status: 1, held: '3.00', limitBy: 1, limitValue: 300 })
    const [logged] = await api.sql<{ content: string; changes: { table: string }[] }>(
      `select content, changes from audit_log where user_id = $1 and path like '%consumeOrder/start' order by id desc limit 1`,
      [agent.id],
    )
    expect(logged?.content).toContain(`订单${data.id}`)
    expect(logged?.changes.map(({ table }) => table)).toContain('charging_order')
  })

  it('is refused without money, with two limits, and for a member of somebody else', async () => {
    const { deviceNo } = await makeStation(api, world.green, models)
    const poor = await makePayer(api, world.green.id, 100n)
    const foreign = await makePayer(api, world.swift.id, 1000n)
    const start = (memberId: string, more: object = {}) =>
      api.call(operator.token, consumeOrder.start, {
        body: { deviceNo, portNo: '1', memberId, limitBy: '1', amount: '3.00', ...more } as never,
      })
    expect(await start(poor)).toMatchObject({ status: 409, message: '余额不足，请先充值' })
    expect((await start(poor, { minutes: '5' })).status).toBe(422)
    expect((await start(foreign)).status).toBe(404)
  })
})

describe('the ledger', () => {
  it('proves itself after all of this', async () => {
    expect(await api.sql('select * from app.ledger_breaks() union all select * from app.order_breaks()')).toEqual([])
  })
})
