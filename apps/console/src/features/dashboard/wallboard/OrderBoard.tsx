import { bigScreen } from '@wattdeck/contract/dashboard/big-screen.ts'
import type { LatestOrder } from '@wattdeck/contract/dashboard/big-screen-orders.ts'
import { useState } from 'react'
import { durationText, kwhText, moneyText } from './number-text.ts'
import { ScreenPanel } from './ScreenPanel.tsx'
import { useQuiet } from './turns.ts'
import { useFigures } from './use-figures.ts'
import type { WallboardFilter } from './wallboard-filter.ts'

/** Orders per step of manual paging, for users who prefer reduced motion. */
const step = 5

/** The latest twenty charges, newest on top. The list restarts with each new charge. */
export function OrderBoard({ filter }: { filter: WallboardFilter }) {
  const quiet = useQuiet()
  const [from, setFrom] = useState(0)
  const orders = useFigures(bigScreen.latestOrders, filter, { of: ['order'] })
  const last = (orders.data?.length ?? 0) - step
  const turner = (
    <fieldset className="wallboard-tabs" aria-label="翻看订单">
      <button type="button" disabled={from === 0} onClick={() => setFrom(Math.max(0, from - step))}>
        较新
      </button>
      <button type="button" disabled={from >= last} onClick={() => setFrom(from + step)}>
        较早
      </button>
    </fieldset>
  )
  return (
    <ScreenPanel
      title="最新 20 笔订单"
      area="orders"
      figures={orders}
      extra={quiet && turner}
      isEmpty={(rows) => rows.length === 0}
    >
      {(rows) => (
        <div className="wallboard-board" data-quiet={quiet ? true : undefined}>
          <ul key={rows[0]?.id} data-long={rows.length > 6 ? true : undefined}>
            {rows.slice(quiet ? from : 0).map((row) => (
              <Line key={row.id} row={row} />
            ))}
          </ul>
        </div>
      )}
    </ScreenPanel>
  )
}

const Line = ({ row }: { row: LatestOrder }) => (
  <li>
    <time dateTime={row.endedAt.replace(' ', 'T')}>{row.endedAt.slice(11)}</time>
    <span className="one-line" title={row.siteName ?? row.regionName}>
      {row.siteName ?? row.regionName}
    </span>
    <span className="wallboard-sub">
      {kwhText(row.energyDwh)} kWh · {durationText(row.durationS)}
      {row.memberPhone === null ? '' : ` · ${row.memberPhone}`}
    </span>
    <em>¥{moneyText(row.turnover)}</em>
  </li>
)
