import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright'
import { beforeAll, describe, expect, it } from 'vitest'
import { open, tokenOf } from './browser.ts'
import { sharedBrowser } from './chromium.ts'

let browser: Browser
let token: string
beforeAll(async () => {
  browser = await sharedBrowser()
  token = await tokenOf('green')
})

const card = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true })
const take = async (page: Page, title: string, what: RegExp) => {
  await page.getByRole('button', { name: `${title}：更多操作` }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: what }).click(),
  ])
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) }
}

describe('analysis', () => {
  it('keeps its range in the address, and shows the same after a reload', async () => {
    const { page, errors, settled } = await open(browser, { token })
    await page.goto('/dashboard/analysis')
    const kpis = card(page, '关键指标')
    await kpis.getByText('营收').waitFor()
    await page.getByText('近7天', { exact: true }).click()
    await expect.poll(() => new URL(page.url()).searchParams.get('range')).toBe('7d')
    await card(page, '时段热力').getByText('电量', { exact: true }).click()
    await expect.poll(() => new URL(page.url()).searchParams.get('heat')).toBe('energy')
    await settled()
    const shown = await kpis.innerText()
    await page.reload()
    await kpis.getByText('营收').waitFor()
    await settled()
    expect(await kpis.innerText()).toBe(shown)
    expect(await page.getByRole('radio', { name: '近7天' }).isChecked()).toBe(true)
    await page.getByRole('figure', { name: '每周各时段的电量' }).waitFor()
    expect(errors).toEqual([])
  })

  it('keeps both of two filters that are chosen before the page shows the first', async () => {
    const { page, errors, settled } = await open(browser, { token })
    await page.goto('/dashboard/analysis')
    const range = page.getByRole('radio', { name: '近7天' })
    const heat = card(page, '时段热力').getByRole('radio', { name: '电量' })
    await settled()
    const both = [await range.elementHandle(), await heat.elementHandle()]
    await page.evaluate((choices) => {
      for (const choice of choices) (choice as unknown as { click: () => void }).click()
    }, both)
    await expect.poll(() => new URL(page.url()).search).toBe('?range=7d&heat=energy')
    await expect.poll(async () => range.isChecked()).toBe(true)
    expect(errors).toEqual([])
  })

  it('exports a chart as a picture, as a file and as a table', async () => {
    const { page, errors } = await open(browser, { token })
    await page.goto('/dashboard/analysis?range=30d')
    await page.getByRole('figure', { name: /^经营趋势：营收，共 30 个时间点/ }).waitFor()
    const csv = await take(page, '经营趋势', /CSV/)
    expect(csv.name).toBe('经营趋势.csv')
    const lines = csv.bytes.toString('utf8').split('\r\n')
    expect(lines[0]).toMatch(/^\uFEFF"时间","营收","订单数"/)
    expect(lines.filter((line) => /^"\d{4}-\d\d-\d\d",\d+\.\d\d,\d+,/.test(line))).toHaveLength(30)

    const png = await take(page, '经营趋势', /PNG/)
    expect(png.name).toBe('经营趋势.png')
    expect([...png.bytes.subarray(0, 8)]).toEqual([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
    expect(png.bytes.readUInt32BE(16)).toBeGreaterThan(600)
    expect(png.bytes.length).toBeGreaterThan(5000)

    await page.getByRole('button', { name: '经营趋势：更多操作' }).click()
    await page.getByRole('menuitem', { name: '显示表格' }).click()
    const table = page.getByRole('region', { name: '经营趋势表格' })
    expect(await table.locator('tbody tr').count()).toBe(30)
    expect(await table.locator('tbody tr').first().locator('td').first().innerText()).toBe(lines[1]?.split(',')[1])
    expect(errors).toEqual([])
  })

  it('lets one chart fail and be retried while the others stay', async () => {
    const { page } = await open(browser, { token })
    let broken = true
    await page.route('**/analysis/heat*', (route) => (broken ? route.abort() : route.continue()))
    await page.goto('/dashboard/analysis')
    const heat = card(page, '时段热力')
    await heat.getByRole('alert').waitFor()
    await page.getByRole('figure', { name: /^经营趋势/ }).waitFor()
    broken = false
    await heat.getByRole('button', { name: /重\s?试/ }).click()
    await page.getByRole('figure', { name: '每周各时段的订单数' }).waitFor()
  })
})

describe('analysis of customers', () => {
  it('ranks agents by a chosen figure, in the chart and in the table', async () => {
    const { page, errors } = await open(browser, { token })
    await page.goto('/accounting/customerAnalysis?rank=2')
    await page.getByRole('figure', { name: /^订单数最高的/ }).waitFor()
    const names = await page.locator('tbody tr.ant-table-row').count()
    expect(names).toBeGreaterThan(3)
    await page.goto('/accounting/customerAnalysis')
    await page.getByRole('heading', { name: '营收排名 TOP10' }).waitFor()
    expect(errors).toEqual([])
  })
})
