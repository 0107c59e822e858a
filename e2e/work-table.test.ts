import { workTable } from '@wattdeck/contract/dashboard/work-table.ts'
import type { Browser } from 'playwright'
import { beforeAll, describe, expect, it } from 'vitest'
import { call, newProfile, open, openTab, sql, tokenOf } from './browser.ts'
import { sharedBrowser } from './chromium.ts'

/** The daily overview of an owner. */
let browser: Browser
let token: string
beforeAll(async () => {
  browser = await sharedBrowser()
  token = await tokenOf('green')
})

const home = '/dashboard/workTable'

describe('a card whose call fails', () => {
  it('shows the failure and retries itself, and all others stay', async () => {
    const { page } = await open(browser, { token })
    const broken = { status: 500, contentType: 'application/json', body: '{"success":false,"message":"","data":null}' }
    await page.route('**/workTable/figure/orders*', (route) => route.fulfill(broken))
    await page.route('**/workTable/toDo', (route) => route.fulfill(broken))
    await page.goto(home)
    const orders = page.getByRole('region', { name: '今日订单' })
    await orders.getByRole('alert').waitFor()
    await page.getByRole('region', { name: '待处理' }).getByRole('alert').waitFor()
    for (const name of ['今日营收', '今日电量', '今日新增会员', '在线设备', '故障端口', '累计收入'])
      await page.getByRole('region', { name }).locator('.figure-value').waitFor()
    await page.getByRole('region', { name: '营收与订单趋势' }).locator('canvas').waitFor()
    await page.getByRole('region', { name: '端口状态' }).getByText('空闲').waitFor()
    await page.getByRole('region', { name: '设备类型' }).locator('.type-code').first().waitFor()
    await page.getByRole('region', { name: '最近登录' }).getByText('密码登录').first().waitFor()
    expect(await page.locator('.page-frame [role=alert]').count()).toBe(2)

    await page.unroute('**/workTable/figure/orders*')
    await orders.getByRole('button', { name: /重\s?试/ }).click()
    await orders.locator('.figure-value').waitFor()
    expect(await page.locator('.page-frame [role=alert]').count()).toBe(1)
  })
})

describe('the figures', () => {
  it('explain the income since the beginning, and count the tagged models', async () => {
    const { page, errors } = await open(browser, { token })
    await page.goto(home)
    const income = page.getByRole('region', { name: '累计收入' })
    await income.locator('.figure-help').hover()
    await page.getByRole('tooltip', { name: /自启用以来.*不是可提现金额/ }).waitFor()
    const { data } = await call(token, workTable.types, {})
    const tags = page.getByRole('region', { name: '设备类型' }).locator('.device-tags a')
    await tags.first().waitFor()
    expect(await tags.allTextContents()).toEqual(data.tags.map(({ code, devices }) => `${code} ${devices} 台`))
    expect(data.tags.map(({ code }) => code)).toEqual(['02-02-02', '02-05-02', '04-01-05'])
    expect(errors).toEqual([])
  })

  it('are those of the server, by day or month and for the scope in the address', async () => {
    const { page, errors } = await open(browser, { token })
    await page.goto(home)
    const devices = page.getByRole('region', { name: '在线设备' }).locator('.figure-value')
    const all = await call(token, workTable.figure, { params: { name: 'online' } })
    await devices.getByText(`/ ${all.data.of}`).waitFor()
    await page.locator('.work-table-filter').getByText('月', { exact: true }).click()
    await page.getByRole('region', { name: '本月营收' }).waitFor()
    expect(new URL(page.url()).searchParams.get('span')).toBe('2')
    await page.getByRole('combobox', { name: '所属站点' }).click()
    await page.locator('.ant-select-item-option').first().click()
    await page.waitForURL(/siteId=\d+/)
    const siteId = new URL(page.url()).searchParams.get('siteId') ?? ''
    const some = await call(token, workTable.figure, { params: { name: 'online' }, query: { siteId } as never })
    expect(Number(some.data.of)).toBeLessThan(Number(all.data.of))
    await devices.getByText(`/ ${some.data.of}`).waitFor()
    await page.reload()
    await devices.getByText(`/ ${some.data.of}`).waitFor()
    await page.getByRole('region', { name: '本月营收' }).waitFor()
    expect(errors).toEqual([])
  })

  it('follow the live stream', async () => {
    const { page } = await open(browser, { token })
    await page.goto(home)
    await page.getByText('实时').first().waitFor()
    const members = page.getByRole('region', { name: '今日新增会员' }).locator('.figure-value')
    await members.waitFor()
    const before = (await call(token, workTable.figure, { params: { name: 'members' } })).data.value
    await sql("insert into member (organise_id, nickname) values (2, '新来的')")
    // As the worker publishes it when a recharge arrives.
    await sql(
      `insert into outbox (organise_id, subject, payload) values (2, 'live.2.all', '{"kind":"changed","list":"member"}')`,
    )
    await members.getByText(String(Number(before) + 1), { exact: true }).waitFor()
  })
})

describe('the cards', () => {
  it('are arranged by the keyboard alone, stay so after a reload, and return to the default', async () => {
    const context = await newProfile(browser, { token })
    const { page, errors } = await openTab(context)
    await page.goto(home)
    const names = (column: number) =>
      page
        .locator('.work-table-column')
        .nth(column)
        .locator('section')
        .evaluateAll((cards) => cards.map((card) => card.getAttribute('aria-label')))
    const figures = () =>
      page.locator('.figures section').evaluateAll((cards) => cards.map((card) => card.getAttribute('data-area')))
    await page.getByRole('region', { name: '最近登录' }).waitFor()
    expect(await names(0)).toEqual(['营收与订单趋势', '待处理', '最近登录'])

    const button = page.getByRole('button', { name: '工作台设置' })
    await button.focus()
    await page.keyboard.press('Enter')
    const up = page.getByRole('button', { name: '上移待处理' })
    await up.waitFor()
    await up.focus()
    // Moves past the ring and the trend without losing the focus.
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await expect.poll(() => names(0)).toEqual(['待处理', '营收与订单趋势', '最近登录'])
    await page.getByRole('region', { name: '卡片' }).getByRole('checkbox', { name: '最近登录' }).focus()
    await page.keyboard.press('Space')
    await page.getByRole('region', { name: '指标' }).getByRole('button', { name: '下移营收' }).focus()
    await page.keyboard.press('Enter')
    const arranged = ['待处理', '营收与订单趋势']
    await expect.poll(() => names(0)).toEqual(arranged)
    expect((await figures()).slice(0, 2)).toEqual(['orders', 'revenue'])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toContain('工作台设置')

    await page.reload()
    await page.getByRole('region', { name: '待处理' }).waitFor()
    expect(await names(0)).toEqual(arranged)
    expect((await figures()).slice(0, 2)).toEqual(['orders', 'revenue'])

    await button.click()
    for (const group of ['指标', '卡片'])
      await page.getByRole('region', { name: group }).getByRole('button', { name: '恢复默认' }).click()
    await expect.poll(() => names(0)).toEqual(['营收与订单趋势', '待处理', '最近登录'])
    expect(errors).toEqual([])
    await context.close()
  })

  it('let a person choose the shortcuts', async () => {
    const { page } = await open(browser, { token })
    await page.goto(home)
    const shortcuts = page.getByRole('region', { name: '快捷入口' })
    await shortcuts.getByRole('link').first().waitFor()
    expect(await shortcuts.getByRole('link').count()).toBe(8)
    await page.getByRole('button', { name: '工作台设置' }).click()
    const chooser = page.getByRole('dialog').getByRole('region', { name: '快捷入口' })
    await chooser.getByRole('checkbox', { name: '退款订单' }).check()
    await page.keyboard.press('Escape')
    await shortcuts.getByRole('link', { name: '退款订单' }).click()
    await page.getByRole('heading', { name: '退款订单' }).waitFor()
  })
})

describe('a to-do', () => {
  it('leads to its record', async () => {
    const checker = await tokenOf('admin')
    const { data } = await call(checker, workTable.toDo)
    const { page, errors } = await open(browser, { token: checker })
    const follow = async (kind: string) => {
      const item = data.find((one) => one.kind === kind)
      const [row] = item?.rows ?? []
      if (row === undefined) throw new Error(`the demo has nothing of ${kind}`)
      await page.goto(home)
      await page.getByRole('region', { name: '待处理' }).locator(`a[href="${row.route}"]`).click()
      return row
    }
    const refund = await follow('refundOrder')
    await page.getByRole('heading', { name: '退款审批' }).waitFor()
    expect(page.url()).toContain(refund.id)
    const [refundRow] = await sql<{ orderId: string }>(
      'select order_id::text as "orderId" from refund_order where id = $1',
      [refund.id],
    )
    await page
      .locator('.refund-review')
      .getByText(refundRow?.orderId ?? '-')
      .first()
      .waitFor()

    const ticket = await follow('repairTicket')
    const [ticketRow] = await sql<{ no: string }>('select ticket_no as no from repair_ticket where id = $1', [
      ticket.id,
    ])
    await page
      .getByRole('dialog')
      .getByText(ticketRow?.no ?? '-')
      .first()
      .waitFor()

    const doubt = await follow('orderReview')
    await page.getByText('共 1 条').waitFor()
    await page.getByRole('row').filter({ hasText: doubt.id }).waitFor()

    await follow('alarm')
    await page.getByText('共 1 条').waitFor()
    expect(errors).toEqual([])
  })
})
