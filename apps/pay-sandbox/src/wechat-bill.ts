import type { BillLine } from './bills.ts'
import type { Merchant } from './merchants.ts'

const columns =
  '交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注'
const totalColumns = '总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额'

const yuan = (fen: number) => (fen / 100).toFixed(2)
const china = (at: Date) => new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
const ticked = (values: readonly (string | number)[]) => values.map((value) => `\`${value}`).join(',')
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

function detail(line: BillLine, merchant: Merchant): string {
  const refund = line.kind === 'refund'
  const [paid, back] = refund ? [0, line.fen] : [line.fen, 0]
  return ticked([
    china(line.at),
    line.appId,
    merchant.merchantNo,
    merchant.subMerchantNo ?? '0',
    '',
    line.transactionId,
    line.payNo,
    line.payer,
    'NATIVE',
    refund ? 'REFUND' : 'SUCCESS',
    'OTHERS',
    'CNY',
    yuan(paid),
    '0.00',
    line.refundId ?? '0',
    line.refundNo ?? '0',
    yuan(back),
    '0.00',
    refund ? 'ORIGINAL' : '',
    refund ? 'SUCCESS' : '',
    line.title,
    '',
    (line.feeFen / 100).toFixed(5),
    `${(merchant.rateE4 / 100).toFixed(2)}%`,
    yuan(paid),
    yuan(back),
    '',
  ])
}

export function wechatBill(lines: readonly BillLine[], merchant: Merchant): string {
  const of = (kind: BillLine['kind']) => yuan(sum(lines.filter((line) => line.kind === kind).map(({ fen }) => fen)))
  const fees = (sum(lines.map(({ feeFen }) => feeFen)) / 100).toFixed(5)
  const totals = [lines.length, of('payment'), of('refund'), '0.00', fees, of('payment'), of('refund')]
  const rows = [columns, ...lines.map((line) => detail(line, merchant)), totalColumns, ticked(totals)]
  return `\uFEFF${rows.join('\r\n')}\r\n`
}
