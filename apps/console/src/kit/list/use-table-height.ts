import { type RefObject, useEffect, useState } from 'react'
import { usePrinting } from '../display/printing.ts'

const leastHeight = 320
const belowTable = 144
// On paper nothing scrolls, so a table shows all of its rows, 500 at most.
const paperHeight = 60_000

/** The height of a table that scrolls inside itself: down to the lower edge of the window, less header and pager. */
export function useTableHeight(ref: RefObject<HTMLElement | null>): number {
  const [height, setHeight] = useState(leastHeight)
  useEffect(() => {
    const measure = () => {
      const top = (ref.current?.getBoundingClientRect().top ?? 0) + globalThis.scrollY
      setHeight(Math.max(leastHeight, globalThis.innerHeight - top - belowTable))
    }
    measure()
    globalThis.addEventListener('resize', measure)
    return () => globalThis.removeEventListener('resize', measure)
  }, [ref])
  return usePrinting() ? paperHeight : height
}
