import { accountKind } from '@wattdeck/contract/accounting/ledger-codes.ts'
import { openCharging } from '@wattdeck/contract/open/open-charging.ts'
import { openRechargeRefund } from '@wattdeck/contract/open/open-recharge-refund.ts'
import { rechargeRefund } from '@wattdeck/contract/order/recharge-refund.ts'
import { refundStatus } from '@wattdeck/contract/order/refund-codes.ts'
import { refundOrder } from '@wattdeck/contract/order/refund-order.ts'
import type { OpenClient, OpenRefusal } from '@wattdeck/open-client/open-client.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { makeOpenApp, makePayer } from '../../../../test/fixtures/charging.ts'
import { makeModels, type Models } from '../../../../test/fixtures/devices.ts'
import { postLines } from '../../../../test/fixtures/members.ts'
import * as fixture from '../../../../test/fixtures/payments.ts'
import { addPlan } from '../../../../test/fixtures/recharge-plan.ts'
import { type Actor, makeFixture, type Fixture } from '../../../../test/harness/people.ts'
import { billedOrder, borrowedSession, makeRefunder, proveLedger } from '../../../../test/fixtures/refunds.ts'
import { until } from '../../../../test/harness/until.ts'

const shanghaiDay = (offset: number) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' }).format(Date.now() + offset * 86_400_000)

let there: fixture.PayContext
let people: Fixture
let models: Models
let client: OpenClient
let trader: fixture.Trader
let worker: Awaited<ReturnType<fixture.PayContext['startWorker']>>
let maker: Actor
let auditor: Actor
let approver: Actor
beforeAll(async () => {
  there = await fixture.startPayFixture()
  people = await makeFixture(there.api)
  models = await makeModels(there.api)
  client = await makeOpenApp(there.api, people.green.id)
  trader = await fixture.makeTrader(there, people.green.id)
  await addPlan(there.api, { organiseId: people.green.id }, { tiers: [[100, 15]] })
  maker = await makeRefunder(there.api, people.green.id, 'green_maker')
  auditor = await makeRefunder(there.api, people.green.id, 'green_auditor')
  approver = await makeRefunder(there.api, people.green.id, 'green_approver')
  worker = await there.startWorker()
})
afterEach(async () => {
  there.sandbox.behave({}, trader.merchantNo)
  await proveLedger(there.api)
})
afterAll(() => worker.stop())

/** A member who has paid this amount into their wallet through the provider. */
async function recharged(amount: string, memberId?: string) {
  const member = memberId ?? (await makePayer(there.api, people.green.id, 0n))
  const rechargeNo = await fixture.requestRecharge(client, member, amount)
  there.sandbox.pay({ codeUrl: await fixture.codeOf(client, rechargeNo) })
  await fixture.rechargeIn(client, rechargeNo, 'ALREADY_PAY_STATUS')
  return { memberId: member, rechargeNo }
}
const { memberPaid, memberGift, memberRefunding, memberGiftRefunding } = accountKind.code
/** Own money, gift money, and the reserved part of both. */
const wallet = async (memberId: string) =>
  Promise.all(
    [memberPaid, memberGift, memberRefunding, memberGiftRefunding].map(async (kind) =>
      Number(await fixture.accountSum(there.api, people.green.id, kind, memberId)),
    ),
  )
const due = () => fixture.accountSum(there.api, people.green.id, accountKind.code.refundDue)
const ask = (token: string, rechargeNo: string, amount: string) =>
  there.api.call(token, rechargeRefund.add, { body: { rechargeNo, amount, reason: '不再使用' } as never })
type Step = 'audit' | 'approve' | 'cancel' | 'retry' | 'giveBack'
const step = (token: string, name: Step, id: string) => there.api.call(token, rechargeRefund[name], { body: { id } })
const fail = (token: string, name: 'auditFail' | 'approvalFail', id: string) =>
  there.api.call(token, rechargeRefund[name], { body: { id, reason: '证据不足' } })
const one = async (id: string) =>
  (await there.api.call(maker.token, rechargeRefund.list, { query: { refundNo: id } as never })).data.rows[0]
const inStatus = (id: string, status: string) =>
  until(async () => {
    const row = await one(id)
    return row?.status === status ? row : undefined
  })
const stuck = (id: string) => until(async () => ((await one(id))?.stuck ? one(id) : undefined))
/** Requested, audited and approved by three people. */
async function approved(rechargeNo: string, amount: string): Promise<string> {
  const { id } = (await ask(maker.token, rechargeNo, amount)).data
  expect((await step(auditor.token, 'audit', id)).status).toBe(200)
  expect((await step(approver.token, 'approve', id)).status).toBe(200)
  return id
}
const attempts = (refId: string) =>
  there.api.sql<{ id: string; status: number; amount_fen: string }>(
    'select id, status, amount_fen from pay_refund where ref_id = $1 order by id',
    [refId],
  )
/** Makes the provider lookup due now. */
const lookNow = (refId: string) =>
  there.api.sql(
    `with due as (update pay_refund set look_at = now() where ref_id = $1 and look_at is not null) select pg_notify('pay_work', '')`,
    [refId],
  )
const refused = (call: Promise<unknown>) =>
  call.then(
    () => 'accepted',
    (error: OpenRefusal) => `${error.status} ${error.message}`,
  )

describe('money of a recharge', () => {
  it('goes back after three people have decided, with its part of the gift, and is reserved meanwhile', async () => {
    const { memberId, rechargeNo } = await recharged('100.00')
    expect(await wallet(memberId)).toEqual([10_000, 1500, 0, 0])
    const quote = await there.api.call(maker.token, rechargeRefund.quote, {
      query: { rechargeNo, amount: '33.33' } as never,
    })
    expect(quote.data).toMatchObject({ refundable: '100.00', gift: '5.00', giftSpent: '0.00', payout: '33.33' })
    const { id } = (await ask(maker.token, rechargeNo, '33.33')).data
    expect(await wallet(memberId)).toEqual([6667, 1000, 3333, 500])
    expect(await one(id)).toMatchObject({ status: 'AUDITING', createdBy: '姓名green_maker', own: true })
    await step(auditor.token, 'audit', id)
    expect((await one(id))?.status).toBe('APPROVALING')
    await step(approver.token, 'approve', id)
    await inStatus(id, 'FINISH')
    expect(await wallet(memberId)).toEqual([6667, 1000, 0, 0])
    expect(await due()).toBe(0n)
    // The rest is refundable, and nothing beyond it.
    const rest = await there.api.call(maker.token, rechargeRefund.quote, { query: { rechargeNo } as never })
    expect(rest.data).toMatchObject({ refunded: '33.33', refundable: '66.67', gift: '10.00', payout: '66.67' })
    expect(await ask(maker.token, rechargeNo, '66.68')).toMatchObject({
      status: 409,
      message: '退款金额超过可退金额，当前可退66.67元',
    })
  })

  it('is chosen from the refundable recharges of its member by users who may request a refund', async () => {
    const { memberId, rechargeNo } = await recharged('100.00')
    const whole = await recharged('20.00', memberId)
    const other = await recharged('30.00')
    const listed = (token: string, id = memberId) =>
      there.api.call(token, rechargeRefund.refundable, { params: { memberId: id } })
    await ask(maker.token, whole.rechargeNo, '20.00')
    await ask(maker.token, rechargeNo, '40.00')
    expect((await listed(maker.token)).data.rows).toMatchObject([
      { id: rechargeNo, amount: '100.00', gift: '15.00', refunded: '40.00', left: '60.00', siteName: null },
    ])
    expect((await listed(maker.token, other.memberId)).data.rows.map(({ id }) => id)).toEqual([other.rechargeNo])
    const stranger = await makeRefunder(there.api, people.swift.id, 'swift_refundable')
    expect((await listed(stranger.token)).status).toBe(404)
    expect((await listed(people.green.clerk.token)).status).toBe(403)
  })

  it('is totalled by stage, within a month', async () => {
    const { memberId, rechargeNo } = await recharged('100.00')
    const phone = `135${memberId.padStart(8, '0').slice(-8)}`
    await there.api.sql('update member set phone = $2 where id = $1', [memberId, phone])
    const totals = (query: object) => there.api.call(maker.token, rechargeRefund.totals, { query: query as never })
    const days = { from: shanghaiDay(-30), to: shanghaiDay(0), phone }
    const { id } = (await ask(maker.token, rechargeNo, '10.00')).data
    await fail(auditor.token, 'auditFail', id)
    await ask(maker.token, rechargeNo, '20.00')
    expect((await totals(days)).data).toEqual({
      count: 2,
      sums: { waiting: '20.00', refunding: '0.00', refunded: '0.00', gift: '0.00' },
    })
    await inStatus(await approved(rechargeNo, '50.00'), 'FINISH')
    expect((await totals(days)).data.sums).toEqual({
      waiting: '20.00',
      refunding: '0.00',
      refunded: '50.00',
      gift: '7.50',
    })
    expect((await totals({ ...days, from: shanghaiDay(-31) })).status).toBe(422)
    expect((await totals({})).status).toBe(422)
  })

  it('has the spent gift deducted, and gift money is never paid out', async () => {
    const { memberId, rechargeNo } = await recharged('100.00')
    const site = people.green.siteId
    await postLines(there.api, people.green.id, 'bill', [
      ['memberGift', memberId, -1200],
      ['siteService', site, 1200],
    ])
    const id = await approved(rechargeNo, '100.00')
    await inStatus(id, 'FINISH')
    expect(await one(id)).toMatchObject({ amount: '100.00', gift: '3.00', giftSpent: '12.00', payout: '88.00' })
    expect(await attempts(id)).toMatchObject([{ amount_fen: '8800', status: 3 }])
    expect(await wallet(memberId)).toEqual([0, 0, 0, 0])
    // Only gift money is left: the own money is spent, so nothing is refundable.
    const gifted = await recharged('100.00')
    await postLines(there.api, people.green.id, 'bill', [
      ['memberPaid', gifted.memberId, -10_000],
      ['siteService', site, 10_000],
    ])
    expect((await ask(maker.token, gifted.rechargeNo, '0.01')).message).toContain('当前可退0.00元')
    // The deduction for the spent gift consumes the whole amount.
    const eaten = await recharged('100.00')
    await postLines(there.api, people.green.id, 'bill', [
      ['memberGift', eaten.memberId, -1500],
      ['siteService', site, 1500],
    ])
    expect((await ask(maker.token, eaten.rechargeNo, '0.01')).message).toContain('扣除后没有可退金额')
  })

  it('is returned in full when it is declined or cancelled, and can be requested again', async () => {
    const { memberId, rechargeNo } = await recharged('100.00')
    const untouched = [10_000, 1500, 0, 0]
    const ways = [
      async (id: string) => fail(auditor.token, 'auditFail', id),
      async (id: string) => step(maker.token, 'cancel', id),
      async (id: string) => {
        await step(auditor.token, 'audit', id)
        return fail(approver.token, 'approvalFail', id)
      },
      async (id: string) => {
        await step(auditor.token, 'audit', id)
        return step(maker.token, 'cancel', id)
      },
    ]
    const ends = ['AUDIT_FAILED', 'AUDIT_CANCEL', 'APPROVAL_FAILED', 'AUDIT_CANCEL']
    for (const [at, way] of ways.entries()) {
      const { id } = (await ask(maker.token, rechargeNo, '77.77')).data
      expect(await wallet(memberId)).toEqual([2223, 333, 7777, 1167])
      expect((await way(id)).status).toBe(200)
      expect((await one(id))?.status).toBe(ends[at])
      expect(await wallet(memberId)).toEqual(untouched)
      expect((await step(auditor.token, 'audit', id)).status).toBe(409)
      expect((await step(approver.token, 'approve', id)).status).toBe(409)
      expect((await step(maker.token, 'cancel', id)).status).toBe(409)
    }
  })

  it('is reserved once when many requests arrive at once', async () => {
    const { memberId, rechargeNo } = await recharged('20.00')
    const replies = await Promise.all(Array.from({ length: 30 }, () => ask(maker.token, rechargeNo, '15.00')))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await wallet(memberId)).toEqual([500, 0, 1500, 0])
  })
})

describe('three people', () => {
  it('take one step each, and the database enforces it as well', async () => {
    const { rechargeNo } = await recharged('50.00')
    for (const person of [people.platform.root, people.green.admin]) {
      const { id } = (await ask(person.token, rechargeNo, '1.00')).data
      expect(await step(person.token, 'audit', id)).toMatchObject({
        status: 409,
        message: '不能审核或审批自己提交的退款',
      })
      expect((await fail(person.token, 'auditFail', id)).status).toBe(409)
      await expect(
        there.api.sql(
          `update recharge_refund set status = 'APPROVALING', audited_by_id = $2, audited_by = '我', audited_at = now() where id = $1`,
          [id, person.id],
        ),
      ).rejects.toThrow('recharge_refund_three_people')
      expect((await step(auditor.token, 'audit', id)).status).toBe(200)
      expect((await step(person.token, 'approve', id)).status).toBe(409)
      expect(await step(auditor.token, 'approve', id)).toMatchObject({
        status: 409,
        message: '审核人与审批人不能是同一人',
      })
      expect((await fail(auditor.token, 'approvalFail', id)).status).toBe(409)
      await expect(
        there.api.sql(
          `update recharge_refund set status = 'APPROVALING_FINISH', approved_by_id = $2, approved_by = '我', approved_at = now() where id = $1`,
          [id, auditor.id],
        ),
      ).rejects.toThrow('recharge_refund_three_people')
      expect(await step(auditor.token, 'cancel', id)).toMatchObject({ status: 409, message: '只能撤销自己提交的退款' })
      expect((await step(person.token, 'cancel', id)).status).toBe(200)
    }
  })

  it('act as themselves, with the right for their step, in their own organisation', async () => {
    const { rechargeNo } = await recharged('5.00')
    const { id } = (await ask(maker.token, rechargeNo, '1.00')).data
    const borrowed = await borrowedSession(there.api, auditor.id, maker.id)
    expect((await ask(borrowed, rechargeNo, '1.00')).status).toBe(403)
    expect((await step(borrowed, 'audit', id)).status).toBe(403)
    expect((await step(people.green.clerk.token, 'audit', id)).status).toBe(403)
    const stranger = await makeRefunder(there.api, people.swift.id, 'swift_refunder')
    for (const name of ['audit', 'approve', 'cancel', 'retry', 'giveBack'] as const)
      expect((await step(stranger.token, name, id)).status, name).toBe(404)
    expect((await ask(stranger.token, rechargeNo, '1.00')).status).toBe(404)
    expect((await step(approver.token, 'approve', id)).status).toBe(409)
    await expect(
      there.api.sql(`update recharge_refund set status = 'FINISH', finished_at = now() where id = $1`, [id]),
    ).rejects.toThrow('goes forward only')
    expect((await step(maker.token, 'cancel', id)).status).toBe(200)
  })

  it('may be the member and two others', async () => {
    const { memberId, rechargeNo } = await recharged('8.00')
    const body = { memberId, rechargeNo, amount: '8.00', reason: '搬家' } as never
    const other = await makePayer(there.api, people.green.id, 0n)
    expect(
      await refused(client.call(openRechargeRefund.add, { body: { ...(body as object), memberId: other } as never })),
    ).toMatch(/^404/)
    const first = await client.call(openRechargeRefund.add, { body })
    await client.call(openRechargeRefund.cancel, { body: first })
    expect(await client.call(openRechargeRefund.read, { query: first })).toMatchObject({
      status: 'AUDIT_CANCEL',
      amount: '8.00',
    })
    const { refundNo } = await client.call(openRechargeRefund.add, { body })
    expect((await one(refundNo))?.createdBy).toBe('会员')
    await step(auditor.token, 'audit', refundNo)
    expect((await step(auditor.token, 'approve', refundNo)).status).toBe(409)
    await step(approver.token, 'approve', refundNo)
    expect(await refused(client.call(openRechargeRefund.cancel, { body: { refundNo } }))).toMatch(/^409/)
    await inStatus(refundNo, 'FINISH')
    expect(await client.call(openCharging.member, { params: { memberId } })).toMatchObject({ balance: '0.00' })
    const foreign = await makeOpenApp(there.api, people.swift.id)
    expect(await refused(foreign.call(openRechargeRefund.read, { query: { refundNo } }))).toMatch(/^404/)
  })
})

describe('the provider', () => {
  it('that is down or silent leaves the refund unknown; the retry finds it, and the money arrives once', async () => {
    const { memberId, rechargeNo } = await recharged('9.00')
    there.sandbox.behave({ vanish: true }, trader.merchantNo)
    const id = await approved(rechargeNo, '9.00')
    await until(async () => ((await one(id))?.words?.includes('结果未知') ? true : undefined))
    expect(await one(id)).toMatchObject({ status: 'APPROVALING_FINISH', stuck: false })
    expect((await step(approver.token, 'retry', id)).status).toBe(409)
    expect((await step(approver.token, 'giveBack', id)).status).toBe(409)
    // The provider executes the request, and its reply is lost.
    there.sandbox.behave({ loseReply: true, loseNotices: true }, trader.merchantNo)
    await lookNow(id)
    there.sandbox.behave({}, trader.merchantNo)
    await until(async () => {
      await lookNow(id)
      return (await one(id))?.status === 'FINISH' ? true : undefined
    })
    expect(await attempts(id)).toMatchObject([{ status: 3, amount_fen: '900' }])
    expect(await wallet(memberId)).toEqual([0, 0, 0, 0])
  })

  it('that is late keeps the refund under way until it reports the arrival', async () => {
    const { rechargeNo } = await recharged('6.00')
    there.sandbox.behave({ holdRefunds: true }, trader.merchantNo)
    const id = await approved(rechargeNo, '6.00')
    const [sent] = await until(async () => {
      const rows = await attempts(id)
      return rows[0]?.status === 2 ? rows : undefined
    })
    expect((await one(id))?.status).toBe('APPROVALING_FINISH')
    there.sandbox.settleRefund(`R${sent?.id}`, 'SUCCESS')
    await inStatus(id, 'FINISH')
  })

  it('that refuses leaves the decision to an operator: a new number, or back into the wallet', async () => {
    const { memberId, rechargeNo } = await recharged('100.00')
    there.sandbox.behave({ holdRefunds: true }, trader.merchantNo)
    const id = await approved(rechargeNo, '40.00')
    const processing = (count: number) =>
      until(async () => {
        const rows = await attempts(id)
        return rows.length === count && rows.at(-1)?.status === 2 ? rows.at(-1) : undefined
      })
    there.sandbox.settleRefund(`R${(await processing(1))?.id}`, 'CLOSED')
    expect(await stuck(id)).toMatchObject({ status: 'APPROVALING_FINISH', words: '渠道已关闭该退款' })
    expect(await wallet(memberId)).toEqual([6000, 900, 4000, 0])
    expect(await due()).toBe(0n)
    expect((await step(maker.token, 'retry', id)).status).toBe(409)
    expect((await step(approver.token, 'retry', id)).status).toBe(200)
    expect(await wallet(memberId)).toEqual([6000, 900, 0, 0])
    there.sandbox.settleRefund(`R${(await processing(2))?.id}`, 'CLOSED')
    await stuck(id)
    const both = await Promise.all([step(approver.token, 'giveBack', id), step(auditor.token, 'giveBack', id)])
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]))
    expect((await one(id))?.status).toBe('AUDIT_CANCEL')
    expect(await wallet(memberId)).toEqual([10_000, 1500, 0, 0])
    const quote = await there.api.call(maker.token, rechargeRefund.quote, { query: { rechargeNo } as never })
    expect(quote.data).toMatchObject({ refunded: '0.00', refundable: '100.00' })
  })

  it('that finds the payer’s account closed: an operator retries, and the money arrives once', async () => {
    const { memberId, rechargeNo } = await recharged('30.00')
    there.sandbox.behave({ holdRefunds: true }, trader.merchantNo)
    const id = await approved(rechargeNo, '10.00')
    const [sent] = await until(async () => {
      const rows = await attempts(id)
      return rows[0]?.status === 2 ? rows : undefined
    })
    there.sandbox.settleRefund(`R${sent?.id}`, 'ABNORMAL')
    expect(await stuck(id)).toMatchObject({ words: '收款账户异常，需人工处理' })
    expect(await due()).toBe(1000n)
    there.sandbox.behave({}, trader.merchantNo)
    expect((await step(approver.token, 'retry', id)).status).toBe(200)
    await inStatus(id, 'FINISH')
    expect((await attempts(id)).map(({ status }) => status)).toEqual([4, 3])
    expect(await wallet(memberId)).toEqual([2000, 0, 0, 0])
    expect(await due()).toBe(0n)
  })
})

describe('a refund of an order to where the money came from', () => {
  const refund = async (orderNo: string, amount: string) => {
    const body = { orderNo, amount, way: 2, reason: '设备故障' } as never
    const { data } = await there.api.call(maker.token, refundOrder.add, { body })
    expect((await there.api.call(approver.token, refundOrder.approve, { body: { id: data.id } })).status).toBe(200)
    return data.id
  }
  const row = async (id: string) =>
    (await there.api.call(maker.token, refundOrder.list, { query: { refundNo: id } as never })).data.rows[0]
  const refunded = (id: string) =>
    until(async () => ((await row(id))?.status === refundStatus.code.refunded ? row(id) : undefined))

  it('is paid out of the newest recharges, as many as needed; gift money stays', async () => {
    const { memberId } = await recharged('3.00')
    await recharged('4.00', memberId)
    const orderNo = await billedOrder(there.api, people.green, models, memberId, { paid: 900, gift: 100 })
    const id = await refund(orderNo, '10.00')
    const done = await refunded(id)
    expect(done?.words).toBe('2.00元没有可原路退回的充值，已退到钱包；赠送1.00元已退到赠送余额')
    expect((await attempts(id)).map(({ amount_fen }) => amount_fen).toSorted()).toEqual(['300', '400'])
    // The wallet had 7 yuan, received 9, and paid out 7.
    expect(await wallet(memberId)).toEqual([900, 100, 0, 0])
    expect(await due()).toBe(0n)
  })

  it('that the provider refuses stays in the wallet, with the provider’s message', async () => {
    const { memberId, rechargeNo } = await recharged('5.00')
    const orderNo = await billedOrder(there.api, people.green, models, memberId, { paid: 500 })
    there.sandbox.behave({ holdRefunds: true }, trader.merchantNo)
    const id = await refund(orderNo, '5.00')
    expect((await row(id))?.status).toBe(refundStatus.code.refunding)
    expect(await wallet(memberId)).toEqual([500, 0, 0, 0])
    const [sent] = await until(async () => {
      const rows = await attempts(id)
      return rows[0]?.status === 2 ? rows : undefined
    })
    there.sandbox.settleRefund(`R${sent?.id}`, 'CLOSED')
    expect(await refunded(id)).toMatchObject({ words: '渠道已关闭该退款，已退到钱包' })
    expect(await wallet(memberId)).toEqual([1000, 0, 0, 0])
    const quote = await there.api.call(maker.token, rechargeRefund.quote, { query: { rechargeNo } as never })
    expect(quote.data).toMatchObject({ refunded: '0.00', refundable: '5.00' })
  })

  it('whose payer’s account is closed waits for an operator, who leaves the money in the wallet', async () => {
    const { memberId } = await recharged('5.00')
    const orderNo = await billedOrder(there.api, people.green, models, memberId, { paid: 500 })
    there.sandbox.behave({ holdRefunds: true }, trader.merchantNo)
    const id = await refund(orderNo, '2.00')
    const [sent] = await until(async () => {
      const rows = await attempts(id)
      return rows[0]?.status === 2 ? rows : undefined
    })
    const mend = (token: string, name: 'retry' | 'toWallet') =>
      there.api.call(token, refundOrder[name], { body: { id } })
    expect((await mend(approver.token, 'toWallet')).status).toBe(409)
    there.sandbox.settleRefund(`R${sent?.id}`, 'ABNORMAL')
    await until(async () => ((await row(id))?.stuck ? true : undefined))
    expect((await mend(maker.token, 'toWallet')).status).toBe(409)
    expect((await mend(approver.token, 'retry')).status).toBe(200)
    const again = await until(async () => {
      const rows = await attempts(id)
      return rows.length === 2 && rows[1]?.status === 2 ? rows[1] : undefined
    })
    there.sandbox.settleRefund(`R${again.id}`, 'ABNORMAL')
    await until(async () => ((await row(id))?.stuck ? true : undefined))
    expect((await mend(approver.token, 'toWallet')).status).toBe(200)
    await refunded(id)
    expect(await wallet(memberId)).toEqual([700, 0, 0, 0])
    expect(await due()).toBe(0n)
  })
})
