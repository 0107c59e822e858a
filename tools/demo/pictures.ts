import { mkdirSync, writeFileSync } from 'node:fs'
import { screenLink } from '@wattdeck/contract/dashboard/screen-link.ts'
import { login } from '@wattdeck/contract/auth/login.ts'
import sharp from 'sharp'
import { totpCode, totpStep } from '../../apps/server/src/features/auth/login/totp.ts'
import { callerOf } from '../../apps/server/test/harness/client.ts'
import { launch } from '../../e2e/chromium.ts'
import { buildDemoDatabase, startInstallation } from '../../e2e/installation.ts'
import { asSuperuser, dropDatabase } from '../ops/database.ts'
import { city } from './demo-city.ts'
import { demoPassword, demoTotpSecret } from './demo-people.ts'

/**
 * `npm run pictures` creates the pictures of the README from the built console and the demo data;
 * `npm run pictures -- --all DIR` captures every screen in both themes, at desk and phone size, for inspection;
 * `npm run pictures -- --all DIR deviceManage,site city` captures these two as the account `city` sees them.
 */
type Shot = { file: string; path: string; theme: 'light' | 'dark'; width: number; height: number; who?: string }
const database = `${process.env['TEST_RUN'] ?? 'wattdeck'}_pictures`
const desk = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }
const readme: Shot[] = [
  {
    file: 'docs/pictures/live-operations-light.png',
    path: '/dashboard/liveOperations',
    theme: 'light',
    ...desk,
    who: 'city',
  },
  { file: 'docs/pictures/work-table-dark.png', path: '/dashboard/workTable', theme: 'dark', ...desk, who: 'city' },
  { file: 'docs/pictures/data-screen.webp', path: '/dataScreen', theme: 'dark', width: 1600, height: 900 },
]

async function everyScreen(dir: string, names?: string, person = 'admin'): Promise<Shot[]> {
  const selected = names === undefined ? undefined : new Set(names.split(','))
  // Through a path in a variable, because the server's compiler must not follow it into the pages.
  const table = '../../apps/console/src/features/screens.ts'
  const { screens } = (await import(table)) as {
    screens: { name: string; path: string; centre: string; alwaysVisible?: boolean }[]
  }
  mkdirSync(dir, { recursive: true })
  return screens
    .filter(({ name }) => name !== 'redirect' && selected?.has(name) !== false)
    .flatMap(({ name, path, centre, alwaysVisible }) =>
      (['light', 'dark'] as const).flatMap((theme) =>
        [desk, phone].map((size) => ({
          file: `${dir}/${name}-${theme}-${size.width}.png`,
          path,
          theme,
          ...size,
          ...(centre !== 'auth' || alwaysVisible === true ? { who: name === 'overdue' ? 'arrears' : person } : {}),
        })),
      ),
    )
}

const place = process.argv.indexOf('--all')
const shots =
  place === -1
    ? readme
    : await everyScreen(process.argv[place + 1] ?? '.cache/pictures', ...process.argv.slice(place + 2, place + 4))
mkdirSync('docs/pictures', { recursive: true })
const template = `${database}_template`
await buildDemoDatabase(template, { cityPerDay: city.perDay })
const { url, stop } = await startInstallation(database, template)
const call = callerOf(url)
const tokens = new Map<string, string>()

async function tokenOf(loginName: string): Promise<string> {
  const cachedToken = tokens.get(loginName)
  if (cachedToken !== undefined) return cachedToken
  let { data } = await call(undefined, login.byPassword, { body: { loginName, password: demoPassword } })
  if (data.stage === 'secondFactor')
    data = (
      await call(data.access_token, login.secondFactor, {
        body: { code: totpCode(demoTotpSecret, totpStep(Date.now())) },
      })
    ).data
  tokens.set(loginName, data.access_token)
  return data.access_token
}

/** A billed order for the picture. */
const billedOrder = () =>
  asSuperuser(database, async (client) => {
    const { rows } = await client.query<{ id: string }>('select max(id) as id from charging_order where status = 3')
    return rows[0]?.id ?? ''
  })

/** A data screen is opened by a link. */
async function screenPath(): Promise<string> {
  const { data } = await call(await tokenOf('city'), screenLink.add, {
    body: { name: '深充出行运营数据大屏', days: '1' } as never,
  })
  return `/dataScreen#${data.token}`
}

const objects: Readonly<Record<string, string>> = {
  '/product/deviceDetail': 'device',
  '/product/attributeSetting': 'device',
  '/system/siteDetail': 'site',
  '/member/memberInfo': 'member',
}
/** The first device or site that the account sees. */
const firstOf = (table: string, who: string) =>
  asSuperuser(database, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `select min(${table}.id) as id from ${table}, user_account where login_name = $1 and user_account.organise_id in (1, ${table}.organise_id)`,
      [who],
    )
    return rows[0]?.id ?? ''
  })

const pathFor = async (path: string, who = '') => {
  if (path === '/dataScreen') return screenPath()
  const table = objects[path]
  if (table !== undefined) return `${path}?id=${await firstOf(table, who)}`
  return path === '/order/chargingOrder' ? `${path}?id=${await billedOrder()}` : path
}

const browser = await launch()
for (const { file, path, theme, width, height, who } of shots) {
  const context = await browser.newContext({
    viewport: { width, height },
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    reducedMotion: 'reduce',
  })
  if (who !== undefined) {
    await asSuperuser(database, (client) =>
      client.query('update user_account set theme = $1 where login_name = $2', [theme, who]),
    )
    await context.addInitScript(`sessionStorage.setItem('access-token', ${JSON.stringify(await tokenOf(who))})`)
  }
  await context.addInitScript(`localStorage.setItem('theme', ${JSON.stringify(theme)})`)
  const page = await context.newPage()
  await page.goto(url + (await pathFor(path, who)))
  await page.locator('h1').first().waitFor()
  // The live stream never ends, so the network is never idle; pending parts show a skeleton or a spinner.
  await page.waitForTimeout(1200)
  for (const waiting of await page.locator('.late-skeleton, .ant-skeleton, .ant-spin-spinning, .wallboard-wait').all())
    await waiting.waitFor({ state: 'detached' })
  await page.waitForTimeout(600)
  const picture = await page.screenshot()
  // Light on dark with a thousand shades: a PNG would be three times as large.
  if (file.endsWith('.webp')) await sharp(picture).webp({ quality: 80 }).toFile(file)
  else writeFileSync(file, picture)
  await context.close()
}
await browser.close()
await stop()
await dropDatabase(template)
console.log(`${shots.length} pictures`)
