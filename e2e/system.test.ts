import { basicInfo } from '@wattdeck/contract/personal/basic-info.ts'
import type { Browser, Page } from 'playwright'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { call, open, sql, tokenOf } from './browser.ts'
import { sharedBrowser } from './chromium.ts'

/** The work of an organisation's administrator, by mouse and keyboard. */
let browser: Browser
let token: string
beforeAll(async () => {
  browser = await sharedBrowser()
  token = await tokenOf('green')
})

const fill = async (page: Page, fields: Record<string, string>) => {
  for (const [label, value] of Object.entries(fields))
    await page.getByRole('dialog').getByLabel(label, { exact: true }).fill(value)
}

describe('staff', () => {
  it('[valid.submit-success] a new person: the message is shown, the dialog closes, the list contains them, the first password is shown once', async () => {
    const { page } = await open(browser, { token })
    await page.goto('/system/staff')
    await page.getByText(/共 \d+ 条/).waitFor()
    await page.getByRole('button', { name: '新增员工' }).click()
    await fill(page, { 姓名: '欧阳修远', 工号: 'E9001', 手机号: '13911112222', 登录账号: 'ouyang' })
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /确\s*定|保\s*存|提\s*交|新\s*增/ })
      .click()
    await page.getByText('操作成功').first().waitFor()
    await page
      .getByRole('dialog')
      .getByText(/初始密码/)
      .first()
      .waitFor()
    await page.getByRole('button', { name: '我已保存，关闭' }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.getByText('欧阳修远').first().waitFor()
    await page.getByRole('button', { name: '新增员工' }).click()
    expect(await page.getByRole('dialog').getByLabel('姓名', { exact: true }).inputValue()).toBe('')
  })

  it('[valid.submit-failure][error.submit-message] a duplicate login name: the server’s message is shown and the form stays', async () => {
    const { page } = await open(browser, { token })
    await page.goto('/system/staff')
    await page.getByRole('button', { name: '新增员工' }).click()
    await fill(page, { 姓名: '重名者', 工号: 'E9002', 手机号: '13911113333', 登录账号: 'green' })
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /确\s*定|保\s*存|提\s*交|新\s*增/ })
      .click()
    await page.getByText('登录账号已存在').first().waitFor()
    expect(await page.getByRole('dialog').getByLabel('姓名', { exact: true }).inputValue()).toBe('重名者')
  })

  it('[valid.nothing-selected] a batch without a selection warns and sends no request', async () => {
    const { page } = await open(browser, { token })
    await page.goto('/system/staff')
    await page.getByText(/共 \d+ 条/).waitFor()
    await page.getByRole('button', { name: '批量停用' }).click()
    await page.getByText('当前未选择任何记录').waitFor()
  })

  it('filters are in the address: a reload and a colleague see the same', async () => {
    const { page } = await open(browser, { token })
    await page.goto('/system/site')
    await page.getByLabel('名称/编号').fill('翠湖花园一期')
    await page.getByLabel('名称/编号').press('Enter')
    await page.waitForURL(/keyword=/)
    await page.getByText('共 1 条').waitFor()
    await page.reload()
    await page.getByText('共 1 条').waitFor()
  })

  it('filters about a person are not: they are in the memory of the tab, and gone after a reload', async () => {
    const { page } = await open(browser, { token })
    await page.goto('/system/staff')
    await page.getByLabel('姓名/账号/手机').fill('staff00')
    await page.getByLabel('姓名/账号/手机').press('Enter')
    await page.getByText('共 9 条').waitFor()
    expect(page.url()).not.toContain('staff00')
    await page.getByRole('link', { name: '工作台' }).first().click()
    await page.waitForURL('**/dashboard/workTable')
    await page.goBack()
    await page.getByText('共 9 条').waitFor()
    await page.reload()
    await page.getByText(/共 [1-9]\d+ 条/).waitFor()
    expect(await page.getByLabel('姓名/账号/手机').inputValue()).toBe('')
  })

  it('disabling a person ends their open console at once', async () => {
    const theirs = await open(browser, { token: await tokenOf('staff010') })
    await theirs.page.goto('/dashboard/workTable')
    await theirs.page.getByText('实时').first().waitFor()
    const mine = await open(browser, { token })
    await mine.page.goto('/system/staff?keyword=staff010')
    const row = mine.page.getByRole('row', { name: /staff010/ })
    await row.waitFor()
    const direct = row.getByRole('button', { name: '停用' })
    if ((await direct.count()) === 0) {
      await row.getByRole('button', { name: /更多/ }).click()
      await mine.page.getByRole('menuitem', { name: '停用' }).click()
    } else await direct.click()
    await mine.page
      .getByRole('dialog')
      .getByRole('button', { name: /停用|确\s*定/ })
      .click()
    await theirs.page.waitForURL('**/login**')
  })
})

describe('the owner', () => {
  /** Types into a field with server search, and selects the first matching result. */
  const choose = async (page: Page, label: string, typed: string, answer: RegExp) => {
    // Not by label alone: the button that removes a condition contains the field's name too.
    await page.getByRole('combobox', { name: label }).last().click()
    await page.keyboard.type(typed)
    const popup = page.locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden)')
    await popup.locator('.ant-select-item-option').filter({ hasText: answer }).first().click()
    await popup.waitFor({ state: 'hidden' })
  }

  it('[role.select-organise] of a list is found among any number of organisations, and narrowed by agent and site', async () => {
    await sql(
      "insert into organise (name) select '连锁充电' || n from generate_series(1, 130) n on conflict do nothing",
    )
    const { page, settled } = await open(browser, { token: await tokenOf('admin') })
    await page.goto('/system/role')
    await page.getByText(/共 \d+ 条/).waitFor()
    expect(await page.getByLabel('所属代理商').count()).toBe(0)
    await choose(page, '所属机构', '充电130', /连锁充电130/)
    await page.getByRole('button', { name: '查询' }).click()
    await page.getByText('所属机构：连锁充电130').waitFor()
    await choose(page, '所属机构', '绿行', /绿行充电/)
    await choose(page, '所属代理商', '余杭', /浙北运营中心 \/ 余杭代理/)
    await choose(page, '所属站点', '', /翠湖花园一期/)
    await page.getByRole('button', { name: '查询' }).click()
    await page.waitForURL(/organiseId=2&agentId=2&siteId=1/)
    await page.reload()
    await page.getByText('所属代理商：浙北运营中心 / 余杭代理').waitFor()
    await page.getByText('所属站点：翠湖花园一期').waitFor()
    await page.getByRole('button', { name: '移除条件 所属代理商：浙北运营中心 / 余杭代理' }).click()
    await page.waitForURL((url) => url.search === '?organiseId=2')
    await settled()
    expect(await page.getByText(/所属站点：/).count()).toBe(0)
    // A removed condition is also removed from the form: another search does not restore it.
    await page.getByRole('button', { name: '查询' }).click()
    expect(new URL(page.url()).search).toBe('?organiseId=2')
  })

  it('[role.select-site] is requested only from persons with a choice', async () => {
    const { page, settled } = await open(browser, { token: await tokenOf('agent') })
    await page.goto('/system/role')
    await page.getByLabel('所属站点').waitFor()
    await settled()
    expect(await page.getByLabel('所属机构').count()).toBe(0)
    expect(await page.getByLabel('所属代理商').count()).toBe(0)
    expect(await page.getByLabel('所属站点').count()).toBe(1)
  })

  it('of a new role is selected in its form; a refusal of the server is shown at the field', async () => {
    const { page } = await open(browser, { token: await tokenOf('admin') })
    await page.goto('/system/role')
    await page.getByRole('button', { name: '新增角色' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByTitle('物联网控制平台').waitFor()
    await choose(page, '所属机构', '绿行', /绿行充电/)
    await choose(page, '所属代理商', '余杭', /余杭代理/)
    await choose(page, '用户类型', '', /代理商/)
    await fill(page, { 角色名称: '余杭巡检', 角色编码: 'ADMIN' })
    await dialog.getByRole('button', { name: '保存' }).click()
    await dialog.getByRole('alert').filter({ hasText: '角色编码 ADMIN 仅限平台使用' }).first().waitFor()
    const code = dialog.getByLabel('角色编码', { exact: true })
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe(await code.getAttribute('id'))
    expect(await code.getAttribute('aria-invalid')).toBe('true')
    await code.fill('YHXJ')
    await dialog.getByRole('button', { name: '保存' }).click()
    await dialog.waitFor({ state: 'hidden' })
    const [roleRow] = await sql("select organise_id, agent_id, site_id from role where name = '余杭巡检'")
    expect(roleRow).toEqual({ organise_id: '2', agent_id: '2', site_id: null })
  })
})

describe('the command palette', () => {
  it('opens by Ctrl K, finds a menu by its pinyin initials and a person by name, and opens the result', async () => {
    const { page } = await open(browser, { token })
    await page.goto('/dashboard/workTable')
    await page.getByText('实时').first().waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').last().fill('jsgl')
    await page
      .getByRole('option', { name: /角色管理/ })
      .first()
      .waitFor()
    await page.getByRole('combobox').last().fill('陈立群')
    await page
      .getByRole('option', { name: /陈立群/ })
      .first()
      .waitFor()
    await page.getByRole('combobox').last().fill('jsgl')
    await page
      .getByRole('option', { name: /角色管理/ })
      .first()
      .waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/system/role')
  })

  it('saves a chosen theme with the account, for the next page and for other browsers', async () => {
    const { theme, color } = (await call(token, basicInfo.read)).data
    onTestFinished(async () => void (await call(token, basicInfo.saveAppearance, { body: { theme, color } })))
    const shown = (one: Page) => one.locator('html').getAttribute('data-theme')
    const { page, errors } = await open(browser, { token })
    await page.goto('/dashboard/workTable')
    await page.getByText('实时').first().waitFor()
    expect(await shown(page)).toBe('light')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').last().fill('深色')
    await page.getByRole('option', { name: '切换到深色主题' }).waitFor()
    const saved = page.waitForResponse((response) => response.url().includes(basicInfo.saveAppearance.path))
    await page.getByRole('option', { name: '切换到深色主题' }).click()
    expect((await saved).status()).toBe(200)
    expect(await shown(page)).toBe('dark')
    await page.reload()
    await page.getByText('实时').first().waitFor()
    expect(await shown(page)).toBe('dark')
    const other = await open(browser, { token })
    await other.page.goto('/dashboard/workTable')
    await other.page.getByText('实时').first().waitFor()
    expect(await shown(other.page)).toBe('dark')
    expect(errors).toEqual([])
  })
})

describe('the log', () => {
  it('shows the actor, the action, and the values before and after', async () => {
    const { page } = await open(browser, { token })
    await page.goto('/personal/basicInfo')
    await page.getByLabel('地址').fill('杭州市余杭区文一西路')
    await page.getByRole('button', { name: /保\s*存/ }).click()
    await page.getByText('操作成功').first().waitFor()
    await page.goto('/system/log')
    const row = page.getByRole('row', { name: /修改基本信息/ }).first()
    await row.waitFor()
    await row.getByRole('button', { name: '详情' }).click()
    await page.getByRole('dialog').getByText('修改基本信息').first().waitFor()
    expect(await page.getByRole('dialog').getByText('地址').count()).toBeGreaterThan(0)
    expect(await page.getByRole('dialog').getByText('杭州市余杭区文一西路').count()).toBe(0)
    const [row2] = await sql<{ n: number }>("select count(*)::int as n from audit_log where content = '修改基本信息'")
    expect(row2?.n).toBe(1)
  })
})
