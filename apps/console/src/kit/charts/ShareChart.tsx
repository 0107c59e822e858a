import { PieChart } from 'echarts/charts'
import { LegendComponent, TooltipComponent } from 'echarts/components'
import { use } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import { useCallback } from 'react'
import type { Colours } from './use-chart.ts'
import { useDrawing } from './use-drawing.ts'
import './charts.css'

use([PieChart, LegendComponent, TooltipComponent, CanvasRenderer])

type Props = { label: string; unit: string; rows: readonly { name: string; value: number }[] }

/** Ring chart of shares. Large: load it with `lazyPart`. */
export function ShareChart({ label, unit, rows }: Props) {
  const optionOf = useCallback(
    ({ run, ok, warn, book, link, bad, off, text, surface }: Colours) => ({
      animation: false,
      color: [run, ok, warn, book, link, bad, off],
      tooltip: {
        trigger: 'item',
        renderMode: 'richText',
        confine: true,
        formatter: ({ name, value, percent }: { name: string; value: number; percent: number }) =>
          `${name}\n${value.toLocaleString('zh-CN')} ${unit}（${percent}%）`,
      },
      legend: { bottom: 0, type: 'scroll', textStyle: { color: text } },
      series: [
        {
          type: 'pie',
          radius: ['45%', '70%'],
          center: ['50%', '44%'],
          data: rows,
          itemStyle: { borderColor: surface, borderWidth: 2 },
          label: { color: text, formatter: '{d}%' },
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
