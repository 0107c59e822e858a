import { type Filter, levelsOf } from './filters.ts'

const gap = 8
const widths = { text: 160, select: 140, dates: 260, region: 160, part: 160 }
/** 查询 and 重置, and the padding of the bar on both sides. */
const buttonsWidth = 198
/** 展开. */
const unfoldWidth = 74

/** A site is selected after its owner, so at most two of three levels are shown at first. */
function widthOf<Q>(filter: Filter<Q>): number {
  if (filter.kind !== 'owner') return widths[filter.kind]
  return Math.min(2, levelsOf(filter).length) * (widths.select + gap) - gap
}

/** The number of filters that fit into one row of this width; 展开 shows the others. */
export function filtersInRow<Q>(filters: readonly Filter<Q>[], width: number): number {
  const all = filters.reduce((sum, filter) => sum + widthOf(filter) + gap, 0)
  if (all <= width - buttonsWidth) return filters.length
  let room = width - buttonsWidth - unfoldWidth
  const fit = filters.findIndex((filter) => (room -= widthOf(filter) + gap) < 0)
  return fit === -1 ? filters.length : Math.max(1, fit)
}
