import { BarChart, LineChart, PieChart } from 'echarts/charts'
import { GridComponent, LegendComponent, TooltipComponent } from 'echarts/components'
import { use } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import { useCallback } from 'react'
import { shortText } from './number-text.ts'
import { useWallboardChart, type WallboardColours } from './use-wallboard-chart.ts'

use([BarChart, LineChart, PieChart, GridComponent, TooltipComponent, LegendComponent, CanvasRenderer])

export type TrendSeries = { name: string; unit: string; kind: 'line' | 'bar'; values: readonly (number | null)[] }
type TrendProps = { label: string; names: readonly string[]; series: readonly TrendSeries[] }

/** Lines and bars over time. Load it by `lazyPart` because of its bundle size. */
export function TrendChart({ label, names, series }: TrendProps) {
  const optionOf = useCallback((colours: WallboardColours) => trendOption(colours, names, series), [names, series])
  const { box } = useWallboardChart(optionOf)
  return (
    <figure className="wallboard-chart" aria-label={`${label}：${series.map(summary).join('；')}`}>
      <div ref={box} aria-hidden />
    </figure>
  )
}

const summary = ({ name, unit, values }: TrendSeries) =>
  `${name}合计 ${shortText(values.reduce<number>((sum, value) => sum + (value ?? 0), 0))} ${unit}`

function trendOption(
  { text, sub, line, glow, gold, font }: WallboardColours,
  names: readonly string[],
  series: readonly TrendSeries[],
) {
  const small = { color: sub, fontSize: font * 0.9375 }
  const colours = [glow, gold]
  // Each unit has its own axis.
  const units = [...new Set(series.map(({ unit }) => unit))]
  return {
    animation: false,
    color: colours,
    grid: { left: 4, right: 4, top: font * 2.2, bottom: 0, containLabel: true },
    // Rendered on the canvas: the content security policy forbids inline markup.
    tooltip: { trigger: 'axis', renderMode: 'richText', confine: true },
    legend: { top: 0, itemHeight: font * 0.6, textStyle: { ...small, color: text } },
    xAxis: {
      type: 'category',
      data: [...names],
      axisLabel: { ...small, hideOverlap: true },
      axisLine: { lineStyle: { color: line } },
      axisTick: { show: false },
    },
    yAxis: units.map((unit, place) => ({
      type: 'value',
      minInterval: 1,
      axisLabel: { ...small, formatter: shortText },
      splitLine: { show: place === 0, lineStyle: { color: line, opacity: 0.6 } },
      splitNumber: 4,
      name: '',
      id: unit,
    })),
    series: series.map(({ name, unit, kind, values }, place) => ({
      id: `s${place}`,
      name,
      type: kind,
      yAxisIndex: units.indexOf(unit),
      data: [...values],
      smooth: 0.3,
      // Prevents interpolation below zero between two hours.
      smoothMonotone: 'x',
      symbol: 'circle',
      showSymbol: false,
      barMaxWidth: font,
      itemStyle: kind === 'bar' ? { borderRadius: [3, 3, 0, 0] } : {},
      areaStyle: kind === 'line' && place === 0 ? { opacity: 0.18 } : undefined,
      tooltip: { valueFormatter: (value: unknown) => (value === null ? '–' : `${shortText(Number(value))} ${unit}`) },
    })),
  }
}

export type Share = { key: string; name: string; value: number }
type ShareProps = { label: string; unit: string; shares: readonly Share[] }

/** A ring chart of shares, with their names beside it. */
export function ShareChart({ label, unit, shares }: ShareProps) {
  const optionOf = useCallback((colours: WallboardColours) => shareOption(colours, unit, shares), [unit, shares])
  const { box } = useWallboardChart(optionOf)
  const sharesText = shares.map(({ name, value }) => `${name} ${shortText(value)} ${unit}`).join('，')
  return (
    <figure className="wallboard-chart" aria-label={`${label}：${sharesText}`}>
      <div ref={box} aria-hidden />
    </figure>
  )
}

function shareOption(
  { text, glow, gold, ok, bad, off, panel, font, width }: WallboardColours,
  unit: string,
  shares: readonly Share[],
) {
  const whole = shares.reduce((sum, { value }) => sum + value, 0)
  const percent = (value: number) => (whole === 0 ? '0' : ((value / whole) * 100).toFixed(1))
  const valueOf = new Map(shares.map(({ name, value }) => [name, value]))
  return {
    animation: false,
    color: [glow, gold, ok, '#9a7bff', bad, '#36a3ff', '#ff9f5a', off],
    tooltip: {
      renderMode: 'richText',
      confine: true,
      valueFormatter: (value: unknown) => `${shortText(Number(value))} ${unit}`,
    },
    legend: {
      type: 'scroll',
      orient: 'vertical',
      left: '46%',
      top: 'middle',
      itemWidth: font * 0.75,
      itemHeight: font * 0.75,
      pageIconSize: font * 0.7,
      // A panel in a page is narrow; the tooltip contains the full text.
      textStyle: { color: text, fontSize: font * 0.9375, width: width * 0.54 - font * 1.6, overflow: 'truncate' },
      formatter: (name: string) => `${percent(valueOf.get(name) ?? 0)}%  ${name}`,
    },
    series: [
      {
        id: 'shares',
        type: 'pie',
        center: ['23%', '50%'],
        radius: ['42%', '64%'],
        label: { show: false },
        itemStyle: { borderColor: panel, borderWidth: 2 },
        data: shares.map(({ name, value }) => ({ name, value })),
      },
    ],
  }
}
