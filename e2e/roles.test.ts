import type { Browser, Page } from 'playwright'
import { beforeAll, describe, expect, it } from 'vitest'
import { open, sql, tokenOf } from './browser.ts'
import { sharedBrowser } from './chromium.ts'

/** One person of each role: a work table with figures of their own scope, and one page of their daily work. */
let browser: Browser
let waiting: { no: string }
beforeAll(async () => {
  browser = await sharedBrowser()
  // One at the installer's agent, whatever devices the demo has left to install.
  const [device] = await sql<{ no: string }>(
    `update device set install_status = 0, online = false, created_at = now() - interval '3 years'
     where id = (select min(id) from device where organise_id = 2 and agent_id in (2, 4) and deleted_at is null)
     returning device_no as no`,
  )
  waiting = device ?? expect.unreachable('the demo has no device there')
})

const home = '/dashboard/workTable'
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const one = async (text: string) => (await sql<{ n: string }>(`select (${text})::text as n`))[0]?.n ?? ''
const devicesIn = (where: string) => one(`select count(*) from device where deleted_at is null and ${where}`)
const below = (agent: number) => `organise_id = 2 and agent_id = any(app.agents_below(${agent}))`

type Desk = {
  login: string
  role: string
  figures: string[]
  cards?: string[]
  /** Figures without a menu of the role. */
  without?: string[]
  /** The query of the work table's address. */
  query?: string
  /** A figure by its title, and its full text for the scope of the person. */
  own: [title: string, text: () => Promise<string>]
  work: (page: Page) => Promise<unknown>
}

const devices = ['在线设备', '故障端口']
const orders = ['今日营收', '今日订单', '今日电量']
const heading = (page: Page, name: string) => page.getByRole('heading', { name }).first().waitFor()
const go = async (page: Page, path: string, title: string) => {
  await page.goto(path)
  await heading(page, title)
  await page.getByText(/共 [1-9][\d,]* 条/).waitFor()
}
const ofAll = (part: string, where: string) => async () =>
  `${await devicesIn(`${part} and ${where}`)} / ${await devicesIn(where)}`
const online = (where: string) => ofAll('online', where)
/** From the figure of devices to their list, with the same count. */
async function openOnline(page: Page, where: string): Promise<void> {
  await page.getByRole('link', { name: '在线设备' }).click()
  await page.waitForURL(/deviceManage\?online=1/)
  await page.getByText(`共 ${await devicesIn(`online and ${where}`)} 条`).waitFor()
}

const desks: Desk[] = [
  {
    login: 'admin',
    role: 'ADMIN',
    figures: [...orders, ...devices],
    own: ['在线设备', online('true')],
    work: (page) => go(page, '/system/organise', '机构管理'),
  },
  {
    login: 'green',
    role: 'GZHGLJS',
    figures: [...orders, ...devices, '累计收入'],
    cards: ['营收与订单趋势', '端口状态', '设备类型'],
    own: ['在线设备', online('organise_id = 2')],
    work: async (page) => {
      await go(page, '/system/role', '角色管理')
      await page.getByRole('button', { name: '按模板新增' }).click()
      const dialog = page.getByRole('dialog', { name: '按模板新增角色' })
      await dialog.getByRole('checkbox', { name: /站点用户.*已有该角色/ }).waitFor()
      expect(await dialog.getByText('ADMIN').count()).toBe(0)
    },
  },
  {
    login: 'agent',
    role: 'YYSYHJS',
    figures: [...orders, ...devices],
    own: ['在线设备', online(below(1))],
    work: (page) => go(page, '/order/completedOrder', '已完成订单'),
  },
  {
    login: 'site',
    role: 'ZDYHJS',
    figures: [...orders, ...devices, '待维修工单'],
    cards: ['营收与订单趋势', '端口状态', '待处理', '设备类型'],
    without: ['累计收入', '今日新增会员', '今日充值'],
    own: ['在线设备', online('organise_id = 2 and site_id = 1')],
    work: (page) => openOnline(page, 'organise_id = 2 and site_id = 1'),
  },
  {
    login: 'installer',
    role: 'INSTALLER',
    figures: ['待安装设备', '待维修工单'],
    without: ['累计收入', ...orders, ...devices],
    own: ['待安装设备', ofAll('install_status = 0', below(2))],
    work: async (page) => {
      await region(page, '待处理').getByRole('link', { name: waiting.no }).click()
      await page.waitForURL(/deviceScan\?device=/)
      await page.getByRole('button', { name: '登记安装站点' }).waitFor()
      await page.getByText('待上报').waitFor()
    },
  },
  {
    login: 'unionpay',
    role: 'YLZH',
    query: '?span=2',
    figures: ['累计收入', '本月充值'],
    without: ['本月营收', '本月订单', ...devices],
    own: [
      '本月充值',
      () =>
        one(
          `select '¥' || to_char(coalesce(sum(amount_fen), 0) / 100.0, 'FM999,999,990.00') from recharge_order
           where organise_id = 2 and status = 2
             and date_trunc('month', paid_at at time zone 'Asia/Shanghai') = date_trunc('month', now() at time zone 'Asia/Shanghai')`,
        ),
    ],
    work: async (page) => {
      await page.getByRole('link', { name: '本月充值' }).click()
      await heading(page, '充值统计')
    },
  },
  {
    login: 'simcard',
    role: 'SIMCARD',
    figures: devices,
    cards: ['端口状态', '设备类型', '待处理'],
    without: ['累计收入', ...orders],
    own: ['在线设备', online('organise_id = 2')],
    work: async (page) => {
      const iccid = await one('select min(iccid) from device where organise_id = 2 and deleted_at is null')
      await page.goto(`/product/deviceManage?keyword=${iccid}`)
      await page.getByText('共 1 条').waitFor()
    },
  },
  {
    login: 'investor',
    role: 'LHYYTZR',
    figures: [...orders, ...devices],
    cards: ['营收与订单趋势'],
    without: ['累计收入', '今日充值', '今日新增会员'],
    own: ['在线设备', online('organise_id = 2')],
    work: (page) => go(page, '/order/orderStatistics', '订单统计'),
  },
  {
    login: 'tester',
    role: 'SCWX',
    figures: devices,
    cards: ['端口状态', '设备类型', '待处理'],
    without: ['累计收入', ...orders],
    own: ['在线设备', online('organise_id = 2')],
    work: (page) => openOnline(page, 'organise_id = 2'),
  },
]

describe('a person of the role', () => {
  it.each(desks)('$role sees a work table of their own scope and opens their daily work', async (desk) => {
    const { page, errors } = await open(browser, { token: await tokenOf(desk.login) })
    await page.goto(home + (desk.query ?? ''))
    await region(page, '快捷入口').getByRole('link').first().waitFor()
    for (const name of desk.figures) await region(page, name).locator('.figure-value').waitFor()
    for (const name of desk.cards ?? []) await region(page, name).waitFor()
    const periods = desk.figures.some((name) => /^(今日|本月)/.test(name)) ? 1 : 0
    expect(await page.locator('.work-table-filter').getByText('月', { exact: true }).count()).toBe(periods)
    for (const name of desk.without ?? []) expect(await region(page, name).count(), name).toBe(0)
    expect(await page.getByText('****').count()).toBe(0)
    const [title, text] = desk.own
    const value = region(page, title).locator('.figure-value')
    await expect.poll(async () => (await value.innerText()) === (await text())).toBe(true)
    await desk.work(page)
    expect(errors).toEqual([])
  })
})
