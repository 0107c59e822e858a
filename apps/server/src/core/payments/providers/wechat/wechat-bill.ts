import type { BillLine } from '../../provider.ts'
import { fenOf, ofChinaTime } from '../../wire-values.ts'

type Row = (name: string) => string

/**
 * Parses a trade bill: a header, one line per payment or refund with a backtick before each value, then a header of totals
 * and one line of totals. Columns are found by name, because their order is not guaranteed. Undefined if a line cannot be
 * read or the lines do not match the totals: half a bill would look like missing payments.
 */
export function readWechatBill(text: string): BillLine[] | undefined {
  const rows = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .filter((line) => line !== '')
  const [totals, totalsHead] = [rows.pop() ?? '', rows.pop() ?? '']
  const [head = '', ...details] = rows
  const columns = head.split(',')
  const lines = details.map((line) => readLine(rowOf(columns, line)))
  const validLines = lines.filter((line) => line !== undefined)
  if (validLines.length !== lines.length) return undefined
  return agrees(validLines, rowOf(totalsHead.split(','), totals)) ? validLines : undefined
}

/** Splits at comma plus backtick, because a title may contain a comma. */
function rowOf(columns: readonly string[], line: string): Row | undefined {
  const values = line.replace(/^`/, '').split(',`')
  if (values.length !== columns.length) return undefined
  return (name) => values[columns.indexOf(name)]?.trim() ?? ''
}

function readLine(row: Row | undefined): BillLine | undefined {
  const refund = row?.('交易状态') === 'REFUND'
  const at = ofChinaTime(row?.('交易时间') ?? '')
  const fen = fenOf(row?.(refund ? '申请退款金额' : '订单金额') ?? '')
  const feeFen = fenOf(row?.('手续费') ?? '')
  if (row === undefined || at === undefined || fen === undefined || feeFen === undefined) return undefined
  return {
    kind: refund ? 'refund' : 'payment',
    payNo: row('商户订单号'),
    refundNo: refund ? row('商户退款单号') : undefined,
    transactionId: row('微信订单号'),
    fen,
    feeFen,
    at,
  }
}

const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n)

function agrees(lines: readonly BillLine[], totals: Row | undefined): boolean {
  if (totals === undefined) return false
  const of = (kind: BillLine['kind']) => sum(lines.filter((line) => line.kind === kind).map(({ fen }) => fen))
  return (
    totals('总交易单数') === String(lines.length) &&
    fenOf(totals('订单总金额')) === of('payment') &&
    fenOf(totals('申请退款总金额')) === of('refund') &&
    fenOf(totals('手续费总金额')) === sum(lines.map(({ feeFen }) => feeFen))
  )
}
