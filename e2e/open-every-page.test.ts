import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContext } from 'playwright'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newToken, sha256 } from '../apps/server/src/kit/tokens.ts'
import { newProfile, type Opened, openTab, sql, tokenOf } from './browser.ts'
import { launch } from './chromium.ts'

type Screen = { name: string; path: string; centre: string; alwaysVisible?: boolean }
// By a path in a variable: the compiler of the server's side must not follow it into the pages.
const table = '../apps/console/src/shell/routes.ts'
const { screens } = (await import(table)) as { screens: Screen[] }

/** Every page there is, in both themes and on a phone. A new page is covered by being in the route tables. */
const desk = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }
/**
 * Each page is loaded at the desk in the light theme and made narrow, and loaded on the phone in the dark theme and made
 * wide: so every pair of theme and width is looked at, and both are loaded into. What is not colour is the same in both
 * themes and judged once.
 */
const looks = [
  { theme: 'light', first: desk, second: phone },
  { theme: 'dark', first: phone, second: desk },
] as const
type Look = (typeof looks)[number]

let browser: Browser
/** A profile keeps what it has loaded of the console, so each page costs its own part only. */
const profiles = new Map<Look, { signedIn: BrowserContext; stranger: BrowserContext }>()
beforeAll(async () => {
  browser = await launch()
  const tokens = { light: await tokenOf('admin'), dark: await tokenOfTwin() }
  for (const look of looks) {
    const wish = { ...look.first, theme: look.theme }
    const signedIn = await newProfile(browser, { ...wish, token: tokens[look.theme] })
    profiles.set(look, { signedIn, stranger: await newProfile(browser, wish) })
  }
})
afterAll(() => browser.close())

/** The theme belongs to the account, and both are shown at once: so the dark one has an account like the administrator's. */
async function tokenOfTwin(): Promise<string> {
  await sql("update user_account set theme = 'light' where login_name = 'admin'")
  const token = newToken()
  await sql(
    `with admin as (select * from user_account where login_name = 'admin'),
     twin as (
       insert into user_account (organise_id, department_id, user_type, employee_no, name, login_name, phone, password_hash, theme)
       select organise_id, department_id, user_type, 'TWIN', name, 'admin_dark', '13700009999', 'x', 'dark' from admin returning *),
     roles as (
       insert into user_role (user_id, role_id, organise_id)
       select twin.id, role_id, user_role.organise_id from user_role join admin on admin.id = user_id, twin)
     insert into session (token_hash, user_id, organise_id, stage) select $1, id, organise_id, 'full' from twin`,
    [sha256(token)],
  )
  return token
}

const paths: Record<string, string> = {
  redirect: '/redirect/personal/basicInfo',
  fastLogin: '/fastLogin?ticket=none',
  deviceDetail: '/product/deviceDetail?id=1',
  attributeSetting: '/product/attributeSetting?id=1',
}
// A page that goes elsewhere by design has no face of its own.
const quietly = new Set(['redirect'])
// What a page of refusal is told by the server is no fault of the page.
const expectedErrors = /status of 401|status of 422/
const everyRule = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

it.each(screens.map((screen) => [screen.name, screen] as const))('%s', async (name, screen) => {
  await Promise.all(looks.map((look) => showsIn(look, name, screen)))
})

async function showsIn(look: Look, name: string, screen: Screen) {
  const signedIn = screen.centre !== 'gate' || screen.alwaysVisible === true
  const profile = profiles.get(look)?.[signedIn ? 'signedIn' : 'stranger']
  const opened = await openTab(profile ?? expect.unreachable('no profile'))
  await opened.page.goto(paths[name] ?? screen.path)
  await opened.page.locator('h1, [data-state="failed"]').first().waitFor()
  expect(await opened.page.evaluate<string>('document.documentElement.dataset.theme')).toBe(look.theme)
  await looksRight(opened, name, look.theme)
  await opened.page.setViewportSize(look.second)
  await opened.page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
  await looksRight(opened, name, look.theme)
  expect(opened.errors.filter((text) => !expectedErrors.test(text))).toEqual([])
  await opened.page.close()
}

async function looksRight({ page, settled }: Opened, name: string, theme: 'light' | 'dark') {
  await settled()
  await page.locator('.ant-skeleton, .ant-spin-spinning').first().waitFor({ state: 'detached' })
  expect(await page.getByText('抱歉，页面出错了').count()).toBe(0)
  const [scrollWidth, clientWidth] = await page.evaluate<number[]>(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  )
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth ?? 0)
  if (quietly.has(name)) return
  // Below a picture that covers everything axe can measure no contrast.
  await page.addStyleTag({ content: '.page-mark { display: none }' })
  // There are no frames of others, so axe needs no page of its own to put results together.
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] })
  const { violations } = await (theme === 'light' ? axe.withTags(everyRule) : axe.withRules('color-contrast')).analyze()
  expect(
    violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 3)
          .map((node) => node.html.slice(0, 160))
          .join(' | ')}`,
    ),
  ).toEqual([])
}
