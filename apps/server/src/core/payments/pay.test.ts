import { payStatus, rechargeStatus } from '@wattdeck/contract/accounting/pay-codes.ts'
import { openCharging } from '@wattdeck/contract/open/open-charging.ts'
import { openRecharge } from '@wattdeck/contract/open/open-recharge.ts'
import { notification } from '@wattdeck/contract/auth/notification.ts'
import { payOrder } from '@wattdeck/contract/order/pay-order.ts'
import { rechargeRecord } from '@wattdeck/contract/order/recharge-record.ts'
import type { OpenClient, OpenRefusal } from '@wattdeck/open-client/open-client.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeOpenApp, makePayer } from '../../../test/fixtures/charging.ts'
import * as fixture from '../../../test/fixtures/payments.ts'
import { addPlan } from '../../../test/fixtures/recharge-plan.ts'
import { makeFixture, type Fixture } from '../../../test/harness/people.ts'
import { until } from '../../../test/harness/until.ts'

let there: fixture.PayContext
let people: Fixture
let client: OpenClient
let trader: fixture.Trader
let worker: Awaited<ReturnType<fixture.PayContext['startWorker']>>
beforeAll(async () => {
  there = await fixture.startPayFixture()
  people = await makeFixture(there.api)
  client = await makeOpenApp(there.api, people.green.id)
  trader = await fixture.makeTrader(there, people.green.id)
  worker = await there.startWorker()
})
afterAll(() => worker.stop())

const balances = (memberId: string) => client.call(openCharging.member, { params: { memberId } })
const payOf = async (rechargeNo: string) => {
  const [row] = await there.api.sql<Record<string, string | number | boolean | null>>(
    `select id, status, paid_late, refunded_fen, fee_fen, failure, transaction_id from pay_order where ref_id = $1`,
    [rechargeNo],
  )
  return row ?? {}
}
/** The wire statuses under which the lists find a recharge and its payment; each row must show the same status. */
async function listedAs(rechargeNo: string) {
  const { token } = people.green.admin
  const pays: string[] = []
  for (const status of Object.values(payStatus.code)) {
    const query = { payNo: rechargeNo, status: String(status) } as never
    const { rows } = (await there.api.call(token, payOrder.list, { query })).data
    for (const row of rows) pays.push(row.status === status ? String(status) : 'another')
  }
  const recharges: string[] = []
  for (const status of Object.values(rechargeStatus.code)) {
    const query = { rechargeNo, status } as never
    const { rows } = (await there.api.call(token, rechargeRecord.list, { query })).data
    for (const row of rows) recharges.push(row.status === status ? status : 'another')
  }
  return { pays, recharges }
}
const refused = async (call: Promise<unknown>) =>
  call.then(
    () => 'accepted',
    (error: OpenRefusal) => `${error.status} ${error.message}`,
  )

describe('a recharge', () => {
  it('by code is credited once, with the gift of its tier', async () => {
    const memberId = await makePayer(there.api, people.green.id, 500n)
    const { tierIds } = await addPlan(there.api, { organiseId: people.green.id }, { tiers: [[100, 15]] })
    const [tierId] = tierIds
    const { rows } = await client.call(openRecharge.tiers)
    expect(rows).toEqual([{ tierId, pay: '100.00', gift: '15.00' }])
    const body = { memberId, tierId, provider: '1', way: '1' } as never
    const key = crypto.randomUUID()
    const { rechargeNo } = await client.call(openRecharge.add, { body, key })
    expect(await client.call(openRecharge.add, { body, key })).toEqual({ rechargeNo })
    const codeUrl = await fixture.codeOf(client, rechargeNo)
    expect(await balances(memberId)).toMatchObject({ balance: '5.00', gift: '0.00' })
    there.sandbox.behave({ noticeCopies: 3 }, trader.merchantNo)
    there.sandbox.pay({ codeUrl })
    const paid = await fixture.rechargeIn(client, rechargeNo, 'ALREADY_PAY_STATUS')
    there.sandbox.behave({}, trader.merchantNo)
    expect(paid).toMatchObject({ amount: '100.00', gift: '15.00', codeUrl: null })
    expect(await balances(memberId)).toMatchObject({ balance: '105.00', gift: '15.00' })
    const [record] = await there.api.sql('select before_fen, after_fen from recharge_order where id = $1', [rechargeNo])
    expect(record).toEqual({ before_fen: '500', after_fen: '12000' })
    expect(await payOf(rechargeNo)).toMatchObject({ status: 2, fee_fen: '60', refunded_fen: '0' })
    expect(await listedAs(rechargeNo)).toEqual({ pays: ['1'], recharges: ['ALREADY_PAY_STATUS'] })
    await until(async () => {
      const [seen] = await there.api.sql<{ copies: number }>(
        'select copies from pay_notice where pay_no = $1 and status = 2',
        [`P${(await payOf(rechargeNo))['id']}`],
      )
      return seen?.copies === 3 ? seen : undefined
    })
  })

  it('whose notice was lost is credited after a query', async () => {
    const memberId = await makePayer(there.api, people.green.id, 0n)
    const rechargeNo = await fixture.requestRecharge(client, memberId, '1.23')
    const codeUrl = await fixture.codeOf(client, rechargeNo)
    there.sandbox.behave({ loseNotices: true }, trader.merchantNo)
    there.sandbox.pay({ codeUrl })
    there.sandbox.behave({}, trader.merchantNo)
    // Ten seconds after sending, the worker queries the provider.
    await fixture.rechargeIn(client, rechargeNo, 'ALREADY_PAY_STATUS')
    expect(await balances(memberId)).toMatchObject({ balance: '1.23' })
  })

  it('that is cancelled unpaid is closed at the provider and then locally', async () => {
    const memberId = await makePayer(there.api, people.green.id, 0n)
    const rechargeNo = await fixture.requestRecharge(client, memberId, '2.00')
    const codeUrl = await fixture.codeOf(client, rechargeNo)
    await client.call(openRecharge.cancel, { body: { rechargeNo } })
    await fixture.rechargeIn(client, rechargeNo, 'CANCEL_STATUS')
    expect(() => there.sandbox.pay({ codeUrl })).toThrow(/closed/)
    expect(await payOf(rechargeNo)).toMatchObject({ status: 3 })
    // A second cancellation succeeds, too.
    await client.call(openRecharge.cancel, { body: { rechargeNo } })
  })

  it('paid at the moment of its cancellation is credited', async () => {
    const memberId = await makePayer(there.api, people.green.id, 0n)
    const rechargeNo = await fixture.requestRecharge(client, memberId, '2.50')
    const codeUrl = await fixture.codeOf(client, rechargeNo)
    there.sandbox.behave({ loseNotices: true }, trader.merchantNo)
    there.sandbox.pay({ codeUrl })
    await client.call(openRecharge.cancel, { body: { rechargeNo } })
    await fixture.rechargeIn(client, rechargeNo, 'ALREADY_PAY_STATUS')
    there.sandbox.behave({}, trader.merchantNo)
    expect(await balances(memberId)).toMatchObject({ balance: '2.50' })
    expect(await refused(client.call(openRecharge.cancel, { body: { rechargeNo } }))).toBe('409 已支付，不能取消')
  })

  it('closed before Alipay knew its code is refunded if it is paid later, even without a notice', async () => {
    const alipay = await fixture.makeTrader(there, people.green.id, 'alipay')
    const memberId = await makePayer(there.api, people.green.id, 0n)
    const rechargeNo = await fixture.requestRecharge(client, memberId, '4.00', '2')
    const codeUrl = await fixture.codeOf(client, rechargeNo)
    await client.call(openRecharge.cancel, { body: { rechargeNo } })
    await fixture.rechargeIn(client, rechargeNo, 'CANCEL_STATUS')
    // The code was not scanned, so Alipay could not close the trade.
    there.sandbox.behave({ loseNotices: true }, alipay.merchantNo)
    const trade = there.sandbox.pay({ codeUrl })
    there.sandbox.behave({}, alipay.merchantNo)
    const [look] = await there.api.sql<{ minutes: number }>(
      `update pay_order set look_at = now() from (select id, extract(epoch from look_at - created_at)::int / 60 as minutes from pay_order) planned
       where planned.id = pay_order.id and ref_id = $1 returning minutes`,
      [rechargeNo],
    )
    expect(look?.minutes).toBe(16)
    await until(() => Promise.resolve(trade.refunds[0]?.state === 'SUCCESS' ? true : undefined))
    expect(trade.refunds.map(({ fen }) => fen)).toEqual([400])
    expect(await payOf(rechargeNo)).toMatchObject({ status: 2, paid_late: true })
    expect(await balances(memberId)).toMatchObject({ balance: '0.00' })
    await there.api.sql('update pay_merchant set status = 0 where id = $1', [alipay.id])
  })

  it('paid after it was closed is refunded automatically and credits no wallet', async () => {
    const memberId = await makePayer(there.api, people.green.id, 0n)
    const rechargeNo = await fixture.requestRecharge(client, memberId, '3.00')
    const codeUrl = await fixture.codeOf(client, rechargeNo)
    // The provider is unreachable from the expiry until more than a day later.
    there.sandbox.behave({ vanish: true }, trader.merchantNo)
    await there.api.sql(
      `update pay_order set expires_at = now() - interval '2 days', look_at = now() where ref_id = $1`,
      [rechargeNo],
    )
    await fixture.rechargeIn(client, rechargeNo, 'CANCEL_STATUS')
    there.sandbox.behave({}, trader.merchantNo)
    there.sandbox.pay({ codeUrl })
    const back = await until(async () => {
      const pay = await payOf(rechargeNo)
      const [refund] = await there.api.sql<{ status: number }>(
        'select status, purpose from pay_refund where pay_order_id = $1',
        [pay['id']],
      )
      return refund?.status === 3 ? { pay, refund } : undefined
    })
    expect(back.pay).toMatchObject({ status: 2, paid_late: true, refunded_fen: '300' })
    expect(back.refund).toMatchObject({ purpose: 2 })
    expect((await fixture.readRecharge(client, rechargeNo)).status).toBe('CANCEL_STATUS')
    expect(await balances(memberId)).toMatchObject({ balance: '0.00' })
    expect(await fixture.accountSum(there.api, people.green.id, 53)).toBe(0n)
  })

  it('that the provider refuses is cancelled with the message of the provider', async () => {
    const memberId = await makePayer(there.api, people.green.id, 0n)
    // The provider does not know this application.
    await there.api.sql(`update pay_merchant set app_id = app_id || 'x' where id = $1`, [trader.id])
    const rechargeNo = await fixture.requestRecharge(client, memberId, '4.00')
    const result = await fixture.rechargeIn(client, rechargeNo, 'CANCEL_STATUS')
    await there.api.sql(`update pay_merchant set app_id = $2 where id = $1`, [trader.id, trader.appId])
    expect(result.failure).toContain('渠道拒绝')
  })

  it('accepts no invalid amount and no gift from the caller', async () => {
    const memberId = await makePayer(there.api, people.green.id, 0n)
    const ask = (request: object) =>
      refused(client.call(openRecharge.add, { body: { memberId, provider: '1', way: '1', ...request } as never }))
    const text = '422 请输入正确格式的金额（0.01-9999999.99之间，最多两位小数）'
    for (const amount of ['0', '0.00', '-1', '1e3', '0.001', '10000000', 'NaN', '１'])
      expect(`${amount} ${await ask({ amount })}`).toBe(`${amount} ${text}`)
    expect(await ask({ amount: '1', giftFen: '100' })).toMatch(/^422/)
    expect(await ask({})).toMatch(/^422/)
    expect(await ask({ tierId: '999999' })).toMatch(/^404/)
    expect(await ask({ amount: '1', provider: '2' })).toBe('409 该支付方式未开通')
    expect(await ask({ amount: '1', way: '2' })).toMatch(/^422/)
    expect(await there.api.sql('select 1 from recharge_order where member_id = $1', [memberId])).toEqual([])
  })

  it('of another brand is not found', async () => {
    const other = await makeOpenApp(there.api, people.swift.id)
    const memberId = await makePayer(there.api, people.green.id, 0n)
    const rechargeNo = await fixture.requestRecharge(client, memberId, '1.00')
    expect(await refused(fixture.readRecharge(other, rechargeNo))).toMatch(/^404/)
    expect(await refused(other.call(openRecharge.cancel, { body: { rechargeNo } }))).toMatch(/^404/)
    expect(await refused(fixture.requestRecharge(other, memberId, '1.00'))).toMatch(/^404/)
  })
})

describe('a notice', () => {
  const notices = () => there.api.sql<{ count: number }>('select count(*)::int as count from pay_notice')

  it('that is forged is refused and not stored', async () => {
    const memberId = await makePayer(there.api, people.green.id, 0n)
    const rechargeNo = await fixture.requestRecharge(client, memberId, '5.00')
    const codeUrl = await fixture.codeOf(client, rechargeNo)
    const before = await notices()
    there.sandbox.behave({ forgeNotices: true }, trader.merchantNo)
    const countBefore = there.sandbox.notices.length
    there.sandbox.pay({ codeUrl })
    const answered = await until(async () =>
      there.sandbox.notices.slice(countBefore).find(({ status }) => status !== undefined),
    )
    expect(answered.status).toBe(401)
    expect(await notices()).toEqual(before)
    there.sandbox.behave({}, trader.merchantNo)
    expect((await fixture.readRecharge(client, rechargeNo)).status).toBe('WAIT_PAY_STATUS')
    // A query at the provider returns the real state.
    const id = String((await payOf(rechargeNo))['id'])
    await there.api.call(people.green.admin.token, payOrder.sync, { body: { id } })
    await fixture.rechargeIn(client, rechargeNo, 'ALREADY_PAY_STATUS')
  })

  it('with another amount credits nothing and notifies staff', async () => {
    const memberId = await makePayer(there.api, people.green.id, 0n)
    const rechargeNo = await fixture.requestRecharge(client, memberId, '6.00')
    const codeUrl = await fixture.codeOf(client, rechargeNo)
    there.sandbox.behave({ noticeFenDelta: 100_000 }, trader.merchantNo)
    there.sandbox.pay({ codeUrl })
    const payNo = `P${(await payOf(rechargeNo))['id']}`
    const storedNotice = await until(async () => {
      const [row] = await there.api.sql<{ problem: string; status: number }>(
        'select problem, status from pay_notice where pay_no = $1',
        [payNo],
      )
      return row
    })
    there.sandbox.behave({}, trader.merchantNo)
    expect(storedNotice).toEqual({ status: 3, problem: '金额不符：应付6.00元，渠道称1006.00元' })
    expect((await fixture.readRecharge(client, rechargeNo)).status).toBe('WAIT_PAY_STATUS')
    expect(await balances(memberId)).toMatchObject({ balance: '0.00' })
    const { data } = await there.api.call(people.green.admin.token, notification.list)
    expect(data.rows.some(({ title, body }) => title === '支付通知与订单不符' && body.includes(payNo))).toBe(true)
    // An operator syncs the payment with the provider.
    const result = await there.api.call(people.green.admin.token, payOrder.list, { query: { payNo } })
    const id = result.data.rows[0]?.id ?? ''
    await there.api.call(people.green.admin.token, payOrder.sync, { body: { id } })
    await fixture.rechargeIn(client, rechargeNo, 'ALREADY_PAY_STATUS')
    const { data: detail } = await there.api.call(people.green.admin.token, payOrder.detail, { params: { id } })
    expect(detail).toMatchObject({
      payNo,
      status: payStatus.code.paid,
      amount: '6.00',
      notices: [{ status: 3, copies: 1 }],
      refunds: [],
    })
  })

  it('that arrives before its payment is stored waits for it', async () => {
    const memberId = await makePayer(there.api, people.green.id, 0n)
    const rechargeNo = await fixture.requestRecharge(client, memberId, '7.00')
    const codeUrl = await fixture.codeOf(client, rechargeNo)
    const { id } = await payOf(rechargeNo)
    // Simulates a payment row that is not visible yet.
    const [hidden] = await there.api.sql<{ row: string }>(
      `with gone as (delete from pay_order where id = $1 returning *) select to_jsonb(gone)::text as row from gone`,
      [id],
    )
    there.sandbox.pay({ codeUrl })
    await until(
      async () => (await there.api.sql('select 1 from pay_notice where pay_no = $1 and status = 1', [`P${id}`]))[0],
    )
    await there.api.sql('insert into pay_order select * from jsonb_populate_record(null::pay_order, $1)', [hidden?.row])
    await fixture.rechargeIn(client, rechargeNo, 'ALREADY_PAY_STATUS')
    expect(await balances(memberId)).toMatchObject({ balance: '7.00' })
  })
})

describe('the ledger', () => {
  it('is consistent after all of this', async () => {
    await there.api.sql('select app.seal_ledger()')
    expect(await fixture.ledgerBreaks(there.api)).toEqual([])
    expect(await fixture.accountSum(there.api, people.green.id, 53)).toBe(0n)
  })
})
