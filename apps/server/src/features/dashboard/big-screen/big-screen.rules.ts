import { areaLevel, areaPoints } from '@wattdeck/contract/dashboard/big-screen-fields.ts'
import { invalid } from '../../../kit/http/refusal.ts'
import { plusDays } from '../../../core/statistics/stat-periods.rules.ts'

export type Level = (typeof areaLevel.options)[number]['value']
export type RegionPath = { province?: string | undefined; city?: string | undefined; district?: string | undefined }

const provinceOf = (code: string) => `${code.slice(0, 2)}0000`
const alone = (code: string) => /^8[12]/.test(code)
const cityOf = (code: string) => (alone(code) ? `${code.slice(0, 2)}0100` : `${code.slice(0, 4)}00`)

/** The lowest region of a path, and the level below it. Higher parts of the path may be omitted. */
export function regionOf({ province, city, district }: RegionPath): { region: string | undefined; level: Level } {
  const wrong =
    (province !== undefined && !province.endsWith('0000')) ||
    (city !== undefined && (city.endsWith('0000') || !city.endsWith('00'))) ||
    district?.endsWith('00') === true ||
    (district !== undefined && city !== undefined && cityOf(district) !== city) ||
    (province !== undefined && [city, district].some((code) => code !== undefined && provinceOf(code) !== province))
  if (wrong) throw invalid('请选择正确的省市区')
  if (district !== undefined) return { region: district, level: areaLevel.code.site }
  // Hong Kong and Macao are one city each, whose code is no prefix of its district codes.
  if (city !== undefined) return { region: alone(city) ? provinceOf(city) : city, level: areaLevel.code.district }
  if (province !== undefined) return { region: province, level: areaLevel.code.city }
  return { region: undefined, level: areaLevel.code.province }
}

/** Dates of the big screen in Asia/Shanghai. */
export function screenDays(nowMs: number) {
  const local = new Date(nowMs + 8 * 3_600_000).toISOString()
  const today = local.slice(0, 10)
  return {
    today,
    yesterday: plusDays(today, -1),
    month: `${today.slice(0, 7)}-01`,
    year: `${today.slice(0, 4)}-01-01`,
    /** The current hour. */
    hour: Number(local.slice(11, 13)),
  }
}

/** An area on the map, before clustering. */
export type Spot = { code: string; name: string; x: number; y: number; figures: SpotFigures }
type SpotFigures = {
  allDeviceCount: number
  onLineDeviceNum: number
  offLineDeviceNum: number
  totalPortCount: number
  workingPortNum: number
  faultPortNum: number
}
type Cell = { key: string; spots: Spot[] }

const zoomOf = { 1: 4, 2: 6, 3: 8, 4: 11 } as const
const cellPixels = 40

/** Clusters spots by squares of a web map at this zoom, independent of the visible window. */
function cellsOf(spots: readonly Spot[], zoom: number): Cell[] {
  const size = cellPixels / (256 * 2 ** zoom)
  const cells = Map.groupBy(spots, ({ x, y }) => {
    const sine = Math.sin((y * Math.PI) / 180)
    const down = 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)
    return `${zoom}/${Math.floor((x / 360 + 0.5) / size)}/${Math.floor(down / size)}`
  })
  return [...cells].map(([key, own]) => ({ key, spots: own }))
}

const sumOf = (spots: readonly Spot[], name: keyof SpotFigures) =>
  spots.reduce((sum, { figures }) => sum + figures[name], 0)
const places = (value: number) => Math.round(value * 1_000_000) / 1_000_000

/** Clusters areas into points at the centre of their devices. Zooms out until the map can show all points. */
export function pointsOf(spots: readonly Spot[], level: Level, zoom: number = zoomOf[level]) {
  let wide = zoom
  let cells = cellsOf(spots, wide)
  while (cells.length > areaPoints) cells = cellsOf(spots, --wide)
  return cells.map(({ key, spots: own }) => {
    const [largest] = own.toSorted(
      (a, b) => b.figures.allDeviceCount - a.figures.allDeviceCount || (a.code < b.code ? -1 : 1),
    )
    const all = sumOf(own, 'allDeviceCount')
    const middle = (of: 'x' | 'y') =>
      places(own.reduce((sum, spot) => sum + spot[of] * spot.figures.allDeviceCount, 0) / all)
    return {
      key,
      name: largest?.name ?? '',
      code: largest?.code ?? '',
      areaCount: own.length,
      positionX: middle('x'),
      positionY: middle('y'),
      allDeviceCount: all,
      onLineDeviceNum: sumOf(own, 'onLineDeviceNum'),
      offLineDeviceNum: sumOf(own, 'offLineDeviceNum'),
      totalPortCount: sumOf(own, 'totalPortCount'),
      workingPortNum: sumOf(own, 'workingPortNum'),
      faultPortNum: sumOf(own, 'faultPortNum'),
    }
  })
}
