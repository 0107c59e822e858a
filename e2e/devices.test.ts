import { AxeBuilder } from '@axe-core/playwright'
import type { PortPatch } from '@wattdeck/contract/product/device-live.ts'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { connectBus } from '../apps/server/src/kit/bus.ts'
import { type DeviceNews, deviceSubject } from '../apps/server/src/kit/device-watch.ts'
import { testConfig } from '../apps/server/test/config.ts'
import { open, sql, tokenOf } from './browser.ts'
import { launch } from './chromium.ts'

/** A device speaks, and the screens that show it follow, without being read again. */
let browser: Browser
let token: string
let bus: Awaited<ReturnType<typeof connectBus>>
let id: string
const config = testConfig(inject('database'))

beforeAll(async () => {
  browser = await launch()
  token = await tokenOf('green')
  bus = await connectBus(config.natsUrl)
  await sql(`insert into device_category (id, level, code, name) values (991, 1, '99', '流程大类')`)
  await sql(`insert into device_category (id, parent_id, level, code, name) values (992, 991, 2, '99-01', '流程小类')`)
  await sql(`insert into dtu_protocol (id, code, name, version, adapter, transport, access_way, heartbeat_s)
    values (991, 'FLOW', 'FLOW', '1', 'mqtt-json', 6, 0, 60)`)
  await sql(`insert into device_type (id, code, name, category_id, small_category_id, port_count, metering, rated_w, protocol_id)
    values (991, '99-01-01', '流程双路桩', 991, 992, 2, 0, 1000, 991)`)
  const [made] = await sql<{
    id: string
  }>(`insert into device (organise_id, site_id, agent_id, device_no, name, device_type_id, category_id,
      small_category_id, adapter, wire_id, port_count, free_ports)
    select 2, id, agent_id, 'FLOW0001', '流程桩', 991, 991, 992, 'mqtt-json', 'FLOW0001', 2, 2 from site where id = 1 returning id`)
  id = made?.id ?? ''
})
afterAll(async () => {
  await bus.close()
  await browser.close()
})

const port = (portNo: number, status: number, powerDw: number): PortPatch => ({
  portNo,
  status,
  powerDw,
  voltageDv: 2200,
  currentMa: 500,
  energyWh: 1500,
  minutes: 12,
  temperatureC: 33,
  orderNo: null,
  reportedAt: new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' '),
})
/** As the worker tells it after a commit. Told again until it is heard: the stream may just be opening. */
async function tellUntil(page: Page, ports: PortPatch[], text: string | RegExp) {
  const patch = {
    id,
    online: true,
    lastSeenAt: ports[0]?.reportedAt ?? null,
    csq: 25,
    temperatureC: 30,
    voltageDv: 2200,
    ports,
  }
  const news: DeviceNews = { organiseId: '2', agentId: null, siteId: '1', patch }
  const subject = deviceSubject(config.prefix, id)
  for (let round = 0; round < 40; round++) {
    bus.publish(subject, JSON.stringify(news))
    await page.waitForTimeout(250)
    if ((await page.getByText(text).count()) > 0) return
  }
  throw new Error(`${String(text)} was never shown`)
}

describe('a device that speaks', () => {
  it('is patched in the list and in its detail, where its curve grows', { timeout: 60_000 }, async () => {
    const { page, errors } = await open(browser, { token })
    await page.goto('/product/deviceManage?keyword=FLOW')
    await page.getByText('共 2 个端口：空闲 2（离线前）').waitFor({ state: 'attached' })
    let reads = 0
    // Of what is shown: the tabs of saved views count their own rows when they get to it.
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname.endsWith('/deviceManager/pageList') && searchParams.get('keyword') === 'FLOW') reads++
    })
    await tellUntil(page, [port(1, 2, 1234)], '共 2 个端口：空闲 1，工作中 1')
    await page.getByText('在线', { exact: true }).first().waitFor()
    // The stream was opened anew for these rows, and the page read once for what was missed meanwhile.
    expect(reads).toBeLessThanOrEqual(1)

    await page.getByRole('link', { name: 'FLOW0001' }).click()
    await page.getByRole('heading', { name: '流程桩' }).waitFor()
    await tellUntil(page, [port(2, 2, 5678)], '567.8 W')
    await page.addStyleTag({ content: '.page-mark { display: none }' })
    const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'best-practice']).analyze()
    expect(violations.map(({ id: rule, nodes }) => `${rule}: ${nodes[0]?.html ?? ''}`)).toEqual([])

    await page.getByRole('tab', { name: '功率曲线' }).click()
    await page.getByText('该时间段内没有上报数据').waitFor()
    const drawn = page.locator('figure.chart')
    for (let round = 0; round < 40 && (await drawn.count()) === 0; round++)
      await tellUntil(page, [port(2, 2, 5000 + round), port(1, 2, 4000 + round)], /端口/)
    expect(await drawn.getAttribute('aria-label')).toMatch(/端口功率：共 \d+ 个点，最大 [\d.]+ W/)
    expect(errors).toEqual([])
  })
})
