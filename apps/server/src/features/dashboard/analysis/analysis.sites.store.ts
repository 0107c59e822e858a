import type { analysis, AnalysisShare } from '@wattdeck/contract/dashboard/analysis.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { statBy } from '@wattdeck/contract/order/statistics.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { planByValues } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import type { Days } from '../../../core/statistics/stat-compare.rules.ts'
import { statPlace } from '../../../core/statistics/stat-place.store.ts'
import { rangeOf } from './analysis.rules.ts'

type Query = QueryOf<typeof analysis.sites>
type Candidate = { site: string; organise: string; agents: string[]; most: string }
type Found = { id: string; name: string; fen: string; orders: number; energy: number }

const best = 10
const batch = 200
const revenue = sql`electricity_fen + service_fen + occupancy_fen`

/**
 * The ten sites with the highest revenue. A site never earns more in some days than in the months that contain them.
 * Candidates are therefore read by month, best first. The loop stops when no remaining site can reach the top ten,
 * usually after a few hundred.
 */
export async function readSites(db: Db, scope: Scope, query: Query): Promise<AnalysisShare[]> {
  await planByValues(db)
  const days = rangeOf(query, Date.now())
  const place = await statPlace(db, scope, query, statBy.code.site)
  let found: Found[] = []
  for (let skip = 0; ; skip += batch) {
    const { rows } = await sql<Candidate>`
      select site_id::text as site, min(organise_id)::text as organise, array_agg(distinct agent_id)::text[] as agents, sum(${revenue})::text as most from stat_month_live
      where ${place} and month between date_trunc('month', ${days.from}::date)::date and ${days.to}::date group by site_id having sum(orders + released) > 0
      order by sum(${revenue}) desc, site_id limit ${batch} offset ${skip}`.execute(db)
    found = [...found, ...(await exact(db, { query, days, candidates: rows }))].toSorted(
      (one, other) => Number(BigInt(other.fen) - BigInt(one.fen)) || Number(BigInt(one.id) - BigInt(other.id)),
    )
    const [last, tenth] = [rows.at(-1), found[best - 1]]
    if (rows.length < batch || last === undefined || (tenth !== undefined && BigInt(tenth.fen) > BigInt(last.most)))
      break
  }
  return found.slice(0, best).map(({ id, name, fen, orders, energy }) => ({
    id,
    name,
    revenue: yuanText(BigInt(fen)),
    orders,
    energyDwh: energy,
  }))
}

type Params = { query: Query; days: Days; candidates: readonly Candidate[] }
async function exact(db: Db, { query, days, candidates }: Params): Promise<Found[]> {
  // A site that changed its agent has figures under both agents.
  const places = candidates.flatMap(({ site, organise, agents }) => agents.map((agent) => ({ site, organise, agent })))
  const type = query.deviceTypeId === undefined ? sql`true` : sql`figure.device_type_id = ${query.deviceTypeId}`
  const { rows } = await sql<Found>`
    select site.id::text as id, site.name, sums.fen::text as fen, sums.orders::int as orders, sums.energy::float8 as energy from (
      select figure.site_id, sum(figure.electricity_fen + figure.service_fen + figure.occupancy_fen) as fen, sum(figure.orders + figure.released) as orders, sum(figure.energy_dwh) as energy
      from unnest(${places.map(({ organise }) => organise)}::bigint[], ${places.map(({ agent }) => agent)}::bigint[], ${places.map(({ site }) => site)}::bigint[]) wanted (organise_id, agent_id, site_id)
      join stat_day_live figure on figure.kind = 5 and figure.organise_id = wanted.organise_id and figure.agent_id = wanted.agent_id and figure.site_id = wanted.site_id and figure.district = ''
      where figure.day between ${days.from} and ${days.to} and ${type} group by 1
    ) sums join site on site.id = sums.site_id where sums.orders > 0`.execute(db)
  return rows
}
