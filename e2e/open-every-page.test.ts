import { AxeBuilder } from '@axe-core/playwright'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { open, type Opened, sql, tokenOf } from './browser.ts'
import { launch } from './chromium.ts'

type Screen = { name: string; path: string; centre: string; alwaysVisible?: boolean }
// By a path in a variable: the compiler of the server's side must not follow it into the pages.
const table = '../apps/console/src/shell/routes.ts'
const { screens } = (await import(table)) as { screens: Screen[] }

/** Every page there is, in both themes and on a phone. A new page is covered by being in the route tables. */
let browser: Browser
let token: string
beforeAll(async () => {
  browser = await launch()
  token = await tokenOf('admin')
})
afterAll(() => browser.close())

const desk = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }
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

/**
 * Each page is loaded at the desk in the light theme and made narrow, and loaded on the phone in the dark theme and made
 * wide: so every pair of theme and width is looked at, and both are loaded into. What is not colour is the same in both
 * themes and judged once.
 */
describe.each([
  ['light, from desk to phone', 'light', [desk, phone]],
  ['dark, from phone to desk', 'dark', [phone, desk]],
] as const)('%s', (_, theme, [first, second]) => {
  it.each(screens.map((screen) => [screen.name, screen] as const))('%s', async (name, screen) => {
    const signedIn = screen.centre !== 'gate' || screen.alwaysVisible === true
    await sql('update user_account set theme = $1 where login_name = $2', [theme, 'admin'])
    const opened = await open(browser, { ...first, theme, ...(signedIn ? { token } : {}) })
    await opened.page.goto(paths[name] ?? screen.path)
    await opened.page.locator('h1, [data-state="failed"]').first().waitFor()
    await looksRight(opened, name, theme)
    await opened.page.setViewportSize(second)
    await opened.page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
    await looksRight(opened, name, theme)
    expect(opened.errors.filter((text) => !expectedErrors.test(text))).toEqual([])
  })
})

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
  const axe = new AxeBuilder({ page })
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
