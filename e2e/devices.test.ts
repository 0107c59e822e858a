import type { PortPatch } from '@wattdeck/contract/product/device-live.ts'
import type { Browser, Locator } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectBus } from '@wattdeck/bus/bus.ts'
import { type DeviceUpdate, deviceSubject } from '../apps/server/src/kit/events/device-watch.ts'
import { testConfig } from '../apps/server/test/harness/config.ts'
import { findViolations } from './axe.ts'
import { installation, open, sql, tokenOf } from './browser.ts'
import { sharedBrowser } from './chromium.ts'

/** A device reports, and the open pages follow without a refetch. */
let browser: Browser
let token: string
let bus: Awaited<ReturnType<typeof connectBus>>
let id: string
const config = testConfig(installation.database)

beforeAll(async () => {
  browser = await sharedBrowser()
  token = await tokenOf('green')
  bus = await connectBus(config.natsUrl)
  await sql(`insert into device_category (id, level, code, name) values (991, 1, '99', '流程大类')`)
  await sql(`insert into device_category (id, parent_id, level, code, name) values (992, 991, 2, '99-01', '流程小类')`)
  await sql(`insert into dtu_protocol (id, code, name, version, adapter, transport, access_way, heartbeat_s)
    values (991, 'FLOW', 'FLOW', '1', 'mqtt-json', 6, 0, 60)`)
  await sql(`insert into device_type (id, code, name, category_id, small_category_id, port_count, metering, rated_w, protocol_id)
    values (991, '99-01-01', '流程双路桩', 991, 992, 2, 0, 1000, 991)`)
  const [row] = await sql<{
    id: string
  }>(`insert into device (organise_id, site_id, agent_id, device_no, name, device_type_id, category_id,
      small_category_id, adapter, wire_id, port_count, free_ports)
    select 2, id, agent_id, 'FLOW0001', '流程桩', 991, 991, 992, 'mqtt-json', 'FLOW0001', 2, 2 from site where id = 1 returning id`)
  id = row?.id ?? ''
})
afterAll(async () => {
  await bus.close()
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
/** Publishes as the worker does after a commit. */
function publish(ports: PortPatch[]): void {
  const patch = {
    id,
    online: true,
    lastSeenAt: ports[0]?.reportedAt ?? null,
    csq: 25,
    temperatureC: 30,
    voltageDv: 2200,
    ports,
  }
  const update: DeviceUpdate = { organiseId: '2', agentId: null, siteId: '1', patch }
  bus.publish(deviceSubject(config.prefix, id), JSON.stringify(update))
}
/** Publishes again until the page shows it: the stream may just be opening, and does not replay events. */
async function publishUntil(shown: Locator, nextPorts: () => PortPatch[]): Promise<void> {
  const publishAndCount = () => {
    publish(nextPorts())
    return shown.count()
  }
  await expect.poll(publishAndCount, { interval: 250 }).toBeGreaterThan(0)
}

describe('a device that reports', () => {
  it('is patched in the list and in its detail, where its curve grows', async () => {
    const { page, errors } = await open(browser, { token })
    await page.goto('/product/deviceManage?keyword=FLOW')
    await page.getByText('共 2 个端口：空闲 2（离线前）').waitFor({ state: 'attached' })
    // From here on list requests get no reply: a change in a row is a patch.
    await page.route('**/deviceManager/pageList*', () => undefined)
    await publishUntil(page.getByText('共 2 个端口：空闲 1，工作中 1'), () => [port(1, 2, 1234)])
    await page.getByText('在线', { exact: true }).first().waitFor()
    await page.unroute('**/deviceManager/pageList*')

    await page.getByRole('link', { name: 'FLOW0001' }).click()
    await page.getByRole('heading', { name: '流程桩' }).waitFor()
    await publishUntil(page.getByText('567.8 W'), () => [port(2, 2, 5678)])
    expect(await findViolations(page)).toEqual([])

    await page.getByRole('tab', { name: '功率曲线' }).click()
    await page.getByText('该时间段内没有上报数据').waitFor()
    const drawn = page.locator('figure.chart')
    let round = 0
    await publishUntil(drawn, () => [port(2, 2, 5000 + ++round), port(1, 2, 4000 + round)])
    expect(await drawn.getAttribute('aria-label')).toMatch(/端口功率：共 \d+ 个点，最大 [\d.]+ W/)
    expect(errors).toEqual([])
  })
})
