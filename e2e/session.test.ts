import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { staff } from '@wattdeck/contract/system/staff.ts'
import type { Browser } from 'playwright'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { totpCode, totpStep } from '../apps/server/src/features/auth/login/totp.ts'
import type { Message } from '../apps/sms-sandbox/src/inbox-page.ts'
import { demoPassword, demoTotpSecret } from '../tools/demo/demo-people.ts'
import { call, holdClock, installation, open, sql, stepClock, tokenOf, untilRefused, url } from './browser.ts'
import { sharedBrowser } from './chromium.ts'

/** Login, navigation, notices and logout, as a person sees them. */
let browser: Browser
beforeAll(async () => {
  browser = await sharedBrowser()
})

const path = (address: string) => new URL(address).pathname

describe('the guard', () => {
  it('[guard.root] redirects / to the login', async () => {
    const { page } = await open(browser)
    await page.goto('/')
    await page.getByRole('heading', { name: '欢迎登录' }).waitFor()
    expect(path(page.url())).toBe('/login')
    expect(await page.title()).toBe('登录 - 物联网控制平台')
  })

  it('[guard.no-token][error.not-logged-in] warns a person without a login and leads to the login, and back after it', async () => {
    const { page } = await open(browser)
    await page.goto('/system/staff?keyword=%E5%BC%A0')
    await page.getByText('您还未登录，请先登录！').waitFor()
    await page.waitForURL('**/login?redirect=**')
    await page.getByLabel('账号/手机号').fill('green')
    await page.getByLabel('密码', { exact: true }).fill(demoPassword)
    await page.getByRole('button', { name: '登录' }).click()
    await page.getByRole('heading', { name: '员工管理' }).waitFor()
    expect(page.url()).toContain('kept=')
  })

  it('[guard.unknown-path] shows the 404 page for an unknown path', async () => {
    const { page } = await open(browser)
    await page.goto('/no/such/page')
    await page.getByText('抱歉，您访问的页面不存在').waitFor()
  })

  it('[guard.login-with-token] redirects a person with a token from the login to the work table', async () => {
    const { page } = await open(browser, { token: await tokenOf('green') })
    await page.goto('/login')
    await page.waitForURL('**/dashboard/workTable')
  })

  it('does not log a person out when the page is left before it has loaded the person', async () => {
    const { page } = await open(browser, { token: await tokenOf('green') })
    await page.route('**/user/userInfo', () => undefined)
    const userInfoRequest = page.waitForRequest('**/user/userInfo')
    await page.goto('/dashboard/workTable')
    await userInfoRequest
    await page.unroute('**/user/userInfo')
    await page.goto('/system/staff')
    await page.getByRole('heading', { name: '员工管理' }).waitFor()
  })

  it('[guard.redirect] reopens the target of /redirect', async () => {
    const { page } = await open(browser, { token: await tokenOf('green') })
    await page.goto('/redirect/system/role')
    await page.getByRole('heading', { name: '角色管理' }).waitFor()
    expect(path(page.url())).toBe('/system/role')
  })

  it('[guard.arrears] keeps an organisation in arrears on the overdue page, except for always visible pages', async () => {
    const { page } = await open(browser, { token: await tokenOf('arrears') })
    await page.goto('/system/staff')
    await page.waitForURL('**/overdue')
    await page.getByText('您的基础服务已欠费').first().waitFor()
    await page.goto('/personal/basicInfo')
    await page.getByRole('heading', { name: '基本信息' }).waitFor()
  })

  it('[guard.menu-filter] shows only granted menus, and refuses the page of another', async () => {
    const { page } = await open(browser, { token: await tokenOf('tester') })
    await page.goto('/dashboard/workTable')
    await page.getByRole('navigation').first().waitFor()
    // Of the system centre only the help, which is always visible.
    await page.getByRole('link', { name: '系统中心' }).click()
    await page.waitForURL('**/helpDocument')
    const menu = page.getByRole('navigation', { name: '系统中心' }).getByRole('link')
    // The address changes before the menu of its centre renders.
    await menu.first().waitFor()
    expect(await menu.allInnerTexts()).toEqual(['帮助文档'])
    await page.goto('/system/staff')
    await page.getByText('您无权访问该页面').waitFor()
  })
})

describe('the login', () => {
  it('requires the second factor of an administrator', async () => {
    await sql("update user_account set totp_last_step = null where login_name = 'platform'")
    const { page } = await open(browser)
    await page.goto('/login')
    await page.getByLabel('账号/手机号').fill('platform')
    await page.getByLabel('密码', { exact: true }).fill(demoPassword)
    await page.getByRole('button', { name: '登录' }).click()
    await page.getByLabel('动态口令').waitFor()
    const code = totpCode(demoTotpSecret, totpStep(Date.now()))
    await page.getByLabel('动态口令').fill(code)
    await page.getByRole('button', { name: '验证' }).click()
    await page.waitForURL('**/dashboard/workTable')
  })

  it('by text message accepts the code from the phone', async () => {
    const [person] = await sql<{ phone: string }>("select phone from user_account where login_name = 'tester'")
    const phone = person?.phone ?? ''
    const { page } = await open(browser)
    const pictures: string[] = []
    page.on('response', (response) => {
      if (response.url().endsWith('/login/captcha'))
        void response.json().then((reply: { data: { captchaId: string } }) => pictures.push(reply.data.captchaId))
    })
    await page.goto('/login')
    await page.getByRole('tab', { name: '短信登录' }).click()
    await page.getByLabel('手机号').fill(phone)
    await expect.poll(() => pictures.length).toBeGreaterThan(0)
    const [captcha] = await sql<{ answer: string }>('select answer from captcha where id = $1', [pictures.at(-1)])
    await page.getByRole('textbox', { name: '图形验证码' }).fill(captcha?.answer ?? '')
    await page.getByRole('button', { name: '获取验证码' }).click()
    await page.getByText('验证码已发送，60秒后可重新获取').waitFor()
    const code = async () =>
      ((await (await fetch(`${installation.inbox}/inbox.json`)).json()) as Message[]).find(
        (message) => message.phone === phone,
      )?.params['code']
    await expect.poll(code).toMatch(/^\d{6}$/)
    await page.getByLabel('短信验证码').fill((await code()) ?? '')
    await page.getByRole('button', { name: '登录' }).click()
    await page.waitForURL('**/dashboard/workTable')
  })

  it('by a link works once and leaves no ticket in the address bar', async () => {
    const token = await tokenOf('green')
    const [person] = await sql<{ id: string }>("select id from user_account where login_name = 'staff003'")
    const issued = await call(token, staff.quickLogin, { body: { id: person?.id ?? '' } })
    const { page } = await open(browser)
    await page.goto(`/fastLogin?ticket=${issued.data.ticket}`)
    await page.waitForURL('**/dashboard/workTable')
    expect(page.url()).not.toContain(issued.data.ticket)
    const second = await open(browser)
    await second.page.goto(`/fastLogin?ticket=${issued.data.ticket}`)
    await second.page.getByText('返回登录').waitFor()
  })

  it('ends by the user menu, at the login page, with no session data left', async () => {
    const { page } = await open(browser, { token: await tokenOf('simcard') })
    await page.goto('/dashboard/workTable')
    await page.getByRole('button', { name: /郑晓东/ }).click()
    await page.getByText('退出登录').click()
    await page.locator('.ant-modal-confirm-title', { hasText: '确定要退出登录吗？' }).waitFor()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /确\s*定|退出/ })
      .click()
    await page.waitForURL('**/login')
    expect(await page.evaluate<string | null>("sessionStorage.getItem('access-token')")).toBeNull()
  })
})

describe('an open console', () => {
  it('[error.socket-notification] shows a notification titled 通知 on any page', async () => {
    const [person] = await sql<{ id: string; role: string }>(
      "select id, (select role_id from user_role where user_id = person.id limit 1) as role from user_account person where login_name = 'staff006'",
    )
    const { page } = await open(browser, { token: await tokenOf('staff006') })
    await page.goto('/dashboard/workTable')
    await page.getByText('实时').first().waitFor()
    const assigned = await call(await tokenOf('green'), staff.assignRoles, {
      body: { id: person?.id ?? '', roleIds: [person?.role ?? ''] },
    })
    expect(assigned.status).toBe(200)
    const notice = page.locator('.ant-notification-notice')
    await notice.getByText('通知', { exact: true }).waitFor()
    await notice.getByText(/您的角色已调整/).waitFor()
  })

  it('requires a fresh second factor before it changes another’s account, and continues', async () => {
    const token = await tokenOf('admin')
    await sql(
      "update session set factor_at = null where user_id = (select id from user_account where login_name = 'admin')",
    )
    await sql("update user_account set totp_last_step = null where login_name = 'admin'")
    const { page } = await open(browser, { token })
    await page.goto('/system/staff?keyword=staff007')
    await page
      .getByRole('button', { name: /更多操作/ })
      .first()
      .click()
    await page.getByRole('menuitem', { name: '重置密码' }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^重\s*置$/ })
      .click()
    const dialog = page.getByRole('dialog', { name: '请进行二次验证' })
    await dialog.getByLabel('动态口令').fill(totpCode(demoTotpSecret, totpStep(Date.now())))
    await dialog.getByRole('button', { name: '验证并继续' }).click()
    await page.getByText('初始密码').first().waitFor()
    await expect.poll(() => dialog.count()).toBe(0)
  })

  it('[error.unauthorised] with an ended session shows the message for a second and opens the login', async () => {
    const token = await tokenOf('staff008')
    const { page } = await open(browser, { token })
    await page.clock.install()
    await page.goto('/personal/basicInfo')
    await page.getByRole('heading', { name: '基本信息' }).waitFor()
    // Before the session ends: the open console may detect the end itself, and its second must not pass meanwhile.
    await holdClock(page)
    await sql(
      "update session set ended_at = now() where user_id = (select id from user_account where login_name = 'staff008')",
    )
    await untilRefused(token)
    await page.getByRole('link', { name: '绑定手机' }).first().click()
    await stepClock(page, () => page.getByText('登录已过期，正在跳转到登录页面').isVisible())
    expect(path(page.url())).toMatch(/^\/personal\//)
    await page.clock.runFor(1000)
    await page.clock.resume()
    await page.waitForURL('**/login**')
  })

  it('[attack.M9] keeps its policy also when a web server without headers serves it', async () => {
    const server = createServer((request, response) => {
      const file = join('apps/console/dist', new URL(request.url ?? '/', url).pathname)
      const found = existsSync(file) && statSync(file).isFile() ? file : 'apps/console/dist/index.html'
      const type = found.endsWith('.js') ? 'text/javascript' : found.endsWith('.css') ? 'text/css' : 'text/html'
      response.writeHead(200, { 'content-type': type }).end(readFileSync(found))
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { page } = await open(browser)
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/login`)
    await page.getByRole('heading', { name: '欢迎登录' }).waitFor()
    const attempts = await page.evaluate(`(() => {
      const base = document.createElement('base')
      base.href = 'http://127.0.0.2/'
      document.head.append(base)
      const ownBase = document.baseURI.startsWith(location.origin)
      try {
        document.body.insertAdjacentHTML('beforeend', '<img src=x>')
        return { ownBase }
      } catch (error) {
        return { ownBase, refused: error.message }
      }
    })()`)
    expect(attempts).toEqual({ ownBase: true, refused: 'markup is not allowed here' })
  })

  it('keeps its content security policy and is served with every security header', async () => {
    const reply = await fetch(`${url}/login`)
    const policy = reply.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("script-src 'self'")
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain("script-src 'self' 'unsafe")
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
    expect(reply.headers.get('strict-transport-security')).toContain('max-age')
  })
})
