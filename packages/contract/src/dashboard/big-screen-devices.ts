import { z } from 'zod'
import { row } from '../kit/wire.ts'
import { area, areaLevel, areaPoints, areaState, count, energyDwh, rankingSize } from './big-screen-fields.ts'

export const DeviceBase = row({
  allDeviceCount: count.describe('devices; isOnline restricts them to online or offline ones'),
  onLineDeviceNum: count,
  offLineDeviceNum: count,
  totalPortCount: count.describe('ports of these devices'),
  onLinePortNum: count.describe('ports of online devices'),
  offLinePortNum: count,
})

export const DeviceTodayAdd = row({
  todayCount: count.describe('devices added today, including those removed since'),
  yesterdayCount: count,
  hours: z.array(row({ hour: z.int(), countNum: count })).describe('24 entries, one per hour of today'),
})

const deviceSpan = row({
  addCount: count.describe('devices added'),
  faultCount: count.describe('alarms raised'),
  orderCount: count.describe('billed charges'),
  seconds: count.describe('total duration of these charges'),
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
  .describe('30 days or 12 months without gaps, oldest first')

/** The distribution of devices or their ports by area. */
export const AreaItem = row({
  ...area,
  allDeviceCount: count.describe('all devices of the area, regardless of isOnline'),
  totalPortCount: count.describe('ports of the area'),
  onLinePortNum: count.describe('ports of online devices'),
  offLinePortNum: count,
  countNum: count.describe('count that determines the rank'),
  totalCount: count.describe('sum of countNum of all areas, including unlisted ones; base of shares'),
})
export type AreaItem = z.infer<typeof AreaItem>
export const AreaRanking = row({
  level: areaLevel.schema,
  ranking: z.array(AreaItem).max(rankingSize),
  areas: z
    .array(row({ ...area, countNum: count }))
    .describe('every area with a count, for map colours; empty below district level'),
})
export type AreaRanking = z.infer<typeof AreaRanking>

export const PortSum = row({
  totalPortCount: count,
  onLinePortNum: count.describe('ports of online devices'),
  offLinePortNum: count,
  freeNum: count.describe('this and the following: last reported status, online or not'),
  workingNum: count,
  faultNum: count,
  appointedNum: count,
  connectedNum: count,
  washerWarningNum: count,
  washerDownNum: count,
})

/** A cluster of devices on the map. */
export const AreaPoint = row({
  key: z.string().describe('stable for the same region and zoom'),
  name: z.string().describe('name of the area, or of the largest area of the cluster'),
  code: z.string().describe('code of the same area, for the next request'),
  areaCount: count.describe('number of areas in the cluster'),
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
  positionX: z.number().describe('longitude of the device, otherwise of its site'),
  positionY: z.number(),
  state: areaState.schema,
  totalPortCount: count,
  workingPortNum: count,
  faultPortNum: count,
})
export type AreaDevice = z.infer<typeof AreaDevice>
export const AreaDevices = row({
  level: areaLevel.schema.describe('area level of the points'),
  points: z
    .array(AreaPoint)
    .max(areaPoints)
    .describe(
      'areas with too many devices to show each; isOnline selects areas with such devices, the figures count all',
    ),
  devices: z.array(AreaDevice).max(areaPoints).describe('devices of a site, or of a district with few devices'),
  allDeviceCount: count.describe('requested devices, including those without a location'),
  hiddenCount: count.describe('of these, devices without a location or beyond the display limit'),
})
