import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { OrderStatistics, orderStatistics } from '@wattdeck/contract/order/order-statistics.ts'
import type { Db } from '../../../kit/db/db.ts'
import type { Paging } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { statNow, statPage, statTotals } from '../../../core/statistics/stat-page.store.ts'
import { secondsOf } from '../../../core/statistics/stat-periods.rules.ts'
import { orderFigures, shownFigures } from './order-statistics.rules.ts'

export async function listOrderStatistics(db: Db, scope: Scope, query: QueryOf<typeof orderStatistics.list> & Paging) {
  const { cells, ...page } = await statPage(db, scope, query, orderFigures)
  const owners = [...new Set(cells.flatMap(({ owner }) => owner?.id ?? []))]
  const now = await statNow(db, scope, query, ['ports'], owners)
  const rows = cells.map(({ period, owner, sums }): OrderStatistics => {
    const ports = now.get(owner?.id ?? '')?.ports ?? 0n
    return {
      id: owner === undefined ? period.name : `${period.name}/${owner.id}`,
      period: period.name,
      ownerId: owner?.id ?? null,
      ownerName: owner?.name ?? null,
      ...shownFigures(sums, ports, secondsOf(period, Date.now())),
    }
  })
  return { ...page, rows }
}

export async function orderStatisticsTotals(db: Db, scope: Scope, query: QueryOf<typeof orderStatistics.totals>) {
  const { days, sums } = await statTotals(db, scope, query, orderFigures)
  const now = await statNow(db, scope, { ...query, by: undefined }, ['ports'])
  return shownFigures(sums, now.get('')?.ports ?? 0n, secondsOf(days, Date.now()))
}
