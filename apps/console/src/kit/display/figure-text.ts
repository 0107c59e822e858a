import { type Figure, figureName, type FigureName } from '@wattdeck/contract/dashboard/work-table.ts'
import { statSpan } from '@wattdeck/contract/order/statistics.ts'

/** Figures are compared in hundredths as bigint, so that money is never a number. */
type Unit = { before: string; after: string; decimals: 0 | 2; hundredths: (wire: string) => bigint }
const fen = (wire: string) => BigInt(wire.replace('.', ''))
const count: Unit = { before: '', after: '', decimals: 0, hundredths: (wire) => BigInt(wire) * 100n }
const yuan: Unit = { before: '¥', after: '', decimals: 2, hundredths: fen }
/** 1/10000 kWh on the wire; rounded half up. */
const kwh: Unit = { before: '', after: 'kWh', decimals: 2, hundredths: (wire) => (BigInt(wire) + 50n) / 100n }

export const unitOf: Readonly<Record<FigureName, Unit>> = {
  revenue: yuan,
  orders: count,
  energy: kwh,
  members: count,
  online: count,
  faults: count,
  income: yuan,
  recharges: yuan,
  installs: count,
  tickets: count,
}

/** The definition of a figure whose name is ambiguous. */
export const figureHelp: Partial<Readonly<Record<FigureName, string>>> = {
  revenue: '账单中的电费、服务费与占位费之和，含赠送抵扣，未减去退款；与订单统计、数据分析和大屏的「营收」相同',
  income:
    '自启用以来站点电费、服务费、占位费收入的合计，已减去退款；含赠送金抵扣的部分，未扣除渠道手续费，不是可提现金额',
}

const grouped = (digits: string) => digits.replaceAll(/\B(?=(\d{3})+$)/g, ',')
function decimalText(hundredths: bigint, decimals: 0 | 2): string {
  const sign = hundredths < 0n ? '-' : ''
  const digits = (hundredths < 0n ? -hundredths : hundredths).toString().padStart(3, '0')
  return `${sign}${grouped(digits.slice(0, -2))}${decimals === 0 ? '' : `.${digits.slice(-2)}`}`
}

const scales = [
  { from: 10_000_000_000n, by: 100_000_000n, word: '亿' },
  { from: 100_000_000n, by: 10_000n, word: '万' },
]

/** The exact value with its unit. */
export const exactText = ({ before, after, decimals, hundredths }: Unit, wire: string) =>
  `${before}${decimalText(hundredths(wire), decimals)}${after === '' ? '' : ` ${after}`}`

/** Shortened for a card: from a million on in 万, from a hundred million on in 亿. */
export function shortText({ before, decimals, hundredths }: Unit, wire: string): { digits: string; scale: string } {
  const value = hundredths(wire)
  const size = value < 0n ? -value : value
  const scale = scales.find(({ from }) => size >= from)
  if (scale === undefined) return { digits: before + decimalText(value, decimals), scale: '' }
  const rounded = (size + scale.by / 2n) / scale.by
  return { digits: before + decimalText(value < 0n ? -rounded : rounded, 2), scale: scale.word }
}

const isSpanned = new Set<FigureName>(['revenue', 'orders', 'energy', 'members', 'recharges'])

/** Whether a figure counts a day or month. */
export const hasPeriod = (name: string): boolean => (isSpanned as ReadonlySet<string>).has(name)

/** 今日营收, 本月营收, 在线设备. */
export function figureTitle(name: FigureName, span: number | undefined): string {
  const { label } = figureName.show(name)
  if (!isSpanned.has(name)) return label
  return `${span === statSpan.code.month ? '本月' : '今日'}${label}`
}

type Change = { text: string; tone: 'bad' | 'ok' | 'off' }
/** Up is red and down is green, as is usual in China. Undefined if the previous value is not positive. */
export function changeOf(unit: Unit, { now, before }: NonNullable<Figure['compared']>): Change | undefined {
  const [is, was] = [unit.hundredths(now), unit.hundredths(before)]
  if (was <= 0n) return undefined
  const tenths = Number(((is - was) * 1000n) / was)
  if (tenths === 0) return { text: '持平', tone: 'off' }
  return { text: `${tenths > 0 ? '↑' : '↓'} ${(Math.abs(tenths) / 10).toFixed(1)}%`, tone: tenths > 0 ? 'bad' : 'ok' }
}

/** Both values of the percentage, each with the time up to which it counts. */
export function comparedLines(
  unit: Unit,
  { upto, now, before }: NonNullable<Figure['compared']>,
  span: number | undefined,
): [now: string, before: string] {
  const [thisOne, lastOne] = span === statSpan.code.month ? ['本月', '上月'] : ['今日', '昨日']
  const until = upto.slice(11, 16)
  return [`${thisOne}截至 ${until} ${exactText(unit, now)}`, `${lastOne}截至 ${until} ${exactText(unit, before)}`]
}
