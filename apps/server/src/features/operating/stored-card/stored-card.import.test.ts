import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { storedCard } from '@wattdeck/contract/operating/stored-card.ts'
import { batch, batchItemStatus } from '@wattdeck/contract/system/batch.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeCard } from '../../../../test/fixtures/cards.ts'
import { startApi } from '../../../../test/harness/api.ts'
import { makeFixture } from '../../../../test/harness/people.ts'
import { startWorkerProcess } from '../../../../test/harness/process.ts'
import { until } from '../../../../test/harness/until.ts'
import { writeXlsx } from '../../../kit/bulk/sheets/write-xlsx.ts'

const api = await startApi()
const { green, swift } = await makeFixture(api)
const { token } = green.admin
let worker: Awaited<ReturnType<typeof startWorkerProcess>>
beforeAll(async () => {
  worker = await startWorkerProcess(api.config)
})
afterAll(() => worker.stop())

async function sheetOf(rows: string[][]): Promise<Blob> {
  async function* each() {
    for (const row of rows) yield row
  }
  const through = new PassThrough()
  const [bytes] = await Promise.all([buffer(through), writeXlsx(['卡号', '物理卡号'], each(), through)])
  return new Blob([new Uint8Array(bytes)])
}

it('puts the cards of a sheet into the stock, and refuses both numbers twice', async () => {
  const known = await makeCard(api, { organiseId: green.id })
  const foreign = await makeCard(api, { organiseId: swift.id })
  const rows = [
    ['66000001', 'AA00BB01'],
    ['66000002', '00AA00BB01'],
    ['66000001', 'AA00BB03'],
    [known.cardNo, 'AA00BB04'],
    ['66000005', known.chip],
    ['66', 'AA00BB06'],
    // Of another organisation.
    [foreign.cardNo, foreign.chip],
  ]
  const { data: sheet } = await api.call(token, storedCard.importSheet, { file: await sheetOf(rows) } as never)
  const mapping = Object.entries(sheet.mapping)
    .map(([key, place]) => `${key}:${place}`)
    .join(',')
  const checked = await api.call(token, batch.mapColumns, { body: { id: sheet.jobId, mapping } as never })
  expect(checked.data).toMatchObject({ total: 7, failed: 5 })
  const { data } = await api.call(token, batch.items, {
    params: { id: sheet.jobId },
    query: { status: batchItemStatus.code.failed, pageSize: 100 },
  })
  expect(data.rows.map(({ reason }) => reason)).toEqual([
    '物理卡号在表格中重复',
    '卡号在表格中重复',
    '卡号已存在',
    '物理卡号已存在',
    '卡号：卡号须为4到20位数字',
  ])
  expect((await api.call(token, batch.commit, { body: { id: sheet.jobId } as never })).status).toBe(200)
  const stock = await until(async () => {
    const found = await api.sql<{ no: string; chip: string }>(
      'select card_no as no, chip_no as chip from stored_card where organise_id = $1 and in_stock order by 1',
      [green.id],
    )
    return found.length === 2 ? found : undefined
  })
  expect(stock).toContainEqual({ no: '66000001', chip: 'aa00bb01' })
  const steps = await api.sql('select from card_step where kind = 1 and organise_id = $1', [green.id])
  expect(steps).toHaveLength(2)
})
