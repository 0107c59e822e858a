import type { Browser, Page } from 'playwright'
import { beforeAll, describe, expect, it } from 'vitest'
import { findViolations } from './axe.ts'
import { open, sql, tokenOf } from './browser.ts'
import { sharedBrowser } from './chromium.ts'

/** Devices, orders and members as objects: linked by name, each in its own tab, found by the palette. */
let browser: Browser
let token: string
let order: { id: string; deviceId: string; deviceNo: string }
let devices: { id: string; no: string; name: string }[]
beforeAll(async () => {
  browser = await sharedBrowser()
  token = await tokenOf('green')
  const [found] = await sql<typeof order>(
    `select id, device_id as "deviceId", device_no as "deviceNo" from charging_order
     where organise_id = 2 and member_id is not null and exists (select from device where device.id = device_id and deleted_at is null)
     order by id desc limit 1`,
  )
  order = found ?? expect.unreachable('the demo has no order')
  devices = await sql(
    `select id, device_no as no, name from device where organise_id = 2 and deleted_at is null order by id limit 2`,
  )
})

const strip = (page: Page) => page.getByRole('navigation', { name: '已打开页面' })
const titles = (page: Page) => strip(page).getByRole('link').allInnerTexts()
const inSight = (page: Page) =>
  page.evaluate<boolean>(`(() => {
    const nav = document.querySelector('nav[aria-label="已打开页面"]')
    const { left, right } = nav.getBoundingClientRect()
    const at = nav.querySelector('[data-on=true]')?.getBoundingClientRect()
    return at !== undefined && at.left >= left - 1 && at.right <= right + 1
  })()`)

describe('an object', () => {
  it('opens by its link in its own tab with its own title', async () => {
    const { page, errors } = await open(browser, { token })
    const [first, second] = devices
    for (const device of [first, second]) {
      await page.goto(`/product/deviceManage?keyword=${device?.no}`)
      await page.getByRole('link', { name: device?.no ?? '', exact: true }).click()
      await page.getByRole('heading', { name: device?.name ?? '' }).waitFor()
    }
    await expect.poll(() => titles(page)).toContain(`设备 ${second?.name}`)
    expect(await titles(page)).toContain(`设备 ${first?.name}`)
    await strip(page)
      .getByRole('link', { name: `设备 ${first?.name}` })
      .click()
    await page.getByRole('heading', { name: first?.name ?? '' }).waitFor()
    await page.goto(`/order/chargingOrder?id=${order.id}`)
    await expect.poll(() => titles(page)).toContain(`订单 …${order.id.slice(-6)}`)
    expect(errors).toEqual([])
  })

  it('keeps its tab visible among many, with at most twelve', async () => {
    const { page, errors } = await open(browser, { token })
    await page.setViewportSize({ width: 1000, height: 800 })
    const many = await sql<{ id: string }>(
      'select id from device where organise_id = 2 and deleted_at is null order by id limit 14',
    )
    for (const { id } of many) {
      await page.goto(`/product/deviceDetail?id=${id}`)
      await page.locator('.port-card').first().waitFor()
      await expect.poll(() => inSight(page)).toBe(true)
    }
    expect(await titles(page)).toHaveLength(12)
    expect(errors).toEqual([])
  })

  it('shows its facts on hover or keyboard focus, and sends no request when the pointer passes over', async () => {
    const { page, errors } = await open(browser, { token })
    const requests: string[] = []
    page.on('request', (request) => void requests.push(request.url()))
    await page.goto(`/order/chargingOrder?id=${order.id}`)
    const link = page.locator('.order-head a', { hasText: order.deviceNo })
    await link.waitFor()
    const facts = () => requests.filter((url) => /deviceDetail\/|deviceDetail%2F|device.*detail/i.test(url)).length
    const before = facts()
    for (const type of ['pointerover', 'pointerout']) await link.dispatchEvent(type, { pointerType: 'mouse' })
    // The button that copies the number precedes the link.
    await page.locator('.order-head button').first().focus()
    expect(facts()).toBe(before)
    await page.keyboard.press('Tab')
    const card = page.locator('.object-card')
    // The title of the card may end with the same number.
    const number = card.locator('dd').getByText(order.deviceNo, { exact: true })
    await number.waitFor()
    expect(await link.getAttribute('aria-describedby')).toBe(await card.getAttribute('id'))
    expect(await card.locator('dt').count()).toBeLessThanOrEqual(6)
    expect(facts()).toBe(before + 1)
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await card.waitFor({ state: 'detached' })
    await page.mouse.move(700, 700)
    await link.hover()
    await number.waitFor()
    expect(errors).toEqual([])
  })
})

describe('the palette', () => {
  const type = async (page: Page, text: string) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: '搜索菜单、记录与命令' }).fill(text)
  }

  it('opens an object by its full number at once, also before the search returns', async () => {
    const { page, errors } = await open(browser, { token })
    await page.goto('/dashboard/workTable')
    await page.getByText('实时').first().waitFor()
    await type(page, order.id)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/order/chargingOrder?id=${order.id}`)
    await type(page, devices[0]?.no ?? '')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/product/deviceDetail?id=${devices[0]?.id}`)
    expect(errors).toEqual([])
  })

  it('finds a device by the start of its name, and confirms before it sends a command', async () => {
    const { page, errors } = await open(browser, { token })
    const [before] = await sql<{ n: number }>('select count(*)::int as n from device_command')
    await page.goto('/dashboard/workTable')
    await page.getByText('实时').first().waitFor()
    await type(page, devices[0]?.name ?? '')
    await page.getByRole('option', { name: new RegExp(`重启 ${devices[0]?.no}`) }).click()
    await page
      .getByRole('dialog')
      .filter({ hasText: `确定要重启设备「${devices[0]?.no}」吗？` })
      .waitFor()
    await page.waitForURL(`**/product/deviceDetail?id=${devices[0]?.id}`)
    await page.getByRole('button', { name: /取\s?消/ }).click()
    const [after] = await sql<{ n: number }>('select count(*)::int as n from device_command')
    expect(after?.n).toBe(before?.n)
    expect(errors).toEqual([])
  })
})
