import { amountMessage } from '@wattdeck/domain/money.ts'
import { chargingOrder } from '@wattdeck/contract/order/charging-order.ts'
import { refundStatus, refundWay } from '@wattdeck/contract/order/refund-codes.ts'
import { refundOrder } from '@wattdeck/contract/order/refund-order.ts'
import pg from 'pg'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { atTier } from '../../../../../../tools/check/tier.ts'
import { superuserUrl } from '../../../../../../tools/ops/database.ts'
import { startApi, type TestApi } from '../../../../test/harness/api.ts'
import { cardMoney, makeCard } from '../../../../test/fixtures/cards.ts'
import { makePayer } from '../../../../test/fixtures/charging.ts'
import { makeModels, type Models } from '../../../../test/fixtures/devices.ts'
import { accountSum } from '../../../../test/fixtures/payments.ts'
import { type Actor, makeFixture, type Fixture } from '../../../../test/harness/people.ts'
import { billedOrder, borrowedSession, makeRefunder, proveLedger } from '../../../../test/fixtures/refunds.ts'

const shanghaiDay = (offset: number) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' }).format(Date.now() + offset * 86_400_000)

let api: TestApi
let fixture: Fixture
let models: Models
let maker: Actor
let checker: Actor
beforeAll(async () => {
  api = await startApi()
  fixture = await makeFixture(api)
  models = await makeModels(api)
  maker = await makeRefunder(api, fixture.green.id, 'green_maker')
  checker = await makeRefunder(api, fixture.green.id, 'green_checker')
})
afterEach(() => proveLedger(api))

const order = async (bill: Parameters<typeof billedOrder>[4] = {}) => {
  const memberId = await makePayer(api, fixture.green.id, 0n)
  return { memberId, orderNo: await billedOrder(api, fixture.green, models, memberId, bill) }
}
const ask = (token: string, orderNo: string, amount: string, input: object = {}) =>
  api.call(token, refundOrder.add, { body: { orderNo, amount, way: 1, reason: '设备故障', ...input } as never })
const approve = (token: string, id: string) => api.call(token, refundOrder.approve, { body: { id } })
const decline = (token: string, id: string) =>
  api.call(token, refundOrder.decline, { body: { id, reason: '充电正常' } })
const one = async (id: string, token = checker.token) =>
  (await api.call(token, refundOrder.list, { query: { refundNo: id } as never })).data.rows[0]
const wallet = async (memberId: string) => [
  await accountSum(api, fixture.green.id, 1, memberId),
  await accountSum(api, fixture.green.id, 2, memberId),
]
const income = async () =>
  Promise.all([21, 22, 23].map((kind) => accountSum(api, fixture.green.id, kind, fixture.green.siteId)))
const refundedOf = async (orderNo: string) => {
  const [row] = await api.sql<{ fen: string }>('select refunded_fen as fen from charging_order where id = $1', [
    orderNo,
  ])
  return row?.fen
}

/** The amounts that a reader of the order sees: refunded, and requested. */
const amountsOf = async (orderNo: string) => {
  const { data } = await api.call(checker.token, chargingOrder.read, { params: { id: orderNo } })
  return [data.refunded, data.refunding]
}

describe('a refund of an order', () => {
  it('goes back from the site’s incomes in proportion, own money first, after another user approves', async () => {
    const { memberId, orderNo } = await order({ paid: 700, gift: 300, parts: [501, 333, 166] })
    const before = await income()
    const first = await ask(maker.token, orderNo, '3.33')
    expect(first.data.status).toBe(refundStatus.code.waiting)
    expect(await refundedOf(orderNo)).toBe('333')
    expect(await amountsOf(orderNo)).toEqual(['0.00', '3.33'])
    expect(await wallet(memberId)).toEqual([0n, 0n])
    expect(await approve(checker.token, first.data.id)).toMatchObject({
      status: 200,
      message: '已同意退款 ¥3.33，将退到用户钱包',
    })
    expect(await wallet(memberId)).toEqual([333n, 0n])
    expect(await amountsOf(orderNo)).toEqual(['3.33', '0.00'])
    expect(await one(first.data.id)).toMatchObject({
      status: refundStatus.code.refunded,
      electricity: '1.67',
      service: '1.11',
      occupancy: '0.55',
      decidedBy: '姓名green_checker',
      total: '10.00',
    })
    // The rest of own money, then the gift, which goes to the gift wallet.
    const rest = await ask(maker.token, orderNo, '6.67')
    expect((await approve(checker.token, rest.data.id)).status).toBe(200)
    expect(await wallet(memberId)).toEqual([700n, 300n])
    const after = await income()
    expect(after.map((fen, at) => (before[at] ?? 0n) - fen)).toEqual([501n, 333n, 166n])
    expect(await ask(maker.token, orderNo, '0.01')).toMatchObject({
      status: 409,
      message: '退款金额超过可退金额，当前可退0.00元',
    })
    const { data } = await api.call(checker.token, chargingOrder.postings, { params: { id: orderNo } })
    expect(data.filter(({ kind }) => kind === 6)).toHaveLength(2)
  })

  it('can be requested again after it was declined, which moves nothing', async () => {
    const { memberId, orderNo } = await order()
    const { id } = (await ask(maker.token, orderNo, '10.00')).data
    expect((await ask(maker.token, orderNo, '0.01')).status).toBe(409)
    expect((await decline(checker.token, id)).status).toBe(200)
    expect(await refundedOf(orderNo)).toBe('0')
    expect(await one(id)).toMatchObject({ status: refundStatus.code.declined, decision: '充电正常' })
    expect((await approve(checker.token, id)).status).toBe(409)
    expect((await decline(checker.token, id)).status).toBe(409)
    expect(await wallet(memberId)).toEqual([0n, 0n])
    expect((await ask(maker.token, orderNo, '10.00')).status).toBe(200)
  })

  it('of a card payment goes back to the card, and nowhere else', async () => {
    const { memberId, orderNo } = await order()
    const card = await makeCard(api, { organiseId: fixture.green.id, memberId })
    await api.sql('update charging_order set card_id = $2, member_id = null where id = $1', [orderNo, card.id])
    const quoted = await api.call(maker.token, refundOrder.quote, { query: { orderNo } })
    expect(quoted.data).toMatchObject({ refundable: '10.00', byOrigin: '0.00' })
    expect(await ask(maker.token, orderNo, '2.00', { way: refundWay.code.origin })).toMatchObject({
      status: 409,
      message: '储值卡支付的订单只能退回卡内',
    })
    const { data } = await ask(maker.token, orderNo, '2.00')
    expect((await approve(checker.token, data.id)).status).toBe(200)
    expect(await cardMoney(api, card)).toEqual({ paid: 200, gift: 0, held: 0 })
    expect(await wallet(memberId)).toEqual([0n, 0n])
  })

  it('is refused for a charge that is not billed or has no payer', async () => {
    const { orderNo } = await order()
    await api.sql(
      'update charging_order set status = 5, settled_at = null, paid_fen = 0, review_reasons = $2 where id = $1',
      [orderNo, ['late']],
    )
    expect(await ask(maker.token, orderNo, '1')).toMatchObject({ status: 409, message: '只有已完成的订单可以退款' })
    const unpaid = await order({ paid: 0 })
    expect((await ask(maker.token, unpaid.orderNo, '0.01')).status).toBe(409)
  })

  it('refuses invalid amounts', async () => {
    const { orderNo } = await order()
    for (const amount of ['0', '-1', '1e1', '0.001', '10000000', 'NaN', '１']) {
      const reply = await ask(maker.token, orderNo, amount)
      expect(reply.status, amount).toBe(422)
      expect(reply.message).toContain(amountMessage)
    }
    expect(await refundedOf(orderNo)).toBe('0')
  })

  it('is quoted with the remaining amount and the reasons for suspicion', async () => {
    const { orderNo } = await order({ paid: 800, gift: 200, durationS: 60, energyDwh: 0 })
    await ask(maker.token, orderNo, '1.00')
    const { data } = await api.call(maker.token, refundOrder.quote, { query: { orderNo } })
    expect(data).toMatchObject({
      total: '10.00',
      refunded: '1.00',
      refundable: '9.00',
      refundablePaid: '7.00',
      refundableGift: '2.00',
      byOrigin: '0.00',
      doubts: ['充电不足3分钟', '没有电量'],
    })
  })
})

describe('the totals', () => {
  it('sum a filter by stage, within a month, over the rows that the reader sees', async () => {
    const { memberId, orderNo } = await order({ paid: 700, gift: 300 })
    const totals = (token: string, query: object) => api.call(token, refundOrder.totals, { query: query as never })
    const days = { from: shanghaiDay(-30), to: shanghaiDay(0) }
    const first = (await ask(maker.token, orderNo, '8.00')).data
    await approve(checker.token, first.id)
    const second = (await ask(maker.token, orderNo, '1.00')).data
    await decline(checker.token, second.id)
    await ask(maker.token, orderNo, '0.50')
    expect((await totals(checker.token, { ...days, memberId })).data).toEqual({
      count: 3,
      sums: { waiting: '0.50', refunding: '0.00', refunded: '8.00', paid: '7.00', gift: '1.00' },
    })
    const { data } = await totals(checker.token, { ...days, memberId, status: refundStatus.code.declined })
    expect(data).toMatchObject({ count: 1, sums: { waiting: '0.00', refunded: '0.00' } })
    const stranger = await makeRefunder(api, fixture.swift.id, 'swift_totals')
    expect((await totals(stranger.token, days)).data.count).toBe(0)
    expect((await totals(checker.token, { ...days, from: shanghaiDay(-31) })).status).toBe(422)
    expect((await totals(checker.token, {})).status).toBe(422)
  })
})

describe('the requester', () => {
  it('does not decide, and the database enforces it as well', async () => {
    const people = {
      root: fixture.platform.root,
      admin: fixture.green.admin,
      agent: fixture.green.agent,
      site: fixture.green.site,
    }
    for (const [name, { token, id: userId }] of Object.entries(people)) {
      const { orderNo } = await order()
      const { id } = (await ask(token, orderNo, '1.00')).data
      expect(await approve(token, id), name).toMatchObject({ status: 409, message: '不能审批自己提交的退款' })
      expect((await decline(token, id)).status).toBe(409)
      await expect(
        api.sql(
          `update refund_order set status = 4, decided_by_id = $2, decided_by = '我', decided_at = now(), arrived_at = now() where id = $1`,
          [id, userId],
        ),
      ).rejects.toThrow('refund_order_two_people')
      expect((await one(id))?.status).toBe(refundStatus.code.waiting)
    }
  })

  it('acts as themselves: no user requests or decides in the name of another', async () => {
    const { orderNo } = await order()
    const { id } = (await ask(maker.token, orderNo, '1.00')).data
    const borrowed = await borrowedSession(api, checker.id, maker.id)
    expect((await ask(borrowed, orderNo, '1.00')).status).toBe(403)
    expect((await approve(borrowed, id)).status).toBe(403)
    expect((await decline(borrowed, id)).status).toBe(403)
    expect((await approve(checker.token, id)).status).toBe(200)
  })

  it('sees only refunds in their scope', async () => {
    const { orderNo } = await order()
    const { id } = (await ask(maker.token, orderNo, '1.00')).data
    const stranger = await makeRefunder(api, fixture.swift.id, 'swift_refunder')
    expect((await api.call(stranger.token, refundOrder.list)).data.rows).toEqual([])
    for (const reply of [ask(stranger.token, orderNo, '1'), approve(stranger.token, id), decline(stranger.token, id)])
      expect((await reply).status).toBe(404)
    expect((await api.call(stranger.token, refundOrder.quote, { query: { orderNo } })).status).toBe(404)
    expect((await approve(fixture.green.clerk.token, id)).status).toBe(403)
  })

  it('cannot change a request before its decision', async () => {
    const { orderNo } = await order()
    const { id } = (await ask(maker.token, orderNo, '1.00')).data
    for (const change of ['amount_fen = 2', "reason = 'x'", 'paid_fen = 0', 'created_by_id = created_by_id + 1'])
      await expect(api.sql(`update refund_order set ${change} where id = $1`, [id])).rejects.toThrow('never changed')
    expect((await approve(checker.token, id)).status).toBe(200)
    await expect(api.sql('update refund_order set status = 1 where id = $1', [id])).rejects.toThrow('goes forward only')
  })
})

describe('concurrent requests', () => {
  it('refunds an order once when many requests ask for all of it at once', async () => {
    const { memberId, orderNo } = await order()
    const replies = await Promise.all(
      Array.from({ length: atTier(200, 1000) }, () => ask(maker.token, orderNo, '10.00')),
    )
    const accepted = replies.filter(({ status }) => status === 200)
    expect(accepted).toHaveLength(1)
    // The others are refused because nothing is left, or because too many requests came at once.
    expect(new Set(replies.map(({ status }) => status))).toSatisfy((seen: Set<number>) =>
      [...seen].every((status) => [200, 409, 429, 503].includes(status)),
    )
    const id = accepted[0]?.data.id ?? ''
    const decided = await Promise.all(Array.from({ length: 20 }, () => approve(checker.token, id)))
    expect(decided.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await wallet(memberId)).toEqual([1000n, 0n])
    expect(await refundedOf(orderNo)).toBe('1000')
  })

  it('never refund parts of an order beyond what was paid', async () => {
    const { memberId, orderNo } = await order({ paid: 700, gift: 300, parts: [100, 899, 1] })
    const replies = await Promise.all(Array.from({ length: 60 }, () => ask(maker.token, orderNo, '3.01')))
    const ids = replies.filter(({ status }) => status === 200).map(({ data }) => data.id)
    expect(ids).toHaveLength(3)
    await Promise.all(ids.map((id) => approve(checker.token, id)))
    expect(await wallet(memberId)).toEqual([700n, 203n])
    expect(await refundedOf(orderNo)).toBe('903')
  })

  it('to approve and to decline at the same moment take effect once', async () => {
    const { memberId, orderNo } = await order()
    const { id } = (await ask(maker.token, orderNo, '4.00')).data
    const replies = await Promise.all(
      [checker, fixture.green.admin, fixture.platform.root].flatMap(({ token }) => [
        approve(token, id),
        decline(token, id),
      ]),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    const approved = (await one(id))?.status === refundStatus.code.refunded
    expect(await wallet(memberId)).toEqual([approved ? 400n : 0n, 0n])
    expect(await refundedOf(orderNo)).toBe(approved ? '400' : '0')
  })

  it('would refund several times with check-then-act', async () => {
    await api.sql('create table naive (total bigint, refunded bigint); insert into naive values (1000, 0)')
    await api.sql('create table naive_refund (fen bigint)')
    const clients = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const client = new pg.Client({ connectionString: superuserUrl(api.database) })
        await client.connect()
        return client
      }),
    )
    await Promise.all(
      clients.map(async (client) => {
        const { rows } = await client.query<{ left: string }>('select total - refunded as left from naive')
        if (BigInt(rows[0]?.left ?? '0') < 1000n) return
        await client.query('insert into naive_refund values (1000)')
        await client.query('update naive set refunded = refunded + 1000')
      }),
    )
    const refunds = await api.sql('select fen from naive_refund')
    await Promise.all(clients.map((client) => client.end()))
    expect(refunds.length).toBeGreaterThan(1)
  })
})

describe('a rule', () => {
  const policy = (token: string, input: object) =>
    api.call(token, refundOrder.savePolicy, { body: { enabled: true, max: '5.00', day: '12.00', ...input } as never })
  const read = async () => (await api.call(checker.token, refundOrder.policy, {})).data

  it('approves small refunds of suspicious orders until the day’s budget is spent', async () => {
    expect((await policy(checker.token, {})).status).toBe(200)
    const suspect = await order({ stopReason: 'relayFault' })
    const small = await ask(maker.token, suspect.orderNo, '5.00')
    expect(small.data.status).toBe(refundStatus.code.refunded)
    expect(await wallet(suspect.memberId)).toEqual([500n, 0n])
    expect(await one(small.data.id)).toMatchObject({
      kind: 1,
      decidedBy: '自动退款规则',
      trace: '故障结束；5.00元不超过单笔上限5.00元；当日预算12.00元，剩余7.00元',
    })
    // Above the limit, for an unsuspicious order, or for the author of the rule, an operator decides.
    expect((await ask(maker.token, suspect.orderNo, '5.00')).data.status).toBe(refundStatus.code.refunded)
    const other = await order({ durationS: 179 })
    expect((await ask(maker.token, other.orderNo, '5.01')).data.status).toBe(refundStatus.code.waiting)
    expect((await ask(checker.token, other.orderNo, '1.00')).data.status).toBe(refundStatus.code.waiting)
    expect((await ask(maker.token, (await order()).orderNo, '1.00')).data.status).toBe(refundStatus.code.waiting)
    // 2 yuan are left of the day's budget.
    expect((await ask(maker.token, other.orderNo, '2.01')).data.status).toBe(refundStatus.code.waiting)
    expect((await ask(maker.token, other.orderNo, '1.50')).data.status).toBe(refundStatus.code.refunded)
    expect(await read()).toMatchObject({ enabled: true, spent: '11.50', updatedBy: '姓名green_checker' })
  })

  it('never exceeds the budget under concurrent requests', async () => {
    await api.sql('update refund_policy set spent_fen = 0')
    const orders = await Promise.all(Array.from({ length: 12 }, () => order({ energyDwh: 0 })))
    const replies = await Promise.all(orders.map(({ orderNo }) => ask(maker.token, orderNo, '3.00')))
    const done = replies.filter(({ data, status }) => status === 200 && data.status === refundStatus.code.refunded)
    expect(done).toHaveLength(4)
    expect((await read()).spent).toBe('12.00')
    await api.sql('update refund_policy set spent_on = current_date - 1')
    expect((await read()).spent).toBe('0.00')
  })

  it('is set for the whole organisation, by its own users, as themselves', async () => {
    expect((await policy(fixture.green.agent.token, {})).status).toBe(403)
    expect((await policy(checker.token, { organiseId: fixture.swift.id })).status).toBe(404)
    expect((await policy(fixture.platform.root.token, {})).status).toBe(422)
    expect((await policy(checker.token, { max: '13.00' })).status).toBe(422)
    expect((await policy(await borrowedSession(api, checker.id, maker.id), {})).status).toBe(403)
    expect((await policy(checker.token, { enabled: false })).status).toBe(200)
    const { orderNo } = await order({ energyDwh: 0 })
    expect((await ask(maker.token, orderNo, '1.00')).data.status).toBe(refundStatus.code.waiting)
  })
})
