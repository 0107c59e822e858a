import { type Filter, levelsOf } from './filters.ts'

const gap = 8
const widths = { text: 160, select: 140, dates: 244, region: 160, part: 160 }
/** 查询 and 重置, and what the bar leaves empty on both sides. */
const buttonsWidth = 198
/** 展开. */
const unfoldWidth = 74

/** A site is chosen after what it belongs to, so no more than two of three levels stand there at first. */
function widthOf<Q>(filter: Filter<Q>): number {
  if (filter.kind !== 'owner') return widths[filter.kind]
  return Math.min(2, levelsOf(filter).length) * (widths.select + gap) - gap
}

/** How many filters of a list stand in one row of this width; the others are shown when they are asked for. */
export function filtersInRow<Q>(filters: readonly Filter<Q>[], width: number): number {
  const all = filters.reduce((sum, filter) => sum + widthOf(filter) + gap, 0)
  if (all <= width - buttonsWidth) return filters.length
  let room = width - buttonsWidth - unfoldWidth
  const fit = filters.findIndex((filter) => (room -= widthOf(filter) + gap) < 0)
  return fit === -1 ? filters.length : Math.max(1, fit)
}
