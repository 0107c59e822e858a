import { z } from 'zod'
import { codes } from '../kit/codes.ts'
import { money } from '../kit/wire.ts'

/** The period of a ranking or a share. */
export const screenSpan = codes({
  today: { code: 1, label: '今日' },
  month: { code: 2, label: '本月' },
})

/** The level of the items of a map, ranking or flight: one below the requested area. */
export const areaLevel = codes({
  province: { code: 1, label: '省' },
  city: { code: 2, label: '市' },
  district: { code: 3, label: '区县' },
  site: { code: 4, label: '站点' },
})

/** The state of a device on the map; a fault takes precedence over work. */
export const areaState = codes({
  offline: { code: 0, label: '离线', tone: 'off' },
  free: { code: 1, label: '空闲', tone: 'ok' },
  working: { code: 2, label: '工作中', tone: 'run' },
  fault: { code: 3, label: '故障', tone: 'bad' },
})

/** Maximum entries of a ranking, points of the map, and orders on the board. */
export const rankingSize = 10
export const areaPoints = 500
export const latestOrders = 20
/** The name of an unknown location. */
export const unknownRegion = '未知'

export const count = z.int().nonnegative()
/** Avoids Zod's own tuples, which would add to the bundle of every page. */
const pair = z.array(z.number()).length(2) as unknown as z.ZodType<[number, number]>
const centre = pair.nullable().describe('longitude and latitude; null where unknown')
export const positionX = z.number().nullable().describe('longitude')
export const positionY = z.number().nullable().describe('latitude')
export const energyDwh = z.int().describe('1/10000 kWh')
export const turnover = money.describe('billed amount: electricity, service and occupancy')

/** A province, city or district; below a district, a site. */
export const area = {
  code: z.string().describe("six digits, or a site's id; empty: unknown"),
  name: z.string().describe(`${unknownRegion} if the location is unknown`),
  adcode: z.string().describe('six digits of the region, or of the district of a site; empty: unknown'),
  centre,
}

/** The owners whose turnover or members are compared: organisations, or the sites of one of them. */
export const ownerKind = codes({
  organise: { code: 1, label: '机构' },
  site: { code: 2, label: '站点' },
})
