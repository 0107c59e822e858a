import { memberInfo } from '@wattdeck/contract/member/member-info.ts'
import type { Browser } from 'playwright'
import { beforeAll, describe, expect, it } from 'vitest'
import { call, open, sql, tokenOf } from './browser.ts'
import { sharedBrowser } from './chromium.ts'

/** Manual balance adjustments under maker-checker: one person requests, another decides, and the wallet shows it. */
let browser: Browser
let maker: string
let checker: string
beforeAll(async () => {
  browser = await sharedBrowser()
  ;[maker, checker] = [await tokenOf('green'), await tokenOf('admin')]
  // Pending demo requests would precede it.
  await sql('update balance_adjustment set status = 4 where status = 1')
})

/** In fen: floating-point sums of yuan differ in their last digit. */
const balanceFen = async (memberId: string) => {
  const { data } = await call(maker, memberInfo.info, { query: { memberId } })
  return Math.round(Number(data.rechargeBalance) * 100)
}

describe('a balance', () => {
  it('is changed when a second person approves, who is led to the next request', async () => {
    const before = await balanceFen('1')
    const { page: asking, errors } = await open(browser, { token: maker })
    for (const [amount, reason] of [
      ['abc', '断电补偿'],
      ['12.30', '重复扣费'],
    ]) {
      await asking.goto('/member/wechatUser?keyword=1')
      await asking.getByRole('button', { name: '余额调整' }).first().click()
      const dialog = asking.getByRole('dialog')
      await dialog.getByLabel('金额').fill(amount ?? '')
      await dialog.getByLabel('原因').fill(reason ?? '')
      if (amount === 'abc') {
        await dialog.getByText('请输入正确格式的金额（0.01-9999999.99之间，最多两位小数）').waitFor()
        await dialog.getByLabel('金额').fill('5')
      }
      await dialog.getByRole('button', { name: '提交审批' }).click()
      await asking.getByText('申请已提交，须由他人审批后生效').first().waitFor()
    }
    // The requester may withdraw it, and has no other action.
    await asking.goto('/member/balanceAdjustment?status=1')
    await asking
      .getByRole('button', { name: /撤\s?销/ })
      .first()
      .waitFor()
    expect(await asking.getByRole('button', { name: '审批', exact: true }).count()).toBe(0)
    expect(await balanceFen('1')).toBe(before)

    const { page } = await open(browser, { token: checker })
    await page.goto('/member/balanceAdjustment')
    await page.getByRole('button', { name: '开始审批' }).click()
    const drawer = page.locator('.ant-drawer')
    await drawer.getByText('待处理 2 条').waitFor()
    await drawer.getByText('断电补偿').waitFor()
    await drawer.getByRole('button', { name: /^通\s?过$/ }).click()
    const question = page.getByRole('dialog').filter({ hasText: '通过这笔余额调整？' })
    await question.getByText('会员的充值余额立即增加 ¥5.00').waitFor()
    await question.getByRole('button', { name: '通过并入账' }).click()
    await page.getByText('已通过余额调整：增加充值余额 ¥5.00，已入账').first().waitFor()
    await drawer.getByText('重复扣费').waitFor()
    expect(await balanceFen('1')).toBe(before + 500)
    await drawer.getByRole('button', { name: /^驳\s?回$/ }).click()
    const declining = page.getByRole('dialog', { name: '驳回这笔余额调整' })
    await declining.getByRole('textbox', { name: '驳回原因' }).fill('没有凭证')
    await declining.getByRole('button', { name: /^驳\s?回$/ }).click()
    await drawer.getByText('没有需要您审批的申请').waitFor()
    expect(await balanceFen('1')).toBe(before + 500)
    expect(errors).toEqual([])
  })

  it("is shown with a member's name, and its statement explains it", async () => {
    const { page, errors } = await open(browser, { token: maker })
    await page.goto('/member/wechatUser?keyword=1')
    await page.getByRole('link', { name: '晴天的小电驴' }).hover()
    await page.locator('.object-card').getByText('充值余额').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.object-card').waitFor({ state: 'detached' })
    await page.goto('/dashboard/accountDetail?kind=1&ownerId=1')
    await page.getByRole('button', { name: /^明\s?细$/ }).click()
    await page.getByRole('dialog').getByText('余额调整').first().waitFor()
    await page.getByRole('dialog').getByText('+5.00').first().waitFor()
    expect(errors).toEqual([])
  })
})

describe('a searched phone', () => {
  it('[attack.M12] is in no address, of the page or of a call, and in no storage of the browser', async () => {
    const { page, errors } = await open(browser, { token: maker })
    const phone = '13800138001'
    await sql('update member set phone = $1 where id = 1', [phone])
    const requests: string[] = []
    page.on('request', (request) => void requests.push(request.url()))
    await page.goto('/member/wechatUser')
    await page
      .getByPlaceholder(/手机号/)
      .first()
      .fill(phone)
    await page.keyboard.press('Enter')
    await page.waitForURL(/kept=/)
    await page.getByText('共 1 条').waitFor()
    await page.getByRole('link', { name: '晴天的小电驴' }).waitFor()
    const stored = await page.evaluate<string>(
      'JSON.stringify([{ ...sessionStorage }, { ...localStorage }, history.state])',
    )
    expect([page.url(), stored, ...requests].filter((text) => text.includes(phone))).toEqual([])
    // A link that contains it is rewritten when opened.
    await page.goto('/member/wechatUser?keyword=13800138001')
    await page.waitForURL(/kept=/)
    await page.getByRole('link', { name: '晴天的小电驴' }).waitFor()
    expect(page.url()).not.toContain(phone)
    expect(errors).toEqual([])
  })
})
