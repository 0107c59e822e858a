import { BarChart, LineChart as Lines } from 'echarts/charts'
import { GridComponent, LegendComponent, TooltipComponent } from 'echarts/components'
import { use } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import { useEffect } from 'react'
import { type Colours, useChart } from './use-chart.ts'
import './charts.css'

use([BarChart, Lines, GridComponent, TooltipComponent, LegendComponent, CanvasRenderer])

/** A category of the axis, with the values of its bar and of the line. */
export type BarLinePoint = readonly [name: string, bar: number, line: number]
type Measure = { label: string; unit: string }
type Props = {
  /** Accessible name of the chart. */
  label: string
  bar: Measure
  line: Measure
  points: readonly BarLinePoint[]
}

/** Bars and a line over the same categories, each with its own axis. Large: load it with `lazyPart`. */
export function BarLineChart({ label, bar, line, points }: Props) {
  const { box, chart } = useChart(frameOf)

  useEffect(() => {
    const unitTooltip = (unit: string) => ({
      valueFormatter: (value: unknown) => `${Number(value).toLocaleString('zh-CN')} ${unit}`,
    })
    chart.current?.setOption({
      legend: { data: [bar.label, line.label] },
      xAxis: { data: points.map(([name]) => name) },
      yAxis: [{ name: bar.unit }, { name: line.unit }],
      series: [
        { name: bar.label, data: points.map(([, value]) => value), tooltip: unitTooltip(bar.unit) },
        { name: line.label, data: points.map(([, , value]) => value), tooltip: unitTooltip(line.unit) },
      ],
    })
  }, [chart, bar, line, points])

  return (
    <figure className="chart" aria-label={label}>
      <div ref={box} className="bar-line-chart" aria-hidden />
      {/* A table ignores a smaller height and would extend the page, so its wrapper is hidden. */}
      <div className="visually-hidden">
        <table>
          <caption>{label}</caption>
          <thead>
            <tr>
              <th scope="col">时间</th>
              {[bar, line].map((measure) => (
                <th key={measure.label} scope="col">
                  {`${measure.label}（${measure.unit}）`}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {points.map(([name, high, along]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{high}</td>
                <td>{along}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  )
}

const frameOf = ({ run, warn, text, grid }: Colours) => {
  const axis = { type: 'value', axisLabel: { color: text }, nameTextStyle: { color: text }, minInterval: 1 }
  return {
    animation: false,
    grid: { left: 12, right: 12, top: 56, bottom: 8, containLabel: true },
    // Drawn on the canvas, because the CSP of the page forbids writing markup.
    tooltip: { trigger: 'axis', renderMode: 'richText', axisPointer: { type: 'shadow' } },
    legend: { top: 0, textStyle: { color: text } },
    xAxis: {
      type: 'category',
      axisLabel: { color: text, hideOverlap: true },
      axisLine: { lineStyle: { color: grid } },
      axisTick: { show: false },
    },
    yAxis: [
      { ...axis, splitLine: { lineStyle: { color: grid } } },
      { ...axis, splitLine: { show: false } },
    ],
    series: [
      { type: 'bar', barMaxWidth: 28, itemStyle: { color: run, borderRadius: [3, 3, 0, 0] } },
      {
        type: 'line',
        yAxisIndex: 1,
        symbol: 'circle',
        symbolSize: 5,
        lineStyle: { width: 2, color: warn },
        itemStyle: { color: warn },
      },
    ],
  }
}
