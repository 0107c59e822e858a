import { Zip } from '../../../../kit/bulk/sheets/zip-reader.ts'
import type { BillLine } from '../../provider.ts'
import { fenOf, ofChinaTime } from '../../wire-values.ts'

const title = '#支付宝业务明细查询'
const kinds: Record<string, BillLine['kind']> = { 交易: 'payment', 退款: 'refund' }

/**
 * The archive contains the bill and its summary. Contents and file names are in GBK, so the bill is recognised by its
 * first line. Undefined if it cannot be read completely: half a bill would look like missing payments.
 */
export async function readAlipayBill(bytes: Buffer): Promise<BillLine[] | undefined> {
  try {
    const zip = new Zip(bytes)
    for (const name of zip.names()) {
      const text = new TextDecoder('gbk', { fatal: true }).decode(await whole(zip.unpack(name)))
      if (text.startsWith(title)) return readText(text)
    }
    return undefined
  } catch {
    return undefined
  }
}

async function whole(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of source) pieces.push(piece)
  return Buffer.concat(pieces)
}

function readText(text: string): BillLine[] | undefined {
  const rows = text.split(/\r?\n/)
  const [head = '', ...details] = rows.filter((row) => row !== '' && !row.startsWith('#'))
  const columns = head.split(',')
  const lines = details.map((row) => readLine(columns, row))
  const validLines = lines.filter((line) => line !== undefined)
  const counts = (['payment', 'refund'] as const).every((kind) => isCounted(rows, validLines, kind))
  return validLines.length === lines.length && counts ? validLines : undefined
}

/** In the file, amounts of refunds and fees of payments are negative. */
function readLine(columns: readonly string[], row: string): BillLine | undefined {
  const values = row.split(',')
  const value = (name: string) => values[columns.indexOf(name)]?.trim() ?? ''
  const kind = kinds[value('业务类型')]
  const at = ofChinaTime(value('完成时间'))
  const [fen, fee] = [fenOf(value('订单金额（元）')), fenOf(value('服务费（元）'))]
  if (values.length !== columns.length || kind === undefined || at === undefined) return undefined
  if (fen === undefined || fee === undefined) return undefined
  return {
    kind,
    payNo: value('商户订单号'),
    refundNo: kind === 'refund' ? value('退款批次号/请求号') : undefined,
    transactionId: value('支付宝交易号'),
    fen: fen < 0n ? -fen : fen,
    feeFen: -fee,
    at,
  }
}

/** Compares the number of lines with the total in the footer. */
function isCounted(rows: readonly string[], lines: readonly BillLine[], kind: BillLine['kind']): boolean {
  const word = kind === 'payment' ? '交易' : '退款'
  const statedCount = rows
    .map((row) => new RegExp(`^#${word}合计：(\\d+)笔`).exec(row)?.[1])
    .find((count) => count !== undefined)
  return statedCount === undefined || Number(statedCount) === lines.filter((line) => line.kind === kind).length
}
