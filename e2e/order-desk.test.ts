import type { Browser } from 'playwright'
import { beforeAll, describe, expect, it } from 'vitest'
import { open, sql, tokenOf } from './browser.ts'
import { sharedBrowser } from './chromium.ts'

/** Lookups and corrections around the order lists: a device, a member, sums, a stuck order. */
let browser: Browser
let token: string
beforeAll(async () => {
  browser = await sharedBrowser()
  token = await tokenOf('green')
})

const day = (offset: number) => new Date(Date.now() + (8 + offset * 24) * 3_600_000).toISOString().slice(0, 10)
const month = `from=${day(-29)}&to=${day(0)}`

describe('the page of a device', () => {
  it('lists its orders with the figures of today, and leads to each', async () => {
    const [found] = await sql<{ deviceId: string }>(
      `select device_id as "deviceId" from charging_order join device on device.id = device_id
       where charging_order.organise_id = 2 and device.organise_id = 2 and charging_order.status = 3 and deleted_at is null
       order by charging_order.id desc limit 1`,
    )
    const { page, errors } = await open(browser, { token })
    await page.goto(`/product/deviceDetail?id=${found?.deviceId}`)
    await page.getByRole('tab', { name: '订单' }).click()
    await page.getByText(/今日已结算：订单 \d+ · 电量 [\d.]+ kWh · 应收 ¥[\d.]+/).waitFor()
    const order = page.locator('tbody a[href^="/order/chargingOrder?id="]').first()
    await order.waitFor()
    await order.click()
    await page.getByRole('heading', { name: '订单信息' }).waitFor()
    expect(errors).toEqual([])
  })
})

describe('the totals', () => {
  it.each([
    ['unfinishedOrder', '合计：未完成'],
    ['refundOrder', '合计：退款单'],
    ['rechargeRefund', '合计：退款单'],
    ['enterpriseRefund', '合计：退款单'],
  ])('of %s are requested by days and summed', async (screen, text) => {
    const { page, errors } = await open(browser, { token })
    await page.goto(`/order/${screen}`)
    await page.getByText(/^选择 31 天内的.*时间可查看合计$/).waitFor()
    await page.goto(`/order/${screen}?${month}`)
    await page.getByText(text).waitFor()
    expect(errors).toEqual([])
  })
})

describe('the recharges of a member', () => {
  it('are offered for a refund, each with its refundable amount', async () => {
    const [recharge] = await sql<{ memberId: string; id: string }>(
      `select recharge.member_id as "memberId", recharge.id from recharge_order recharge
       join member_identity identity on identity.member_id = recharge.member_id and identity.channel = 1
       where recharge.organise_id = 2 and recharge.status = 2 and recharge.target = 1 and pay_order_id is not null
         and refunded_fen < amount_fen order by recharge.id desc limit 1`,
    )
    const { page, errors } = await open(browser, { token })
    await page.goto(`/member/wechatUser?keyword=${recharge?.memberId}`)
    await page
      .getByRole('button', { name: /更多操作/ })
      .first()
      .click()
    await page.getByRole('menuitem', { name: '退款' }).click()
    const drawer = page.getByRole('dialog', { name: /充值退款：/ })
    await drawer.getByText(recharge?.id ?? '-').waitFor()
    await drawer.getByRole('button', { name: '申请退款' }).first().click()
    const dialog = page.getByRole('dialog', { name: '申请充值退款' })
    await dialog.getByText('实退金额').waitFor()
    expect(errors).toEqual([])
  })
})

describe('an order that never started', () => {
  it('is closed with a reason', async () => {
    const [order] = await sql<{ id: string }>(
      `with device as (select * from device where organise_id = 2 and deleted_at is null and site_id is not null order by id limit 1),
       refused as (
         insert into device_command (organise_id, agent_id, site_id, device_id, kind, port_no, content, status, ended_at, when_offline,
           expires_at, issued_by)
         select organise_id, agent_id, site_id, id, 'startPort', 1, '{}', 5, now(), 2, now(), '测试' from device returning id)
       insert into charging_order (organise_id, agent_id, site_id, device_id, port_no, device_no, device_type_id, wire_no, start_mode,
         billing_type, status, limit_by, limit_value, command_id)
       select organise_id, agent_id, site_id, device.id, 1, device_no, device_type_id, 'desk' || device.id, 5, 0, 1, 1, 300, refused.id
       from device, refused returning charging_order.id`,
    )
    const id = order?.id ?? ''
    const { page, errors } = await open(browser, { token })
    await page.goto(`/order/unfinishedOrder?orderNo=${id}`)
    await page.getByRole('button', { name: `更多操作 ${id}` }).click()
    await page.getByRole('menuitem', { name: '关闭' }).click()
    const dialog = page.getByRole('dialog', { name: `关闭订单：${id}` })
    await dialog.getByLabel('关闭原因').fill('设备拒绝启动')
    await dialog.getByRole('button', { name: '关闭并退回' }).click()
    await page.getByText('订单已关闭，预付的0.00元已退回').waitFor()
    const [closed] = await sql('select status, stop_reason as reason, decision from charging_order where id = $1', [id])
    expect(closed).toEqual({ status: 4, reason: 'closedByHand', decision: '设备拒绝启动' })
    expect(errors).toEqual([])
  })
})

describe('the log and the statistics', () => {
  it("name the operator's place, and count visits", async () => {
    const { page, errors } = await open(browser, { token: await tokenOf('admin') })
    await page.goto('/system/log')
    await page.getByRole('columnheader', { name: '所属站点' }).waitFor()
    await page.goto('/order/orderStatistics')
    await page.getByRole('columnheader', { name: '人次' }).waitFor()
    expect(errors).toEqual([])
  })
})
