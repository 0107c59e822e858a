import { openCharging } from '@wattdeck/contract/open/open-charging.ts'
import { OpenClient } from '@wattdeck/open-client/open-client.ts'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testConfig } from '../apps/server/test/harness/config.ts'
import { makePayers, type Payers } from '../tools/demo/load-clients.ts'
import { findViolations } from './axe.ts'
import { installation, newProfile, open, openTab, sql, tokenOf, url } from './browser.ts'
import { sharedBrowser } from './chromium.ts'
import { type Chargers, startChargers } from './device-fixture.ts'

/** The live view of the operator on duty: worst site first, alarms to acknowledge, charges by live updates. */
const path = '/dashboard/liveOperations'
const phone = { width: 390, height: 844 }
let browser: Browser
let token: string
let worst: { device: string; deviceNo: string; siteId: string; site: string }
let alarms: string[]
beforeAll(async () => {
  browser = await sharedBrowser()
  token = await tokenOf('green')
  const [found] = await sql<typeof worst>(
    `select device.id as device, device_no as "deviceNo", site.id as "siteId", site.name as site
     from device join site on site.id = device.site_id
     where device.organise_id = 2 and device.deleted_at is null
       and not exists (select from alarm where alarm.site_id = site.id and alarm.status < 3)
     order by device.id limit 1`,
  )
  worst = found ?? expect.unreachable('the demo has no site without alarms')
  // Smoke, water and leakage: the worker closes none of them automatically.
  const rows = await sql<{ id: string }>(
    `insert into alarm (organise_id, agent_id, site_id, device_id, device_no, port_no, kind, severity, first_at, last_at, told_at)
     select organise_id, agent_id, site_id, id, device_no, 0, kind, 1, now(), now(), now()
     from device, unnest(array[4, 5, 6]) as kind where id = $1 returning id`,
    [worst.device],
  )
  alarms = rows.map(({ id }) => id)
})
afterAll(async () => {
  await sql(`update alarm set status = 3, closed_at = now(), close_reason = '测试' where id = any($1) and status < 3`, [
    alarms,
  ])
})

const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const sites = (page: Page) => panel(page, '告警（按站点）').locator('.alarm-sites > li')

describe('the live view', () => {
  it('shows the worst site first, with links to its alarms', async () => {
    const { page, errors } = await open(browser, { token })
    await page.goto(path)
    const first = sites(page).first()
    await first.getByText(worst.site).waitFor()
    expect(await first.locator('.alarm-line').count()).toBe(3)
    expect(await first.getByText('紧急').count()).toBe(1)
    await first.getByText('烟感报警').waitFor()
    const figures = panel(page, '未关闭告警')
    const [counted] = await sql<{ n: number }>(
      'select count(*)::int as n from alarm where organise_id = 2 and status < 3 and severity = 1',
    )
    const critical = figures.getByRole('link', { name: String(counted?.n), exact: true }).first()
    expect(await critical.getAttribute('href')).toBe('/product/alarmCenter?unclosed=true&severity=1')
    expect(await findViolations(page)).toEqual([])
    await first.getByRole('link', { name: worst.deviceNo }).first().click()
    await page.waitForURL(`**/product/deviceDetail?id=${worst.device}`)
    expect(errors).toEqual([])
  })

  it('acknowledges an alarm, which changes its state and the number in the menu of every open tab', async () => {
    const context = await newProfile(browser, { token })
    const [menu, live] = [await openTab(context), await openTab(context)]
    await menu.page.goto('/product/alarmCenter')
    const badge = menu.page.getByRole('link', { name: /^告警中心，\d+ 项待处理$/ })
    await badge.waitFor()
    const waiting = async () => Number(/\d+/.exec((await badge.getAttribute('aria-label')) ?? '')?.[0])
    const [open1] = await sql<{ n: number }>(
      'select count(*)::int as n from alarm where organise_id = 2 and status = 1',
    )
    const before = open1?.n ?? 0
    await expect.poll(waiting).toBe(before)
    await live.page.goto(path)
    const line = sites(live.page).locator('.alarm-line', { hasText: '水浸' }).first()
    await line.getByRole('button', { name: `确认 ${worst.deviceNo} 水浸` }).click()
    await line.getByText('处理中').waitFor()
    await expect.poll(waiting).toBe(before - 1)
    expect([...menu.errors, ...live.errors]).toEqual([])
    await context.close()
  })

  it('fits a phone: figures above, then the alarms, then the charges', async () => {
    const { page, errors } = await open(browser, { token, ...phone })
    await page.goto(path)
    await sites(page).first().getByText(worst.site).waitFor()
    const top = async (name: string) => (await panel(page, name).boundingBox())?.y ?? 0
    expect(await top('充电中')).toBeLessThan(await top('告警（按站点）'))
    expect(await top('告警（按站点）')).toBeLessThan(await top('正在充电'))
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(phone.width)
    expect(await findViolations(page)).toEqual([])
    expect(errors).toEqual([])
  })

  it('keeps the filter in its address and shows that site only', async () => {
    const { page, errors } = await open(browser, { token })
    await page.goto(`${path}?siteId=${worst.siteId}`)
    await sites(page).first().getByText(worst.site).waitFor()
    expect(await sites(page).count()).toBe(1)
    const all = panel(page, '未关闭告警').getByRole('link').first()
    expect(await all.getAttribute('href')).toContain(`siteId=${worst.siteId}`)
    expect(errors).toEqual([])
  })
})

describe('a charge', () => {
  let chargers: Chargers
  let payers: Payers
  beforeAll(async () => {
    const { secretKeys } = testConfig(installation.database)
    payers = await makePayers(installation.database, { organiseId: '2', secretKeys, members: 1, fen: 5000n })
    chargers = await startChargers({ organiseId: '2', siteId: '1' }, 20)
  })
  afterAll(async () => {
    await chargers.stop()
  })

  it('that starts appears without a reload, and its figures follow the device', async () => {
    const { page, errors } = await open(browser, { token })
    await expect.poll(() => chargers.connected()).toBe(1)
    const { deviceNo } = chargers
    await sql(
      'update device set tariff_id = (select id from tariff where organise_id = 2 and version_id is not null order by id limit 1), line_confirmed_at = now() where device_no = $1',
      [deviceNo],
    )
    await page.goto(path)
    const charges = panel(page, '正在充电')
    await charges.locator('.charge').first().waitFor()
    const client = new OpenClient({ url, ...payers.app })
    const { orderNo } = await client.call(openCharging.start, {
      body: { memberId: payers.memberIds[0] ?? '', deviceNo, portNo: '3', limitBy: '1', amount: '5.00' } as never,
    })
    const line = charges.locator('.charge', { hasText: orderNo })
    await line.getByRole('link', { name: orderNo }).waitFor()
    await line.getByRole('link', { name: '3 号端口' }).waitFor()
    // The device reports every 1.5 seconds, without user action.
    const energy = async () => Number(/([\d.]+) kWh/.exec(await line.innerText())?.[1] ?? 0)
    await expect.poll(energy).toBeGreaterThan(0)
    await client.call(openCharging.stop, { body: { orderNo } })
    await line.waitFor({ state: 'detached' })
    expect(errors).toEqual([])
  })
})
