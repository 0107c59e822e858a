import { BarChart } from 'echarts/charts'
import { GridComponent, TooltipComponent } from 'echarts/components'
import { use } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import { useCallback } from 'react'
import { amountText } from './amount-text.ts'
import type { Colours } from './use-chart.ts'
import { useDrawing } from './use-drawing.ts'
import './charts.css'

use([BarChart, GridComponent, TooltipComponent, CanvasRenderer])

type Ranked = { name: string; value: number }
type Props = { label: string; unit: string; rows: readonly Ranked[] }

/** Horizontal bars with their values, in the order of the rows. Large: load it with `lazyPart`. */
export function RankChart({ label, unit, rows }: Props) {
  const optionOf = useCallback(
    ({ run, text, grid }: Colours, widthPx: number) => ({
      animation: false,
      grid: { left: 8, right: 72, top: 8, bottom: 8, containLabel: true },
      tooltip: {
        trigger: 'item',
        renderMode: 'richText',
        confine: true,
        valueFormatter: (value: unknown) => `${amountText(Number(value), unit)} ${unit}`,
      },
      xAxis: { type: 'value', axisLabel: { show: false }, splitLine: { lineStyle: { color: grid } } },
      yAxis: {
        type: 'category',
        inverse: true,
        data: rows.map(({ name }, place) => `${place + 1}. ${name}`),
        axisLabel: { color: text, width: Math.min(180, widthPx * 0.4), overflow: 'truncate' },
        axisLine: { lineStyle: { color: grid } },
        axisTick: { show: false },
      },
      series: [
        {
          type: 'bar',
          data: rows.map(({ value }) => value),
          barMaxWidth: 18,
          itemStyle: { color: run, borderRadius: [0, 3, 3, 0] },
          label: {
            show: true,
            position: 'right',
            color: text,
            formatter: ({ value }: { value: number }) => amountText(value, unit),
          },
        },
      ],
    }),
    [unit, rows],
  )
  const box = useDrawing(optionOf)
  return (
    <figure className="chart" aria-label={label}>
      <div ref={box} className="card-chart" aria-hidden />
    </figure>
  )
}
