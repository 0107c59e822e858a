import { AxeBuilder } from '@axe-core/playwright'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { open, sql, tokenOf } from './browser.ts'
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

const themes = ['light', 'dark'] as const
const widths = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]
const paths: Record<string, string> = { redirect: '/redirect/personal/basicInfo', fastLogin: '/fastLogin?ticket=none' }
// A page that goes elsewhere by design has no face of its own.
const quietly = new Set(['redirect'])
// What a page of refusal is told by the server is no fault of the page.
const expectedErrors = /status of 401|status of 422/

describe.each(themes)('in the %s theme', (theme) => {
  describe.each(widths)('at $width px', (viewport) => {
    it.each(screens.map((screen) => [screen.name, screen] as const))('%s', async (name, screen) => {
      const signedIn = screen.centre !== 'gate' || screen.alwaysVisible === true
      await sql('update user_account set theme = $1 where login_name = $2', [theme, 'admin'])
      const { page, errors, settled } = await open(browser, {
        ...viewport,
        theme,
        ...(signedIn ? { token } : {}),
      })
      await page.goto(paths[name] ?? screen.path)
      await page.locator('h1, [data-state="failed"]').first().waitFor()
      await settled()
      await page.locator('.ant-skeleton, .ant-spin-spinning').first().waitFor({ state: 'detached' })
      expect(errors.filter((text) => !expectedErrors.test(text))).toEqual([])
      expect(await page.getByText('抱歉，页面出错了').count()).toBe(0)
      const [scrollWidth, clientWidth] = await page.evaluate<number[]>(
        '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
      )
      expect(scrollWidth).toBeLessThanOrEqual(clientWidth ?? 0)
      if (!quietly.has(name)) {
        // Below a picture that covers everything axe can measure no contrast.
        await page.addStyleTag({ content: '.page-mark { display: none }' })
        const { violations } = await new AxeBuilder({ page })
          .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
          .analyze()
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
    })
  })
})
