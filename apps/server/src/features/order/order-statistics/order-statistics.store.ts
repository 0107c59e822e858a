import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { OrderStatistics, orderStatistics } from '@wattdeck/contract/order/order-statistics.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import type { Paging } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { statNow, statPage, statTotals } from '../../../core/statistics/stat-page.store.ts'
import { secondsOf } from '../../../core/statistics/stat-periods.rules.ts'
import { orderFigures, shownFigures } from './order-statistics.rules.ts'

export async function listOrderStatistics(db: Db, scope: Scope, query: QueryOf<typeof orderStatistics.list> & Paging) {
  const { cells, ...page } = await statPage(db, scope, query, orderFigures)
  const owners = [...new Set(cells.flatMap(({ owner }) => owner?.id ?? []))]
  const [now, since] = await Promise.all([statNow(db, scope, query, ['ports'], owners), visitsSince(db)])
  const rows = cells.map(({ period, owner, sums }): OrderStatistics => {
    const ports = now.get(owner?.id ?? '')?.ports ?? 0n
    return {
      id: owner === undefined ? period.name : `${period.name}/${owner.id}`,
      period: period.name,
      ownerId: owner?.id ?? null,
      ownerName: owner?.name ?? null,
      ...shownFigures(sums, { ports, passedS: secondsOf(period, Date.now()), hasVisits: period.from >= since }),
    }
  })
  return { ...page, rows }
}

export async function orderStatisticsTotals(db: Db, scope: Scope, query: QueryOf<typeof orderStatistics.totals>) {
  const { days, sums } = await statTotals(db, scope, query, orderFigures)
  const [now, since] = await Promise.all([statNow(db, scope, { ...query, by: undefined }, ['ports']), visitsSince(db)])
  return shownFigures(sums, {
    ports: now.get('')?.ports ?? 0n,
    passedS: secondsOf(days, Date.now()),
    hasVisits: days.from >= since,
  })
}

/** The first day with complete visit counts. '-infinity' for an installation that has counted them from the start. */
async function visitsSince(db: Db): Promise<string> {
  const { rows } = await sql<{ day: string }>`
    select (app.visits_since() at time zone 'Asia/Shanghai')::date::text as day`.execute(db)
  return rows[0]?.day ?? 'infinity'
}
