import { areaLevel, unknownRegion } from '@wattdeck/contract/dashboard/big-screen-fields.ts'
import { statBy } from '@wattdeck/contract/order/statistics.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { type RegionLevel, regionsPlace, sitesPlace } from '../../../core/statistics/stat-place.store.ts'
import { bigs, sumsOf as sumColumns, type Sums } from '../../../core/statistics/stat-page.store.ts'
import type { Level } from './big-screen.rules.ts'
import { type ScreenParams, type Figure, type Reading, sumsBy, sumsOf } from './big-screen.store.ts'

/** Name and position of an area. */
type Area = { code: string; name: string; adcode: string; centre: [number, number] | null }
type AreaSums<F extends string> = Map<string, Sums<F>>

const { code: levels } = areaLevel
type Region = Exclude<Level, typeof levels.site>
const regionLevel: Record<Region, RegionLevel> = {
  [levels.province]: 'province',
  [levels.city]: 'city',
  [levels.district]: 'district',
}

/** The area of a district at this level; '' for an unknown district. */
function areaOf(district: string, level: Level): string {
  if (district === '' || level === levels.district) return district
  if (level === levels.province) return `${district.slice(0, 2)}0000`
  return /^8[12]/.test(district) ? `${district.slice(0, 2)}0100` : `${district.slice(0, 4)}00`
}

/** Sums by area, by default at the level below the filter. */
export async function sumsByArea<F extends Figure>(
  db: Db,
  scope: Scope,
  params: ScreenParams,
  reading: Reading<F>,
  level: Level = params.level,
): Promise<AreaSums<F>> {
  if (level === levels.site) return sumsOfSites(db, params, reading)
  if (scope.level <= 1) return read(db, reading, sql`district`, regionsPlace(scope, params.filter, regionLevel[level]))
  const areas: AreaSums<F> = new Map()
  for (const [district, sums] of await districtsOfSites(db, scope, params, reading))
    add(areas, areaOf(district, level), sums)
  return areas
}

function add<F extends string>(to: AreaSums<F>, key: string, sums: Sums<F>, sign = 1n): void {
  const before = to.get(key)
  const entries = Object.entries(sums) as [F, bigint][]
  to.set(key, Object.fromEntries(entries.map(([name, n]) => [name, (before?.[name] ?? 0n) + sign * n])) as Sums<F>)
}

async function read<F extends Figure>(
  db: Db,
  { from, figures, when = sql<boolean>`true` }: Reading<F>,
  key: ReturnType<typeof sql>,
  place: ReturnType<typeof regionsPlace>,
): Promise<AreaSums<F>> {
  const { rows } = await sql<Record<string, string>>`
    select ${key}::text as key, ${sumColumns(figures)} from ${sql.table(from)} where ${place} and ${when} group by 1`.execute(
    db,
  )
  return new Map(rows.map((row) => [row['key'] ?? '', bigs(figures, row)]))
}

/** Every site of the district in scope, of any owner. */
async function sumsOfSites<F extends Figure>(db: Db, { filter }: ScreenParams, reading: Reading<F>) {
  const sites = await db
    .selectFrom('site')
    .select('id')
    .where('district_code', '=', filter.region ?? '')
    .$if(filter.organiseId !== undefined, (query) => query.where('organise_id', '=', filter.organiseId ?? ''))
    .execute()
  const place = sitesPlace(
    filter,
    sites.map(({ id }) => id),
  )
  return read(db, reading, sql`site_id`, place)
}

/** For callers who see some sites only. Each site counts in its district; figures without a site have no district. */
async function districtsOfSites<F extends Figure>(db: Db, scope: Scope, params: ScreenParams, reading: Reading<F>) {
  const bySite = await sumsBy(db, scope, params, reading, { key: sql`site_id`, by: statBy.code.site })
  const sites = await db
    .selectFrom('site')
    .select(['id', 'district_code'])
    .where('id', '=', sql<string>`any(${[...bySite.keys()]}::bigint[])`)
    .execute()
  const districts = new Map(sites.map(({ id, district_code }) => [id, district_code ?? '']))
  const found: AreaSums<F> = new Map()
  for (const [site, sums] of bySite) add(found, districts.get(site) ?? '', sums)
  if (params.filter.region === undefined && scope.level === 2) {
    add(found, '', await sumsOf(db, scope, params, reading))
    for (const sums of bySite.values()) add(found, '', sums, -1n)
  }
  return found
}

const point = (lng: string | number | null, lat: string | number | null): [number, number] | null =>
  lng === null || lat === null ? null : [Number(lng), Number(lat)]

/** Names and positions of the areas of a level. */
export async function describeAreas(db: Db, level: Level, codes: readonly string[]) {
  const found = new Map<string, Area>()
  if (level === areaLevel.code.site) {
    const sites = await db
      .selectFrom('site')
      .select(['id', 'name', 'district_code', 'lng', 'lat'])
      .where('id', '=', sql<string>`any(${codes}::bigint[])`)
      .execute()
    for (const { id, name, district_code, lng, lat } of sites)
      found.set(id, { code: id, name, adcode: district_code ?? '', centre: point(lng, lat) })
  } else {
    const regions = await db
      .selectFrom('region')
      .select(['adcode', 'name', 'lng', 'lat'])
      .where('adcode', '=', sql<string>`any(${codes})`)
      .execute()
    for (const { adcode, name, lng, lat } of regions)
      found.set(adcode, { code: adcode, name, adcode, centre: point(lng, lat) })
  }
  return (code: string): Area => found.get(code) ?? { code, name: unknownRegion, adcode: '', centre: null }
}
