import { z } from 'zod'
import { Figure, ordersSeen, TrendPoint } from '../dashboard/work-table.ts'
import { rowOf } from '../kit/fields.ts'
import { get } from '../kit/route.ts'
import { id, row } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { siteList } from './site.ts'

/** A part of the page requires one of these menus; for other users it is null. */
export const sitePartMenus = {
  devices: [menuKey.deviceManage],
  charging: [menuKey.unfinishedOrder, menuKey.consumeOrder],
  alarms: [menuKey.alarmCenter],
  tickets: [menuKey.repairTicket],
  today: ordersSeen,
} as const satisfies Record<string, readonly string[]>

const SiteDevices = row({
  total: z.int(),
  online: z.int(),
  ports: z.int(),
  offlinePorts: z.int().describe('ports of devices that are offline: their status is the last one reported'),
  free: z.int(),
  working: z.int(),
  fault: z.int(),
  other: z.int().describe('ports in any other status'),
})

const SiteCharging = row({
  orders: z.int().describe('charges that are starting or running'),
  powerDw: z.int().describe('sum of the last reported power, in 1/10 W'),
})

const SiteAlarms = row({ critical: z.int(), major: z.int(), minor: z.int() }).describe('open or acknowledged')

const SiteToday = row({ revenue: Figure, orders: Figure, energy: Figure }).describe(
  'as the work table shows them, each compared with yesterday up to the same full hour',
)

export type SiteDetail = z.infer<typeof SiteDetail>
const SiteDetail = rowOf(siteList.fields).extend({
  devices: SiteDevices.nullable(),
  charging: SiteCharging.nullable(),
  alarms: SiteAlarms.nullable(),
  tickets: z.int().nullable().describe('repair tickets that wait'),
  today: SiteToday.nullable(),
})

export type SiteDay = z.infer<typeof SiteDay>
const SiteDay = TrendPoint.extend({ energyDwh: z.int().describe('1/10000 kWh') })
/** Days of the trend of a site, today included. */
export const siteTrendDays = 30

const access = { menu: menuKey.site }
const params = row({ id })

/** The page of one site. The trend has its own route, so a live update does not read 30 days again. */
export const siteDetail = {
  read: get('/seeker/api/plot/detail/{id}', { access, params, data: SiteDetail }),
  trend: get('/seeker/api/plot/trend/{id}', { access, params, data: z.array(SiteDay) }),
}
