import { BarChart, LineChart as Lines } from 'echarts/charts'
import { GridComponent, LegendComponent, TooltipComponent } from 'echarts/components'
import { use } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import { useCallback } from 'react'
import { amountText } from './amount-text.ts'
import type { Colours } from './use-chart.ts'
import { useDrawing } from './use-drawing.ts'
import './charts.css'

use([BarChart, Lines, GridComponent, TooltipComponent, LegendComponent, CanvasRenderer])

/** `thin` is a line for comparison. Bars of one chart are stacked. */
type Series = { name: string; kind: 'line' | 'thin' | 'bar'; values: readonly (number | null)[] }
type Props = {
  /** Accessible name of the chart. */
  label: string
  unit: string
  names: readonly string[]
  series: readonly Series[]
}

/** Lines and bars over the same categories, on one axis. Large: load it with `lazyPart`. */
export function SeriesChart({ label, unit, names, series }: Props) {
  const optionOf = useCallback(
    (colours: Colours) => ({
      ...frameOf(
        colours,
        unit,
        series.every(({ values }) => values.every((value) => Number.isInteger(value ?? 0))),
      ),
      xAxis: {
        type: 'category',
        data: names,
        axisLabel: { color: colours.text, hideOverlap: true },
        axisLine: { lineStyle: { color: colours.grid } },
        axisTick: { show: false },
      },
      legend: { top: 0, type: 'scroll', data: series.map(({ name }) => name), textStyle: { color: colours.text } },
      series: series.map((one, place) => seriesOf(one, place, colours)),
    }),
    [unit, names, series],
  )
  const box = useDrawing(optionOf)
  return (
    <figure className="chart" aria-label={label}>
      <div ref={box} className="card-chart" aria-hidden />
    </figure>
  )
}

const frameOf = ({ text, grid }: Colours, unit: string, counted: boolean) => ({
  animation: false,
  grid: { left: 8, right: 16, top: 48, bottom: 8, containLabel: true },
  // Drawn on the canvas, because the CSP of the page forbids writing markup.
  tooltip: {
    trigger: 'axis',
    renderMode: 'richText',
    confine: true,
    valueFormatter: (value: unknown) =>
      value === null || value === undefined ? '–' : `${amountText(Number(value), unit)} ${unit}`,
  },
  yAxis: {
    type: 'value',
    name: unit,
    // Counts are whole numbers.
    minInterval: counted ? 1 : 0,
    axisLabel: { color: text },
    nameTextStyle: { color: text },
    splitLine: { lineStyle: { color: grid } },
  },
})

function seriesOf({ name, kind, values }: Series, place: number, colours: Colours) {
  const colour = [colours.run, colours.warn, colours.link, colours.book][place % 4] ?? colours.run
  if (kind === 'bar')
    return { type: 'bar', name, data: values, stack: 'all', barMaxWidth: 28, itemStyle: { color: colour } }
  if (kind === 'thin')
    return {
      type: 'line',
      name,
      data: values,
      symbol: 'circle',
      showSymbol: false,
      lineStyle: { width: 1, type: 'dashed', color: colours.off },
      itemStyle: { color: colours.off },
    }
  return {
    type: 'line',
    name,
    data: values,
    // The default symbol is filled with white, also in the dark theme.
    symbol: 'circle',
    symbolSize: 5,
    showSymbol: values.length <= 62,
    lineStyle: { width: 2, color: colour },
    itemStyle: { color: colour },
    areaStyle: { color: colours.runFill, opacity: 0.6 },
  }
}
