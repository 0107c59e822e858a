import { login } from '@wattdeck/contract/auth/login.ts'
import { session } from '@wattdeck/contract/auth/session.ts'
import type { Browser, BrowserContext, Page, Request } from 'playwright'
import pg from 'pg'
import { expect, inject, onTestFinished } from 'vitest'
import { callerOf } from '../apps/server/test/harness/client.ts'
import { hangMs } from '../apps/server/test/harness/until.ts'
import { sha256 } from '../apps/server/src/kit/auth/tokens.ts'
import { totpCode, totpStep } from '../apps/server/src/features/auth/login/totp.ts'
import { superuserUrl } from '../tools/ops/database.ts'
import { demoPassword, demoTotpSecret } from '../tools/demo/demo-people.ts'
import type { InstallationAddress } from './installation.ts'

/** The installation of this worker, which runs its files one by one. */
export const installation: InstallationAddress =
  inject('installations')[Number(process.env['VITEST_POOL_ID']) - 1] ?? expect.unreachable('no installation')
export const { url } = installation
export const call = callerOf(url)

/** A token as the login page receives it; administrators prove their second factor. */
export async function tokenOf(loginName: string): Promise<string> {
  const { data } = await call(undefined, login.byPassword, { body: { loginName, password: demoPassword } })
  if (data.stage === 'full') {
    // Most demo accounts have no second factor; routes that need a fresh one accept this timestamp.
    await sql('update session set factor_at = now() where token_hash = $1', [sha256(data.access_token)])
    return data.access_token
  }
  // A code is valid once; the test must not wait for the next one.
  await sql('update user_account set totp_last_step = null where login_name = $1', [loginName])
  const proven = await call(data.access_token, login.secondFactor, {
    body: { code: totpCode(demoTotpSecret, totpStep(Date.now())) },
  })
  return proven.data.access_token
}

const pool = new pg.Pool({ connectionString: superuserUrl(installation.database), max: 4, allowExitOnIdle: true })
// The server closes these connections when the database is dropped at the end of the run.
pool.on('error', () => undefined)

export const sql = async <R extends object>(text: string, values: unknown[] = []): Promise<R[]> =>
  (await pool.query<R>(text, values)).rows

export type Opened = { page: Page; errors: string[]; settled: () => Promise<void> }
type Params = { token?: string; theme?: 'light' | 'dark'; width?: number; height?: number }

/** A separate browser profile; each tab begins logged in as requested. */
export async function newProfile(browser: Browser, params: Params = {}): Promise<BrowserContext> {
  const { token, theme = 'light', width = 1440, height = 900 } = params
  const context = await browser.newContext({
    viewport: { width, height },
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    reducedMotion: 'reduce',
    baseURL: url,
  })
  context.setDefaultTimeout(hangMs)
  context.setDefaultNavigationTimeout(hangMs)
  // Once per tab: a page that has logged out must stay logged out after a reload.
  await context.addInitScript(`
    if (sessionStorage.getItem('opened') === null) {
      sessionStorage.setItem('opened', 'true')
      localStorage.setItem('theme', ${JSON.stringify(theme)})
      ${token === undefined ? '' : `sessionStorage.setItem('access-token', ${JSON.stringify(token)})`}
    }`)
  return context
}

/** A fresh browser profile with one tab, closed after the test. A failed test of a repeated run saves its trace. */
export async function open(browser: Browser, params: Params = {}): Promise<Opened> {
  const context = await newProfile(browser, params)
  const traces = process.env['CHECK_TRACES']
  if (traces !== undefined) await context.tracing.start({ screenshots: true, snapshots: true })
  onTestFinished(async ({ task }) => {
    if (traces !== undefined && task.result?.state === 'fail')
      await context.tracing.stop({
        path: `${traces}/${task.name.replaceAll(/\W+/g, '-').slice(0, 80)}-${Date.now()}.zip`,
      })
    await context.close()
  })
  return openTab(context)
}

/** Collects every error and warning of the page. */
export async function openTab(context: BrowserContext): Promise<Opened> {
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      errors.push(`${message.text()} ${message.location().url}`)
  })
  return { page, errors, settled: settledOf(page) }
}

/** Stops the page's clock, which then moves only by steps of the test. Call `page.clock.install` first. */
export async function holdClock(page: Page): Promise<void> {
  // The page's clock runs until the call arrives, and rejects a moment in its past.
  for (let aheadMs = 1000; ; aheadMs *= 2)
    try {
      return await page.clock.pauseAt(Date.now() + aheadMs)
    } catch (error) {
      if (!String(error).includes('Cannot fast-forward to the past')) throw error
    }
}

/**
 * Moves a held clock in small steps until the condition holds, and returns the elapsed page time in milliseconds. Each
 * step is shorter than its real duration, so page time never runs faster than server time.
 */
export async function stepClock(page: Page, isMet: () => Promise<boolean>): Promise<number> {
  const stepMs = 10
  let lived = 0
  await expect
    .poll(
      async () => {
        await page.clock.runFor(stepMs)
        lived += stepMs
        return isMet()
      },
      { interval: 5 * stepMs },
    )
    .toBe(true)
  return lived
}

/** Waits until the api refuses a token whose session has ended in the database; caches may accept it until then. */
export async function untilRefused(token: string): Promise<void> {
  await expect.poll(async () => (await call(token, session.userInfo)).status).toBe(401)
}

/** Two idle periods of the page without a new request: effects of the first may start the next request. */
const idle = `new Promise((resolve) =>
  requestAnimationFrame(() => requestIdleCallback(() => resolve(), { timeout: 1000 })))`

/** Waits until every request has a reply and the page has rendered it. */
function settledOf(page: Page): () => Promise<void> {
  const pending = new Set<Request>()
  let started = 0
  let wake = () => {}
  // The live stream never ends.
  const isLive = (request: Request) => /\/api\/(?:live|sse)\b/.test(request.url())
  page.on('request', (request) => {
    if (isLive(request)) return
    started++
    pending.add(request)
  })
  const end = (request: Request) => {
    pending.delete(request)
    wake()
  }
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  const answered = async () => {
    while (pending.size > 0) await new Promise<void>((resolve) => (wake = resolve))
  }
  return async () => {
    for (let quiet = 0; quiet < 2;) {
      await answered()
      const before = started
      await page.evaluate(idle)
      quiet = started === before && pending.size === 0 ? quiet + 1 : 0
    }
  }
}
