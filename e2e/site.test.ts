import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import readExcel from 'read-excel-file/node'
import type { Browser, Page } from 'playwright'
import { beforeAll, describe, expect, it } from 'vitest'
import { writeXlsx } from '../apps/server/src/kit/bulk/sheets/write-xlsx.ts'
import { open, sql, tokenOf } from './browser.ts'
import { sharedBrowser } from './chromium.ts'

/** Many sites at once: imported from a sheet, changed as a batch, and exported to a file. */
let browser: Browser
let token: string
beforeAll(async () => {
  browser = await sharedBrowser()
  token = await tokenOf('green')
})

async function sheetOf(rows: string[][]) {
  async function* each() {
    for (const row of rows) yield row
  }
  const through = new PassThrough()
  const head = ['站点名称*', '站点编号', '类型*', '省*', '市', '区县', '车位数']
  const [bytes] = await Promise.all([buffer(through), writeXlsx(head, each(), through)])
  return bytes
}
const shown = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()

/** Closes the dialog of a finished job; until the end its button says that the job continues. */
const closeJob = (page: Page) =>
  page
    .locator('.ant-modal-footer')
    .getByRole('button', { name: /关\s*闭/ })
    .click()

describe('sites from a sheet', () => {
  it('are imported with an error corrected, changed as a batch, exported and downloaded', async () => {
    const { page, errors } = await open(browser, { token })
    await page.goto('/system/site')
    await shown(page, /共 \d+ 条/)

    // Import: ten rows, one of an unknown type, corrected in place.
    await page.getByRole('button', { name: '导入' }).click()
    const rows = Array.from({ length: 10 }, (_, n) => [
      `流程站点${n}`,
      `FLOW-${n}`,
      n === 4 ? '城堡' : '小区',
      '浙江省',
      '杭州市',
      '西湖区',
      '10',
    ])
    await page.locator('input[type=file]').setInputFiles({
      name: '站点.xlsx',
      mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      buffer: await sheetOf(rows),
    })
    await shown(page, '共 10 行')
    await page.getByRole('button', { name: '检查数据' }).click()
    await shown(page, '10 行中有 1 行需要修正')
    await page.getByRole('button', { name: '修正' }).click()
    await page.getByRole('dialog').last().getByLabel('类型', { exact: true }).fill('商业')
    await page.getByRole('button', { name: '保存并检查' }).click()
    await shown(page, '10 行全部检查通过')
    await page.getByRole('button', { name: '导入 10 行' }).click()
    await shown(page, '成功 10 条')
    await closeJob(page)
    await page.getByRole('dialog').first().waitFor({ state: 'hidden' })

    // Batch: all ten, selected by the filter, get other opening hours.
    await page.goto('/system/site?keyword=%E6%B5%81%E7%A8%8B%E7%AB%99%E7%82%B9&pageSize=10')
    await shown(page, '共 10 条')
    await page.getByLabel('选择本页全部').first().click()
    await page.getByRole('button', { name: '批量修改' }).click()
    await page.getByRole('dialog').getByLabel('营业时间').fill('06:00-23:00')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /修\s*改/ })
      .click()
    await shown(page, '成功 10 条，失败 0 条')
    await closeJob(page)
    const changed = await sql<{ n: number }>(
      "select count(*)::int as n from site where name like '流程站点%' and open_hours = '06:00-23:00'",
    )
    expect(changed[0]?.n).toBe(10)

    // Export: the filtered list, fetched from download management.
    await page.getByRole('button', { name: '导出' }).click()
    await shown(page, '导出任务已提交')
    await page.goto('/system/download')
    const row = page.getByRole('row', { name: /站点列表/ }).first()
    await row.getByText('已完成').waitFor()
    const [file] = await Promise.all([page.waitForEvent('download'), row.getByRole('button', { name: '下载' }).click()])
    expect(file.suggestedFilename()).toMatch(/^站点列表_\d+\.xlsx$/)
    const sheet = (await readExcel(await file.path())) as unknown as ({ data?: unknown[][] } | unknown[])[]
    const [first] = sheet
    const lines = (first !== undefined && 'data' in first ? first.data : sheet) as unknown[][]
    expect(lines).toHaveLength(11)
    expect(lines.flat()).toContain('流程站点4')
    expect(errors).toEqual([])
  })
})

describe('a masked phone', () => {
  it('is shown for a reason, which is in the log', async () => {
    const { page } = await open(browser, { token })
    await page.goto('/system/site?keyword=%E7%BF%A0%E6%B9%96%E8%8A%B1%E5%9B%AD')
    await shown(page, /共 \d+ 条/)
    const [siteRow] = await sql<{ phone: string }>("select phone from site where name = '翠湖花园一期'")
    expect(await page.getByText(siteRow?.phone ?? '?').count()).toBe(0)
    await page.getByRole('button', { name: '查看电话明文' }).first().click()
    await page.getByRole('dialog').getByLabel('查看原因').click()
    await page.getByTitle('联系客户').click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /查\s*看/ })
      .click()
    await shown(page, siteRow?.phone ?? '?')
    await page.getByRole('button', { name: '隐藏电话' }).click()
    expect(await page.getByText(siteRow?.phone ?? '?').count()).toBe(0)
    const logged = await sql("select from audit_log where module = '敏感信息' and content like '%联系客户%'")
    expect(logged).toHaveLength(1)
  })
})
