import { readFileSync } from 'node:fs'
import { helpDocument } from '@wattdeck/contract/system/help-document.ts'
import type { Browser, Page } from 'playwright'
import { beforeAll, describe, expect, it } from 'vitest'
import { call, open, sql, tokenOf } from './browser.ts'
import { sharedBrowser } from './chromium.ts'
import { canaryHost, xssPayloads } from './payloads.ts'

/** Contextual help, the help centre, and a hostile document without effect. */
let browser: Browser
let admin: string
let green: string
beforeAll(async () => {
  browser = await sharedBrowser()
  admin = await tokenOf('admin')
  green = await tokenOf('green')
})

const openHelp = async (page: Page) => {
  await page.getByRole('button', { name: '帮助', exact: true }).click()
  return page.getByRole('dialog')
}

describe('the help of a page', () => {
  it('opens beside it and shows its document; the focus returns to its origin', async () => {
    const { page, errors } = await open(browser, { token: green })
    await page.goto('/system/staff')
    const drawer = await openHelp(page)
    await drawer.getByRole('heading', { name: '员工管理' }).waitFor()
    await drawer.getByText('保存后会显示').waitFor()
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'hidden' })
    await page.locator('button[aria-label=帮助]:focus').waitFor()
    expect(errors).toEqual([])
  })

  it('offers a choice of several documents, and searches all others', async () => {
    const { page } = await open(browser, { token: green })
    await sql("update help_document set screen = 'log' where slug = 'personal-data'")
    await page.goto('/system/log')
    const drawer = await openHelp(page)
    await drawer.getByRole('button', { name: '敏感信息查看' }).waitFor()
    await drawer.getByRole('button', { name: '日志管理' }).click()
    await drawer.getByRole('heading', { name: '日志会被修改吗？' }).waitFor()
    await drawer.getByRole('button', { name: '返回' }).click()
    await drawer.getByLabel('搜索全部帮助文档').fill('动态口令')
    await drawer.getByRole('button', { name: /登录与动态口令/ }).click()
    await drawer.getByRole('heading', { name: '短信登录' }).waitFor()
    await drawer.getByRole('link', { name: '打开帮助中心' }).click()
    await page.waitForURL(/\/helpDocument\?doc=\d+/)
    await page.getByRole('heading', { name: '登录与动态口令' }).waitFor()
  })

  it('is offered on every page of the shell except the help centre', async () => {
    const { page } = await open(browser, { token: admin })
    for (const path of ['/dashboard/workTable', '/system/menuManager', '/system/role', '/personal/changePassword']) {
      await page.goto(path)
      await page.getByRole('button', { name: '帮助', exact: true }).waitFor()
    }
    await page.goto('/helpDocument')
    await page.getByRole('heading', { name: '帮助文档' }).waitFor()
    expect(await page.getByRole('button', { name: '帮助', exact: true }).count()).toBe(0)
  })
})

describe('the help centre', () => {
  it('finds a document by a word of its text, accepts feedback, and offers the document as a file', async () => {
    const { page } = await open(browser, { token: green })
    await page.goto('/helpDocument')
    await page.getByLabel('搜索标题和正文').fill('热熔胶')
    await page.getByRole('heading', { name: '电动自行车插座故障代码' }).waitFor()
    expect(decodeURIComponent(page.url())).toContain('keyword=热熔胶')
    await page.getByRole('button', { name: '没帮助' }).click()
    await page.getByText('感谢您的反馈').waitFor()
    await page.reload()
    await page.locator('[aria-pressed=true]', { hasText: '没帮助' }).waitFor()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: '下载' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('电动自行车插座故障代码.md')
    expect(readFileSync(await file.path(), 'utf8')).toContain('| 热熔胶动作 |')
  })

  it('lets an editor write with a preview, publish, move and remove; others see published documents only', async () => {
    const { page, errors } = await open(browser, { token: admin })
    await page.goto('/helpDocument')
    await page.getByRole('button', { name: '新增文档' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('标题').fill('巡检要点')
    await dialog.getByLabel('正文').fill('## 每周\n\n- 检查**插座**\n\n[员工](/system/staff)')
    await dialog.getByRole('region', { name: '预览' }).getByRole('heading', { name: '每周' }).waitFor()
    await dialog.getByRole('button', { name: '保存为草稿' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('heading', { name: '巡检要点' }).waitFor()
    const [row] = await sql<{ id: string }>("select id from help_document where title = '巡检要点'")
    const id = row?.id ?? ''
    expect((await call(green, helpDocument.detail, { params: { id } })).status).toBe(404)

    const manage = async (name: string) => {
      await page.getByRole('button', { name: '管理文档' }).click()
      await page.getByRole('menuitem', { name }).click()
    }
    await manage('发布')
    await page.getByRole('button', { name: '发布', exact: true }).click()
    await page.locator('.help-paper').getByText('草稿').waitFor({ state: 'detached' })
    expect((await call(green, helpDocument.detail, { params: { id } })).data.title).toBe('巡检要点')
    const order = async () => (await call(green, helpDocument.list, { query: { type: 2 } })).data.map((one) => one.id)
    expect((await order()).at(-1)).toBe(id)
    await manage('上移')
    await expect.poll(async () => (await order()).at(-2)).toBe(id)
    await manage('删除')
    await page.getByRole('button', { name: '删除', exact: true }).click()
    await page.getByRole('heading', { name: '巡检要点' }).waitFor({ state: 'detached' })
    expect((await call(green, helpDocument.detail, { params: { id } })).status).toBe(404)
    expect(errors).toEqual([])
  })
})

describe('a hostile document', () => {
  it('of 300 payloads runs no script and calls no host, in the centre and beside a page', async () => {
    const [row] = await sql<{ id: string }>(
      `insert into help_document (type, title, body, screen, status, sort) values (2, $1, $2, 'role', 1, -1) returning id`,
      ['<img src=x onerror=alert(1)>', xssPayloads.join('\n\n')],
    )
    const { page, errors, settled } = await open(browser, { token: green })
    const seen: string[] = []
    page.on('dialog', (dialog) => {
      seen.push(`dialog ${dialog.message()}`)
      void dialog.dismiss()
    })
    page.on('request', (request) => {
      if (request.url().includes(canaryHost)) seen.push(`request ${request.url()}`)
    })
    page.on('popup', (popup) => seen.push(`popup ${popup.url()}`))

    await page.goto(`/helpDocument?doc=${row?.id}`)
    const paper = page.locator('.help-paper')
    await paper.getByText('<script>alert(1)</script>').first().waitFor()
    await settled()
    const foreign = await page.evaluate<string[]>(`[...document.querySelectorAll('.markdown *')]
      .filter((node) => node.namespaceURI !== 'http://www.w3.org/1999/xhtml' ||
        [...node.attributes].some(({ name }) => !['href', 'src', 'alt', 'loading', 'rel', 'target', 'scope', 'start', 'data-discover'].includes(name)) ||
        (node.hasAttribute('src') && new URL(node.src).origin !== location.origin) ||
        (node.tagName === 'A' && new URL(node.href).origin !== location.origin && new URL(node.href).protocol !== 'https:'))
      .map((node) => node.outerHTML)`)
    expect(foreign).toEqual([])
    // Pointer and focus would trigger the handlers.
    for (const place of ['<svg onload', 'ondblclick', 'onmouseover', 'onpointerenter'])
      await paper.getByText(place).first().hover()
    await page.keyboard.press('Tab')

    await page.goto('/system/role')
    const drawer = await openHelp(page)
    await drawer.getByRole('button', { name: '<img src=x onerror=alert(1)>' }).click()
    await drawer.getByText('<script>alert(1)</script>').first().waitFor()
    await settled()
    expect(seen).toEqual([])
    expect(errors.filter((text) => !text.includes('404'))).toEqual([])
    await sql('delete from help_document where id = $1', [row?.id])
    // The control: a dialog is detected.
    await page.evaluate('void setTimeout(() => alert("control"))')
    await expect.poll(() => seen).toEqual(['dialog control'])
  })
})
