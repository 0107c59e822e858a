import { refundOrder } from '@wattdeck/contract/order/refund-order.ts'
import type { Browser } from 'playwright'
import { beforeAll, describe, expect, it } from 'vitest'
import { call, open, sql, tokenOf } from './browser.ts'
import { sharedBrowser } from './chromium.ts'

/**
 * Refunds under maker-checker: one person requests at the order, another decides with the evidence in view, and the
 * next one follows.
 */
let browser: Browser
let maker: string
let checker: string
beforeAll(async () => {
  browser = await sharedBrowser()
  ;[maker, checker] = [await tokenOf('green'), await tokenOf('admin')]
})

/** A demo order without a refund request. */
async function freshOrder(): Promise<string> {
  const [order] = await sql<{ id: string }>(
    `select id from charging_order where status = 3 and refunded_fen = 0 and organise_id = 2 and total_fen > 200 limit 1`,
  )
  return order?.id ?? ''
}

describe('a refund', () => {
  it('is requested at the order and approved by another, who is led to the next one', async () => {
    const orderNo = await freshOrder()
    const { page: asking, errors } = await open(browser, { token: maker })
    await asking.goto(`/order/chargingOrder?id=${orderNo}`)
    await asking.getByRole('button', { name: /^退\s?款$/ }).click()
    const dialog = asking.getByRole('dialog')
    await dialog.getByLabel('退款金额').fill('99999')
    await dialog.getByLabel('退款原因').fill('充电中断')
    await dialog.getByRole('button', { name: '提交审批' }).click()
    await dialog.getByText('退款金额超过可退金额').waitFor()
    await dialog.getByLabel('退款金额').fill('1.23')
    await dialog.getByRole('button', { name: '提交审批' }).click()
    await asking.getByText('退款申请已提交，须由他人审批').first().waitFor()
    const { data } = await call(maker, refundOrder.list, { query: { orderNo } as never })
    const refund = data.rows.find(({ status }) => status === 1)
    expect(refund).toMatchObject({ amount: '1.23', own: true })

    const { page, errors: checking } = await open(browser, { token: checker })
    await page.goto(`/order/refundReview?id=${refund?.id}`)
    const remaining = page.getByTestId('refunds-left')
    await remaining.waitFor()
    const waiting = Number(/\d+/.exec((await remaining.textContent()) ?? '')?.[0])
    expect(waiting).toBeGreaterThan(1)
    // By its number, because the next one may have the same amount.
    const review = page.locator('.refund-decision')
    await review.getByText(refund?.id ?? '-').waitFor()
    await review.getByText('退到钱包 ¥1.23').waitFor()
    await page.getByRole('heading', { name: '功率曲线' }).waitFor()
    const statusOf = async () =>
      (await call(maker, refundOrder.list, { query: { refundNo: refund?.id } as never })).data.rows[0]
    // One key does not pay: it opens the confirmation, whose focus is on 取消, so Enter does not pay either.
    await page.keyboard.press('a')
    const question = page.getByRole('dialog').filter({ hasText: '通过这笔退款？' })
    await question.getByText('¥1.23 立即退到用户钱包').waitFor()
    await question.getByText('执行后不能撤销').waitFor()
    await page.keyboard.press('a')
    expect(await page.getByRole('dialog').count()).toBe(1)
    await page.keyboard.press('Enter')
    await question.waitFor({ state: 'detached' })
    expect(await statusOf()).toMatchObject({ status: 1 })
    await page.keyboard.press('a')
    await question.getByRole('button', { name: '通过并退款' }).click()
    await page.getByText('已同意退款 ¥1.23，将退到用户钱包').first().waitFor()
    // The next one is shown at once.
    await page.getByText(`待处理 ${waiting - 1} 笔`).waitFor()
    await review.getByText(refund?.id ?? '-').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: '通过（A）' }).waitFor()
    expect(await statusOf()).toMatchObject({ status: 4, decidedBy: '周启明' })
    // The other key declines it, with a reason. Keys have no effect while a dialog is closing.
    await question.waitFor({ state: 'detached' })
    await page.keyboard.press('d')
    const declining = page.getByRole('dialog', { name: '驳回这笔退款' })
    await declining.getByRole('textbox', { name: '驳回原因' }).fill('曲线正常')
    await declining.getByRole('button', { name: /^驳\s?回$/ }).click()
    await page
      .getByText(/已驳回退款 ¥\d+\.\d\d，不退款/)
      .first()
      .waitFor()
    await page.getByText(`待处理 ${waiting - 2} 笔`).waitFor()
    // The browser itself logs the refused excess.
    expect([...errors.filter((text) => !text.includes('409')), ...checking]).toEqual([])
  })
})
