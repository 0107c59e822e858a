import type { Browser, Page } from 'playwright'
import { beforeAll, describe, expect, it } from 'vitest'
import { findViolations } from './axe.ts'
import { open, sql, tokenOf } from './browser.ts'
import { sharedBrowser } from './chromium.ts'

/** One site on one page: opened from the list, with the figures of the tables and links to the counted rows. */
let browser: Browser
let token: string
let site: { id: string; name: string }
beforeAll(async () => {
  browser = await sharedBrowser()
  token = await tokenOf('green')
  const [found] = await sql<typeof site>(
    `select site.id, site.name from site
     where organise_id = 2 and tariff_id is not null
       and exists (select from open_charge open where open.site_id = site.id)
       and exists (select from alarm where alarm.site_id = site.id and status < 3)
       and exists (select from charging_order o where o.site_id = site.id and o.status = 3)
     order by id limit 1`,
  )
  site = found ?? expect.unreachable('the demo has no site with all of it')
  // A bill of the current moment, so that today has figures.
  await sql(
    `insert into charging_order
     select copy.* from (select * from charging_order where site_id = $1 and status = 3 order by id limit 1) model,
       lateral jsonb_populate_record(null::charging_order, to_jsonb(model) || jsonb_build_object(
         'id', app.order_id(), 'wire_no', 'site-page', 'started_at', null, 'ended_at', now(), 'settled_at', now())) copy`,
    [site.id],
  )
})

const path = (tab?: string) => `/system/siteDetail?id=${site.id}${tab === undefined ? '' : `&tab=${tab}`}`
const figure = (page: Page, area: string) => page.locator(`.figure-strip [data-area=${area}]`)
const value = (page: Page, area: string) => figure(page, area).locator('strong').innerText()
const count = async (text: string) => (await sql<{ n: string }>(`select (${text})::text as n`, [site.id]))[0]?.n
const tab = (page: Page, name: string) => page.getByRole('tab', { name })

describe('the page of a site', () => {
  it('opens from the list in its own tab, with the figures of the tables', async () => {
    const { page, errors, settled } = await open(browser, { token })
    await page.goto(`/system/site?keyword=${encodeURIComponent(site.name)}`)
    await page.getByRole('link', { name: site.name, exact: true }).click()
    await page.waitForURL(`**${path()}`)
    await page.getByRole('heading', { name: site.name }).waitFor()
    const titles = () => page.getByRole('navigation', { name: '已打开页面' }).getByRole('link').allInnerTexts()
    await expect.poll(titles).toContain(`站点 ${site.name}`)
    const devices = 'from device where site_id = $1 and deleted_at is null'
    for (const [area, expected] of [
      ['charging', 'select count(*) from charging_order where site_id = $1 and status in (1, 2)'],
      ['ports', `select sum(free_ports) ${devices}`],
      ['online', `select count(*) ${devices} and online`],
      ['alarms', 'select count(*) from alarm where site_id = $1 and status < 3'],
      ['tickets', 'select count(*) from repair_ticket where site_id = $1 and status = 2'],
    ] as const)
      expect(await value(page, area), area).toBe(await count(expected))
    expect(Number(await value(page, 'orders'))).toBeGreaterThan(0)
    expect(await figure(page, 'ports').innerText()).toContain(`/ ${await count(`select sum(port_count) ${devices}`)}`)
    await page.getByRole('region', { name: '近30天营收与订单' }).locator('canvas').waitFor()
    await settled()
    expect(await findViolations(page)).toEqual([])
    expect(errors).toEqual([])
  })

  it('leads from a figure to exactly the counted rows', async () => {
    const { page, errors } = await open(browser, { token })
    for (const [area, url] of [
      ['alarms', `**/product/alarmCenter?siteId=${site.id}&unclosed=true*`],
      ['charging', `**/order/unfinishedOrder?siteId=${site.id}*`],
      ['online', '**/product/deviceManage?online=1*'],
    ] as const) {
      await page.goto(path())
      const shown = await value(page, area)
      await figure(page, area).getByRole('link').click()
      await page.waitForURL(url)
      await page.getByText(`共 ${shown} 条`).first().waitFor()
    }
    await page.goto(path())
    await figure(page, 'alarms').getByRole('link').click()
    await page.getByText('是否关闭：未关闭').waitFor()
    expect(errors).toEqual([])
  })

  it('has devices, orders, alarms and prices of the site in its tabs', async () => {
    const { page, errors, settled } = await open(browser, { token })
    const devices = await count('select count(*) from device where site_id = $1 and deleted_at is null')
    const alarms = await count('select count(*) from alarm where site_id = $1')
    const orders = await count('select count(*) from charging_order where site_id = $1')
    const [tariff] = await sql<{ name: string }>(
      'select tariff.name from tariff join site on site.tariff_id = tariff.id where site.id = $1',
      [site.id],
    )
    await page.goto(path())
    for (const [name, shown, link] of [
      ['设备', `共 ${devices} 条`, '在设备管理中查看'],
      ['订单', `共 ${orders} 条`, '在消费订单中查看'],
      ['告警', `共 ${alarms} 条`, '在告警中心处理'],
      ['消费标准', '计费方式：', tariff?.name ?? ''],
    ] as const) {
      await tab(page, name).click()
      await page.getByText(shown).first().waitFor()
      await page.getByRole('link', { name: link, exact: true }).waitFor()
      await settled()
      expect(await findViolations(page), name).toEqual([])
    }
    // The address names the tab, and clearing a filter keeps the site.
    await page.goto(path('devices'))
    await page.locator('.plug-strip').first().waitFor()
    await page.getByRole('button', { name: /重\s?置/ }).click()
    await settled()
    await page.getByText(`共 ${devices} 条`).first().waitFor()
    expect(errors).toEqual([])
  })

  it('is edited and switched in place', async () => {
    const { page, errors } = await open(browser, { token })
    await page.goto(path())
    await page.getByRole('button', { name: /编\s?辑/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('负责人').fill('王站长')
    await dialog.getByRole('button', { name: /保\s?存|确\s?定/ }).click()
    await page.getByText('王站长').waitFor()
    for (const [state, word] of [
      ['停用', /停\s?用/],
      ['启用', /启\s?用/],
    ] as const) {
      await page.locator('.page-actions').getByRole('button', { name: word }).click()
      await page.getByRole('dialog').getByRole('button', { name: word }).click()
      await page.locator('.site-head .status-tag', { hasText: state }).waitFor()
    }
    expect(errors).toEqual([])
  })

  it('fits a phone, and reports a missing site', async () => {
    const { page, errors, settled } = await open(browser, { token, width: 390, height: 844, theme: 'dark' })
    await page.goto(path())
    await figure(page, 'tickets').waitFor()
    await settled()
    expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    expect(await findViolations(page)).toEqual([])
    expect(errors).toEqual([])
    await page.goto('/system/siteDetail?id=999999999')
    await page.getByRole('alert').getByText('记录不存在或已被删除').waitFor()
  })
})
