import { expect, it } from 'vitest'
import { newToken, sha256 } from '../apps/server/src/kit/auth/tokens.ts'
import { atTier, isInScope, rotate } from '../tools/check/tier.ts'
import { findViolations } from './axe.ts'
import { newProfile, type Opened, openTab, sql, tokenOf } from './browser.ts'
import { sharedBrowser } from './chromium.ts'

type Screen = { name: string; path: string; centre: string; alwaysVisible?: boolean }
// Through a path in a variable, because the server's compiler must not follow it into the pages.
const table = '../apps/console/src/features/screens.ts'
const routes = (await import(table)) as { screens: Screen[] }
const screens = routes.screens.filter(({ name }) => isInScope(name))

/** Every page in both themes, on desktop and phone. A new page is covered by its entry in the route tables. */
const desk = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }
const looks = [
  { theme: 'light', first: desk, second: phone },
  { theme: 'dark', first: phone, second: desk },
] as const
type Look = (typeof looks)[number]

/**
 * A page is loaded in a look and then resized to its second width. Axe checks it at one width or at both. The gate
 * takes one of the four variants of each page, so that four consecutive commits check every page in every theme and
 * width.
 */
type Variant = { screen: Screen; look: Look; judge: 'first' | 'second' }
const variants: Variant[] = screens.flatMap((screen, place) => {
  const four = looks.flatMap((look) => (['first', 'second'] as const).map((judge) => ({ screen, look, judge })))
  return [...four.slice(place % 4), ...four.slice(0, place % 4)]
})
type Visit = { screen: Screen; look: Look; judged: Set<'first' | 'second'> }
const visits = new Map<string, Visit>()
/** The gate opens every page up to this number; beyond it, a rotating part of them. */
const pagesAtOnce = 100
const slices = 4 * Math.ceil(screens.length / pagesAtOnce)
for (const { screen, look, judge } of rotate('pages: theme and width judged by axe', variants, slices)) {
  const key = `${screen.name} ${look.theme}`
  const visit = visits.get(key) ?? { screen, look, judged: new Set() }
  visits.set(key, { ...visit, judged: visit.judged.add(judge) })
}

/** Two lanes keep two processors busy. */
const lanes = 2

/**
 * The theme belongs to the account, and both are shown at once, so the dark one uses a copy of the administrator's
 * account.
 */
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
  siteDetail: '/system/siteDetail?id=1',
  memberInfo: '/member/memberInfo?id=1',
}
// A page that redirects by design has no content to check.
const isRedirect = (name: string) => name === 'redirect'
// The server refuses the calls of these pages by design.
const expectedErrors = /status of 401|status of 422/

it('every page loads, fits its width and breaks no rule of accessibility', { timeout: 3_600_000 }, async () => {
  const browser = await sharedBrowser()
  const tokens = { light: await tokenOf('admin'), dark: await tokenOfTwin() }
  const failures: string[] = []
  const queue = [...visits.values()]

  /** The lane loads its next page in the same tab: a new renderer process costs as much as loading the console. */
  const runLane = async () => {
    const tabs = new Map<string, Opened>()
    for (let visit = queue.shift(); visit !== undefined; visit = queue.shift()) {
      const { screen, look } = visit
      const signedIn = screen.centre !== 'auth' || screen.alwaysVisible === true
      const key = `${look.theme} ${signedIn}`
      const makeTab = async () => {
        const token = signedIn ? { token: tokens[look.theme] } : {}
        return openTab(await newProfile(browser, { ...look.first, theme: look.theme, ...token }))
      }
      const tab = tabs.get(key) ?? (await makeTab())
      tabs.set(key, tab)
      const found = await findFailures(tab, visit)
      failures.push(...found.map((reason) => `${screen.name}, ${look.theme}: ${reason}`))
      if (found.length === 0) continue
      tabs.delete(key)
      await tab.page.context().close()
    }
    await Promise.all([...tabs.values()].map(({ page }) => page.context().close()))
  }
  await Promise.all(Array.from({ length: lanes }, runLane))
  expect(failures).toEqual([])
})

async function findFailures(tab: Opened, { screen, look, judged }: Visit): Promise<string[]> {
  const { page, errors } = tab
  errors.length = 0
  const reasons: string[] = []
  try {
    await page.setViewportSize(look.first)
    await page.goto(paths[screen.name] ?? screen.path)
    await page.locator('h1, [data-state="failed"]').first().waitFor()
    const theme = await page.evaluate<string>('document.documentElement.dataset.theme')
    if (theme !== look.theme) reasons.push(`shown in the theme ${theme}`)
    reasons.push(...(await judgeWidth(tab, screen, look, judged.has('first'))))
    await page.setViewportSize(look.second)
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
    reasons.push(...(await judgeWidth(tab, screen, look, judged.has('second'))))
  } catch (error) {
    reasons.push(String(error))
  }
  const complaints = errors.filter((text) => !expectedErrors.test(text))
  return [...reasons, ...complaints.map((text) => `console: ${text}`)]
}

/** Lists that begin lower or are wider, with the reason. */
const otherLists = new Map([
  ['orderStatistics', 'figures and a chart stand above the table'],
  ['rechargeStatistics', 'figures and a chart stand above the table'],
  ['customerAnalysis', 'a chart stands above the table'],
  ['reconciliation', 'its two lists stand in tabs'],
  ['accountDetail', 'seven amounts of each account are compared with each other'],
])
/** Lists in a tab of an object: they begin below its figures, and are not wider than others. */
const listsOfObjects = new Set(['memberInfo'])
const lowestFirstRow = 260

/** On desktop a list shows its first row near the top, and its default columns without horizontal scrolling. */
async function judgeList(page: Opened['page'], name: string): Promise<string[]> {
  if (otherLists.has(name)) return []
  const [top, hidden] = await page.evaluate<(number | null)[]>(`(() => {
    const row = document.querySelector('.page-frame .data-table .ant-table-row')
    const body = document.querySelector('.page-frame .data-table .ant-table-body, .page-frame .data-table .ant-table-content')
    return [row && row.getBoundingClientRect().top + scrollY, body && body.scrollWidth - body.clientWidth]
  })()`)
  return [
    ...(top !== null && top !== undefined && top > lowestFirstRow && !listsOfObjects.has(name)
      ? [`its first row stands at ${Math.round(top)}`]
      : []),
    ...(hidden !== null && hidden !== undefined && hidden > 1 ? [`its table hides ${hidden} px at the side`] : []),
  ]
}

async function judgeWidth({ page, settled }: Opened, screen: Screen, look: Look, isJudged: boolean): Promise<string[]> {
  await settled()
  await page.locator('.ant-skeleton, .ant-spin-spinning').first().waitFor({ state: 'detached' })
  const width = page.viewportSize()?.width
  const reasons: string[] = []
  if ((await page.getByText('抱歉，页面出错了').count()) > 0) reasons.push(`shows the error page at ${width}`)
  const [scrollWidth = 0, clientWidth = 0] = await page.evaluate<number[]>(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  )
  if (width === desk.width) reasons.push(...(await judgeList(page, screen.name)))
  if (scrollWidth > clientWidth) reasons.push(`is ${scrollWidth} wide at ${width}`)
  if (!isJudged || isRedirect(screen.name)) return reasons
  // Only contrast differs between the themes, so a full run checks the other rules once.
  const rules = atTier('all', look.theme === 'light' ? 'all' : 'contrast')
  return [...reasons, ...(await findViolations(page, rules)).map((violation) => `at ${width}: ${violation}`)]
}
