import type { Browser, Page } from 'playwright'
import { beforeAll, describe, expect, it } from 'vitest'
import { open, sql, tokenOf } from './browser.ts'
import { sharedBrowser } from './chromium.ts'

/** How the platform adds a customer, and how a customer adds an operator. */
let browser: Browser
beforeAll(async () => {
  browser = await sharedBrowser()
})

const fill = async (page: Page, fields: Record<string, string>) => {
  for (const [label, value] of Object.entries(fields))
    await page.getByRole('dialog').getByLabel(label, { exact: true }).fill(value)
}
const save = (page: Page) =>
  page
    .getByRole('dialog')
    .getByRole('button', { name: /保\s*存/ })
    .click()
const act = async (page: Page, row: string, action: string) => {
  await page.locator('tr', { hasText: row }).first().locator('[aria-haspopup=menu]').click()
  await page.getByRole('menuitem', { name: action }).click()
}

describe('an organisation', () => {
  it('is added with its administrator: a wrong credit code is marked at its field, the password is shown once', async () => {
    const { page, errors } = await open(browser, { token: await tokenOf('admin') })
    await page.goto('/system/organise')
    await page.getByRole('button', { name: '新增机构' }).click()
    await fill(page, {
      机构名称: '城市快充（宁波）',
      统一社会信用代码: '914403001922038215',
      管理员姓名: '李四',
      管理员手机号: '13755557777',
      登录账号: 'kuaichong',
    })
    await page.getByRole('dialog').getByRole('button', { name: '全选' }).click()
    await save(page)
    await page.getByText('请输入正确的统一社会信用代码').waitFor()
    await fill(page, { 统一社会信用代码: '914403001922038216' })
    await save(page)
    await page.getByRole('dialog').getByText('初始密码仅显示这一次').waitFor()
    await page.getByRole('button', { name: '我已保存，关闭' }).click()
    await page.locator('tr', { hasText: '城市快充（宁波）' }).getByText('kuaichong').waitFor()
    expect(errors).toEqual([])
  })

  it('is disabled only after its name is typed', async () => {
    await sql("insert into organise (name) values ('将停用的机构')")
    const { page } = await open(browser, { token: await tokenOf('admin') })
    await page.goto('/system/organise?keyword=将停用')
    await act(page, '将停用的机构', '停用')
    const stop = page.getByRole('dialog').getByRole('button', { name: /停\s*用/ })
    await page.getByLabel(/请输入机构名称/).fill('将停用')
    expect(await stop.isDisabled()).toBe(true)
    await page.getByLabel(/请输入机构名称/).fill('将停用的机构')
    await stop.click()
    await page.locator('tr', { hasText: '将停用的机构' }).getByText('停用', { exact: true }).first().waitFor()
  })
})

describe('an operator', () => {
  it('is found in a lazily loaded tree, and narrows the list', async () => {
    const { page, errors } = await open(browser, { token: await tokenOf('green') })
    await page.goto('/system/operatorInfo')
    const tree = page.locator('.tree-box')
    await tree.getByText('浙北运营中心').waitFor()
    expect(await tree.getByText('余杭代理').count()).toBe(0)
    await tree.locator('.ant-tree-treenode', { hasText: '浙北运营中心' }).locator('.ant-tree-switcher').click()
    await tree.getByText('余杭代理').click()
    await page.waitForURL(/agentId=2/)
    await page.getByText('共 2 条').waitFor()
    expect(errors).toEqual([])
  })

  it('gets an account whose first password is shown, and appears in the tree at once', async () => {
    const { page } = await open(browser, { token: await tokenOf('green') })
    await page.goto('/system/operatorInfo')
    await page.getByRole('button', { name: '新增运营商' }).click()
    await fill(page, {
      运营商名称: '城西新代理',
      管理员姓名: '李四',
      管理员手机号: '13755556666',
      登录账号: 'chengxi',
    })
    await page.getByRole('dialog').getByLabel('角色', { exact: true }).click()
    await page.locator('.ant-select-item-option', { hasText: '运营商用户' }).click()
    await save(page)
    await page.getByRole('dialog').getByText('初始密码仅显示这一次').waitFor()
    await page.getByRole('button', { name: '我已保存，关闭' }).click()
    await page.locator('.tree-box').getByText('城西新代理').waitFor()
  })
})
