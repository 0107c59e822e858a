import {
  type CustomerAnalysis,
  type customerAnalysis,
  customerRank,
} from '@wattdeck/contract/accounting/customer-analysis.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { StatBy } from '@wattdeck/contract/order/statistics.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { type Paging, planByValues } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { changeOf, comparedOf, type Part } from '../../../core/statistics/stat-compare.rules.ts'
import { countOwners, ownersOf } from '../../../core/statistics/stat-owners.store.ts'
import { checkBy, cursorOf, ownerColumn } from '../../../core/statistics/stat-page.store.ts'
import { partSums } from '../../../core/statistics/stat-part.store.ts'
import { secondsOf } from '../../../core/statistics/stat-periods.rules.ts'
import { statPlace } from '../../../core/statistics/stat-place.store.ts'
import { ownersBy, periodOf, rankSql } from './customer-analysis.rules.ts'

type Query = QueryOf<typeof customerAnalysis.list> & Paging
type Read = Record<'id' | 'name' | 'devices' | 'online' | 'ports' | 'orders' | 'seconds' | 'energy', string> &
  Record<'revenue' | 'service' | 'refunded', string> & { active: string | null }
type Params = Query & { by: StatBy }
type Period = ReturnType<typeof periodOf>

/** Percent with two decimals; null if the whole is not positive. */
const percentOf = (part: bigint, whole: bigint) =>
  whole <= 0n ? null : yuanText((part * 20_000n + whole) / (2n * whole))

/**
 * Ranks all owners by one figure. Sums cover every owner; comparisons with other periods cover the rows of the page
 * only.
 */
export async function listCustomers(db: Db, scope: Scope, query: Query) {
  const params: Params = { ...query, by: ownersBy(scope, query) }
  checkBy(scope, params)
  const period = periodOf(query, Date.now())
  await planByValues(db)
  const total = await countOwners(db, scope, params, period)
  const first = (query.pageNum - 1) * query.pageSize
  const found = await readPage(db, scope, params, period)
  const changes = await readChanges(db, scope, params, { period, ids: found.map(({ id }) => id) })
  const passedS = BigInt(secondsOf(period, Date.now()))
  const passedDays = BigInt(Math.max(1, Math.ceil(Number(passedS) / 86_400)))
  const rows = found.map((row, place): CustomerAnalysis => {
    const [devices, revenue, refunded] = [BigInt(row.devices), BigInt(row.revenue), BigInt(row.refunded)]
    return {
      id: row.id,
      rank: first + place + 1,
      ownerName: row.name,
      devices: Number(devices),
      onlineRate: percentOf(BigInt(row.online), devices),
      usage: percentOf(BigInt(row.seconds), BigInt(row.ports) * passedS),
      orders: Number(row.orders),
      energyDwh: Number(row.energy),
      revenue: yuanText(revenue),
      service: yuanText(BigInt(row.service)),
      refunded: yuanText(refunded),
      refundRate: percentOf(refunded, revenue),
      active: row.active === null ? null : Number(row.active),
      ...changes(row.id),
      perDevice: devices === 0n ? null : yuanText((2n * revenue + devices * passedDays) / (2n * devices * passedDays)),
    }
  })
  return {
    total: query.skipCount === true ? null : total,
    bounded: false,
    cursor: first + query.pageSize < total ? cursorOf(query.pageNum + 1) : null,
    rows,
  }
}

async function readPage(db: Db, scope: Scope, params: Params, period: Period): Promise<Read[]> {
  const { by, pageNum, pageSize, rank = customerRank.code.revenue } = params
  const place = await statPlace(db, scope, params, by)
  const owner = sql.ref(ownerColumn[by])
  const source = period.months
    ? sql`stat_month_live where ${place} and month between ${period.from} and ${period.to}`
    : sql`stat_day_live where ${place} and day between ${period.from} and ${period.to}`
  // Active members can be counted for one month only: the counts of several months overlap, and none is split by device
  // type.
  const oneMonth =
    period.months && period.from.slice(0, 7) === period.to.slice(0, 7) && params.deviceTypeId === undefined
  const active = oneMonth
    ? sql`select ${owner} as id, sum(members) as active from stat_cohort_live where ${place} and month = ${period.from} group by 1`
    : sql`select null::bigint as id, null::bigint as active where false`
  const { live, gone } = ownersOf(scope, params, period)
  const { rows } = await sql<Read>`
    with owners as (select owner.id, owner.name ${live} union all select owner.id, owner.name ${gone}),
    sums as (
      select ${owner} as id, sum(orders + released) as orders, sum(seconds) as seconds, sum(energy_dwh) as energy, sum(electricity_fen + service_fen + occupancy_fen) as revenue,
        sum(service_fen) as service, sum(refunded_fen) as refunded from ${source} group by 1),
    now as (select ${owner} as id, sum(devices) as devices, sum(online) as online, sum(ports) as ports from stat_now_live where ${place} group by 1),
    actives as (${active})
    select owners.id::text as id, owners.name, coalesce(devices, 0)::text as devices, coalesce(online, 0)::text as online, coalesce(ports, 0)::text as ports,
      coalesce(orders, 0)::text as orders, coalesce(seconds, 0)::text as seconds, coalesce(energy, 0)::text as energy, coalesce(revenue, 0)::text as revenue,
      coalesce(service, 0)::text as service, coalesce(refunded, 0)::text as refunded, ${oneMonth ? sql`coalesce(active, 0)::text` : sql`null::text`} as active
    from owners left join sums using (id) left join now using (id) left join actives using (id)
    order by ${rankSql[rank]} desc nulls last, owners.id limit ${pageSize} offset ${(pageNum - 1) * pageSize}`.execute(
    db,
  )
  return rows
}

const fees = ['electricity_fen', 'service_fen', 'occupancy_fen'] as const

async function readChanges(
  db: Db,
  scope: Scope,
  params: Params,
  { period, ids }: { period: Period; ids: readonly string[] },
) {
  const { part, previous, lastYear } = comparedOf(period, Date.now())
  const read = async (of: Part | null) => {
    if (of === null || ids.length === 0) return () => 0n
    const sums = await partSums(db, scope, { filter: params, part: of, figures: fees, by: params.by, ids })
    return (id: string) => Object.values(sums.get(id) ?? {}).reduce((sum, fen) => sum + fen, 0n)
  }
  const [now, before, year] = [await read(part), await read(previous), await read(lastYear)]
  return (id: string) => ({
    previousChange: changeOf(now(id), before(id)),
    lastYearChange: changeOf(now(id), year(id)),
  })
}
