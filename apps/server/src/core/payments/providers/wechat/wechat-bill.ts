import type { BillLine } from '../../provider.ts'
import { fenOf, ofChinaTime } from '../../wire-values.ts'

type Row = (name: string) => string

/**
 * A bill of trades: a head, a line for each payment and refund with a backtick before each value, then a head of totals
 * and one line of them. Columns are found by name, as their order is not promised. Undefined where a line cannot be read
 * or the lines do not make the totals: half a bill would look like missing payments.
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
  const known = lines.filter((line) => line !== undefined)
  if (known.length !== lines.length) return undefined
  return agrees(known, rowOf(totalsHead.split(','), totals)) ? known : undefined
}

/** Parted at comma and backtick together: a title may hold a comma. */
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
