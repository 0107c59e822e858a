import { type EChartsType, init } from 'echarts/core'
import { type RefObject, useEffect, useRef } from 'react'
import { type Colours, coloursNow } from './use-chart.ts'

/** A chart that is redrawn when `optionOf` is another function, or when its size or the theme changes. */
export function useDrawing(
  optionOf: (colours: Colours, widthPx: number) => Record<string, unknown>,
): RefObject<HTMLDivElement | null> {
  const box = useRef<HTMLDivElement>(null)
  const chart = useRef<EChartsType>(undefined)
  const draw = useRef<() => void>(() => undefined)
  useEffect(() => {
    if (box.current === null) return undefined
    const instance = init(box.current)
    chart.current = instance
    const sizes = new ResizeObserver(() => {
      instance.resize()
      draw.current()
    })
    sizes.observe(box.current)
    const themes = new MutationObserver(() => draw.current())
    themes.observe(document.documentElement, { attributes: true })
    return () => {
      sizes.disconnect()
      themes.disconnect()
      instance.dispose()
    }
  }, [])
  useEffect(() => {
    draw.current = () => chart.current?.setOption(optionOf(coloursNow(), chart.current.getWidth()), { notMerge: true })
    draw.current()
  }, [optionOf])
  return box
}
