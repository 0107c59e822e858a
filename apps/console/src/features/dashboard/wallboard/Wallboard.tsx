import type { ReactNode } from 'react'
import { DeviceOverview, DeviceTrend, PortStates, ServiceStates } from './DevicePanels.tsx'
import { Headline } from './Headline.tsx'
import { MapPanel } from './MapPanel.tsx'
import { OrderBoard } from './OrderBoard.tsx'
import {
  AreaRanking,
  ChargeTrend,
  DayTrend,
  DeviceTurnover,
  HourTrend,
  MemberRanking,
  OwnerTurnover,
  TypeShares,
} from './OrderPanels.tsx'
import { type Tab, TabbedPanel } from './ScreenPanel.tsx'
import { useWallboardSource } from './source.ts'
import { useWallboardView } from './view.ts'
import { wallboardFilter } from './wallboard-filter.ts'

const states: Tab[] = [
  { key: 'ports', title: '端口', Panel: PortStates },
  { key: 'service', title: '服务', Panel: ServiceStates },
]
const trends: Tab[] = [
  { key: 'hours', title: '订单', Panel: HourTrend },
  { key: 'charge', title: '充电', Panel: ChargeTrend },
  { key: 'days', title: '30 天', Panel: DayTrend },
  { key: 'devices', title: '新增', Panel: DeviceTrend },
]
const turnover: Tab[] = [
  { key: 'owner', title: '归属', Panel: OwnerTurnover },
  { key: 'device', title: '设备', Panel: DeviceTurnover },
]
const areas: Tab[] = [{ key: 'area', title: '区域', Panel: AreaRanking }]
const areasAndMembers: Tab[] = [...areas, { key: 'member', title: '会员', Panel: MemberRanking }]

/** All panels. A stage and a page arrange them by their own grids. */
export function Wallboard() {
  const { adcode, choice } = useWallboardView()
  const { hasMembers } = useWallboardSource()
  const filter = wallboardFilter(choice, adcode)
  return (
    <>
      <Column side="left">
        <DeviceOverview filter={filter} />
        <TabbedPanel label="状态" tabs={states} filter={filter} />
        <TabbedPanel label="趋势" tabs={trends} filter={filter} />
        <TabbedPanel label="营收排名" tabs={turnover} filter={filter} />
      </Column>
      <Column side="middle">
        <Headline filter={filter} />
        <MapPanel />
      </Column>
      <Column side="right">
        <TypeShares filter={filter} />
        <TabbedPanel label="排名" tabs={hasMembers ? areasAndMembers : areas} filter={filter} />
        <OrderBoard filter={filter} />
      </Column>
    </>
  )
}

const Column = ({ side, children }: { side: 'left' | 'middle' | 'right'; children: ReactNode }) => (
  <div className="wallboard-column" data-side={side}>
    {children}
  </div>
)
