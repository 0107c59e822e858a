import { readFileSync } from 'node:fs'
import { openCharging } from '@wattdeck/contract/open/open-charging.ts'
import { OpenClient } from '@wattdeck/open-client/open-client.ts'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testConfig } from '../apps/server/test/harness/config.ts'
import { readPdf } from '../apps/server/test/harness/read-pdf.ts'
import { makePayers, type Payers } from '../tools/demo/load-clients.ts'
import { installation, open, sql, tokenOf, url } from './browser.ts'
import { sharedBrowser } from './chromium.ts'
import { type Chargers, startChargers } from './device-fixture.ts'

/** A charge from the price to the evidence, with real parts: browser, open interface, wire, gateway, worker, ledger. */
const name = '旅程标准'
let browser: Browser
let chargers: Chargers
let payers: Payers
beforeAll(async () => {
  browser = await sharedBrowser()
  const { secretKeys } = testConfig(installation.database)
  payers = await makePayers(installation.database, { organiseId: '2', secretKeys, members: 1, fen: 5000n })
  chargers = await startChargers({ organiseId: '2', siteId: '1' }, 1)
})
afterAll(async () => {
  await chargers.stop()
})

/** By energy, one price all day: 1.2 for electricity and 0.8 for service. */
async function makeTariff(page: Page) {
  await page.goto('/product/consumptionStandard')
  await page.getByRole('button', { name: '新增消费标准' }).click()
  const editor = page.getByRole('dialog', { name: '新增消费标准' })
  await editor.getByLabel('名称', { exact: true }).fill(name)
  await editor.getByLabel('第1段电费').fill('1.2')
  await editor.getByLabel('第1段服务费').fill('0.8')
  await editor.getByText('平时段 00:00–24:00：电费 1.20 元/度，服务费 0.80 元/度').waitFor()
  await editor.getByRole('button', { name: '保存草稿' }).click()
  const drawer = page.getByRole('dialog', { name })
  await drawer.getByRole('tab', { name: '试算' }).click()
  // Nothing is bound to it yet, so the trial uses charges of the target site.
  const [site] = await sql<{ name: string }>('select name from site where id = 1')
  await drawer.getByLabel('所属站点').click()
  await page.keyboard.type(site?.name ?? '')
  await page
    .getByTitle(site?.name ?? '')
    .last()
    .click()
  await drawer.getByRole('button', { name: '开始试算' }).click()
  await drawer.getByText(/近 30 天共 [\d,]+ 单：/).waitFor()
  await drawer.getByRole('button', { name: '发布第 1 版' }).click()
  await page
    .getByRole('dialog', { name: `发布「${name}」第 1 版` })
    .getByRole('button', { name: '发布' })
    .click()
  await drawer.getByRole('tab', { name: '价格公示' }).click()
  await drawer.getByText('生效中').waitFor()
}

async function bindToDevice(page: Page) {
  const { deviceNo } = chargers
  await page.goto(`/product/deviceManage?keyword=${deviceNo}`)
  await page.getByRole('button', { name: `更多操作 ${deviceNo}` }).click()
  await page.getByRole('menuitem', { name: '设置消费标准' }).click()
  const dialog = page.getByRole('dialog', { name: '设置消费标准：1 台设备' })
  await dialog.getByLabel('消费标准').click()
  await page.keyboard.type(name)
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: /设\s?置/ }).click()
  await page.getByText(/成功 1/).waitFor()
}

const client = () => new OpenClient({ url, ...payers.app })
const memberId = () => payers.memberIds[0] ?? ''
const balance = async () => (await client().call(openCharging.member, { params: { memberId: memberId() } })).balance

async function evidenceText(page: Page): Promise<string> {
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: '举证材料' }).click()
  const { text } = await readPdf(readFileSync(await (await download).path()))
  return text.replaceAll(/\s/g, '')
}

/** What the page, the order and its command say: the reason when a charge does not begin. */
async function stateOf(page: Page, orderNo: string): Promise<string> {
  const rows = await sql(
    `select o.status, o.stop_reason, o.started_at, c.status as command, c.reason, c.sent_at, c.ended_at, now()
     from charging_order o left join device_command c on c.id = o.command_id where o.id = $1`,
    [orderNo],
  )
  return `${JSON.stringify(rows)}\n${(await page.locator('.page-frame').first().innerText()).slice(0, 400)}`
}

describe('a charge', () => {
  it('is priced, tried, bound, started by a member, observed, stopped, billed and proven', async () => {
    const { page, errors } = await open(browser, { token: await tokenOf('green') })
    await makeTariff(page)
    await bindToDevice(page)
    const { deviceNo } = chargers
    await expect.poll(() => chargers.connected()).toBe(1)

    // Other tests charge for the same member.
    const had = await balance()
    const { orderNo, held: reserved } = await client().call(openCharging.start, {
      body: { memberId: memberId(), deviceNo, portNo: '2', limitBy: '1', amount: '5.00' } as never,
    })
    expect(reserved).toBe('5.00')
    await page.goto(`/order/chargingOrder?id=${orderNo}`)
    const charging = page.getByText('充电中', { exact: true }).first()
    await charging.waitFor().catch(async (error: Error) => {
      throw new Error(`${error.message}\n${await stateOf(page, orderNo)}`, { cause: error })
    })
    // No user action: the curve grows with the reports of the device.
    const curve = page.getByRole('figure', { name: /充电功率/ })
    await curve.waitFor()
    const points = async () => Number(/共 (\d+) 个点/.exec((await curve.getAttribute('aria-label')) ?? '')?.[1] ?? 0)
    const before = await points()
    await expect.poll(points).toBeGreaterThan(before + 3)
    // Billable energy: at least 0.02 kWh, the unit of the device.
    const energy = async () => (await client().call(openCharging.order, { params: { orderNo } })).energyWh
    await expect.poll(energy).toBeGreaterThanOrEqual(20)

    await client().call(openCharging.stop, { body: { orderNo } })
    await page.getByText('已完成', { exact: true }).first().waitFor()
    const order = await client().call(openCharging.order, { params: { orderNo } })
    const kwh = (order.energyWh ?? 0) / 1000
    expect(order.total).toBe((Math.round(kwh * 120) / 100 + Math.round(kwh * 80) / 100).toFixed(2))
    const why = page.locator('section', { has: page.getByRole('heading', { name: '为什么是这个价格' }) })
    await why.getByText(`电费 ${kwh} × 1.20 = `).waitFor()
    await why.getByText(`服务费 ${kwh} × 0.80 = `).waitFor()
    await why.getByText(`应付 ${order.total} 元`).waitFor()
    await page.getByText(`${name}（第 1 版）`).waitFor()

    const proof = await evidenceText(page)
    for (const part of [`订单号${orderNo}`, `应付${order.total}元`, `应收${order.total}元`, deviceNo])
      expect(proof).toContain(part)
    expect(await balance()).toBe((Number(had) - Number(order.total)).toFixed(2))
    expect(await sql('select * from app.ledger_breaks(2)')).toEqual([])
    expect(errors).toEqual([])
  })
})
