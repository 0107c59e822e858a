import { z } from 'zod'
import { row } from '../kit/wire.ts'
import { area, areaLevel, areaPoints, areaState, count, energyDwh, rankingSize } from './big-screen-fields.ts'

export const DeviceBase = row({
  allDeviceCount: count.describe('devices; with isOnline, those that are or are not'),
  onLineDeviceNum: count,
  offLineDeviceNum: count,
  totalPortCount: count.describe('ports of these devices'),
  onLinePortNum: count.describe('ports of devices that are online'),
  offLinePortNum: count,
})

export const DeviceTodayAdd = row({
  todayCount: count.describe('devices that were added today, also those that were removed since'),
  yesterdayCount: count,
  hours: z.array(row({ hour: z.int(), countNum: count })).describe('24, by the hour of today'),
})

const deviceSpan = row({
  addCount: count.describe('devices that were added'),
  faultCount: count.describe('alarms that were raised'),
  orderCount: count.describe('charges that were billed'),
  seconds: count.describe('time of these charges'),
  energyDwh,
})
export const DeviceTodayMonth = row({ today: deviceSpan, month: deviceSpan })

export const DeviceService = row({
  allDeviceCount: count,
  normalCount: count.describe('basic service runs for more than 30 days'),
  expiringCount: count.describe('ends within 30 days'),
  expiredCount: count.describe('has ended'),
})

export const DeviceAdd = z
  .array(row({ period: z.string().describe('YYYY-MM-DD or YYYY-MM'), countNum: count }))
  .describe('30 days or 12 months, the oldest first, every one of them')

/** How devices, or what belongs to them, are spread. */
export const AreaItem = row({
  ...area,
  allDeviceCount: count.describe('devices there, whatever isOnline says'),
  totalPortCount: count.describe('ports there'),
  onLinePortNum: count.describe('ports of devices that are online'),
  offLinePortNum: count,
  countNum: count.describe('what it is ranked by'),
  totalCount: count.describe('countNum of all there are, also those that are not listed: for shares'),
})
export type AreaItem = z.infer<typeof AreaItem>
export const AreaRanking = row({
  level: areaLevel.schema,
  ranking: z.array(AreaItem).max(rankingSize),
  areas: z
    .array(row({ ...area, countNum: count }))
    .describe('every area that has any, for the colours of a map; none below a district'),
})
export type AreaRanking = z.infer<typeof AreaRanking>

export const PortSum = row({
  totalPortCount: count,
  onLinePortNum: count.describe('ports of devices that are online'),
  offLinePortNum: count,
  freeNum: count.describe('this and what follows: what the port last said, whether online or not'),
  workingNum: count,
  faultNum: count,
  appointedNum: count,
  connectedNum: count,
  washerWarningNum: count,
  washerDownNum: count,
})

/** Several devices at one place of the map. */
export const AreaPoint = row({
  key: z.string().describe('stays the same while the region and the zoom stay'),
  name: z.string().describe('of the one area, or of the largest of those that are taken together'),
  code: z.string().describe('of the same area: what to ask for next'),
  areaCount: count.describe('so many areas are taken together'),
  positionX: z.number(),
  positionY: z.number(),
  allDeviceCount: count,
  onLineDeviceNum: count,
  offLineDeviceNum: count,
  totalPortCount: count,
  workingPortNum: count,
  faultPortNum: count,
})
export type AreaPoint = z.infer<typeof AreaPoint>
export const AreaDevice = row({
  id: z.string(),
  deviceNo: z.string(),
  deviceName: z.string(),
  siteId: z.string().nullable(),
  siteName: z.string().nullable(),
  positionX: z.number().describe('longitude, of the device or of its site'),
  positionY: z.number(),
  state: areaState.schema,
  totalPortCount: count,
  workingPortNum: count,
  faultPortNum: count,
})
export type AreaDevice = z.infer<typeof AreaDevice>
export const AreaDevices = row({
  level: areaLevel.schema.describe('what points stand for'),
  points: z
    .array(AreaPoint)
    .max(areaPoints)
    .describe(
      'where there are too many devices to show each; with isOnline only where there are such, with the figures of all',
    ),
  devices: z.array(AreaDevice).max(areaPoints).describe('of a site, or of a district with few'),
  allDeviceCount: count.describe('that were asked for, also those without a place on the map'),
  hiddenCount: count.describe('of these, devices that nobody has said a place of, or beyond the most that are shown'),
})
