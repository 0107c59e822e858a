import type { EChartsCoreOption, EChartsType } from 'echarts/core'
import { init } from 'echarts/core'
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { useScale } from './WallboardStage.tsx'

export type WallboardColours = ReturnType<typeof coloursOf>
/** Canvas knows no custom properties: they are read where the chart stands, because a wallboard has other colours than a page. */
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
    /** In pixels of the drawing, which a stage enlarges with everything else. */
    font: Number.parseFloat(style.fontSize),
    width: box.clientWidth,
  }
}

type OptionOf = (colours: WallboardColours) => EChartsCoreOption
type Made = { box: RefObject<HTMLDivElement | null>; chart: RefObject<EChartsType | undefined> }

function paint(box: HTMLElement | null, chart: EChartsType | undefined, optionOf: OptionOf): void {
  if (box) chart?.setOption(optionOf(coloursOf(box)), { lazyUpdate: true })
}

/**
 * One chart for as long as it is shown: new figures go into it, it is not made anew. On a stage it is drawn with as many
 * pixels as the wallboard has. `optionOf` must be the same function as long as the figures are the same.
 */
export function useWallboardChart(optionOf: OptionOf): Made {
  const box = useRef<HTMLDivElement>(null)
  const chart = useRef<EChartsType>(undefined)
  // A canvas of the largest wallboards need not be finer than the eye; steps keep a resized window from making it anew each time.
  const ratio = Math.min(4, Math.max(1, Math.ceil(useScale() * globalThis.devicePixelRatio * 4) / 4))
  const repaint = useEffectEvent(() => paint(box.current, chart.current, optionOf))
  useEffect(() => {
    if (box.current === null) return undefined
    const made = init(box.current, null, { devicePixelRatio: ratio })
    chart.current = made
    repaint()
    const sizes = new ResizeObserver(() => {
      made.resize()
      repaint()
    })
    sizes.observe(box.current)
    const themes = new MutationObserver(() => repaint())
    themes.observe(document.documentElement, { attributes: true })
    return () => {
      sizes.disconnect()
      themes.disconnect()
      made.dispose()
      chart.current = undefined
    }
  }, [ratio])
  useEffect(() => paint(box.current, chart.current, optionOf), [optionOf])
  return { box, chart }
}
