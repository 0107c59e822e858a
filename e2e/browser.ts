import { login } from '@wattdeck/contract/session/login.ts'
import type { Browser, BrowserContext, Page, Request } from 'playwright'
import { inject, onTestFinished } from 'vitest'
import { callerOf } from '../apps/server/test/client.ts'
import { totpCode, totpStep } from '../apps/server/src/session/login/totp.ts'
import { asSuperuser } from '../tools/database.ts'
import { demoPassword, demoTotpSecret } from '../tools/demo-data.ts'

export const url = inject('url')
export const call = callerOf(url)

/** A token as the login page would get it; administrators prove their second factor. */
export async function tokenOf(loginName: string): Promise<string> {
  const { data } = await call(undefined, login.byPassword, { body: { loginName, password: demoPassword } })
  if (data.stage === 'full') return data.access_token
  // A code is good once; the test must not wait for the next one.
  await sql('update user_account set totp_last_step = null where login_name = $1', [loginName])
  const proven = await call(data.access_token, login.secondFactor, {
    body: { code: totpCode(demoTotpSecret, totpStep(Date.now())) },
  })
  return proven.data.access_token
}

export const sql = <R extends object>(text: string, values: unknown[] = []): Promise<R[]> =>
  asSuperuser(inject('database'), async (client) => (await client.query<R>(text, values)).rows)

export type Opened = { page: Page; errors: string[]; settled: () => Promise<void> }
type Wish = { token?: string; theme?: 'light' | 'dark'; width?: number; height?: number }

/** A browser profile of its own; each tab of it begins logged in as it was wished. */
export async function newProfile(browser: Browser, wish: Wish = {}): Promise<BrowserContext> {
  const { token, theme = 'light', width = 1440, height = 900 } = wish
  const context = await browser.newContext({
    viewport: { width, height },
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    reducedMotion: 'reduce',
    baseURL: url,
  })
  // Once a tab: a page that has logged out must find itself logged out after a reload.
  await context.addInitScript(`
    if (sessionStorage.getItem('opened') === null) {
      sessionStorage.setItem('opened', 'true')
      localStorage.setItem('theme', ${JSON.stringify(theme)})
      ${token === undefined ? '' : `sessionStorage.setItem('access-token', ${JSON.stringify(token)})`}
    }`)
  return context
}

/** A fresh browser profile that ends with the test, with one tab. */
export async function open(browser: Browser, wish: Wish = {}): Promise<Opened> {
  const context = await newProfile(browser, wish)
  onTestFinished(() => context.close())
  return openTab(context)
}

/** Whatever the page complains about is collected. */
export async function openTab(context: BrowserContext): Promise<Opened> {
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text())
  })
  // The live stream never ends, so the network is never idle: everything else must have been answered.
  const pending = new Set<Request>()
  const isLive = (request: Request) => /\/api\/(?:live|sse)\b/.test(request.url())
  page.on('request', (request) => !isLive(request) && pending.add(request))
  page.on('requestfinished', (request) => pending.delete(request))
  page.on('requestfailed', (request) => pending.delete(request))
  const settled = async () => {
    for (let quiet = 0; quiet < 3; quiet = pending.size === 0 ? quiet + 1 : 0) await page.waitForTimeout(50)
  }
  return { page, errors, settled }
}
