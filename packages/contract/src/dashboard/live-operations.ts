import { z } from 'zod'
import { codes } from '../kit/codes.ts'
import { rowOf } from '../kit/fields.ts'
import { personal } from '../kit/personal.ts'
import { get } from '../kit/route.ts'
import { money, row, time } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { chargeLimit } from '../order/order-codes.ts'
import { alarmList } from '../product/alarm-center.ts'
import { alarmSeverity } from '../product/alarm-codes.ts'
import { ownerIds } from '../system/ownership.ts'

/** A panel also requires one of these menus, so the view shows only data that its user can open elsewhere. */
export const liveMenus = {
  devices: [menuKey.deviceManage],
  alarms: [menuKey.alarmCenter],
  charges: [menuKey.unfinishedOrder, menuKey.consumeOrder],
} as const satisfies Record<string, readonly string[]>
export type LivePanel = keyof typeof liveMenus

/** Maximum sites with alarms, alarms of a site, and charges; the rest is shown as a count. */
export const liveMost = { sites: 50, alarmsOfSite: 5, charges: 100 } as const

export const chargeOrder = codes({
  newest: { code: 1, label: '最新开始' },
  longest: { code: 2, label: '充电最久' },
})

export type LiveAlarm = z.infer<typeof LiveAlarm>
const LiveAlarm = rowOf(alarmList.fields)

export type AlarmSite = z.infer<typeof AlarmSite>
export const AlarmSite = row({
  siteId: z.string().nullable().describe('null: devices without a site'),
  siteName: z.string().nullable(),
  severity: alarmSeverity.schema.describe('highest severity of its unclosed alarms'),
  count: z.int().describe('all unclosed alarms of the site'),
  alarms: z.array(LiveAlarm).describe('most severe alarms, oldest first within a severity'),
})

export type LiveCharge = z.infer<typeof LiveCharge>
export const LiveCharge = row({
  id: z.string(),
  deviceId: z.string(),
  deviceNo: z.string(),
  portNo: z.int(),
  siteId: z.string().nullable(),
  siteName: z.string().nullable(),
  memberId: z.string().nullable().describe('null: the member is unknown'),
  memberName: personal('name').nullable(),
  memberPhone: personal('phone').nullable(),
  cardNo: personal('cardNo').nullable().describe('card that started the charge'),
  startedAt: time,
  reportedAt: time.nullable().describe('null: the device has not reported yet'),
  online: z.boolean(),
  powerDw: z.int().nullable().describe('as last reported, in 1/10 W'),
  energyDwh: z.int().nullable().describe('as last reported, in 1/10000 kWh'),
  durationS: z.int().nullable().describe('as counted by the device'),
  amount: money.nullable().describe('bill amount at the last report; null if the price needs readings or is unknown'),
  limitBy: chargeLimit.schema,
  limitValue: z.int().describe('fen, minutes or 1/10000 kWh'),
})

const access = { menu: menuKey.liveOperations }

/** Each panel has its own call, so one failure does not affect the others. */
export const liveOperations = {
  devices: get('/seeker/api/liveOperations/devices', {
    access,
    query: row(ownerIds),
    data: row({
      devices: z.int(),
      online: z.int(),
      wentOffline: z.int().describe('devices offline for less than an hour'),
    }),
  }),
  alarms: get('/seeker/api/liveOperations/alarms', {
    access,
    query: row(ownerIds),
    data: row({
      severities: z.array(row({ severity: alarmSeverity.schema, count: z.int() })).describe('unclosed alarms'),
      siteCount: z.int().describe('sites with unclosed alarms'),
      sites: z.array(AlarmSite).describe('most severe first'),
    }),
  }),
  charges: get('/seeker/api/liveOperations/charges', {
    access,
    query: row({ ...ownerIds, order: chargeOrder.wire.optional().describe('newest first by default') }),
    data: row({
      count: z.int(),
      power: z.string().describe('as last reported, in W'),
      rows: z.array(LiveCharge),
    }),
  }),
}
