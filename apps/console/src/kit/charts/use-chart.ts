import { type EChartsType, init } from 'echarts/core'
import { type RefObject, useEffect, useRef } from 'react'

export type Colours = ReturnType<typeof coloursNow>
/** A canvas cannot resolve CSS custom properties, so they are read at each paint. */
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

/** A chart in the width of its box and the colours of the theme. `frameOf` must be a stable function. */
export function useChart(frameOf: (colours: Colours) => Record<string, unknown>): {
  box: RefObject<HTMLDivElement | null>
  chart: RefObject<EChartsType | undefined>
} {
  const box = useRef<HTMLDivElement>(null)
  const chart = useRef<EChartsType>(undefined)
  useEffect(() => {
    if (box.current === null) return undefined
    const instance = init(box.current)
    chart.current = instance
    const paint = () => instance.setOption(frameOf(coloursNow()))
    paint()
    const sizes = new ResizeObserver(() => instance.resize())
    sizes.observe(box.current)
    const themes = new MutationObserver(paint)
    themes.observe(document.documentElement, { attributes: true })
    return () => {
      sizes.disconnect()
      themes.disconnect()
      instance.dispose()
    }
  }, [frameOf])
  return { box, chart }
}
