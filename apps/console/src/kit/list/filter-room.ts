import { useLayoutEffect, useRef, useState } from 'react'
import type { Filter } from './filters.ts'

const gap = 8
const widths = { text: 200, select: 168, dates: 264, region: 190, part: 190, owner: 344 }
/** 查询, 重置 and 展开, and what the bar leaves empty on both sides. */
const buttonsWidth = 272
/** So many may stand in two rows; of more, one row is shown until the others are asked for. */
const neverFolded = 5

/** How many filters of a long list stand in one row of this width. */
export function filtersInRow<Q>(filters: readonly Filter<Q>[], width: number): number {
  if (filters.length <= neverFolded) return filters.length
  let room = width - buttonsWidth
  const fit = filters.findIndex(({ kind }) => (room -= widths[kind] + gap) < 0)
  return fit === -1 ? filters.length : Math.max(1, fit)
}

/** The width of an element, as the window is resized. */
export function useWidth() {
  const ref = useRef<HTMLElement>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const measure = () => setWidth(ref.current?.clientWidth ?? 0)
    measure()
    const watch = new ResizeObserver(measure)
    if (ref.current) watch.observe(ref.current)
    return () => watch.disconnect()
  }, [])
  return { ref, width }
}
