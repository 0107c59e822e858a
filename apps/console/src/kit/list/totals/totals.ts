import type { Totals } from '@wattdeck/contract/kit/page.ts'
import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'

/** One sum of the toolbar; the key 'count' is the number of rows, any other a sum that the route returns. */
export type TotalItem = { key: string; label: string; unit?: string }
export type ListTotalsParams = { route: AnyRoute; items: readonly TotalItem[] }

/** Groups the thousands of a decimal text. It never becomes a number, because a sum may exceed its range. */
export const grouped = (text: string) => text.replace(/\d+/, (whole) => whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ','))

/** ¥ precedes an amount, every other unit follows it. */
function valueText(value: string | undefined, unit: string | undefined): string {
  if (value === undefined) return '–'
  if (unit === '¥') return `¥${grouped(value)}`
  return unit === undefined ? grouped(value) : `${grouped(value)} ${unit}`
}

/** 合计：站点 1,234 · 车位 5,678 */
export const totalsText = (items: readonly TotalItem[], { count, sums }: Totals) =>
  `合计：${items
    .map(({ key, label, unit }) => `${label} ${valueText(key === 'count' ? String(count) : sums[key], unit)}`)
    .join(' · ')}`
