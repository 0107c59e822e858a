import { bigScreen } from '@wattdeck/contract/dashboard/big-screen.ts'
import { useMemo } from 'react'
import { laterDrawing } from './lazy-drawing.tsx'
import { countText, shortText } from './number-text.ts'
import { ScreenPanel } from './ScreenPanel.tsx'
import type { TabProps } from './tabs.ts'
import { useFigures } from './use-figures.ts'
import { useWallboardView } from './view.ts'
import { onlineFilter, type WallboardFilter } from './wallboard-filter.ts'

const TrendChart = laterDrawing(() => import('./WallboardCharts.tsx').then((part) => part.TrendChart))

/** The start or end of a charge also changes its port. */
const inUse = { of: ['device', 'order'] } as const

type Fact = { label: string; value: number | undefined; tone?: 'ok' | 'bad' | 'glow' | 'gold' | 'off' }
const Facts = ({ facts }: { facts: readonly Fact[] }) => (
  <dl className="wallboard-facts">
    {facts.map(({ label, value, tone }) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd data-tone={tone}>{value === undefined ? '–' : countText(value)}</dd>
      </div>
    ))}
  </dl>
)

export function DeviceOverview({ filter }: { filter: WallboardFilter }) {
  const { choice } = useWallboardView()
  const base = useFigures(bigScreen.deviceBaseInfo, { ...filter, ...onlineFilter(choice) }, inUse)
  const ports = useFigures(bigScreen.devicePortSum, filter, inUse)
  const added = useFigures(bigScreen.deviceTodayAdd, filter, { of: ['device'], pace: 'slow' })
  const figures = { ...base, staleSince: base.staleSince ?? ports.staleSince ?? added.staleSince }
  return (
    <ScreenPanel title="设备概况" area="overview" figures={figures}>
      {(data) => (
        <Facts
          facts={[
            { label: '设备总数', value: data.allDeviceCount },
            { label: '在线', value: data.onLineDeviceNum, tone: 'ok' },
            { label: '离线', value: data.offLineDeviceNum, tone: 'bad' },
            { label: '端口总数', value: data.totalPortCount },
            { label: '工作中', value: ports.data?.workingNum, tone: 'glow' },
            { label: '今日新增', value: added.data?.todayCount, tone: 'gold' },
          ]}
        />
      )}
    </ScreenPanel>
  )
}

const portStates = [
  { key: 'freeNum', label: '空闲', state: 1 },
  { key: 'workingNum', label: '工作中', state: 2 },
  { key: 'connectedNum', label: '已连接', state: 4 },
  { key: 'appointedNum', label: '已预约', state: 5 },
  { key: 'faultNum', label: '故障', state: 3 },
  { key: 'washerWarningNum', label: '洗涤预警', state: 6 },
  { key: 'washerDownNum', label: '洗涤停机', state: 7 },
] as const

export function PortStates({ filter, tabs }: TabProps) {
  const ports = useFigures(bigScreen.devicePortSum, filter, inUse)
  return (
    <ScreenPanel
      title="端口状态"
      area="ports"
      figures={ports}
      extra={tabs}
      isEmpty={(data) => data.totalPortCount === 0}
    >
      {(data) => {
        const whole = portStates.reduce((sum, { key }) => sum + data[key], 0)
        return (
          <div className="wallboard-states">
            <div className="wallboard-states-bar" aria-hidden>
              {portStates.map(({ key, state }) => (
                <i key={key} data-state={state} style={{ flexGrow: data[key] }} />
              ))}
            </div>
            <ul>
              {portStates
                .filter(({ key }, place) => place < 5 || data[key] > 0)
                .map(({ key, label, state }) => (
                  <li key={key} data-state={state}>
                    <span>{label}</span>
                    <em>{countText(data[key])}</em>
                    <small>{whole === 0 ? '0%' : `${((data[key] / whole) * 100).toFixed(1)}%`}</small>
                  </li>
                ))}
            </ul>
          </div>
        )
      }}
    </ScreenPanel>
  )
}

export function ServiceStates({ filter, tabs }: TabProps) {
  const service = useFigures(bigScreen.deviceStateService, filter, { of: ['device'], pace: 'slow' })
  const counts = useFigures(bigScreen.deviceTodayMonthCount, filter, { of: ['device', 'order'], pace: 'slow' })
  const figures = { ...service, staleSince: service.staleSince ?? counts.staleSince }
  return (
    <ScreenPanel title="设备服务" area="ports" figures={figures} extra={tabs}>
      {(data) => (
        <Facts
          facts={[
            { label: '服务正常', value: data.normalCount, tone: 'ok' },
            { label: '即将到期', value: data.expiringCount, tone: 'gold' },
            { label: '已到期', value: data.expiredCount, tone: 'bad' },
            { label: '今日告警', value: counts.data?.today.faultCount, tone: 'bad' },
            { label: '本月告警', value: counts.data?.month.faultCount },
            { label: '本月新增', value: counts.data?.month.addCount, tone: 'gold' },
          ]}
        />
      )}
    </ScreenPanel>
  )
}

export function DeviceTrend({ filter, tabs }: TabProps) {
  const added = useFigures(bigScreen.deviceAdd, filter, { of: ['device'], pace: 'slow' })
  const { data } = added
  const names = useMemo(() => (data ?? []).map(({ period }) => period.slice(5)), [data])
  const series = useMemo(
    () => [
      { name: '新增设备', unit: '台', kind: 'bar' as const, values: (data ?? []).map(({ countNum }) => countNum) },
    ],
    [data],
  )
  return (
    <ScreenPanel title="新增设备趋势" area="trend" figures={added} extra={tabs}>
      {(rows) => (
        <TrendChart
          label={`近 30 天新增设备 ${shortText(rows.reduce((sum, row) => sum + row.countNum, 0))} 台`}
          names={names}
          series={series}
        />
      )}
    </ScreenPanel>
  )
}
