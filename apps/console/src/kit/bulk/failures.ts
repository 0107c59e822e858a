import { batch, type BatchItem, batchItemStatus, type ImportColumn } from '@wattdeck/contract/system/batch.ts'
import { neutralText } from '@wattdeck/domain/sheet-text.ts'
import { call } from '../api/api.ts'
import { saveBlob } from '../api/save-file.ts'

const quoted = (text: string) => `"${neutralText(text).replaceAll('"', '""')}"`

/** Rows of text as a file that a spreadsheet opens. */
export const csvOf = (rows: readonly (readonly string[])[]) =>
  `\uFEFF${rows.map((row) => row.map(quoted).join(',')).join('\r\n')}\r\n`

/** One line for each failed row: its number, its values as far as the user may see them, and the reason. */
export function failureRows(items: readonly BatchItem[], columns: readonly ImportColumn[]): string[][] {
  const head = ['行号', '名称', ...columns.map((column) => column.title), '失败原因']
  return [
    head,
    ...items.map(({ id, label, values, reason }) => [
      id,
      label,
      ...columns.map((column) => values?.[column.key] ?? ''),
      reason ?? '',
    ]),
  ]
}

/** Reads all failed rows of a job, page by page, and saves them. */
export async function saveFailures(jobId: string, title: string, columns: readonly ImportColumn[] = []) {
  const items: BatchItem[] = []
  for (let pageNum = 1; ; pageNum++) {
    const query = { status: batchItemStatus.code.failed, pageNum, pageSize: 500 }
    const { data } = await call(batch.items, { params: { id: jobId }, query })
    items.push(...data.rows)
    if (data.rows.length < 500) break
  }
  saveBlob(new Blob([csvOf(failureRows(items, columns))], { type: 'text/csv' }), `${title}_失败明细.csv`)
}
