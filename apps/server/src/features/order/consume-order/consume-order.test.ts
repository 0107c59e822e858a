import { chargingOrder as detail } from '@wattdeck/contract/order/charging-order.ts'
import { completedOrder } from '@wattdeck/contract/order/completed-order.ts'
import { consumeOrder } from '@wattdeck/contract/order/consume-order.ts'
import { orderReview } from '@wattdeck/contract/order/order-review.ts'
import { unfinishedOrder } from '@wattdeck/contract/order/unfinished-order.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApi } from '../../../../test/harness/api.ts'
import { makePayer, makeStation } from '../../../../test/fixtures/charging.ts'
import { makeModels } from '../../../../test/fixtures/devices.ts'
import { makeWhitelistEntry } from '../../../../test/fixtures/members.ts'
import { chargingOrder, orderInReview, orderMenus, startedOrder } from '../../../../test/fixtures/orders.ts'
import { type Actor, makePerson, makeFixture } from '../../../../test/harness/people.ts'

let operator: Actor
let agent: Actor
const api = await startApi()
const fixture = await makeFixture(api)
const models = await makeModels(api)
beforeAll(async () => {
  const { id: organiseId, agentId } = fixture.green
  operator = await makePerson(api, { organiseId, loginName: 'green_orders', menus: orderMenus })
  agent = await makePerson(api, { organiseId, agentId, loginName: 'green_agent_orders', menus: orderMenus })
})

const list = async (query: object, token = operator.token) =>
  (await api.call(token, consumeOrder.list, { query: query as never })).data
const day = (offset: number) => new Date(Date.now() + (8 + offset * 24) * 3_600_000).toISOString().slice(0, 10)

describe('a stranger', () => {
  it('neither reads nor changes an order of another organisation', async () => {
    const { id } = await chargingOrder(api, operator.token, fixture.green, models)
    const doubted = await orderInReview(api, operator.token, fixture.green, models)
    const { token } = await makePerson(api, {
      organiseId: fixture.swift.id,
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
  it('is filtered by number, phone, device, type, start mode, status and day', async () => {
    const { id, phone, deviceNo } = await chargingOrder(api, operator.token, fixture.green, models)
    await startedOrder(api, operator.token, fixture.green, models)
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

  it('shows payers masked, also to an agent whose member they are not', async () => {
    const { id, phone, memberId } = await startedOrder(api, operator.token, fixture.green, models)
    const [row] = (await list({ orderNo: id }, agent.token)).rows
    expect(row).toMatchObject({ memberPhone: `${phone.slice(0, 3)}****${phone.slice(-4)}`, status: 1 })
    expect(JSON.stringify(row)).not.toContain(phone)
    expect(row?.memberName).toMatch(/^会\*+$/)
    expect(row?.memberId).toBe(memberId)
    expect(row?.memberName).not.toContain(memberId)
    expect(row?.tariffName).not.toBeNull()
  })

  it('is totalled for at most a month', async () => {
    const totals = (query: object) => api.call(operator.token, consumeOrder.totals, { query: query as never })
    const found = await totals({ from: day(-30), to: day(0) })
    expect(found.data.count).toBeGreaterThan(0)
    expect(found.data.sums.total).toMatch(/^\d+\.\d\d$/)
    expect(await totals({ from: day(-31), to: day(0) })).toMatchObject({ status: 422 })
    expect((await totals({ from: day(0) })).status).toBe(422)
    expect((await totals({ from: day(0), to: day(-1) })).status).toBe(422)
  })
})

/** A station, and a member at the level of the organisation, who is invisible to agents and sites. */
async function atCounter(paidFen = 1000n) {
  const { deviceNo } = await makeStation(api, fixture.green, models)
  const memberId = await makePayer(api, fixture.green.id, paidFen)
  const phone = `1371${memberId.slice(-4).padStart(7, '0')}`
  await api.sql(`update member set phone = $2, nickname = '张三丰' where id = $1`, [memberId, phone])
  return { deviceNo, memberId, phone }
}
type Counter = Awaited<ReturnType<typeof atCounter>>
const search = ({ phone, deviceNo }: Counter, token: string) =>
  api.call(token, consumeOrder.payer, { body: { phone, deviceNo } })
const sendCode = ({ phone, deviceNo }: Counter, token: string) =>
  api.call(token, consumeOrder.sendCode, { body: { phone, deviceNo } })
/** The code in the text message to the member. */
const codeOn = async (phone: string) => {
  const [sent] = await api.sql<{ code: string }>(
    `select params ->> 'code' as code from sms_message where phone = $1 and template = 'SMS_CHARGE' order by id desc limit 1`,
    [phone],
  )
  return sent?.code ?? ''
}
const start = ({ phone, deviceNo }: Counter, token: string, code: string, more: object = {}) =>
  api.call(token, consumeOrder.start, {
    body: { deviceNo, portNo: '1', phone, code, limitBy: '1', amount: '3.00', ...more } as never,
  })
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
const ordersOf = async ({ memberId }: Counter) =>
  (await api.sql('select from charging_order where member_id = $1', [memberId])).length
const forgetCounts = () => api.sql('delete from attempt')

describe('a charge that is started from the console', () => {
  it('reserves the member’s money and is recorded in their name, also when an agent starts it', async () => {
    const counter = await atCounter()
    expect((await sendCode(counter, agent.token)).message).toBe('验证码已发送到用户手机，请向用户索取')
    const { data } = await start(counter, agent.token, await codeOn(counter.phone))
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

  it('is refused without money, with two limits, and for a member of another organisation', async () => {
    const poor = await atCounter(100n)
    await sendCode(poor, operator.token)
    const code = await codeOn(poor.phone)
    expect(await start(poor, operator.token, code)).toMatchObject({ status: 409, message: '余额不足，请先充值' })
    expect((await start(poor, operator.token, code, { minutes: '5' })).status).toBe(422)
    const foreign = { ...poor, memberId: await makePayer(api, fixture.swift.id, 1000n), phone: '13755550001' }
    await api.sql('update member set phone = $2 where id = $1', [foreign.memberId, foreign.phone])
    expect(await sendCode(foreign, operator.token)).toMatchObject({ status: 422 })
    expect((await search(foreign, operator.token)).data).toEqual({ found: false, name: null, enough: false })
    await forgetCounts()
  })

  it('needs no money of a member whose charge is free', async () => {
    const counter = await atCounter(0n)
    await api.sql(
      `insert into whitelist_entry (organise_id, name, phone, rule, free_dwh, day_times, scope, funder, starts_on, ends_on, status, created_by_id, created_by,
         decided_by_id, decided_by, decided_at)
       values ($1, '王', $2, 0, 1000000, 3, 1, 2, '2026-01-01', '2099-01-01', 2, 1, '甲', 2, '乙', now())`,
      [fixture.green.id, counter.phone],
    )
    expect((await search(counter, operator.token)).data.enough).toBe(true)
    await sendCode(counter, operator.token)
    const free = { limitBy: '4', amount: undefined }
    expect((await start(counter, operator.token, await codeOn(counter.phone), free)).data.held).toBe('0.00')
    await forgetCounts()
  })

  it('at an agent’s site has the price of the organisation, which the agent’s staff do not see', async () => {
    const counter = await atCounter(0n)
    await makeWhitelistEntry(api, { organiseId: fixture.green.id }, { makerId: '1', phone: counter.phone, status: 2 })
    await api.sql(
      'update whitelist_entry set rule = 0, off_bp = null, free_dwh = 1000000, funder = 2 where phone = $1',
      [counter.phone],
    )
    await sendCode(counter, agent.token)
    const free = { limitBy: '4', amount: undefined }
    expect((await start(counter, agent.token, await codeOn(counter.phone), free)).data.held).toBe('0.00')
    await forgetCounts()
  })

  it('[attack.M2] is refused without the code that the member received for this device', async () => {
    const counter = await atCounter()
    const { token } = fixture.green.site
    expect((await start(counter, operator.token, '000000')).message).toBe('验证码错误或已过期')
    await sendCode(counter, operator.token)
    const code = await codeOn(counter.phone)
    const elsewhere = { ...counter, deviceNo: (await atCounter()).deviceNo }
    expect((await start(elsewhere, operator.token, code)).status).toBe(422)
    expect((await start(counter, operator.token, wrong(code))).status).toBe(422)
    expect((await start({ ...counter, phone: (await atCounter()).phone }, operator.token, code)).status).toBe(422)
    expect(await ordersOf(counter)).toBe(0)
    expect((await start(counter, operator.token, code)).status).toBe(200)
    expect((await start(counter, operator.token, code)).status).toBe(422)
    expect(await ordersOf(counter)).toBe(1)
    expect((await sendCode(counter, token)).status).not.toBe(200)
    await forgetCounts()
  })

  it('[attack.M2] accepts five attempts at a code, and no more', async () => {
    const counter = await atCounter()
    await sendCode(counter, operator.token)
    const code = await codeOn(counter.phone)
    await Promise.all(Array.from({ length: 5 }, () => start(counter, operator.token, wrong(code))))
    expect((await start(counter, operator.token, code)).status).toBe(422)
    expect(await ordersOf(counter)).toBe(0)
    await forgetCounts()
  })
})

describe('a payer search', () => {
  it('[attack.M2] reveals of a member elsewhere only whether they can pay, and is logged', async () => {
    const counter = await atCounter(123_456n)
    const { data } = await search(counter, agent.token)
    expect(data).toEqual({ found: true, name: '张**', enough: true })
    expect((await search(await atCounter(0n), agent.token)).data).toMatchObject({ found: true, enough: false })
    const [logged] = await api.sql<{ content: string }>(
      `select content from audit_log where user_id = $1 and content like $2 order by id desc limit 1`,
      [agent.id, `%用户${counter.memberId}%`],
    )
    expect(logged?.content).toContain(`设备${counter.deviceNo}`)
    expect(logged?.content).not.toContain(counter.phone)
    await api.sql('update member set status = 0 where id = $1', [counter.memberId])
    expect((await search(counter, agent.token)).data.found).toBe(false)
    await forgetCounts()
  })

  it('[attack.M2] is limited to sixty a day per user, codes included', async () => {
    const counter = await atCounter()
    await search(counter, agent.token)
    await api.sql(`update attempt set count = 58 where key = $1`, [`payer-search:${agent.id}`])
    expect((await search(counter, agent.token)).status).toBe(200)
    expect((await sendCode(counter, agent.token)).status).toBe(200)
    expect(await search(counter, agent.token)).toMatchObject({
      status: 429,
      message: '今日查找用户次数已达上限（60次）',
    })
    expect((await sendCode(await atCounter(), agent.token)).status).toBe(429)
    expect((await search(counter, operator.token)).status).toBe(200)
    await forgetCounts()
  })
})

describe('the ledger', () => {
  it('is consistent after the tests above', async () => {
    expect(await api.sql('select * from app.ledger_breaks() union all select * from app.order_breaks()')).toEqual([])
  })
})
