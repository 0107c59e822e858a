import { readFileSync } from 'node:fs'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readPdf } from '../apps/server/test/read-pdf.ts'
import { open, sql, tokenOf } from './browser.ts'
import { launch } from './chromium.ts'

/** From the list of orders to one of them, its evidence, and the end of one whose device is gone. */
let browser: Browser
let token: string
beforeAll(async () => {
  browser = await launch()
  token = await tokenOf('green')
})
afterAll(() => browser.close())

type Found = { id: string; total: string }
const billedOrder = async (): Promise<Found> => {
  const [found] = await sql<Found>(
    `select id, to_char(total_fen / 100.0, 'FM990.00') as total from charging_order where organise_id = 2 and status = 3 order by id desc limit 1`,
  )
  return found ?? { id: '', total: '' }
}

describe('an order', { timeout: 120_000 }, () => {
  it('is found in the list and shown with its curve, its price in words and its money', async () => {
    const { id, total } = await billedOrder()
    const { page, errors } = await open(browser, { token })
    await page.goto(`/order/completedOrder?orderNo=${id}`)
    await page.getByRole('link', { name: id }).click()
    await page.getByRole('figure', { name: /充电功率：共 \d+ 个点/ }).waitFor()
    await page.getByText(`应付 ${total} 元`).waitFor()
    await page.getByRole('tab', { name: '资金' }).click()
    await page.getByText('站点电费收入').first().waitFor()
    expect(errors).toEqual([])
  })

  it('gives its evidence as a PDF whose text holds the amounts', async () => {
    const { id, total } = await billedOrder()
    const { page } = await open(browser, { token })
    await page.goto(`/order/chargingOrder?id=${id}`)
    const download = page.waitForEvent('download', { timeout: 60_000 })
    await page.getByRole('button', { name: '举证材料' }).click()
    const saved = await download
    expect(saved.suggestedFilename()).toBe(`举证材料-${id}.pdf`)
    const { text, attachments } = await readPdf(readFileSync(await saved.path()))
    const plain = text.replaceAll(/\s/g, '')
    expect(plain).toContain(id)
    expect(plain).toContain(`应付${total}元`)
    expect(attachments['evidence.json']).toContain(id)
  })

  it('whose device is gone is settled by force for what was shown', async () => {
    const [gone] = await sql<{ id: string }>(
      `select order_id as id from open_charge where organise_id = 2 order by order_id limit 1`,
    )
    const id = gone?.id ?? ''
    await sql('update device set online = false where id = (select device_id from open_charge where order_id = $1)', [
      id,
    ])
    const { page, errors } = await open(browser, { token })
    await page.goto(`/order/unfinishedOrder?orderNo=${id}`)
    await page.getByRole('button', { name: `更多操作 ${id}` }).click()
    await page.getByRole('menuitem', { name: '强制结算' }).click()
    const confirm = page.getByRole('button', { name: /按 ¥\d+\.\d\d 结算/ })
    await confirm.waitFor()
    const shown = /¥(\d+\.\d\d)/.exec((await confirm.textContent()) ?? '')?.[1]
    await page.getByLabel('结算原因').fill('设备损坏，已更换')
    await confirm.click()
    await page.getByText(`已按${shown}元结算`).waitFor()
    const [order] = await sql<{ status: number; total: string }>(
      `select status, to_char(total_fen / 100.0, 'FM990.00') as total from charging_order where id = $1`,
      [id],
    )
    expect(order).toEqual({ status: 3, total: shown })
    expect(await sql('select * from app.ledger_breaks()')).toEqual([])
    expect(errors).toEqual([])
  })
})
