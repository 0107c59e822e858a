import { statBy, type StatBy } from '@wattdeck/contract/order/statistics.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'
import type { Scope } from '../../kit/db/scope.ts'

/** Filter of figures. A region is the code of a province, a city or a district, as sites have it. */
export type StatFilter = {
  organiseId?: string | undefined
  agentId?: string | undefined
  siteId?: string | undefined
  region?: string | undefined
  /** Big category. */
  categoryId?: string | undefined
  deviceTypeId?: string | undefined
}

type Condition = RawBuilder<boolean>
const kind = { all: 0, organise: 3, agent: 4, site: 5 } as const
/** Kinds of region rows: over all organisations, and per organisation. */
const regionKind = {
  province: { all: 6, organise: 8 },
  city: { all: 7, organise: 9 },
  district: { all: 1, organise: 2 },
} as const
export type RegionLevel = keyof typeof regionKind
const same = (column: string, value: string | number): Condition => sql<boolean>`${sql.ref(column)} = ${value}`
/** A literal instead of a parameter: a cached plan could not use a partial index on a parameter. */
const always = (column: string, value: string | number): Condition =>
  sql<boolean>`${sql.ref(column)} = ${sql.lit(value)}`
const among = (column: string, values: readonly string[]): Condition =>
  sql<boolean>`${sql.ref(column)} = any(${values}::bigint[])`

/**
 * Columns that are constant within a kind. Conditions still name them for the index on kind, organisation, agent, site,
 * district and day.
 */
const ofNoDistrict = always('district', '')
const withoutAgentOrSite = [always('agent_id', '0'), always('site_id', '0')]

const levelOf = (region: string): RegionLevel =>
  region.endsWith('0000') ? 'province' : region.endsWith('00') ? 'city' : 'district'

/** A province is the first two digits of its districts' codes, a city the first four. */
export function districtsOf(region: string): { from: string; upto: string } | { only: string } {
  const digits = { province: 2, city: 4, district: 6 }[levelOf(region)]
  if (digits === 6) return { only: region }
  const from = region.slice(0, digits)
  return { from: from.padEnd(6, '0'), upto: String(Number(from) + 1).padEnd(6, '0') }
}
export const inRegion = (column: string, region: string): Condition => {
  const districts = districtsOf(region)
  return 'only' in districts
    ? sql<boolean>`${sql.ref(column)} = ${districts.only}`
    : sql<boolean>`${sql.ref(column)} >= ${districts.from} and ${sql.ref(column)} < ${districts.upto}`
}

/**
 * Selects the rows of stat_day_live, stat_hour_live or stat_now_live that add up to the filter. It uses the widest
 * rolled-up kind, so that a page over everything reads as few rows as one over a site. `by` requires rows per owner.
 * Row-level security narrows the result further; these conditions never widen it.
 */
export async function statPlace(db: Db, scope: Scope, filter: StatFilter, by?: StatBy): Promise<Condition> {
  const { siteId, agentId, region } = filter
  const organiseId = scope.level > 0 ? scope.organiseId : filter.organiseId
  const conditions = [...ofType(filter)]
  // A caller who requests another organisation gets no rows.
  if (scope.level > 0 && filter.organiseId !== undefined) conditions.push(same('organise_id', filter.organiseId))
  const agents = agentId === undefined ? undefined : await agentsBelow(db, agentId)
  const byAgent = by === statBy.code.agent || agents !== undefined || scope.level === 2
  if (by === statBy.code.site || siteId !== undefined || scope.level === 3 || (region !== undefined && byAgent)) {
    conditions.push(...(await bySite(db, scope, { organiseId, siteId, region }, agents)))
  } else if (byAgent) {
    conditions.push(always('kind', kind.agent), always('site_id', '0'), ofNoDistrict)
    if (organiseId !== undefined) conditions.push(same('organise_id', organiseId))
    if (agents !== undefined) conditions.push(among('agent_id', agents))
  } else if (region !== undefined) {
    const all = organiseId === undefined && by === undefined
    const { [levelOf(region)]: kinds } = regionKind
    conditions.push(always('kind', all ? kinds.all : kinds.organise), ...withoutAgentOrSite, same('district', region))
    if (all || organiseId !== undefined) conditions.push(same('organise_id', organiseId ?? '0'))
  } else {
    const all = organiseId === undefined && by === undefined
    conditions.push(always('kind', all ? kind.all : kind.organise), ...withoutAgentOrSite, ofNoDistrict)
    if (all || organiseId !== undefined) conditions.push(same('organise_id', organiseId ?? '0'))
  }
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}

/**
 * Rows per region of a level, over everything or one organisation; an unknown region is ''. Only for callers who see a
 * whole organisation, because rows of agents and sites have no regions.
 */
export function regionsPlace(scope: Scope, filter: StatFilter, level: RegionLevel): Condition {
  const organiseId = scope.level > 0 ? scope.organiseId : filter.organiseId
  return sql<boolean>`${sql.join(
    [
      ...ofType(filter),
      always('kind', regionKind[level][organiseId === undefined ? 'all' : 'organise']),
      same('organise_id', organiseId ?? '0'),
      ...withoutAgentOrSite,
      ...ofOrganise(filter),
      ...(filter.region === undefined ? [] : [inRegion('district', filter.region)]),
    ],
    sql` and `,
  )}`
}

export const organisesPlace = (ids: readonly string[]): Condition =>
  sql<boolean>`${sql.join([always('kind', kind.organise), among('organise_id', ids), ...withoutAgentOrSite, ofNoDistrict], sql` and `)}`

/** Rows of these agents, each without its sub-agents. */
export const agentsPlace = (organiseIds: readonly string[], ids: readonly string[]): Condition =>
  sql<boolean>`${sql.join(
    [
      always('kind', kind.agent),
      among('organise_id', organiseIds),
      among('agent_id', ids),
      always('site_id', '0'),
      ofNoDistrict,
    ],
    sql` and `,
  )}`

export const sitesPlace = (filter: StatFilter, siteIds: readonly string[]): Condition =>
  sql<boolean>`${sql.join([...ofType(filter), always('kind', kind.site), among('site_id', siteIds), ...ofOrganise(filter)], sql` and `)}`

/** A caller who requests another organisation gets no rows. */
const ofOrganise = ({ organiseId }: StatFilter): Condition[] =>
  organiseId === undefined ? [] : [same('organise_id', organiseId)]

/** Site rows are indexed by organisation and agent, so both are named if known, to read only their rows. */
async function bySite(
  db: Db,
  scope: Scope,
  { siteId, region, ...filter }: Pick<StatFilter, 'organiseId' | 'siteId' | 'region'>,
  agents: readonly string[] | undefined,
): Promise<Condition[]> {
  const organiseId = filter.organiseId ?? (siteId === undefined ? undefined : await organiseOf(db, siteId))
  const agentIds = agents ?? (await agentsOf(db, scope, organiseId))
  return [
    always('kind', kind.site),
    ofNoDistrict,
    ...(organiseId === undefined ? [] : [same('organise_id', organiseId)]),
    ...(agentIds === undefined ? [] : [among('agent_id', agentIds)]),
    ...(siteId === undefined ? [] : [same('site_id', siteId)]),
    ...(region === undefined
      ? []
      : [sql<boolean>`site_id in (select site.id from site where ${inRegion('site.district_code', region)})`]),
  ]
}

const ofType = ({ categoryId, deviceTypeId }: StatFilter): Condition[] => [
  ...(deviceTypeId === undefined ? [] : [same('device_type_id', deviceTypeId)]),
  ...(categoryId === undefined
    ? []
    : [sql<boolean>`device_type_id in (select id from device_type where category_id = ${categoryId})`]),
]

async function agentsBelow(db: Db, agentId: string): Promise<string[]> {
  const { rows } = await sql<{ ids: string[] }>`select app.agents_below(${agentId})::text[] as ids`.execute(db)
  return rows[0]?.ids ?? []
}

/** The organisation of a visible site; '0' for any other, which matches no rows. */
async function organiseOf(db: Db, siteId: string): Promise<string> {
  const site = await db.selectFrom('site').select('organise_id').where('id', '=', siteId).executeTakeFirst()
  return site?.organise_id ?? '0'
}

const fewAgents = 500
/** Ids of all agents in the caller's scope, with '0' for sites without an agent; undefined if too many or unknown. */
async function agentsOf(db: Db, scope: Scope, organiseId: string | undefined): Promise<string[] | undefined> {
  if (scope.level === 2) return [...scope.agentIds]
  if (scope.level === 3 || organiseId === undefined) return undefined
  const rows = await db
    .selectFrom('agent')
    .select('id')
    .where('organise_id', '=', organiseId)
    .limit(fewAgents + 1)
    .execute()
  return rows.length > fewAgents ? undefined : ['0', ...rows.map(({ id }) => id)]
}
