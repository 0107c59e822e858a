import { savedView } from '@wattdeck/contract/auth/saved-view.ts'
import { role } from '@wattdeck/contract/system/role.ts'
import { staff } from '@wattdeck/contract/system/staff.ts'
import type { Browser, Page } from 'playwright'
import { beforeAll, describe, expect, it } from 'vitest'
import { call, holdClock, open, sql, stepClock, tokenOf } from './browser.ts'
import { sharedBrowser } from './chromium.ts'

/** Common to every list: live rows, views, pages of any depth, accessible reasons. */
let browser: Browser
let token: string
beforeAll(async () => {
  browser = await sharedBrowser()
  token = await tokenOf('green')
})

const rows = (page: Page) => page.locator('tbody tr.ant-table-row')

describe('an open list', () => {
  it('shows changes of others in place, and moves no row until requested', async () => {
    const { page } = await open(browser, { token })
    await page.clock.install()
    await page.goto('/system/role')
    await page.getByText('实时').first().waitFor()
    await page.getByText(/共 \d+ 条/).waitFor()
    const place = (await rows(page).allInnerTexts()).findIndex((text) => text.includes('SIMCARD'))
    const [own] = await sql<{ id: string; code: string }>("select id, code from role where code = 'SIMCARD'")
    const elsewhere = await tokenOf('green')
    await holdClock(page)
    const named = await call(elsewhere, role.edit, {
      body: { id: own?.id ?? '', code: own?.code ?? '', name: 'SIM卡专员' },
    })
    expect(named.status).toBe(200)
    const row = rows(page).nth(place)
    await stepClock(page, () => row.getByText('SIM卡专员').isVisible())
    expect(await row.getAttribute('class')).toContain('flashing')
    await page.clock.resume()
    await page.clock.fastForward(1500)
    await expect.poll(() => row.getAttribute('class')).not.toContain('flashing')

    const before = await rows(page).count()
    const added = await call(elsewhere, role.add, { body: { name: '值班员', code: 'ONDUTY', userType: 1 } })
    expect(added.status).toBe(200)
    const refresh = page.getByRole('button', { name: '列表有更新，点击刷新' })
    await refresh.waitFor()
    expect(await rows(page).count()).toBe(before)
    await refresh.click()
    await page.getByText('值班员').waitFor()
    await refresh.waitFor({ state: 'detached' })
    await page.getByText(`共 ${before + 1} 条`).waitFor()
  })
})

describe('the header of a column', () => {
  it('sorts all rows by it, ascending and descending, on every page and by the keyboard', async () => {
    const { page, errors } = await open(browser, { token })
    const ends = await sql<{ day: string }>(
      "select to_char(service_until, 'YYYY-MM-DD') as day from device where organise_id = 2 and deleted_at is null order by service_until, id",
    )
    const days = ends.map(({ day }) => day)
    await page.goto('/product/deviceManage?view=all')
    const header = page.getByRole('columnheader', { name: /服务到期/ })
    await header.click()
    await page.waitForURL(/sort=serviceUntil/)
    const shown = async () =>
      (await rows(page).allInnerTexts()).map((text) => /\d{4}-\d\d-\d\d/.exec(text)?.[0] ?? text)
    await expect.poll(shown).toEqual(days.slice(0, 10))
    expect(await header.getAttribute('aria-sort')).toBe('ascending')
    await page.getByRole('listitem', { name: '2', exact: true }).click()
    await expect.poll(shown).toEqual(days.slice(10, 20))
    await header.focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/sort=-serviceUntil/)
    await expect.poll(shown).toEqual(days.toReversed().slice(0, 10))
    expect(new URL(page.url()).searchParams.get('pageNum')).toBeNull()
    await header.click()
    await page.waitForURL((url) => !url.searchParams.has('sort'))
    expect(errors).toEqual([])
  })
})

describe('a filter that cannot be applied', () => {
  const readsOfOrders = (page: Page) => {
    const requests: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/seeker/api/consumeOrder/')) requests.push(request.url())
    })
    return requests
  }

  it('is marked beside its field when typed, and the list is not requested', async () => {
    const { page } = await open(browser, { token })
    await page.goto('/order/consumeOrder')
    await page.getByText(/共 \d+ 条/).waitFor()
    // The tab of all orders requests its count after the rows of the week.
    await page.getByRole('button', { name: /^全部 \d/ }).waitFor()
    const search = page.getByRole('search')
    const phone = search.getByRole('textbox', { name: '用户手机号' })
    const requests = readsOfOrders(page)
    await phone.fill('7919')
    await search.getByRole('button', { name: /查\s*询/ }).click()
    await search.getByRole('alert').getByText('用户手机号：请输入正确的手机号').waitFor()
    expect(await phone.getAttribute('aria-invalid')).toBe('true')
    expect(requests).toEqual([])

    await phone.fill('13900000000')
    await search.getByRole('button', { name: /查\s*询/ }).click()
    await page.getByRole('button', { name: '移除条件 用户手机号：13900000000' }).waitFor()
    expect(await search.getByRole('alert').count()).toBe(0)
    await expect.poll(() => requests.length).toBeGreaterThan(0)
    await page.getByText('没有符合条件的记录').waitFor()
  })

  it('is named in place of the rows when a link contains it, until it is removed', async () => {
    const { page } = await open(browser, { token })
    const requests = readsOfOrders(page)
    await page.goto('/order/consumeOrder?orderNo=abc&status=99')
    const pane = page.getByRole('alert')
    await pane.getByText('订单号 “abc”：编号格式不正确').waitFor()
    await pane.getByText('状态 “99”：没有这个选项').waitFor()
    expect(await rows(page).count()).toBe(0)
    expect(requests).toEqual([])
    await pane.getByRole('button', { name: '移除这些条件' }).click()
    await page.getByText(/共 \d+ 条/).waitFor()
    expect(new URL(page.url()).search).toBe('')
  })
})

describe('views', () => {
  it('keep a filter under a name, count its rows and open the list with it', async () => {
    const { page } = await open(browser, { token })
    await page.goto('/system/staff?status=0')
    await page.getByRole('button', { name: '保存视图' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('视图名称').fill('停用人员')
    await dialog.getByRole('switch', { name: '设为默认' }).click()
    await dialog.getByRole('button', { name: /保\s*存/ }).click()
    const tabs = page.getByRole('navigation', { name: '列表视图' })
    await tabs.getByRole('button', { name: /停用人员 \d+/ }).waitFor()
    await tabs.getByRole('button', { name: /^全部/ }).click()
    await page.waitForURL(/view=all/)
    const { data } = await call(token, staff.list, { query: { status: 0 } })
    await tabs.getByRole('button', { name: `停用人员 ${data.total}`, exact: true }).waitFor()
    await page.goto('/dashboard/workTable')
    await page.goto('/system/staff')
    await page.waitForURL(/status=0/)
    await page.getByText(`共 ${data.total} 条`).waitFor()
    const { views } = (await call(token, savedView.list, { query: { listKey: staff.list.path } })).data
    expect(views).toMatchObject([{ name: '停用人员', query: 'status=0', isDefault: true, shared: false }])

    await tabs.getByRole('button', { name: '视图操作 停用人员' }).click()
    await page.getByRole('menuitem', { name: '删除视图' }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /删\s*除/ })
      .click()
    await tabs.getByRole('button', { name: /^停用人员/ }).waitFor({ state: 'detached' })
  })

  it('do not save a search for a person, and explain it', async () => {
    const { page } = await open(browser, { token })
    await page.goto('/system/staff?keyword=13812345678')
    await page.getByRole('button', { name: '保存视图' }).click({ force: true })
    await page.getByRole('tooltip', { name: /个人信息/ }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })
})

describe('pages', () => {
  it('of any depth are turned one by one, have a link, and are reopened from it', async () => {
    await sql(
      `insert into user_account (organise_id, user_type, employee_no, name, login_name, phone, password_hash)
       select 3, 1, 'D' || n, '深页' || n, 'deep' || n, (15000000000 + n)::text, 'x' from generate_series(1, 2200) n`,
    )
    const { page } = await open(browser, { token: await tokenOf('swift') })
    const requests: URL[] = []
    page.on('request', (request) => {
      if (request.url().includes(`${staff.list.path}?`)) requests.push(new URL(request.url()))
    })
    const lastRequest = () => requests.findLast((url) => url.searchParams.get('pageSize') !== '1')?.searchParams
    const beginsWith = (name: string) => rows(page).first().getByText(name, { exact: true }).waitFor()
    await page.goto('/system/staff')
    await page.getByText('超过 2000 条').waitFor()
    const jump = async (to: number) => {
      await page.getByLabel('跳至').fill(String(to))
      await page.getByLabel('跳至').press('Enter')
    }
    await jump(5000)
    await page.getByText(/最多可跳至第 202 页/).waitFor()
    await jump(201)
    await beginsWith('深页200')
    expect(lastRequest()?.get('skipCount')).toBe('true')
    await page.getByTitle('下一页').click()
    await page.waitForURL(/pageNum=202.*cursor=/)
    await beginsWith('深页190')
    await page.getByRole('button', { name: '下一页' }).click()
    await beginsWith('深页180')
    await page.reload()
    await beginsWith('深页180')
    expect(page.url()).toContain('pageNum=203')
    await page.getByRole('button', { name: '上一页' }).click()
    await beginsWith('深页190')
    await page.getByLabel('姓名/账号/手机').fill('deep102')
    await page.getByLabel('姓名/账号/手机').press('Enter')
    await page.waitForURL((url) => !url.searchParams.has('cursor') && !url.searchParams.has('pageNum'))
    await page.getByText(/共 \d+ 条/).waitFor()
    expect(await page.getByRole('list', { name: '已选条件' }).getByRole('listitem').count()).toBe(1)
    await sql("delete from user_account where login_name like 'deep%'")
  })
})

describe('a disabled action', () => {
  it('explains itself to keyboard and touch', async () => {
    const { page } = await open(browser, { token })
    await page.goto('/system/staff?keyword=green')
    const button = rows(page).first().getByRole('button', { name: '分配角色' })
    await button.focus()
    await page.getByRole('tooltip', { name: '不能对自己的账号执行该操作' }).waitFor()
    await page.keyboard.press('Enter')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await rows(page)
      .first()
      .getByRole('button', { name: /更多操作/ })
      .click()
    await page.getByRole('menuitem', { name: /重置密码\s*不能对自己的账号执行该操作/ }).waitFor()
  })
})

describe('columns', () => {
  it('are moved by the keyboard, saved for this person and reset', async () => {
    const { page } = await open(browser, { token })
    await page.goto('/system/role')
    await page.getByText(/共 \d+ 条/).waitFor()
    const heads = () => page.locator('thead th').allInnerTexts()
    const before = await heads()
    await page.getByRole('button', { name: '列设置' }).click()
    const down = page.getByRole('button', { name: '下移状态 / 角色性质' })
    await down.focus()
    await page.keyboard.press('Enter')
    const focused = () => page.evaluate<string>("document.activeElement.getAttribute('aria-label')")
    await expect.poll(focused).toBe('下移状态 / 角色性质')
    await page.keyboard.press('Enter')
    const placeOf = async () => (await heads()).indexOf('状态 / 角色性质')
    await expect.poll(placeOf).toBe(before.indexOf('状态 / 角色性质') + 2)
    const after = await heads()
    await page.reload()
    await page.getByText(/共 \d+ 条/).waitFor()
    expect(await heads()).toEqual(after)
    await page.getByRole('button', { name: '列设置' }).click()
    await page.getByRole('button', { name: '恢复默认' }).click()
    await expect.poll(heads).toEqual(before)
  })
})
