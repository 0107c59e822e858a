import { type EChartsType, init } from 'echarts/core'
import { type RefObject, useEffect, useRef } from 'react'

export type Colours = ReturnType<typeof coloursNow>
/** Canvas knows no custom properties: they are read when it is painted. */
export function coloursNow() {
  const style = getComputedStyle(document.documentElement)
  const colour = (name: string) => style.getPropertyValue(name).trim()
  return {
    run: colour('--run'),
    runFill: colour('--run-fill'),
    warn: colour('--warn'),
    ok: colour('--ok'),
    bad: colour('--bad'),
    book: colour('--book'),
    link: colour('--link'),
    off: colour('--off'),
    surface: colour('--surface'),
    text: colour('--text-2'),
    grid: colour('--line'),
  }
}

/** A chart in a box: as wide as the box, and in the colours of the theme. `frameOf` must be the same function each time. */
export function useChart(frameOf: (colours: Colours) => Record<string, unknown>): {
  box: RefObject<HTMLDivElement | null>
  chart: RefObject<EChartsType | undefined>
} {
  const box = useRef<HTMLDivElement>(null)
  const chart = useRef<EChartsType>(undefined)
  useEffect(() => {
    if (box.current === null) return undefined
    const made = init(box.current)
    chart.current = made
    const paint = () => made.setOption(frameOf(coloursNow()))
    paint()
    const sizes = new ResizeObserver(() => made.resize())
    sizes.observe(box.current)
    const themes = new MutationObserver(paint)
    themes.observe(document.documentElement, { attributes: true })
    return () => {
      sizes.disconnect()
      themes.disconnect()
      made.dispose()
    }
  }, [frameOf])
  return { box, chart }
}
