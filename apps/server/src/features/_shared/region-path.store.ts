import { sql, type Expression } from 'kysely'
import type { Db } from '../../kit/db/db.ts'
import { invalid } from '../../kit/http/refusal.ts'

export type RegionCodes = {
  provinceCode?: string | null | undefined
  cityCode?: string | null | undefined
  districtCode?: string | null | undefined
}
export type RegionNames = { province: string; city?: string; district?: string }

const isPresent = <T>(value: T | null | undefined): value is T => value !== undefined && value !== null && value !== ''

/**
 * Returns the lowest region of a path, with its centre, or undefined for an empty path. The path may end above the
 * lowest level. Rejects codes that do not form one path of the tree: a district of another city, a city without its
 * province.
 */
export async function requireRegion(db: Db, { provinceCode, cityCode, districtCode }: RegionCodes) {
  const path = [provinceCode, cityCode, districtCode].filter(isPresent)
  if (path.length === 0) return undefined
  const rows = await db
    .selectFrom('region')
    .select(['adcode', 'parent_adcode', 'name', 'lng', 'lat', 'approximate'])
    .where('adcode', '=', sql<string>`any(${path})`)
    .orderBy('level')
    .execute()
  const connected =
    isPresent(provinceCode) &&
    (isPresent(cityCode) || !isPresent(districtCode)) &&
    rows.length === path.length &&
    rows.every((row, level) => row.adcode === path[level] && row.parent_adcode === (path[level - 1] ?? null))
  if (!connected) throw invalid('请选择正确的省市区')
  return rows.at(-1)
}

/** For list columns: '浙江省 杭州市 余杭区', with the levels that are present. */
export const regionText = (...codes: Expression<string | null>[]) =>
  sql<string>`concat_ws(' ', ${sql.join(codes.map((code) => sql`(select name from region where adcode = ${code})`))})`

/** The same text for the region columns of a table. */
export const regionOf = (table: string) =>
  regionText(
    ...['province_code', 'city_code', 'district_code'].map((column) => sql.ref<string | null>(`${table}.${column}`)),
  )

type RegionMatch = { provinceCode: string; cityCode?: string; districtCode?: string }
type Node = { adcode: string; name: string; parent: string | null }

/**
 * Finds the region by its full name, or by a prefix of two or more characters ('浙江' for 浙江省). Returns undefined for an
 * ambiguous name.
 */
function named(nodes: readonly Node[], name: string): Node | undefined {
  const exact = nodes.filter((node) => node.name === name)
  const found = exact.length > 0 || name.length < 2 ? exact : nodes.filter((node) => node.name.startsWith(name))
  return found.length === 1 ? found[0] : undefined
}

/**
 * For imports, which name regions in text. Reads the tree once and resolves each line in memory. Returns undefined for
 * an unknown or ambiguous name. The city may be empty or repeat the province, as with Beijing. A county directly under
 * a province may stand in place of the city.
 */
export async function regionFinder(db: Db): Promise<(names: RegionNames) => RegionMatch | undefined> {
  const nodes = await db
    .selectFrom('region')
    .select(['adcode', 'name', 'parent_adcode as parent'])
    .orderBy('sort')
    .execute()
  const below = Map.groupBy(nodes, (node) => node.parent)
  const childrenOf = (parent: string | null): Node[] => below.get(parent) ?? []

  return ({ province: provinceName, city: cityName = '', district: districtName = '' }) => {
    const province = named(childrenOf(null), provinceName)
    if (!province) return undefined
    const provinceCode = province.adcode
    const path = (district: Node | undefined) =>
      district && { provinceCode, cityCode: district.parent ?? '', districtCode: district.adcode }

    const cities = childrenOf(provinceCode)
    const city = named(cities, cityName)
    if (city) {
      if (districtName === '') return { provinceCode, cityCode: city.adcode }
      return path(named(childrenOf(city.adcode), districtName))
    }
    const says = province.name.startsWith(cityName) ? [districtName] : [cityName, districtName]
    const [direct, another] = [...new Set(says.filter((name) => name !== ''))]
    if (another !== undefined) return undefined
    if (direct === undefined) return { provinceCode }
    return path(
      named(
        cities.flatMap(({ adcode }) => childrenOf(adcode)),
        direct,
      ),
    )
  }
}
