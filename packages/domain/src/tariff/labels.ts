import { yuanText } from '../money.ts'
import type { BenefitKind, Exact, FunderKind } from './bill.ts'
import type { Period, TariffRules } from './rules.ts'

/** Tariff figures as text. Decimals are built from bigint, never from a floating-point number. */

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

export const benefitText: Readonly<Record<BenefitKind, string>> = { pass: '包月', price: '会员价', coupon: '优惠券' }
export const funderText: Readonly<Record<FunderKind, string>> = {
  platform: '平台',
  organise: '机构',
  agent: '代理商',
  site: '站点',
  pass: '包月费',
}

/** 小时 for sixty minutes, otherwise the minutes. */
export const unitText = (minutes: number) => (minutes === 60 ? '小时' : `${minutes}分钟`)

/** The decimal text of value / 10^scale: at least two decimals, no other trailing zeros. */
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
  const nonZero = parts.filter(([count]) => count > 0)
  return nonZero.length === 0 ? '0分' : nonZero.map(([count, unit]) => `${count}${unit}`).join('')
}

const exactDecimals = 9
/** The text of an unrounded amount in yuan: all decimals, or 约 and six decimals when it does not terminate. */
export function exactText({ parts, perFen }: Exact): string {
  const [scaled, divisor] = [parts * 10n ** BigInt(exactDecimals), perFen * 100n]
  if (scaled % divisor === 0n) return decimalText(scaled / divisor, exactDecimals)
  return `约${decimalText((parts * 2_000_000n + divisor) / (2n * divisor), 6)}`
}
