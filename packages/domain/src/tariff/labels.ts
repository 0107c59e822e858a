import { yuanText } from '../money.ts'
import type { Exact } from './bill.ts'
import type { Period, TariffRules } from './rules.ts'

/** Figures of tariffs as people read them, without a number of JavaScript between. */

export const periodText: Readonly<Record<Period, string>> = {
  sharp: '尖',
  peak: '峰',
  flat: '平',
  valley: '谷',
  deepValley: '深谷',
}
export const billingText: Readonly<Record<TariffRules['billingType'], string>> = {
  0: '按电量',
  1: '按时间',
  2: '按功率',
}

/** 小时 for sixty minutes, else the minutes. */
export const unitText = (minutes: number) => (minutes === 60 ? '小时' : `${minutes}分钟`)

/** A whole number of 1/10^scale: two decimals at least, no other zero behind. */
function decimalText(value: bigint, scale: number): string {
  const digits = value.toString().padStart(scale + 1, '0')
  const [whole, decimals] = [digits.slice(0, -scale), digits.slice(-scale)]
  return `${whole}.${decimals.replace(/0+$/, '').padEnd(2, '0')}`
}

/** 105000 → '1.05'. */
export const priceText = (priceE5: number) => decimalText(BigInt(priceE5), 5)
/** 23333 → '2.3333'. */
export const energyText = (energyDwh: number) => decimalText(BigInt(energyDwh), 4)
export const feeText = (fen: number) => yuanText(BigInt(fen))
/** 0.1 W as W. */
export const wattText = (powerDw: number) =>
  `${Math.floor(powerDw / 10)}${powerDw % 10 === 0 ? '' : `.${powerDw % 10}`}`

/** 1320 → '22:00'. The end of the day is 24:00. */
export const clockText = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

/** 6000 → '1小时40分'. */
export function durationText(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 3600), '小时'],
    [Math.floor((seconds % 3600) / 60), '分'],
    [seconds % 60, '秒'],
  ] as const
  const said = parts.filter(([count]) => count > 0)
  return said.length === 0 ? '0分' : said.map(([count, unit]) => `${count}${unit}`).join('')
}

const exactDecimals = 9
/** Yuan of an amount that is not rounded: all its decimals, or 约 and six of them where it never ends. */
export function exactText({ parts, perFen }: Exact): string {
  const [scaled, divisor] = [parts * 10n ** BigInt(exactDecimals), perFen * 100n]
  if (scaled % divisor === 0n) return decimalText(scaled / divisor, exactDecimals)
  return `约${decimalText((parts * 2_000_000n + divisor) / (2n * divisor), 6)}`
}
