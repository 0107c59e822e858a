import { department } from '@wattdeck/contract/system/department.ts'
import { staff } from '@wattdeck/contract/system/staff.ts'
import type { Browser, Page } from 'playwright'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { totpCode, totpStep } from '../apps/server/src/features/auth/login/totp.ts'
import { sha256 } from '../apps/server/src/kit/auth/tokens.ts'
import { demoPassword, demoTotpSecret } from '../tools/demo/demo-people.ts'
import { call, open, sql, tokenOf, untilRefused } from './browser.ts'
import { sharedBrowser } from './chromium.ts'

/** Protection against lost work and interruptions. */
let browser: Browser
beforeAll(async () => {
  browser = await sharedBrowser()
})

const dialogOf = (page: Page, title: string | RegExp) => page.getByRole('dialog', { name: title })
const saveIn = (page: Page, title: string) =>
  dialogOf(page, title)
    .getByRole('button', { name: /保\s*存/ })
    .click()

/**
 * Saves while the session ends: every cache has dropped it when the request arrives. Another request of the page may be
 * the first to be refused; the button was pressed before.
 */
async function saveAsSessionEnds(page: Page, token: string, title: string) {
  await page.route(
    (target) => target.pathname.endsWith(department.add.path),
    async (route) => {
      await sql('update session set ended_at = now() where token_hash = $1', [sha256(token)])
      await untilRefused(token)
      await route.continue()
    },
    { times: 1 },
  )
  await saveIn(page, title)
}

async function newDepartment(page: Page, name: string, more: Record<string, string> = {}) {
  await page.goto('/system/department')
  await page.getByText(/共 \d+ 条/).waitFor()
  await page.getByRole('button', { name: '新增部门' }).click()
  for (const [label, value] of Object.entries({ 部门名称: name, ...more }))
    await dialogOf(page, '新增部门').getByLabel(label, { exact: true }).fill(value)
}
const countOf = async (name: string) =>
  (await sql<{ n: number }>('select count(*)::int as n from department where name = $1', [name]))[0]?.n

describe('a session that ends during a form', () => {
  it('is renewed over the page: the form stays, and is saved once', async () => {
    const token = await tokenOf('green')
    const { page } = await open(browser, { token })
    await newDepartment(page, '断线续登部', { 部门编码: 'AGAIN' })
    await saveAsSessionEnds(page, token, '新增部门')

    const again = dialogOf(page, '登录已过期，请重新登录')
    await again.waitFor()
    expect(await again.getByLabel('账号/手机号').inputValue()).toBe('green')
    expect(await again.getByLabel('账号/手机号').getAttribute('readonly')).not.toBeNull()
    await again.getByLabel('密码', { exact: true }).fill('not-the-password')
    await again.getByRole('button', { name: '登录', exact: true }).click()
    await again.getByText('账号或密码错误').waitFor()
    expect(await dialogOf(page, '新增部门').getByLabel('部门名称', { exact: true }).inputValue()).toBe('断线续登部')
    expect(await countOf('断线续登部')).toBe(0)

    await again.getByLabel('密码', { exact: true }).fill(demoPassword)
    await again.getByRole('button', { name: '登录', exact: true }).click()
    await page.getByText('操作成功').first().waitFor()
    await page.getByRole('dialog').first().waitFor({ state: 'hidden' })
    await page.getByRole('row', { name: /断线续登部/ }).waitFor()
    expect(await countOf('断线续登部')).toBe(1)
    expect(new URL(page.url()).pathname).toBe('/system/department')
    expect(await page.evaluate<string | null>("sessionStorage.getItem('access-token')")).not.toBe(token)
    // The stream uses the new session: it would otherwise report the end of the old one.
    await page.getByText('实时').first().waitFor()
  })

  it('requires the second factor of an administrator too, and applies the current rights', async () => {
    const token = await tokenOf('platform')
    const { page } = await open(browser, { token })
    await newDepartment(page, '平台续登部', { 部门编码: 'TWICE' })
    await sql("delete from role_menu where role_id = 2 and menu_id = (select id from menu where menu_key = '1.1.4')")
    onTestFinished(async () => {
      await sql(
        "insert into role_menu (role_id, menu_id, organise_id) select 2, id, 1 from menu where menu_key = '1.1.4' on conflict do nothing",
      )
    })
    await sql("update user_account set totp_last_step = null where login_name = 'platform'")
    await saveAsSessionEnds(page, token, '新增部门')
    const again = dialogOf(page, /登录已过期|二次验证/)
    await again.getByLabel('密码', { exact: true }).fill(demoPassword)
    await again.getByRole('button', { name: '登录', exact: true }).click()
    await again.getByLabel('动态口令').fill(totpCode(demoTotpSecret, totpStep(Date.now())))
    await again.getByRole('button', { name: '验证' }).click()
    await page.getByText('操作成功').first().waitFor()
    expect(await countOf('平台续登部')).toBe(1)
    await page.getByRole('link', { name: '角色管理' }).waitFor()
    expect(await page.getByRole('link', { name: '资源管理' }).count()).toBe(0)
  })

  it('ends without another question when the person leaves', async () => {
    const token = await tokenOf('green')
    const { page } = await open(browser, { token })
    await newDepartment(page, '放弃的部门', { 部门编码: 'GONE' })
    await saveAsSessionEnds(page, token, '新增部门')
    await page.getByRole('button', { name: '放弃修改，前往登录页面' }).click()
    await page.getByText('登录已过期，正在跳转到登录页面').waitFor()
    await page.getByRole('heading', { name: '欢迎登录' }).waitFor()
    expect(page.url()).toContain('redirect=%2Fsystem%2Fdepartment')
    expect(await page.evaluate<string>('JSON.stringify(sessionStorage)')).not.toContain('draft:')
  })
})

describe('a draft', () => {
  it('survives a reload without its phone, and can be discarded', async () => {
    const { page } = await open(browser, { token: await tokenOf('green') })
    // The browser asks for confirmation before it leaves a form; the test accepts.
    page.on('dialog', (confirmation) => void confirmation.accept())
    await newDepartment(page, '草稿部', { 部门编码: 'DRAFT', 电话: '13912345678', 负责人: '李四光' })
    await expect.poll(() => page.evaluate<string>('JSON.stringify(sessionStorage)')).toContain('草稿部')
    const stored = await page.evaluate<string>('JSON.stringify([sessionStorage, localStorage])')
    for (const secret of ['13912345678', '李四光']) expect(stored).not.toContain(secret)
    await page.reload()
    await page.getByRole('button', { name: '新增部门' }).click()
    const form = dialogOf(page, '新增部门')
    await form.getByText('已恢复上次未提交的内容').waitFor()
    const valueOf = (label: string) => form.getByLabel(label, { exact: true }).inputValue()
    expect([await valueOf('部门名称'), await valueOf('部门编码'), await valueOf('电话')]).toEqual([
      '草稿部',
      'DRAFT',
      '',
    ])
    await form.getByRole('button', { name: '丢弃' }).click()
    await form.getByText('已恢复上次未提交的内容').waitFor({ state: 'hidden' })
    expect([await valueOf('部门名称'), await valueOf('部门编码')]).toEqual(['', ''])
    expect(await page.evaluate<string>('JSON.stringify(sessionStorage)')).not.toContain('草稿部')
  })

  it('is deleted when saved', async () => {
    const { page } = await open(browser, { token: await tokenOf('green') })
    await newDepartment(page, '已存部', { 部门编码: 'SAVED' })
    await expect.poll(() => page.evaluate<string>('JSON.stringify(sessionStorage)')).toContain('已存部')
    await saveIn(page, '新增部门')
    await page.getByText('操作成功').first().waitFor()
    expect(await page.evaluate<string>('JSON.stringify(sessionStorage)')).not.toContain('draft:')
  })
})

describe('without a network', () => {
  it('a bar is shown, a change is refused at once, and work resumes with the network', async () => {
    const { page, settled } = await open(browser, { token: await tokenOf('green') })
    await newDepartment(page, '离线部', { 部门编码: 'OFFLINE' })
    await settled()
    const bar = page.getByText('网络已断开，正在重新连接…')
    expect(await bar.count()).toBe(0)
    await page.context().setOffline(true)
    await bar.waitFor()
    await page.getByText('已断开', { exact: true }).waitFor()
    await saveIn(page, '新增部门')
    await dialogOf(page, '新增部门').getByText('网络已断开，暂时无法提交，请在恢复连接后重试').waitFor()
    expect(await countOf('离线部')).toBe(0)
    const read = page.waitForResponse((response) => response.url().includes('/department/pageList'))
    await page.context().setOffline(false)
    await bar.waitFor({ state: 'detached' })
    expect((await read).status()).toBe(200)
    await page.getByText('实时', { exact: true }).waitFor()
    await saveIn(page, '新增部门')
    await page.getByText('操作成功').first().waitFor()
    expect(await countOf('离线部')).toBe(1)
  })

  it('detected by failed calls only, the bar appears and disappears as well', async () => {
    const { page, settled } = await open(browser, { token: await tokenOf('green') })
    await page.goto('/system/department')
    await page.getByText(/共 \d+ 条/).waitFor()
    // A pending reply would show that the network works.
    await settled()
    await page.route('**/*', (route) => route.abort('connectionrefused'))
    const bar = page.getByText('网络已断开，正在重新连接…')
    // Any call counts, also a background call; while the bar is shown the page sends none.
    await expect
      .poll(async () => {
        if (!(await bar.isVisible())) await page.getByRole('button', { name: '刷新' }).click()
        return bar.isVisible()
      })
      .toBe(true)
    await page.unroute('**/*')
    await bar.waitFor({ state: 'detached' })
    await page.getByText('未更新').waitFor({ state: 'detached' })
  })
})

describe('the keyboard', () => {
  const focused = (page: Page) => page.evaluate<string>("document.activeElement?.innerText ?? ''")

  it('moves through the rows of a list, selects, opens, filters and adds', async () => {
    const { page } = await open(browser, { token: await tokenOf('green') })
    await page.goto('/system/staff?keyword=staff00')
    await page.getByText('共 9 条').waitFor()
    const rows = page.locator('.ant-table-row')
    const loginOf = async (place: number) => /staff\d+/.exec(await rows.nth(place).innerText())?.[0] ?? 'none'
    await page.keyboard.press('j')
    expect(await focused(page)).toContain(await loginOf(0))
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    expect(await focused(page)).toContain(await loginOf(1))
    await page.keyboard.press('x')
    await page.getByText('已选 1 条').waitFor()
    expect(await rows.nth(1).getByRole('checkbox').isChecked()).toBe(true)
    await page.keyboard.press('Enter')
    const form = dialogOf(page, /编辑员工/)
    await form.waitFor()

    // A dialog blocks the shortcuts of the page, wherever the focus is.
    await page.evaluate('document.activeElement.blur()')
    await page.keyboard.press('j')
    await page.keyboard.press('n')
    expect(await page.getByRole('dialog').count()).toBe(1)
    await form.getByRole('button', { name: '取消' }).click()
    await form.waitFor({ state: 'hidden' })
    await page.keyboard.press('/')
    await page.keyboard.type('jkx')
    expect(await page.getByRole('textbox', { name: '姓名/账号/手机' }).inputValue()).toContain('jkx')
    await page.evaluate('document.activeElement.blur()')
    await page.keyboard.press('n')
    await dialogOf(page, '新增员工').waitFor()
  })

  it('is explained by ?, and single keys can be disabled', async () => {
    const { page } = await open(browser, { token: await tokenOf('green') })
    await page.goto('/system/staff')
    await page.getByText(/共 \d+ 条/).waitFor()
    await page.keyboard.press('?')
    const sheet = dialogOf(page, '快捷键')
    for (const text of ['下一行', '上一行', '选择所在行', '打开所在行的首个操作']) await sheet.getByText(text).waitFor()
    await sheet.getByRole('switch').click()
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'hidden' })
    await page.keyboard.press('j')
    await page.keyboard.press('n')
    expect(await page.locator('.ant-table-row:focus').count()).toBe(0)
    expect(await page.getByRole('dialog').count()).toBe(0)
  })
})

describe('notices', () => {
  const settings = (page: Page, label: string) => page.getByRole('switch', { name: `${label}弹窗` })
  const preferences = async (loginName: string) =>
    sql<{ type: number; popup: boolean }>(
      'select type, popup from notification_preference where user_id = (select id from user_account where login_name = $1)',
      [loginName],
    )

  it('of a disabled type do not pop up and stay in the drawer', async () => {
    const { page } = await open(browser, { token: await tokenOf('staff012') })
    await page.goto('/personal/basicInfo')
    await page.getByText('实时').first().waitFor()
    expect(await settings(page, '平台预警').isDisabled()).toBe(true)
    await settings(page, '系统消息').click()
    await page.getByText('已关闭「系统消息」弹窗').waitFor()
    expect(await preferences('staff012')).toEqual([])
    // Navigation sends a change that can still be undone.
    await page.getByRole('link', { name: '绑定手机' }).first().click()
    await expect.poll(() => preferences('staff012')).toEqual([{ type: 0, popup: false }])
    await page.getByText('已关闭「系统消息」弹窗').waitFor({ state: 'hidden' })
    const [person] = await sql<{ id: string; role: string }>(
      "select id, (select role_id from user_role where user_id = person.id limit 1) as role from user_account person where login_name = 'staff012'",
    )
    await call(await tokenOf('green'), staff.assignRoles, {
      body: { id: person?.id ?? '', roleIds: [person?.role ?? ''] },
    })
    await page.getByRole('button', { name: '通知，1 条未读' }).waitFor()
    expect(await page.locator('.ant-notification-notice').count()).toBe(0)
  })

  it('are restored by 撤销, and no request is sent', async () => {
    const { page, settled } = await open(browser, { token: await tokenOf('staff013') })
    const sent: string[] = []
    page.on('request', (request) => request.method() !== 'GET' && sent.push(new URL(request.url()).pathname))
    await page.clock.install()
    await page.goto('/personal/basicInfo')
    await settings(page, '广告').click()
    expect(await settings(page, '广告').isChecked()).toBe(false)
    await page.getByRole('button', { name: '撤销' }).click()
    expect(await settings(page, '广告').isChecked()).toBe(true)
    // A change waits five seconds for an undo before it is sent.
    await page.clock.runFor(6000)
    await settled()
    expect(sent).toEqual([])
    expect(await preferences('staff013')).toEqual([])
  })
})

describe('the personal centre', () => {
  it('is one page with tabs, each with its address, and begins with the basic information', async () => {
    const { page, errors } = await open(browser, { token: await tokenOf('staff012') })
    await page.goto('/dashboard/workTable')
    await page.getByRole('navigation', { name: '功能中心' }).getByRole('link', { name: '个人中心' }).click()
    await page.waitForURL('**/personal/basicInfo')
    const tab = (name: string) => page.getByRole('tab', { name })
    await tab('修改密码').click()
    await page.waitForURL('**/personal/changePassword')
    await page.getByLabel('原密码').waitFor()
    expect(await tab('修改密码').getAttribute('aria-selected')).toBe('true')
    await tab('绑定手机').click()
    await page.waitForURL('**/personal/bindPhone')
    await page.goBack()
    await page.getByLabel('原密码').waitFor()
    expect(await page.getByRole('tab').allInnerTexts()).toEqual(['基本信息', '修改密码', '绑定手机'])
    expect(errors).toEqual([])
  })
})

describe('the mark over the page', () => {
  it('names the person, lets every click through, and logs its removal', async () => {
    const { page } = await open(browser, { token: await tokenOf('staff014') })
    await page.goto('/personal/basicInfo')
    const mark = page.locator('.page-mark > div > div')
    await mark.waitFor({ state: 'attached' })
    const layer = "document.querySelector('.page-mark > div > div')"
    expect(await page.evaluate<string>(`getComputedStyle(${layer}).pointerEvents`)).toBe('none')
    await page.getByLabel('地址').click()
    await page.evaluate(`${layer}.remove()`)
    await mark.waitFor({ state: 'attached' })
    const logEntries = () =>
      sql<{ n: number }>(
        `select count(*)::int as n from audit_log where module = '安全' and content = '移除页面水印'
         and login_name = 'staff014'`,
      )
    await expect.poll(logEntries).toEqual([{ n: 1 }])
  })
})

describe('the printed page', () => {
  it('shows the whole list in black on white, with title and time, and no controls', async () => {
    await sql(
      `insert into department (organise_id, parent_id, name, code, type)
       select 3, 6, '成都片区' || n, 'P' || n, 1 from generate_series(1, 130) n`,
    )
    const { page, settled } = await open(browser, { token: await tokenOf('swift'), theme: 'dark' })
    await sql("update user_account set theme = 'dark' where login_name = 'swift'")
    await page.goto('/system/department?pageSize=500')
    await page.getByText('共 131 条').waitFor()
    await settled()
    expect(await page.locator('.ant-table-row').count()).toBeLessThan(131)
    await page.emulateMedia({ media: 'print' })
    await page.locator('.print-head').waitFor()
    expect(await page.locator('.print-head').innerText()).toMatch(/唐静 · 打印时间 \d{4}-\d\d-\d\d \d\d:\d\d/)
    await expect.poll(() => page.locator('.ant-table-row').count()).toBe(131)
    expect(await page.getByRole('heading', { name: '部门管理' }).isVisible()).toBe(true)
    expect(await page.getByRole('button').filter({ visible: true }).count()).toBe(0)
    expect(await page.locator('.top-bar, .rail, .side-menu').filter({ visible: true }).count()).toBe(0)
    const look = await page.evaluate<string[]>(`(() => {
      const cell = document.querySelector('.ant-table-row .ant-table-cell:nth-child(2)')
      return [getComputedStyle(document.body).backgroundColor, getComputedStyle(cell).color]
    })()`)
    expect(look).toEqual(['rgb(255, 255, 255)', 'rgb(0, 0, 0)'])
    await page.emulateMedia({ media: 'screen' })
    await page.locator('.print-head').waitFor({ state: 'detached' })
  })
})
