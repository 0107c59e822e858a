import type { Browser, Page } from 'playwright'
import { beforeAll, describe, expect, it } from 'vitest'
import { open, sql, tokenOf } from './browser.ts'
import { sharedBrowser } from './chromium.ts'

/** The product catalogue as the platform maintains it, and as everyone else reads it. */
let browser: Browser
beforeAll(async () => {
  browser = await sharedBrowser()
})

const shown = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()
const choose = async (page: Page, label: string, option: string | RegExp) => {
  await page.getByRole('dialog').getByLabel(label, { exact: true }).click()
  await page.locator('.ant-select-dropdown:visible').getByText(option).first().click()
}
const save = (page: Page) =>
  page
    .getByRole('dialog')
    .getByRole('button', { name: /保\s*存/ })
    .click()

describe('the platform', () => {
  it('adds a device type, gives it a template, and debugs a frame of its protocol', async () => {
    const { page, errors } = await open(browser, { token: await tokenOf('admin') })
    await page.goto('/product/deviceType')
    await page.getByRole('button', { name: '新增设备类型' }).click()
    await choose(page, '设备小类', '02-01 单路插座')
    await page.getByLabel('类型名称').fill('单路测试插座')
    await choose(page, '端口数', '1路')
    await page.getByLabel('额定功率（W）').fill('1100')
    await choose(page, '协议', /AP3000 DNY/)
    await choose(page, '指令集', /XY-2-V10/)
    await save(page)
    await shown(page, '02-01-01')
    const row = page.getByRole('row').filter({ hasText: '02-01-01' })
    await row.getByRole('button', { name: '关联模板' }).click()
    await choose(page, '属性模板', /电动自行车插座通用模板/)
    await save(page)
    await shown(page, '操作成功')

    await page.goto('/product/dtuProtocol')
    await page.getByRole('row').filter({ hasText: 'AP3000 DNY' }).getByRole('button', { name: '报文调试' }).click()
    await page
      .getByRole('dialog')
      .getByLabel('报文', { exact: true })
      .fill('444e59 1000 40aace04 0700 21 a408 02 01 02 00 5a ea03')
    await page.getByRole('button', { name: /解\s*析/ }).click()
    await shown(page, '解析成功：心跳')
    await shown(page, '221.2 V')
    expect(errors).toEqual([])
  })

  it('puts the attributes of a template in order and saves them', async () => {
    const { page, errors } = await open(browser, { token: await tokenOf('admin') })
    await page.goto('/product/attributeTemplate')
    await page.getByRole('button', { name: '新增模板' }).click()
    await page.getByRole('dialog').getByLabel('模板名称').fill('顺序模板')
    await page.getByRole('dialog').getByLabel('版本').fill('V1')
    await save(page)
    await page.getByRole('row').filter({ hasText: '顺序模板' }).getByRole('button', { name: '属性维护' }).click()
    const drawer = page.getByRole('dialog')
    for (const name of ['过压值', '欠压值']) {
      await drawer.getByLabel('添加属性').fill(name)
      await page.locator('.ant-select-dropdown:visible').getByText(name).first().click()
    }
    await drawer.getByRole('button', { name: '下移 过压值' }).click()
    await drawer.getByLabel('过压值的默认值').fill('999')
    await shown(page, '不能大于300')
    expect(await drawer.getByRole('button', { name: /保\s*存/ }).isDisabled()).toBe(true)
    await drawer.getByLabel('过压值的默认值').fill('265')
    await save(page)
    await drawer.waitFor({ state: 'detached' })
    const stored = await sql<{ name: string; value: string | null }>(
      `select attribute.name, item.default_value as value from attribute_template_item item
       join platform_attribute attribute on attribute.id = item.platform_attribute_id
       join attribute_template template on template.id = item.attribute_template_id
       where template.name = '顺序模板' order by item.sort`,
    )
    expect(stored).toEqual([
      { name: '欠压值', value: null },
      { name: '过压值', value: '265' },
    ])
    expect(errors).toEqual([])
  })
})

describe('an organisation whose role holds every right on the catalogue', () => {
  it('reads it and shows no button that changes it', async () => {
    await sql(`insert into role_menu (role_id, menu_id, organise_id)
      select 3, id, 2 from menu where menu_key = '4' or menu_key like '4.2%' on conflict do nothing`)
    await sql(`insert into role_resource (role_id, resource_id, organise_id)
      select 3, resource.id, 2 from resource join menu on menu.id = menu_id where menu_key like '4.2%' on conflict do nothing`)
    const { page, settled } = await open(browser, { token: await tokenOf('green') })
    for (const name of [
      'dtuProtocol',
      'deviceCategory',
      'deviceType',
      'instructionSet',
      'attributeTemplate',
      'platformAttribute',
    ]) {
      await page.goto(`/product/${name}`)
      await shown(page, /共 \d+ 条/)
      await settled()
      expect(await page.getByRole('button', { name: /新增|编辑|停用|禁用|删除|复制$|关联|导入/ }).count(), name).toBe(0)
    }
    await page.goto('/product/attributeTemplate')
    await page.getByRole('row').filter({ hasText: '通用模板' }).getByRole('button', { name: '属性维护' }).click()
    await shown(page, '浮充功率百分比')
    expect(await page.getByRole('button', { name: /保\s*存|移除|上移/ }).count()).toBe(0)
  })
})
