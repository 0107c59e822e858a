import type { BillLine } from './bills.ts'
import { toGbk } from './gbk.ts'
import type { Merchant } from './merchants.ts'
import { zipOf } from './zip.ts'

const columns =
  '支付宝交易号,商户订单号,业务类型,商品名称,创建时间,完成时间,门店编号,门店名称,操作员,终端号,对方账户,订单金额（元）,商家实收（元）,支付宝红包（元）,集分宝（元）,支付宝优惠（元）,商家优惠（元）,券核销金额（元）,券名称,商家红包消费金额（元）,卡消费金额（元）,退款批次号/请求号,服务费（元）,分润（元）,备注'

const yuan = (fen: number) => (fen / 100).toFixed(2)
const china = (at: Date) => new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')

/** Alipay's bill shows refunds and fees as negative amounts. */
function detail(line: BillLine): string {
  const refund = line.kind === 'refund'
  const amount = yuan(refund ? -line.fen : line.fen)
  const nothing = Array.from({ length: 5 }, () => '0.00')
  return [
    `${line.transactionId}\t`,
    `${line.payNo}\t`,
    refund ? '退款\t' : '交易\t',
    line.title,
    china(line.at),
    china(line.at),
    '\t',
    '\t',
    '\t',
    '\t',
    '*沙箱(san***@example.com)\t',
    amount,
    amount,
    ...nothing,
    '',
    '0.00\t',
    '0.00',
    `${line.refundNo ?? ''}\t`,
    yuan(-line.feeFen),
    '0.00',
    '',
  ].join(',')
}

function total(lines: readonly BillLine[], kind: BillLine['kind'], name: string): string {
  const mine = lines.filter((line) => line.kind === kind)
  const fen = mine.reduce((sum, line) => sum + (kind === 'refund' ? -line.fen : line.fen), 0)
  return `#${name}合计：${mine.length}笔，商家实收共${yuan(fen)}元，商家优惠共0.00元`
}

export function alipayBill(lines: readonly BillLine[], { merchantNo }: Merchant, day: string): Buffer {
  const [year, month, date] = day.split('-')
  const head = [
    '#支付宝业务明细查询',
    `#账号：[${merchantNo}0156]`,
    `#起始日期：[${year}年${month}月${date}日 00:00:00]   终止日期：[${year}年${month}月${date}日 24:00:00]`,
    '#-----------------------------------------业务明细列表----------------------------------------',
  ]
  const foot = [
    '#-----------------------------------------业务明细列表结束------------------------------------',
    total(lines, 'payment', '交易'),
    total(lines, 'refund', '退款'),
    `#导出时间：[${china(new Date())}]`,
  ]
  const details = [...head, columns, ...lines.map(detail), ...foot].join('\r\n')
  const name = `${merchantNo}0156_${day.replaceAll('-', '')}_业务明细`
  return zipOf([
    { name: toGbk(`${name}(汇总).csv`), bytes: toGbk('#支付宝业务汇总查询\r\n') },
    { name: toGbk(`${name}.csv`), bytes: toGbk(`${details}\r\n`) },
  ])
}
