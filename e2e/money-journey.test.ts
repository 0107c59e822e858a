import { reconciliation } from '@wattdeck/contract/accounting/reconciliation.ts'
import { openCharging } from '@wattdeck/contract/open/open-charging.ts'
import { openRecharge } from '@wattdeck/contract/open/open-recharge.ts'
import { orderStatus } from '@wattdeck/contract/order/order-codes.ts'
import { refundOrder } from '@wattdeck/contract/order/refund-order.ts'
import { OpenClient } from '@wattdeck/open-client/open-client.ts'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Vault } from '../apps/server/src/kit/crypto/vault.ts'
import type { NewMerchant } from '../apps/pay-sandbox/src/merchants.ts'
import type { Trade } from '../apps/pay-sandbox/src/pay-simulator.ts'
import { testConfig } from '../apps/server/test/harness/config.ts'
import { makeTrader } from '../apps/server/test/fixtures/payments.ts'
import { makePerson } from '../apps/server/test/harness/people.ts'
import { refundMenus } from '../apps/server/test/fixtures/refunds.ts'
import { ensureTariff, makePayers, type Payers } from '../tools/demo/load-clients.ts'
import { call, installation, open, sql, url } from './browser.ts'
import { sharedBrowser } from './chromium.ts'
import { type Chargers, startChargers } from './device-fixture.ts'

/** Money from a code to the provider's bill and partly back, of an organisation without other activity today. */
let browser: Browser
let chargers: Chargers
let payers: Payers
let people: { maker: string; checker: string }
let merchantNo: string
beforeAll(async () => {
  const [database, { secretKeys }] = [installation.database, testConfig(installation.database)]
  browser = await sharedBrowser()
  const id = async (text: string, values: unknown[]) =>
    (await sql<{ id: string }>(`${text} returning id`, values))[0]?.id ?? ''
  const organiseId = await id('insert into organise (name) values ($1)', ['朝阳充电'])
  const siteId = await id('insert into site (organise_id, name) values ($1, $2)', [organiseId, '朝阳一号站'])
  await ensureTariff(database, organiseId, siteId)
  payers = await makePayers(database, { organiseId, secretKeys, members: 1, fen: 0n })
  const person = async (loginName: string) =>
    (await makePerson({ sql }, { organiseId, loginName, menus: [...refundMenus, '7.5', '8', '8.30'] })).token
  people = { maker: await person('journey_maker'), checker: await person('journey_checker') }
  const sandbox = {
    register: () => simulator<NewMerchant>('/sandbox/merchants', {}),
    publicKeys: () => keysOf('wechat'),
  }
  const trader = await makeTrader({ api: { sql, deps: { vault: new Vault(secretKeys) } }, sandbox }, organiseId)
  merchantNo = trader.merchantNo
  chargers = await startChargers({ organiseId, siteId }, 10)
})
afterAll(async () => {
  await chargers.stop()
})

async function simulator<T>(path: string, body?: object): Promise<T> {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  return (await (await fetch(`${installation.simulator}${path}`, init)).json()) as T
}
const keysOf = async (provider: 'wechat') =>
  (await simulator<Record<string, Record<string, string>>>('/sandbox/keys'))[provider] ?? {}
const tradeOf = async () =>
  (await simulator<Trade[]>('/sandbox/trades')).find((trade) => trade.merchantNo === merchantNo) as Trade

const client = () => new OpenClient({ url, ...payers.app })
const memberId = () => payers.memberIds[0] ?? ''
const balance = async () => (await client().call(openCharging.member, { params: { memberId: memberId() } })).balance

/** Pays at the provider, as with a phone. */
async function payAtTill(page: Page): Promise<void> {
  const { payNo } = await expect.poll(tradeOf).toBeDefined().then(tradeOf)
  await page.goto(installation.simulator)
  await page
    .getByRole('row', { name: new RegExp(payNo) })
    .getByRole('button', { name: '支付' })
    .click()
  await page.getByRole('row', { name: new RegExp(`${payNo}.*SUCCESS`) }).waitFor()
}

async function charge(): Promise<{ orderNo: string; total: string }> {
  await expect.poll(() => chargers.connected()).toBe(1)
  const { orderNo } = await client().call(openCharging.start, {
    body: { memberId: memberId(), deviceNo: chargers.deviceNo, portNo: '1', limitBy: '1', amount: '10.00' } as never,
  })
  const order = () => client().call(openCharging.order, { params: { orderNo } })
  await expect.poll(async () => (await order()).energyWh).toBeGreaterThanOrEqual(30)
  await client().call(openCharging.stop, { body: { orderNo } })
  await expect.poll(async () => (await order()).status).toBe(orderStatus.code.billed)
  return { orderNo, total: (await order()).total }
}

async function askRefund(page: Page, orderNo: string): Promise<void> {
  await page.goto(`/order/chargingOrder?id=${orderNo}`)
  await page.getByRole('button', { name: /^退\s?款$/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('退款金额').fill('0.02')
  await dialog.getByText('原路退回', { exact: true }).click()
  await dialog.getByLabel('退款原因').fill('充电中断')
  await dialog.getByRole('button', { name: '提交审批' }).click()
  await page.getByText('退款申请已提交，须由他人审批').first().waitFor()
}

async function reconcile(page: Page): Promise<void> {
  await page.goto('/accounting/reconciliation')
  await page.getByRole('button', { name: '发起对账' }).click()
  const dialog = page.getByRole('dialog', { name: '发起对账' })
  await dialog.getByLabel('账期').fill(new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10))
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: '开始核对' }).click()
  await page.getByText('对账已开始').first().waitFor()
  await page.getByRole('tab', { name: '核对记录' }).click()
}

describe('money', () => {
  it('is recharged by a code, spent on a charge, billed, refunded in part by two people, and reconciled', async () => {
    const { page: desk, errors } = await open(browser, { token: people.maker })
    const body = { memberId: memberId(), amount: '20.00', provider: '1', way: '1' } as const
    const { rechargeNo } = await client().call(openRecharge.add, { body })
    await desk.goto('/order/rechargeRecord')
    const record = desk.getByRole('row', { name: new RegExp(rechargeNo) })
    await record.getByText('待支付').waitFor()
    const { page: phone } = await open(browser)
    await payAtTill(phone)
    // No user action: the stream updates the list.
    await record.getByText('已支付').waitFor()
    expect(await balance()).toBe('20.00')

    await desk.goto(`/order/payOrder?payNo=${rechargeNo}`)
    const payment = desk.getByRole('row', { name: new RegExp(rechargeNo) })
    await payment.getByRole('button', { name: '退款', exact: true }).click()
    expect(await desk.getByRole('dialog').getByLabel('充值单号').inputValue()).toBe(rechargeNo)

    const { orderNo, total } = await charge()
    expect(Number(total)).toBeGreaterThan(0.02)
    expect(await balance()).toBe((20 - Number(total)).toFixed(2))
    await askRefund(desk, orderNo)
    const refundOf = async () =>
      (await call(people.maker, refundOrder.list, { query: { orderNo } as never })).data.rows[0]
    expect(await refundOf()).toMatchObject({ amount: '0.02', status: 1 })
    expect((await tradeOf()).refunds).toEqual([])

    const { page: review, errors: reviewing } = await open(browser, { token: people.checker })
    await review.goto(`/order/refundReview?id=${(await refundOf())?.id}`)
    await review.getByRole('button', { name: '通过（A）' }).click()
    await review.getByRole('dialog').getByRole('button', { name: '通过并退款' }).click()
    await review.getByText('已同意退款 ¥0.02，将原路退回').first().waitFor()
    await expect.poll(async () => (await refundOf())?.status).toBe(4)
    // It is back at the payer, not in the wallet.
    expect((await tradeOf()).refunds).toMatchObject([{ fen: 2, state: 'SUCCESS' }])
    expect(await balance()).toBe((20 - Number(total)).toFixed(2))

    await reconcile(desk)
    for (const what of ['测试商户', '订单、账务与设备'])
      await desk.getByRole('row', { name: new RegExp(`一致.*${what}`) }).waitFor()
    expect((await call(people.maker, reconciliation.list)).data.rows).toEqual([])
    expect(await sql('select * from app.ledger_breaks()')).toEqual([])
    expect([...errors, ...reviewing]).toEqual([])
  })
})
