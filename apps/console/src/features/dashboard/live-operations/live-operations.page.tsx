import { ReloadOutlined } from '@ant-design/icons'
import { liveOperations } from '@wattdeck/contract/dashboard/live-operations.ts'
import type { UserInfo } from '@wattdeck/contract/auth/session.ts'
import { Button, Tooltip } from 'antd'
import { useEffect } from 'react'
import { refetchRoutes } from '../../../kit/api/queries.ts'
import { useUser } from '../../../kit/api/user.ts'
import { PageFrame } from '../../../kit/display/PageFrame.tsx'
import { EmptyPane } from '../../../kit/display/States.tsx'
import { useListState } from '../../../kit/list/list-state.ts'
import '../_shared/dashboard.css'
import { CardBoundary } from '../work-table/CardBoundary.tsx'
import { WorkTableFilter } from '../work-table/WorkTableFilter.tsx'
import { AlarmSites } from './AlarmSites.tsx'
import { followLive } from './follow-live.ts'
import './live-operations.css'
import { LiveFigures } from './LiveFigures.tsx'
import { RunningCharges } from './RunningCharges.tsx'
import { type Panels, usePanels } from './use-panels.ts'

const clock = new Intl.DateTimeFormat('zh-CN', { timeStyle: 'medium', timeZone: 'Asia/Shanghai' })

export default function LiveOperationsPage() {
  const user = useUser()
  return user && <LiveOperations user={user} />
}

/** The oldest fetch time of the displayed panels. */
function updatedAt({ seen, devices, alarms, charges }: Panels): string | undefined {
  const shown = [
    ...(seen.devices ? [devices] : []),
    ...(seen.alarms ? [alarms] : []),
    ...(seen.charges ? [charges] : []),
  ]
  const oldest = Math.min(...shown.map(({ dataUpdatedAt }) => dataUpdatedAt))
  return oldest > 0 && Number.isFinite(oldest) ? `更新于 ${clock.format(oldest)}` : undefined
}

/** Current problems, their sites, and running charges. */
function LiveOperations({ user }: { user: UserInfo }) {
  const state = useListState(liveOperations.charges)
  const panels = usePanels(user, state.query)
  const { seen, owner, devices, alarms, charges } = panels
  useEffect(() => followLive(), [])
  const busy = devices.isFetching || alarms.isFetching || charges.isFetching
  return (
    <PageFrame
      title="实时运行"
      note={updatedAt(panels)}
      actions={
        <div className="live-actions">
          <WorkTableFilter
            hasPeriod={false}
            query={owner}
            onChange={({ span: _span, ...changes }) => state.set(changes)}
          />
          <Tooltip title="刷新">
            <Button
              icon={<ReloadOutlined spin={busy} />}
              aria-label="刷新"
              data-shortcut="r"
              onClick={() => void refetchRoutes(Object.values(liveOperations))}
            />
          </Tooltip>
        </div>
      }
    >
      <LiveFigures panels={panels} />
      <div className="live-panels" data-count={Number(seen.alarms) + Number(seen.charges)}>
        {seen.alarms && (
          <CardBoundary title="告警（按站点）">
            <AlarmSites key={JSON.stringify(owner)} panels={panels} />
          </CardBoundary>
        )}
        {seen.charges && (
          <CardBoundary title="正在充电">
            <RunningCharges panels={panels} query={state.query} onOrder={(order) => state.set({ order })} />
          </CardBoundary>
        )}
      </div>
      {!Object.values(seen).includes(true) && (
        <EmptyPane filtered={false} text="需要告警中心、设备管理、消费订单或未完成订单的菜单" />
      )}
    </PageFrame>
  )
}
