import { baseService } from '@wattdeck/contract/system/base-service.ts'
import { shanghaiDay } from '@wattdeck/domain/base-service.ts'
import type { Browser } from 'playwright'
import { beforeAll, describe, expect, it } from 'vitest'
import { call, open, tokenOf } from './browser.ts'
import { sharedBrowser } from './chromium.ts'

/** A basic service before its expiry, after it, and after the renewal, as seen by the organisation. */
let browser: Browser
let platform: string
beforeAll(async () => {
  browser = await sharedBrowser()
  platform = await tokenOf('admin')
})

const dayIn = (days: number) => shanghaiDay(Date.now() + days * 86_400_000)
async function setTerms(organiseId: string, days: number, expiryPolicy: 1 | 2 = 1) {
  const usual = { unitPrice: '36.00' as never, freeDevices: 5, cycle: 12 as const, graceDays: 7, warnDays: 30 }
  const body = { ...usual, organiseId, expiresOn: dayIn(days), expiryPolicy }
  const reply = await call(platform, baseService.set, { body })
  expect(reply.status).toBe(200)
}

describe('a service before its expiry', () => {
  it('is announced above every page with its day, until it is renewed', async () => {
    const { page, errors } = await open(browser, { token: await tokenOf('swift') })
    await page.goto('/system/staff')
    const bar = page.locator('.service-bar')
    await bar.getByText(`您的基础服务将于 ${dayIn(12)} 到期，请及时续费`).waitFor()
    await page.goto('/dashboard/workTable')
    await page.getByRole('region', { name: '基础服务' }).getByText(dayIn(12)).waitFor()
    await page.getByText('实时').first().waitFor()
    await setTerms('3', 400)
    await bar.waitFor({ state: 'detached' })
    await setTerms('3', 12, 2)
    await bar.waitFor()
    await page
      .locator('.ant-notification-notice')
      .getByText(/基础服务：您的基础服务将于/)
      .waitFor()
    expect(errors).toEqual([])
  })
})

describe('the overdue page', () => {
  it('shows the start, the end and the contact, and leads back after the renewal', async () => {
    const { page, errors } = await open(browser, { token: await tokenOf('arrears') })
    await page.goto('/dashboard/workTable')
    await page.waitForURL('**/overdue')
    const facts = page.locator('.overdue-facts')
    await facts.getByText('安驰能源（西安）').waitFor()
    expect(await facts.locator('dt').allTextContents()).toEqual([
      '欠费机构',
      '欠费服务',
      '到期日期',
      '停服日期',
      '基础服务状态',
      '客服电话',
    ])
    expect(await facts.locator('dd').allTextContents()).toEqual([
      '安驰能源（西安）',
      '基础服务',
      dayIn(-20),
      dayIn(-12),
      '欠费',
      '400-826-0571',
    ])
    expect(await facts.locator('[data-tone="bad"]').count()).toBe(1)
    expect(await page.getByRole('link', { name: '联系客服' }).getAttribute('href')).toBe('tel:4008260571')
    await page.getByRole('button', { name: '刷新状态' }).click()
    await page.getByText('基础服务仍处于欠费状态').waitFor()
    await setTerms('4', 300)
    await page.waitForURL('**/dashboard/workTable')
    await setTerms('4', -20)
    await page.waitForURL('**/overdue')
    expect(errors).toEqual([])
  })

  it('lets a person log out', async () => {
    const { page } = await open(browser, { token: await tokenOf('arrears') })
    await page.goto('/overdue')
    await page.getByRole('button', { name: '退出登录' }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /确\s*定|退出/ })
      .click()
    await page.waitForURL('**/login')
  })
})
