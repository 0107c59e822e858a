import { liveTarget, severityTarget } from '@wattdeck/contract/dashboard/live-links.ts'
import { type FigureTarget, targetPath } from '@wattdeck/contract/dashboard/figure-links.ts'
import type { liveOperations } from '@wattdeck/contract/dashboard/live-operations.ts'
import type { DataOf } from '@wattdeck/contract/kit/route.ts'
import { alarmSeverity } from '@wattdeck/contract/product/alarm-codes.ts'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import * as cells from '../../../kit/display/cells.tsx'
import { States } from '../../../kit/display/States.tsx'
import { kilowatts } from './charge-progress.ts'
import type { Panels } from './use-panels.ts'

type Query<D> = { data: D | undefined; error: unknown; isFetching: boolean; refetch: () => unknown }
type FigureProps<D> = { title: string; area: string; query: Query<D>; children: (data: D) => ReactNode }

function LiveFigure<D>({ title, area, query, children }: FigureProps<D>) {
  return (
    <section className="panel figure" aria-label={title} aria-busy={query.isFetching} data-area={area}>
      <h2>{title}</h2>
      <States query={query} rows={1}>
        {children}
      </States>
    </section>
  )
}

/** A number that links to the counted rows, where a list shows them. */
const Counted = ({ target, children }: { target: FigureTarget | undefined; children: ReactNode }) =>
  target === undefined ? children : <Link to={targetPath(target)}>{children}</Link>

/** The strip of figures: charges, online devices, alarms. */
export function LiveFigures({ panels: { seen, owner, menus, ...read } }: { panels: Panels }) {
  const count = 2 * Number(seen.devices) + Number(seen.alarms) + Number(seen.charges)
  return (
    <div className="figures" data-count={count}>
      {seen.charges && (
        <LiveFigure title="充电中" area="charging" query={read.charges}>
          {({ count: charging, power }) => (
            <>
              <p className="figure-value">
                <Counted target={liveTarget('charging', owner, menus)}>{cells.count(charging)}</Counted>
                <small> 笔</small>
              </p>
              <p className="figure-note">合计 {kilowatts(power)} kW</p>
            </>
          )}
        </LiveFigure>
      )}
      {seen.devices && (
        <LiveFigure title="在线设备" area="online" query={read.devices}>
          {({ online, devices }) => (
            <>
              <p className="figure-value">
                <Counted target={liveTarget('online', owner, menus)}>{cells.count(online)}</Counted>
                <small>
                  {' / '}
                  <Counted target={liveTarget('devices', owner, menus)}>{cells.count(devices)}</Counted>
                </small>
              </p>
              <p className="figure-note">离线 {cells.count(devices - online)} 台</p>
            </>
          )}
        </LiveFigure>
      )}
      {seen.alarms && (
        <LiveFigure title="未关闭告警" area="severities" query={read.alarms}>
          {({ severities, siteCount }) => (
            <Severities severities={severities} sites={siteCount} {...{ owner, menus }} />
          )}
        </LiveFigure>
      )}
      {seen.devices && (
        <LiveFigure title="近1小时离线" area="offline" query={read.devices}>
          {({ wentOffline }) => (
            <>
              <p className="figure-value">
                {cells.count(wentOffline)}
                <small> 台</small>
              </p>
              <p className="figure-note">1小时内离线，尚未恢复</p>
            </>
          )}
        </LiveFigure>
      )}
    </div>
  )
}

type Counts = DataOf<typeof liveOperations.alarms>['severities']
type SeverityProps = { severities: Counts; sites: number } & Pick<Panels, 'owner' | 'menus'>

const Severities = ({ severities, sites, owner, menus }: SeverityProps) => (
  <>
    <p className="figure-value live-severities">
      {severities.map(({ severity, count }) => {
        const { label, tone } = alarmSeverity.show(severity)
        return (
          <span key={severity} data-tone={count === 0 ? 'off' : tone}>
            <small>{label} </small>
            <Counted target={severityTarget(severity, owner, menus)}>{cells.count(count)}</Counted>
          </span>
        )
      })}
    </p>
    <p className="figure-note">{cells.count(sites)} 个站点</p>
  </>
)
