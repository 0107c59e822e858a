import type { Filter } from './filters.ts'

const gap = 8
const widths = { text: 160, select: 140, dates: 244, region: 160, part: 160, owner: 288 }
/** 查询 and 重置, and what the bar leaves empty on both sides. */
const buttonsWidth = 198
/** 展开. */
const unfoldWidth = 74

/** How many filters of a list stand in one row of this width; the others are shown when they are asked for. */
export function filtersInRow<Q>(filters: readonly Filter<Q>[], width: number): number {
  const all = filters.reduce((sum, { kind }) => sum + widths[kind] + gap, 0)
  if (all <= width - buttonsWidth) return filters.length
  let room = width - buttonsWidth - unfoldWidth
  const fit = filters.findIndex(({ kind }) => (room -= widths[kind] + gap) < 0)
  return fit === -1 ? filters.length : Math.max(1, fit)
}
