import { bigScreen } from '@wattdeck/contract/dashboard/big-screen.ts'
import { screenLink } from '@wattdeck/contract/dashboard/screen-link.ts'
import { openCharging } from '@wattdeck/contract/open/open-charging.ts'
import { OpenClient } from '@wattdeck/open-client/open-client.ts'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { testConfig } from '../apps/server/test/harness/config.ts'
import { startGatewayProcess } from '../apps/server/test/harness/process.ts'
import { noFaults } from '../apps/simulator/src/faults.ts'
import { startFleet } from '../apps/simulator/src/fleet.ts'
import { realHabits } from '../apps/simulator/src/habits.ts'
import { registerFleet } from '../tools/demo/fleet-data.ts'
import { makePayers, type Payers } from '../tools/demo/load-clients.ts'
import { call, holdClock, installation, open, sql, stepClock, tokenOf, url } from './browser.ts'
import { sharedBrowser } from './chromium.ts'

/** Wallboard and cockpit with real devices, gateway, worker and stream. */
let browser: Browser
let gateway: Awaited<ReturnType<typeof startGatewayProcess>>
let fleet: ReturnType<typeof startFleet>
let payers: Payers
let deviceNo: string
beforeAll(async () => {
  const database = installation.database
  const config = testConfig(database)
  browser = await sharedBrowser()
  const identities = await registerFleet(database, { organiseId: '2', siteId: '1', dny: 4, mqtt: 0, ports: 10 })
  const own = identities.slice(3)
  deviceNo = own[0]?.deviceNo ?? ''
  await priceFor(deviceNo)
  payers = await makePayers(database, { organiseId: '2', secretKeys: config.secretKeys, members: 2, fen: 5000n })
  gateway = await startGatewayProcess(config)
  fleet = startFleet({
    identities: own,
    // The most that the wire can report, so that seconds are billable.
    habits: { ...realHabits, reportMs: 1500, idleMs: 0, chargeMs: 600_000, peakW: [6400, 6401] },
    faults: noFaults,
    seed: 5,
    dny: { host: '127.0.0.1', ports: [gateway.dnyPort] },
    connectsPerSecond: 100,
  })
})
afterAll(async () => {
  fleet.stop()
  await gateway.stop()
})

/** Demo tariffs have free minutes; this one also bills the first. */
const priceFor = (no: string) =>
  sql(
    `with made as (insert into tariff (organise_id, name, billing_type, versions) values (2, '大屏测试标准', 0, 1) returning id),
     version as (insert into tariff_version (tariff_id, organise_id, no, rules, display_text, state, effective_at, published_at)
       select id, 2, 1, $2, '', 2, now(), now() from made returning id, tariff_id),
     bound as (update device set tariff_id = (select id from made) where device_no = $1)
     select 1`,
    [no, JSON.stringify(rules)],
  ).then(() =>
    sql(`update tariff set version_id = (select max(id) from tariff_version where tariff_id = tariff.id)
      where name = '大屏测试标准'`),
  )
const rules = {
  billingType: 0,
  minFeeFen: 0,
  startFeeFen: 0,
  freeMinutes: 0,
  maxMinutes: 600,
  fullStop: true,
  refundUnused: true,
  occupancy: null,
  presets: [],
  segments: [{ fromMin: 0, toMin: 1440, period: 'flat', electricityE5: 120_000, serviceE5: 80_000 }],
}

/** A panel refetches after this much page time. A page that has run for less was updated by the stream. */
const rereadMs = 30_000
const client = () => new OpenClient({ url, ...payers.app })
/** A billed charge of a member; returns the order number. */
async function charge(memberId: string, portNo: string) {
  const { orderNo } = await client().call(openCharging.start, {
    body: { memberId, deviceNo, portNo, limitBy: '1', amount: '5.00' } as never,
  })
  const energy = async () => (await client().call(openCharging.order, { params: { orderNo } })).energyWh
  await expect.poll(energy).toBeGreaterThanOrEqual(20)
  await client().call(openCharging.stop, { body: { orderNo } })
  await expect.poll(() => sql('select from charging_order where id = $1 and status = 3', [orderNo])).toHaveLength(1)
  return orderNo
}

/** The shortest rotation of a wallboard: `?rotate=15`. */
const rotateMs = 15_000
const fact = (page: Page, label: string) =>
  page
    .getByRole('region', { name: '今日概况' })
    .locator('.wallboard-flop', { hasText: label })
    .locator('.visually-hidden')
const pathNames = (page: Page) => page.locator('.wallboard-path li').allTextContents()
const adcodeOf = (page: Page) => new URL(page.url()).searchParams.get('adcode')

async function makeLink(name: string) {
  const { data } = await call(await tokenOf('green'), screenLink.add, { body: { name, days: '1' } as never })
  return { ...data, url: `/dataScreen#${data.token}` }
}

describe('the cockpit', () => {
  it('receives the end of an order from the stream, before its next refetch', async () => {
    await expect.poll(() => fleet.connected()).toBe(1)
    const { page, errors } = await open(browser, { token: await tokenOf('green') })
    await page.clock.install()
    await holdClock(page)
    await page.goto('/dashboard/dataCockpit')
    const loading = await stepClock(
      page,
      async () =>
        (await page.getByText('数据实时更新').isVisible()) &&
        /^[\d,]+ 单$/.test((await fact(page, '今日计费订单').textContent()) ?? ''),
    )
    const before = await fact(page, '今日计费订单').textContent()
    expect(before).toMatch(/^[\d,]+ 单$/)
    const money = await fact(page, '今日营收').textContent()
    const orderNo = await charge(payers.memberIds[0] ?? '', '2')
    const waiting = await stepClock(page, async () => (await fact(page, '今日计费订单').textContent()) !== before)
    expect(loading + waiting).toBeLessThan(rereadMs)
    await page.clock.resume()
    const count = (text: string | null) => Number((text ?? '').replaceAll(/[^\d.]/g, ''))
    expect(count(await fact(page, '今日计费订单').textContent())).toBe(count(before) + 1)
    await expect.poll(() => fact(page, '今日营收').textContent()).not.toBe(money)
    const [order] = await sql<{ site: string }>(
      'select site.name as site from charging_order join site on site.id = site_id where charging_order.id = $1',
      [orderNo],
    )
    await expect
      .poll(() => page.getByRole('region', { name: '最新 20 笔订单' }).locator('li').first().textContent())
      .toContain(order?.site ?? '')
    expect(errors).toEqual([])
  })

  it('drills down by the ranking, the map and the address, and up by Escape', async () => {
    const { page, errors, settled } = await open(browser, { token: await tokenOf('admin') })
    await page.goto('/dashboard/dataCockpit')
    const ranking = page.getByRole('region', { name: '区域排名 TOP 10' })
    await ranking.getByRole('button', { name: /浙江省/ }).click()
    await expect.poll(() => adcodeOf(page)).toBe('330000')
    await ranking.getByRole('button', { name: /杭州市/ }).click()
    await expect.poll(() => pathNames(page)).toEqual(['全国', '浙江', '杭州市'])
    await page.keyboard.press('Escape')
    await expect.poll(() => adcodeOf(page)).toBe('330000')
    await page.getByRole('button', { name: '全国' }).click()
    await expect.poll(() => adcodeOf(page)).toBeNull()

    // The centre of the map lies in a province.
    await settled()
    const map = page.locator('.wallboard-map canvas').last()
    await map.waitFor()
    await expect.poll(async () => (await map.boundingBox())?.height ?? 0).toBeGreaterThan(200)
    const box = (await map.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    await page.mouse.click(box.x + box.width * 0.5, box.y + box.height * 0.55)
    await expect.poll(() => adcodeOf(page)).toMatch(/^\d{2}0000$/)
    await expect.poll(() => pathNames(page)).toHaveLength(2)

    const [site] = await sql<{ id: string; district: string; name: string; devices: number }>(
      `select site.id, site.district_code as district, region.name, count(*)::int as devices from site
       join region on region.adcode = site.district_code join device on device.site_id = site.id and device.deleted_at is null
       where site.district_code like '3301%' group by 1, 2, 3 order by 4 limit 1`,
    )
    await page.goto(`/dashboard/dataCockpit?adcode=${site?.district}`)
    await expect.poll(() => pathNames(page)).toEqual(['全国', '浙江', '杭州市', site?.name])
    await page.goto(`/dashboard/dataCockpit?adcode=${site?.district}&site=${site?.id}`)
    await expect.poll(() => page.getByRole('list', { name: '站点设备' }).locator('li').count()).toBe(site?.devices)
    expect(errors).toEqual([])
  })

  it('applies its filters to every panel', async () => {
    const { page } = await open(browser, { token: await tokenOf('admin') })
    const devices = async (where: string) =>
      (await sql<{ n: number }>(`select count(*)::int as n from device where deleted_at is null and ${where}`))[0]?.n ??
      0
    const shown = async () =>
      Number(
        (
          (await page
            .getByRole('region', { name: '设备概况' })
            .locator('div', { has: page.getByText('设备总数', { exact: true }) })
            .last()
            .locator('dd')
            .textContent()) ?? ''
        ).replaceAll(',', ''),
      )
    await page.goto('/dashboard/dataCockpit?organiseId=3')
    await expect.poll(shown).toBe(await devices('organise_id = 3'))
    await page.goto('/dashboard/dataCockpit?organiseId=3&isOnline=0')
    await expect.poll(shown).toBe(await devices('organise_id = 3 and not online'))
    await page.getByRole('button', { name: '重置' }).click()
    await expect.poll(shown).toBe(await devices('true'))
  })

  it('stays still with reduced motion, and moves otherwise', async () => {
    const { page, settled } = await open(browser, { token: await tokenOf('green') })
    await page.clock.install()
    await page.goto('/dashboard/dataCockpit?rotate=15')
    await page.getByRole('region', { name: '最新 20 笔订单' }).locator('li').first().waitFor()
    // Only animations of the wallboard: the shell has small fades of its own.
    const moving = `document.getAnimations().filter((one) => one.effect.target.closest('.wallboard')).length`
    expect(await page.evaluate(moving)).toBe(0)
    await page.clock.fastForward(2 * rotateMs)
    await settled()
    expect(adcodeOf(page)).toBeNull()

    const link = await makeLink('会动的大屏')
    const context = await browser.newContext({ baseURL: url, viewport: { width: 1920, height: 1080 } })
    onTestFinished(() => context.close())
    const wallboard = await context.newPage()
    await wallboard.clock.install()
    const faults: string[] = []
    wallboard.on('pageerror', (error) => faults.push(error.message))
    await wallboard.goto(link.url.replace('#', '?rotate=15#'))
    await wallboard.getByRole('region', { name: '最新 20 笔订单' }).locator('li').first().waitFor()
    await expect.poll(() => wallboard.evaluate(moving)).toBeGreaterThan(0)
    await wallboard.clock.fastForward(rotateMs)
    await expect.poll(() => adcodeOf(wallboard)).toMatch(/^\d{6}$/)
    expect(new URL(wallboard.url()).hash).toBe(`#${link.token}`)
    // The next map has replaced the first without an error.
    await wallboard.locator('.wallboard-path', { hasText: '浙江' }).waitFor()
    await wallboard.locator('.wallboard-map canvas').first().waitFor()
    expect(await wallboard.locator('.wallboard-board li').count()).toBeGreaterThan(0)
    expect(faults).toEqual([])
    await wallboard.keyboard.press(' ')
    await wallboard.getByRole('button', { name: '继续' }).waitFor()
  })

  it('marks a panel that failed to load, and shows a list where a map is missing', async () => {
    const { page } = await open(browser, { token: await tokenOf('green') })
    await page.route(`**${bigScreen.orderScale.path}`, (route) => route.abort())
    await page.route('**/maps/china.json', (route) => route.fulfill({ status: 404, body: '' }))
    await page.goto('/dashboard/dataCockpit')
    await page
      .getByRole('region', { name: /设备类型占比/ })
      .getByText('未更新')
      .waitFor()
    expect(await page.getByRole('region', { name: '设备概况' }).getByText('未更新').count()).toBe(0)
    const fallback = page.locator('.wallboard-areas')
    await fallback.getByText('地图暂不可用，以列表显示').waitFor()
    await fallback.getByRole('button', { name: /浙江省/ }).click()
    await expect.poll(() => adcodeOf(page)).toBe('330000')
    await page.getByText('示意地图').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })
})

describe('the data screen', () => {
  it('is created, copied, opened without a login, and notified by its stream when revoked', async () => {
    const { page } = await open(browser, { token: await tokenOf('green') })
    await page.goto('/custom/screenLink')
    await page.getByRole('button', { name: '生成链接' }).click()
    const dialog = page.getByRole('dialog', { name: '生成大屏链接' })
    await dialog.getByLabel('名称').fill('大厅演示屏')
    await dialog.getByRole('button', { name: /生\s?成/ }).click()
    const linkDialog = page.getByRole('dialog', { name: '大屏链接已生成' })
    const link = (await linkDialog.locator('.copy-id > span').textContent()) ?? ''
    expect(link).toMatch(/\/dataScreen#[\w-]+\.[\w-]{43}$/)
    await linkDialog
      .getByRole('button', { name: /关\s?闭/ })
      .last()
      .click()

    const stranger = await open(browser, { width: 1920, height: 1080 })
    await stranger.page.clock.install()
    await holdClock(stranger.page)
    const requests = new Set<string>()
    stranger.page.on('request', (request) => {
      requests.add(new URL(request.url()).pathname)
      expect(request.url()).not.toContain(link.split('#')[1])
    })
    await stranger.page.goto(link.slice(url.length))
    const [count] = await sql<{ n: number }>(
      'select count(*)::int as n from device where organise_id = 2 and deleted_at is null',
    )
    const devices = stranger.page
      .getByRole('region', { name: '设备概况' })
      .locator('dd')
      .first()
      .getByText(Number(count?.n).toLocaleString('zh-CN'), { exact: true })
    let lived = 0
    for (const part of [
      stranger.page.getByRole('heading', { name: '大厅演示屏' }),
      devices,
      stranger.page.getByText('实时', { exact: true }),
    ])
      lived += await stepClock(stranger.page, () => part.isVisible())
    const calls = [...requests].filter((path) => path.includes('/api/'))
    const allowed = new Set<string>(Object.values(bigScreen).map(({ path }) => path.replace('{id}', '2')))
    expect(calls.length).toBeGreaterThan(10)
    expect(calls.filter((path) => !allowed.has(path))).toEqual([])
    expect(await stranger.page.locator('body').textContent()).not.toMatch(/1[3-9]\d\*{4}\d{4}/)

    const row = page.getByRole('row', { name: /大厅演示屏/ })
    await row.getByRole('button', { name: '撤销' }).click()
    const answered = page.waitForResponse((response) => response.url().includes(screenLink.revoke.path))
    await page.getByRole('dialog').getByRole('button', { name: '撤销' }).click()
    await answered
    const isEnded = () => stranger.page.getByText('大屏链接已失效').isVisible()
    lived += await stepClock(stranger.page, isEnded)
    expect(lived).toBeLessThan(rereadMs)
    await stranger.page.clock.resume()
    expect(stranger.errors.filter((text) => !/status of 401/.test(text))).toEqual([])
    await stranger.page.reload()
    await stranger.page.getByText('大屏链接已失效').waitFor()
  })

  it('shows a message when opened without a link', async () => {
    const { page, errors } = await open(browser)
    await page.goto('/dataScreen')
    await page.getByText('请使用管理员提供的完整链接打开').waitFor()
    await page.goto('/dataScreen#abc.def')
    await page.getByText('大屏链接无效或已失效').waitFor()
    expect(errors).toEqual([])
  })

  it('uses the full resolution of a 4K wallboard, and keeps its proportions on any other', async () => {
    const link = await makeLink('清晰大屏')
    for (const size of [
      { width: 3840, height: 2160 },
      { width: 6720, height: 2160 },
      { width: 1280, height: 1024 },
    ]) {
      const { page } = await open(browser, size)
      await page.goto(link.url)
      const canvas = page.locator('.wallboard-chart canvas').first()
      await canvas.waitFor()
      await expect
        .poll(() =>
          canvas.evaluate((one) => {
            const drawn = one as unknown as { width: number; getBoundingClientRect: () => { width: number } }
            return drawn.width / drawn.getBoundingClientRect().width
          }),
        )
        .toBeGreaterThanOrEqual(0.99)
      const stage = (await page.locator('.stage').boundingBox()) ?? { x: -1, y: -1, width: 0, height: 0 }
      expect(stage.width / stage.height).toBeCloseTo(16 / 9, 2)
      expect(Math.min(size.width - stage.width, size.height - stage.height)).toBeCloseTo(0, 0)
      expect(stage.x).toBeGreaterThanOrEqual(-1)
      await page.close()
    }
  })
})
