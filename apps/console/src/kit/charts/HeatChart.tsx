import { HeatmapChart } from 'echarts/charts'
import { GridComponent, TooltipComponent, VisualMapComponent } from 'echarts/components'
import { use } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import { useCallback } from 'react'
import { amountText } from './amount-text.ts'
import type { Colours } from './use-chart.ts'
import { useDrawing } from './use-drawing.ts'
import './charts.css'

use([HeatmapChart, GridComponent, TooltipComponent, VisualMapComponent, CanvasRenderer])

type HeatPoint = readonly [column: number, row: number, value: number]
type Props = {
  label: string
  unit: string
  columns: readonly string[]
  rows: readonly string[]
  points: readonly HeatPoint[]
  /** Writes the values into the cells where there is room. */
  numbers?: boolean
}

/** Heat map: a darker cell has a higher value. Large: load it with `lazyPart`. */
export function HeatChart({ label, unit, columns, rows, points, numbers = false }: Props) {
  const optionOf = useCallback(
    ({ run, runFill, text, grid, surface }: Colours, widthPx: number) => {
      const most = points.reduce((top, [, , value]) => Math.max(top, value), 0)
      const axis = { type: 'category', axisLabel: { color: text }, axisTick: { show: false } }
      return {
        animation: false,
        grid: { left: 8, right: 16, top: 8, bottom: 44, containLabel: true },
        tooltip: {
          renderMode: 'richText',
          confine: true,
          formatter: ({ value: [column, row, value] }: { value: HeatPoint }) =>
            `${rows[row] ?? ''} ${columns[column] ?? ''}\n${amountText(value, unit)} ${unit}`,
        },
        xAxis: { ...axis, data: columns, axisLine: { lineStyle: { color: grid } } },
        yAxis: { ...axis, data: rows, inverse: true, axisLine: { lineStyle: { color: grid } } },
        visualMap: {
          min: 0,
          max: Math.max(most, 1),
          calculable: false,
          orient: 'horizontal',
          left: 'center',
          bottom: 0,
          itemHeight: 120,
          itemWidth: 10,
          inRange: { color: [runFill, run] },
          textStyle: { color: text },
          text: [`${amountText(most, unit)} ${unit}`, '0'],
        },
        series: [
          {
            type: 'heatmap',
            // A number on a dark cell has the colour of the surface.
            data: points.map((value) => ({ value, label: { color: value[2] > most / 2 ? surface : text } })),
            itemStyle: { borderColor: surface, borderWidth: 1 },
            label: {
              show: numbers && widthPx > 480,
              formatter: ({ value: [, , value] }: { value: HeatPoint }) => String(value),
            },
          },
        ],
      }
    },
    [unit, columns, rows, points, numbers],
  )
  const box = useDrawing(optionOf)
  return (
    <figure className="chart" aria-label={label}>
      <div ref={box} className="card-chart" aria-hidden />
    </figure>
  )
}
