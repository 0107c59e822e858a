import { LineChart as Lines } from 'echarts/charts'
import { DataZoomComponent, GridComponent, TooltipComponent } from 'echarts/components'
import { use } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import { useEffect } from 'react'
import { type Colours, useChart } from './use-chart.ts'
import './charts.css'

use([Lines, GridComponent, TooltipComponent, DataZoomComponent, CanvasRenderer])

/** Epoch milliseconds and the measured value. */
export type ChartPoint = readonly [atMs: number, value: number]
type Props = {
  /** Accessible name of the line. */
  label: string
  unit: string
  points: readonly ChartPoint[]
  /** First and last moment of the axis. */
  from: number
  to: number
}

/** One line over time. New points extend it in place and keep the zoom. Large: load it with `lazyPart`. */
export function LineChart({ label, unit, points, from, to }: Props) {
  const { box, chart } = useChart(frameOf)

  useEffect(() => {
    chart.current?.setOption({
      xAxis: { min: from, max: to },
      yAxis: { name: unit },
      tooltip: { valueFormatter: (value: unknown) => `${String(value)} ${unit}` },
      series: [{ name: label, data: points.map(([at, value]) => [at, value]) }],
    })
  }, [chart, label, unit, points, from, to])

  return (
    <figure className="chart" aria-label={`${label}：${summary(points, unit)}`}>
      <div ref={box} className="line-chart" aria-hidden />
    </figure>
  )
}

const summary = (points: readonly ChartPoint[], unit: string) => {
  const last = points.at(-1)
  if (last === undefined) return '没有数据'
  const most = points.reduce((top, [, value]) => Math.max(top, value), Number.NEGATIVE_INFINITY)
  return `共 ${points.length} 个点，最大 ${most} ${unit}，最近 ${last[1]} ${unit}`
}

const frameOf = ({ run, runFill, text, grid }: Colours) => ({
  animation: false,
  grid: { left: 56, right: 20, top: 36, bottom: 72 },
  // Drawn on the canvas, because the CSP of the page forbids writing markup.
  tooltip: { trigger: 'axis', renderMode: 'richText' },
  dataZoom: [{ type: 'inside' }, { type: 'slider', height: 22, bottom: 16, textStyle: { color: text } }],
  xAxis: {
    type: 'time',
    axisLabel: { color: text, hideOverlap: true },
    axisLine: { lineStyle: { color: grid } },
  },
  yAxis: {
    type: 'value',
    scale: true,
    axisLabel: { color: text },
    nameTextStyle: { color: text },
    splitLine: { lineStyle: { color: grid } },
  },
  series: [
    {
      type: 'line',
      showSymbol: false,
      lineStyle: { width: 2, color: run },
      itemStyle: { color: run },
      areaStyle: { color: runFill, opacity: 0.6 },
    },
  ],
})
