import { statBy, type StatBy } from '@wattdeck/contract/order/statistics.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'
import type { Scope } from '../../kit/db/scope.ts'

/** What figures are narrowed by. Regions are codes of a province, a city or a district, as sites have them. */
export type StatFilter = {
  organiseId?: string | undefined
  agentId?: string | undefined
  siteId?: string | undefined
  region?: string | undefined
  /** First class. */
  categoryId?: string | undefined
  deviceTypeId?: string | undefined
}

type Condition = RawBuilder<boolean>
const kind = { all: 0, organise: 3, agent: 4, site: 5 } as const
/** Rows of regions: of everybody's and of one organisation's in each of them. */
const regionKind = {
  province: { all: 6, organise: 8 },
  city: { all: 7, organise: 9 },
  district: { all: 1, organise: 2 },
} as const
export type RegionLevel = keyof typeof regionKind
const same = (column: string, value: string | number): Condition => sql<boolean>`${sql.ref(column)} = ${value}`
/** A value that an index may name is no parameter: a plan that is kept could not use that index. */
const always = (column: string, value: string | number): Condition =>
  sql<boolean>`${sql.ref(column)} = ${sql.lit(value)}`
const among = (column: string, values: readonly string[]): Condition =>
  sql<boolean>`${sql.ref(column)} = any(${values}::bigint[])`

/**
 * What does not tell rows of a kind apart is the same in all of them. It is said all the same, so that an index leads to
 * the day: rows stand by kind, organisation, agent, site, district and day.
 */
const ofNoDistrict = always('district', '')
const ofNobody = [always('agent_id', '0'), always('site_id', '0')]

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
 * The rows of stat_day_live, stat_hour_live or stat_now_live that add up to what is asked for: those of the widest place
 * that says it all, so that a page over everything reads as few rows as one over a site. `by` asks for rows that tell
 * these owners apart. Row security narrows it further; these conditions never widen what somebody may see, they only
 * choose where to look.
 */
export async function statPlace(db: Db, scope: Scope, filter: StatFilter, by?: StatBy): Promise<Condition> {
  const { siteId, agentId, region } = filter
  const organiseId = scope.level > 0 ? scope.organiseId : filter.organiseId
  const conditions = [...ofType(filter)]
  // Somebody who asks for another organisation than their own gets nothing.
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
    conditions.push(always('kind', all ? kinds.all : kinds.organise), ...ofNobody, same('district', region))
    if (all || organiseId !== undefined) conditions.push(same('organise_id', organiseId ?? '0'))
  } else {
    const all = organiseId === undefined && by === undefined
    conditions.push(always('kind', all ? kind.all : kind.organise), ...ofNobody, ofNoDistrict)
    if (all || organiseId !== undefined) conditions.push(same('organise_id', organiseId ?? '0'))
  }
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}

/**
 * Rows that tell regions of a level apart, of everything or of one organisation; a region that nobody knows is ''. For those
 * who see a whole organisation: an agent's and a site's rows have no regions.
 */
export function regionsPlace(scope: Scope, filter: StatFilter, level: RegionLevel): Condition {
  const organiseId = scope.level > 0 ? scope.organiseId : filter.organiseId
  return sql<boolean>`${sql.join(
    [
      ...ofType(filter),
      always('kind', regionKind[level][organiseId === undefined ? 'all' : 'organise']),
      same('organise_id', organiseId ?? '0'),
      ...ofNobody,
      ...ofOrganise(filter),
      ...(filter.region === undefined ? [] : [inRegion('district', filter.region)]),
    ],
    sql` and `,
  )}`
}

/** Rows of these organisations. */
export const organisesPlace = (ids: readonly string[]): Condition =>
  sql<boolean>`${sql.join([always('kind', kind.organise), among('organise_id', ids), ...ofNobody, ofNoDistrict], sql` and `)}`

/** Rows of these agents, each without those below it. */
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

/** Rows of these sites. */
export const sitesPlace = (filter: StatFilter, siteIds: readonly string[]): Condition =>
  sql<boolean>`${sql.join([...ofType(filter), always('kind', kind.site), among('site_id', siteIds), ...ofOrganise(filter)], sql` and `)}`

/** Somebody who asks for another organisation than their own gets nothing. */
const ofOrganise = ({ organiseId }: StatFilter): Condition[] =>
  organiseId === undefined ? [] : [same('organise_id', organiseId)]

/** Rows of sites stand by organisation and agent: both are named where they can be, so that only their rows are read. */
async function bySite(
  db: Db,
  scope: Scope,
  { siteId, region, ...filter }: Pick<StatFilter, 'organiseId' | 'siteId' | 'region'>,
  agents: readonly string[] | undefined,
): Promise<Condition[]> {
  const organiseId = filter.organiseId ?? (siteId === undefined ? undefined : await organiseOf(db, siteId))
  const known = agents ?? (await agentsOf(db, scope, organiseId))
  return [
    always('kind', kind.site),
    ofNoDistrict,
    ...(organiseId === undefined ? [] : [same('organise_id', organiseId)]),
    ...(known === undefined ? [] : [among('agent_id', known)]),
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

/** A site of nobody's is in no organisation: then nothing is found, as it must be. */
async function organiseOf(db: Db, siteId: string): Promise<string> {
  const found = await db.selectFrom('site').select('organise_id').where('id', '=', siteId).executeTakeFirst()
  return found?.organise_id ?? '0'
}

const fewAgents = 500
/** Every agent whose sites somebody may see, and none (0); undefined where they are too many to name, or not to be known. */
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
