import { bigScreen } from '@wattdeck/contract/dashboard/big-screen.ts'
import { ownerKind } from '@wattdeck/contract/dashboard/big-screen-fields.ts'
import { useMemo } from 'react'
import { laterDrawing } from './lazy-drawing.tsx'
import { hourAt } from '../work-table/greeting-at.ts'
import { kwhOf, moneyNumber, moneyShort, shortText } from './number-text.ts'
import { Ranking } from './Ranking.tsx'
import { ScreenPanel } from './ScreenPanel.tsx'
import type { TabProps } from './tabs.ts'
import { useAreaItems, useAreas, type Areas } from './use-areas.ts'
import { useFigures } from './use-figures.ts'
import { memberFilter } from './wallboard-filter.ts'

const TrendChart = laterDrawing(() => import('./WallboardCharts.tsx').then((part) => part.TrendChart))
const ShareChart = laterDrawing(() => import('./WallboardCharts.tsx').then((part) => part.ShareChart))
const slow = { of: ['order'], pace: 'slow' } as const

export function HourTrend({ filter, tabs }: TabProps) {
  const numbers = useFigures(bigScreen.orderNumbers, filter, { of: ['order'] })
  const { data, readAt } = numbers
  const names = useMemo(() => (data?.hours ?? []).map(({ hour }) => `${hour}时`), [data])
  const series = useMemo(
    () => [
      {
        name: '今日',
        unit: '单',
        kind: 'line' as const,
        values: (data?.hours ?? []).map(({ hour, today }) => (today === 0 && hour > hourAt(readAt) ? null : today)),
      },
      {
        name: '昨日',
        unit: '单',
        kind: 'line' as const,
        values: (data?.hours ?? []).map(({ yesterday }) => yesterday),
      },
    ],
    [data, readAt],
  )
  return (
    <ScreenPanel title="24 小时计费订单" area="trend" figures={numbers} extra={tabs}>
      {() => <TrendChart label="24 小时计费订单" names={names} series={series} />}
    </ScreenPanel>
  )
}

export function DayTrend({ filter, tabs }: TabProps) {
  const analysis = useFigures(bigScreen.orderAnalysis, filter, slow)
  const { data } = analysis
  const names = useMemo(() => (data ?? []).map(({ period }) => period.slice(5)), [data])
  const series = useMemo(
    () => [
      {
        name: '营收',
        unit: '元',
        kind: 'bar' as const,
        values: (data ?? []).map((day) => moneyNumber(day.turnover)),
      },
      { name: '计费订单', unit: '单', kind: 'line' as const, values: (data ?? []).map((day) => day.orderCount) },
    ],
    [data],
  )
  return (
    <ScreenPanel title="近 30 天交易" area="trend" figures={analysis} extra={tabs}>
      {() => <TrendChart label="近 30 天交易" names={names} series={series} />}
    </ScreenPanel>
  )
}

export function ChargeTrend({ filter, tabs }: TabProps) {
  const charging = useFigures(bigScreen.orderCharging, filter, { of: ['order'] })
  const { data } = charging
  const names = useMemo(() => (data?.hours ?? []).map(({ hour }) => `${hour}时`), [data])
  const series = useMemo(
    () => [
      {
        name: '充电量',
        unit: 'kWh',
        kind: 'bar' as const,
        values: (data?.hours ?? []).map((one) => kwhOf(one.energyDwh)),
      },
      {
        name: '时长',
        unit: '小时',
        kind: 'line' as const,
        values: (data?.hours ?? []).map(({ seconds }) => Math.round(seconds / 36) / 100),
      },
    ],
    [data],
  )
  return (
    <ScreenPanel title="今日充电" area="trend" figures={charging} extra={tabs}>
      {() => <TrendChart label="今日充电" names={names} series={series} />}
    </ScreenPanel>
  )
}

export function OwnerTurnover({ filter, tabs }: TabProps) {
  const ranking = useFigures(bigScreen.organiseTurnoverRanking, { ...filter, span: 2 }, slow)
  const what = ranking.data ? ownerKind.show(ranking.data.by).label : '机构'
  return (
    <ScreenPanel
      title={`${what}营收 TOP 10（本月）`}
      area="turnover"
      figures={ranking}
      extra={tabs}
      isEmpty={(data) => data.ranking.length === 0}
    >
      {(data) => (
        <Ranking
          items={data.ranking.map(({ id, name, turnover }) => ({
            key: id,
            name,
            value: moneyNumber(turnover),
            text: moneyShort(turnover),
          }))}
        />
      )}
    </ScreenPanel>
  )
}

export function DeviceTurnover({ filter, tabs }: TabProps) {
  const ranking = useFigures(bigScreen.deviceTurnoverRanking, { ...filter, span: 2 }, slow)
  return (
    <ScreenPanel
      title="设备营收 TOP 10（本月）"
      area="turnover"
      figures={ranking}
      extra={tabs}
      isEmpty={(rows) => rows.length === 0}
    >
      {(rows) => (
        <Ranking
          items={rows.map(({ deviceId, deviceName, deviceNo, turnover }) => ({
            key: deviceId,
            name: deviceName || deviceNo || '已转走的设备',
            value: moneyNumber(turnover),
            text: moneyShort(turnover),
          }))}
        />
      )}
    </ScreenPanel>
  )
}

export function TypeShares({ filter }: Pick<TabProps, 'filter'>) {
  const scale = useFigures(bigScreen.orderScale, { ...filter, span: 2 }, slow)
  const { data } = scale
  const shares = useMemo(
    () =>
      (data?.items ?? []).map(({ deviceTypeId, name, turnover }) => ({
        key: deviceTypeId ?? '',
        name,
        value: moneyNumber(turnover),
      })),
    [data],
  )
  return (
    <ScreenPanel
      title="设备类型占比（本月营收）"
      area="shares"
      figures={scale}
      isEmpty={({ items }) => items.length === 0}
    >
      {() => <ShareChart label="设备类型占比" unit="元" shares={shares} />}
    </ScreenPanel>
  )
}

export function AreaRanking({ tabs }: TabProps) {
  const areas = useAreas()
  return (
    <ScreenPanel
      title="区域排名 TOP 10"
      area="areas"
      figures={areas}
      extra={tabs}
      isEmpty={({ ranking }) => ranking.length === 0}
    >
      {(data) => <AreaItems areas={data} />}
    </ScreenPanel>
  )
}
const AreaItems = ({ areas }: { areas: Areas }) => <Ranking items={useAreaItems(areas)} />

export function MemberRanking({ filter, tabs }: TabProps) {
  const members = useFigures(bigScreen.memberOrganiseCount, memberFilter(filter), { of: ['member'], pace: 'slow' })
  return (
    <ScreenPanel
      title="会员排名 TOP 10"
      area="areas"
      figures={members}
      extra={tabs}
      isEmpty={({ ranking }) => ranking.length === 0}
    >
      {({ ranking }) => (
        <Ranking
          items={ranking.map(({ id, name, countNum }) => ({
            key: id,
            name,
            value: countNum,
            text: shortText(countNum),
          }))}
        />
      )}
    </ScreenPanel>
  )
}
