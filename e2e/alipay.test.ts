import { alipayAuth } from '@wattdeck/contract/auth/alipay-auth.ts'
import type { Browser, Page } from 'playwright'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findViolations } from './axe.ts'
import { call, installation, open, sql, tokenOf } from './browser.ts'
import { sharedBrowser } from './chromium.ts'

/** From an invitation through the provider's consent page and back, in a browser. */
let browser: Browser
let platform: string
beforeAll(async () => {
  browser = await sharedBrowser()
  platform = await tokenOf('admin')
})
const behave = (how: string) => fetch(`${installation.alipay}/behave/${how}`, { method: 'POST' })
beforeEach(() => behave('ok'))

const phone = { width: 390, height: 844 }
const invite = async () => (await call(platform, alipayAuth.invite, { body: { organiseId: '2' } })).data.invite
async function consent(page: Page, link = '去授权') {
  await page.getByRole('link', { name: link }).click()
  await page.getByRole('button', { name: '同意授权' }).click()
}

describe('an invitation', () => {
  it('[guard.login-free-names] is followed without a login, to Alipay and back, and the console shows the result', async () => {
    const link = `/alipayAuth?invite=${await invite()}`
    const desk = await open(browser)
    await desk.page.goto(link)
    await desk.page.getByText('「绿行充电（杭州）」邀请您授权支付宝账号').waitFor()
    expect(await desk.page.locator('.ant-qrcode svg').count()).toBe(1)
    expect(await findViolations(desk.page)).toEqual([])

    const { page, errors } = await open(browser, phone)
    await page.goto(link)
    await consent(page)
    await page.getByRole('heading', { name: '授权成功' }).waitFor()
    expect(await page.title()).toBe('授权成功 - 物联网控制平台')
    expect(await page.locator('.alipay-facts dd').allTextContents()).toEqual([
      '绿行充电（杭州）',
      '沙**（2088****4899）',
      expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    ])
    expect(page.url()).toContain('/alipaySuccess?state=')
    expect(page.url()).not.toContain('auth_code')
    await page.reload()
    await page.getByRole('heading', { name: '授权成功' }).waitFor()
    expect(errors).toEqual([])
    await page.getByRole('button', { name: '完成' }).click()
    await page.getByText('授权已完成，您可以关闭此页面').waitFor()

    await desk.page.getByRole('heading', { name: '授权已完成' }).waitFor()
    await desk.page.getByText('沙**（2088****4899）').waitFor()
    const current = await call(platform, alipayAuth.current, { query: { organiseId: '2' } })
    expect(current.data).toMatchObject({ invite: null, authorisation: { account: '沙**（2088****4899）' } })
  })

  it.each([
    ['unknown', '授权邀请不存在，请核对链接是否完整'],
    ['expired', '授权邀请已过期，请联系邀请人重新生成'],
    ['revoked', '授权邀请已失效，请使用最新的邀请链接'],
  ])('that is %s shows a message', async (what, text) => {
    const token = await invite()
    if (what === 'expired') await sql("update alipay_invite set expires_at = now() - interval '1 minute'")
    if (what === 'revoked') await invite()
    const { page } = await open(browser, phone)
    await page.goto(`/alipayAuth?invite=${what === 'unknown' ? 'x'.repeat(43) : token}`)
    await page.getByRole('alert').getByText(text).waitFor()
    expect(await page.getByRole('link', { name: '去授权' }).count()).toBe(0)
  })
})

describe('a reply of Alipay', () => {
  it('can be requested again when it is missing', async () => {
    await behave('busy')
    const { page } = await open(browser, phone)
    await page.goto(`/alipayAuth?invite=${await invite()}`)
    await consent(page)
    await page.getByText('未收到支付宝的确认结果，授权是否成功尚不确定').waitFor()
    await behave('ok')
    await page.getByRole('button', { name: '重新确认' }).click()
    await page.getByRole('heading', { name: '授权成功' }).waitFor()
  })

  it('that refuses leads to Alipay again', async () => {
    await behave('refuse')
    const { page } = await open(browser, phone)
    await page.goto(`/alipayAuth?invite=${await invite()}`)
    await consent(page)
    await page.getByText('支付宝未接受本次授权，授权码可能已过期或已使用').waitFor()
    await behave('ok')
    await consent(page, '重新授权')
    await page.getByRole('heading', { name: '授权成功' }).waitFor()
  })

  it('that is forged is rejected', async () => {
    const { page } = await open(browser, phone)
    await page.goto(`/alipaySuccess?auth_code=${'a'.repeat(32)}&state=${'x'.repeat(43)}`)
    await page.getByRole('alert').getByText('授权请求不存在，请重新打开授权链接').waitFor()
    await page.goto('/alipaySuccess')
    await page.getByRole('alert').getByText('授权结果不完整，请重新打开授权链接').waitFor()
  })
})
