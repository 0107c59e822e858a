import type { EChartsCoreOption, EChartsType } from 'echarts/core'
import { init } from 'echarts/core'
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { useScale } from './WallboardStage.tsx'

export type WallboardColours = ReturnType<typeof coloursOf>
/**
 * A canvas does not support custom properties. They are read at the chart, because a wallboard has other colours than a
 * page.
 */
function coloursOf(box: HTMLElement) {
  const style = getComputedStyle(box)
  const colour = (name: string) => style.getPropertyValue(`--wallboard-${name}`).trim()
  return {
    text: colour('text'),
    sub: colour('sub'),
    line: colour('line'),
    panel: colour('ground'),
    glow: colour('glow'),
    gold: colour('gold'),
    ok: colour('ok'),
    bad: colour('bad'),
    off: colour('off'),
    low: colour('map-low'),
    high: colour('map-high'),
    border: colour('map-line'),
    /** In pixels of the drawing, before the scaling of the stage. */
    font: Number.parseFloat(style.fontSize),
    width: box.clientWidth,
  }
}

type OptionOf = (colours: WallboardColours) => EChartsCoreOption
type ChartRefs = { box: RefObject<HTMLDivElement | null>; chart: RefObject<EChartsType | undefined> }

function paint(box: HTMLElement | null, chart: EChartsType | undefined, optionOf: OptionOf): void {
  if (box) chart?.setOption(optionOf(coloursOf(box)), { lazyUpdate: true })
}

/**
 * One chart instance while mounted: new figures update it. On a stage it is rendered at the pixel density of the
 * screen. `optionOf` must be memoised by the figures.
 */
export function useWallboardChart(optionOf: OptionOf): ChartRefs {
  const box = useRef<HTMLDivElement>(null)
  const chart = useRef<EChartsType>(undefined)
  // Limits the canvas resolution; steps of a quarter avoid a new chart for every resize of the window.
  const ratio = Math.min(4, Math.max(1, Math.ceil(useScale() * globalThis.devicePixelRatio * 4) / 4))
  const repaint = useEffectEvent(() => paint(box.current, chart.current, optionOf))
  useEffect(() => {
    if (box.current === null) return undefined
    const instance = init(box.current, null, { devicePixelRatio: ratio })
    chart.current = instance
    repaint()
    const sizes = new ResizeObserver(() => {
      instance.resize()
      repaint()
    })
    sizes.observe(box.current)
    const themes = new MutationObserver(() => repaint())
    themes.observe(document.documentElement, { attributes: true })
    return () => {
      sizes.disconnect()
      themes.disconnect()
      instance.dispose()
      chart.current = undefined
    }
  }, [ratio])
  useEffect(() => paint(box.current, chart.current, optionOf), [optionOf])
  return { box, chart }
}
