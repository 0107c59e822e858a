import { z } from 'zod'
import { codes } from '../kit/codes.ts'
import { money } from '../kit/wire.ts'

/** Which time a ranking or a share is of. */
export const screenSpan = codes({
  today: { code: 1, label: '今日' },
  month: { code: 2, label: '本月' },
})

/** What the items of a map, a ranking or a flight stand for: one level below what was asked for. */
export const areaLevel = codes({
  province: { code: 1, label: '省' },
  city: { code: 2, label: '市' },
  district: { code: 3, label: '区县' },
  site: { code: 4, label: '站点' },
})

/** What a device on the map looks like; a fault is seen before work. */
export const areaState = codes({
  offline: { code: 0, label: '离线', tone: 'off' },
  free: { code: 1, label: '空闲', tone: 'ok' },
  working: { code: 2, label: '工作中', tone: 'run' },
  fault: { code: 3, label: '故障', tone: 'bad' },
})

/** Rankings hold so many; the map at most so many points; the board so many orders. */
export const rankingSize = 10
export const areaPoints = 500
export const latestOrders = 20
/** The name of where something is that nobody has said. */
export const unknownRegion = '未知'

export const count = z.int().nonnegative()
/** Zod's own tuples would weigh down every page of the console. */
const pair = z.array(z.number()).length(2) as unknown as z.ZodType<[number, number]>
const centre = pair.nullable().describe('longitude and latitude; null where unknown')
export const positionX = z.number().nullable().describe('longitude')
export const positionY = z.number().nullable().describe('latitude')
export const energyDwh = z.int().describe('1/10000 kWh')
export const turnover = money.describe('what the bills came to: electricity, service and occupancy')

/** A province, city or district; below a district, a site. */
export const area = {
  code: z.string().describe("six digits, or a site's id; empty: unknown"),
  name: z.string().describe(`${unknownRegion} where nobody has said where it is`),
  adcode: z.string().describe('six digits of the region; of a site, those of its district; empty: unknown'),
  centre,
}

/** Whose turnover or members are compared: organisations, or the sites of one of them. */
export const ownerKind = codes({
  organise: { code: 1, label: '机构' },
  site: { code: 2, label: '站点' },
})
