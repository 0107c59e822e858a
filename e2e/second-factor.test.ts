import { staff } from '@wattdeck/contract/system/staff.ts'
import type { Browser, Page } from 'playwright'
import { beforeAll, describe, expect, it } from 'vitest'
import { call, open, tokenOf } from './browser.ts'
import { sharedBrowser } from './chromium.ts'

/** A new person sets a password, binds a passkey of Chromium's virtual authenticator, and manages their sessions. */
let browser: Browser
beforeAll(async () => {
  browser = await sharedBrowser()
})

const ownPassword = 'Own-volts-2026'

async function newcomer() {
  const tag = String(Date.now()).slice(-8)
  const loginName = `keys_${tag}`
  const body = { employeeNo: `K${tag}`, name: '密钥测试', loginName, phone: `139${tag}` }
  const { data } = await call(await tokenOf('green'), staff.add, { body })
  return { loginName, firstPassword: data.initialPassword }
}

async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

async function logIn(page: Page, loginName: string, password: string): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('账号/手机号').fill(loginName)
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.getByRole('button', { name: '登录' }).click()
}

describe('a new person', () => {
  it('replaces the first password, binds a passkey, logs in with it and ends other sessions', async () => {
    const { loginName, firstPassword } = await newcomer()
    const { page, errors } = await open(browser)
    await addAuthenticator(page)
    await logIn(page, loginName, firstPassword)
    await page.getByLabel('原密码').fill(firstPassword)
    await page.getByLabel('新密码', { exact: true }).fill(ownPassword)
    await page.getByLabel('确认密码').fill(ownPassword)
    await page.getByRole('button', { name: '更换密码并登录' }).click()
    await page.waitForURL((address) => address.pathname !== '/login')

    await page.goto('/personal/basicInfo')
    await page.getByRole('button', { name: '添加' }).click()
    const dialog = page.getByRole('dialog', { name: '添加通行密钥' })
    await dialog.getByLabel('名称').fill('测试电脑')
    await dialog.getByLabel('登录密码').fill(ownPassword)
    await dialog.getByRole('button', { name: '添加' }).click()
    const codes = page.getByRole('dialog', { name: '恢复码' })
    await codes.getByRole('listitem').first().waitFor()
    expect(await codes.getByRole('listitem').count()).toBe(10)
    await codes.getByRole('button', { name: '我已保存，关闭' }).click()
    await page.getByRole('heading', { name: '测试电脑' }).waitFor()

    const other = await open(browser)
    await logIn(other.page, loginName, ownPassword)
    await other.page.getByRole('button', { name: '使用通行密钥验证' }).waitFor()
    await other.page.getByRole('button', { name: '无法验证？使用恢复码' }).click()
    await other.page.getByLabel('恢复码').waitFor()

    // Cleared before the page's own code begins: a running page that loses its token would continue without one.
    await page.addInitScript("if (location.pathname === '/login') sessionStorage.clear()")
    await logIn(page, loginName, ownPassword)
    await page.getByRole('button', { name: '使用通行密钥验证' }).click()
    await page.waitForURL((address) => address.pathname !== '/login')
    await page.goto('/personal/basicInfo')
    const sessions = page.getByRole('region', { name: '登录会话' })
    await sessions.getByText('密码登录 + 通行密钥').first().waitFor()
    expect(await sessions.getByText('当前会话').count()).toBe(1)
    await sessions.getByRole('button', { name: '结束其他会话' }).click()
    await page.getByRole('dialog').getByRole('button', { name: '确定' }).click()
    await expect.poll(() => sessions.getByRole('listitem').count()).toBe(1)
    // The notice of the bound factor may arrive by the stream of the ended session: its fetch is refused.
    expect(errors.filter((text) => !/status of 401 .*\/notification\/list/.test(text))).toEqual([])
  })
})
