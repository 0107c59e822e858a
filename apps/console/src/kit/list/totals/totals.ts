import type { Totals } from '@wattdeck/contract/kit/page.ts'
import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'

/** One sum of the toolbar; the key 'count' is the number of rows, any other a sum that the route answers. */
export type TotalItem = { key: string; label: string; unit?: string }
export type ListTotalsWish = { route: AnyRoute; items: readonly TotalItem[] }

/** Decimal text with its thousands apart. It is never made a number: a sum may be larger than one holds. */
export const grouped = (text: string) => text.replace(/\d+/, (whole) => whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ','))

/** ¥ stands before an amount, every other unit behind it. */
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
