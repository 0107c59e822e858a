import { z } from 'zod'
import { get, post, stream } from '../kit/route.ts'
import { adcode, id, row } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { statSpan } from '../order/statistics.ts'
import { codePart } from '../product/catalogue.ts'
import { onlineStatus } from '../product/device-codes.ts'
import * as ofDevices from './big-screen-devices.ts'
import { latestOrders, screenSpan } from './big-screen-fields.ts'
import * as ofOrders from './big-screen-orders.ts'
import { ordersSeen } from './work-table.ts'

/** Each field only narrows the scope of the caller. A region is identified by its path or its lowest part. */
const place = {
  organiseId: id.optional().describe("one outside the caller's scope finds nothing"),
  province: adcode.optional(),
  city: adcode.optional(),
  district: adcode.optional(),
}
const screen = { ...place, deviceFirstClass: codePart('设备大类').optional().describe('code of the big category') }
const devices = { ...screen, isOnline: onlineStatus.schema.optional() }
const trend = { ...screen, span: statSpan.schema.optional().describe('days by default') }
const spanned = { ...screen, span: screenSpan.schema.optional().describe('today by default') }

/** Calls of the big screen are read-only, although they use POST. */
const read = <B extends z.ZodRawShape, D extends z.ZodType>(path: string, body: B, data: D) =>
  post(path, {
    access: { menu: menuKey.dataCockpit, screen: true },
    audit: 'none',
    reads: true,
    encoding: 'json',
    body: row(body),
    data,
  })

/** Region, class and owner come from the places of the figures. A place in no known district counts as 未知. */
export const bigScreen = {
  deviceBaseInfo: read('/seeker/api/bigScreen/deviceBaseInfo', devices, ofDevices.DeviceBase),
  deviceTodayAdd: read('/seeker/api/bigScreen/deviceTodayAdd', screen, ofDevices.DeviceTodayAdd),
  deviceTodayMonthCount: read('/seeker/api/bigScreen/deviceTodayMonthCount', screen, ofDevices.DeviceTodayMonth),
  deviceStateService: read('/seeker/api/bigScreen/deviceStateService/V2', screen, ofDevices.DeviceService),
  deviceAdd: read('/seeker/api/bigScreen/getDeviceAdd', trend, ofDevices.DeviceAdd),
  /** By devices; isOnline restricts them to online or offline ones. */
  deviceMapRanking: read('/seeker/api/bigScreen/deviceMapRanking', devices, ofDevices.AreaRanking),
  /** By ports; isOnline restricts them to ports of online or offline devices. */
  devicePortMapRanking: read('/seeker/api/bigScreen/devicePortMapRanking', devices, ofDevices.AreaRanking),
  devicePortSum: read('/seeker/api/bigScreen/deviceBaseInfoPortSum', screen, ofDevices.PortSum),
  areaDevices: read(
    '/seeker/api/bigScreen/queryAreaDevice',
    {
      ...devices,
      siteId: id.optional().describe('lists each device of this site'),
      zoom: z
        .int()
        .min(3)
        .max(18)
        .optional()
        .describe('web map zoom; points closer than about 40 pixels are merged; default: by the region'),
    },
    ofDevices.AreaDevices,
  ),

  orderTransaction: read('/order/api/bigScreen/orderStatisticsTransaction/V2', screen, ofOrders.Transaction),
  orderAnalysis: read('/order/api/bigScreen/orderStatisticsAnalysis/V2', trend, ofOrders.OrderAnalysis),
  orderNumbers: read('/order/api/bigScreen/orderTransactionNumAnalysis/V2', screen, ofOrders.OrderNumbers),
  orderCharging: read('/order/api/bigScreen/orderChargingAnalysis/V2', screen, ofOrders.ChargingAnalysis),
  organiseTurnoverRanking: read(
    '/order/api/bigScreen/orderOrganiseTurnoverRanking/V2',
    spanned,
    ofOrders.TurnoverRanking,
  ),
  orderScale: read('/order/api/bigScreen/orderScaleChart/V2', spanned, ofOrders.TypeShare),
  deviceTurnoverRanking: read('/order/api/bigScreen/orderDeviceTurnoverRanking/V2', spanned, ofOrders.DeviceTurnover),
  flylines: read('/order/api/bigScreen/selectFlylineChartData', screen, ofOrders.Flylines),
  /** Billed charges, latest bill first. */
  latestOrders: read('/order/api/bigScreen/latest20Order/V2', screen, z.array(ofOrders.LatestOrder).max(latestOrders)),

  /** A member has no device class. */
  memberRegionRanking: read('/wechat/api/statistics/memberRegionCountRanking/V2', place, ofOrders.MemberRanking),
  memberOrganiseCount: read('/wechat/api/statistics/memberOrganiseCount/V2', place, ofOrders.MemberOrganise),

  /** Also used by the work table. */
  orderPc: get('/order/api/statistics/pc/V2', {
    access: { menu: [...ordersSeen, menuKey.dataCockpit] },
    query: row({ organiseId: id.optional() }),
    data: ofOrders.OrderPc,
  }),
  memberPc: get('/wechat/api/statistics/pc/V2', {
    access: { menu: [menuKey.rechargeStatistics, menuKey.rechargeRecord, menuKey.dataCockpit] },
    query: row({ organiseId: id.optional() }),
    data: ofOrders.MemberPc,
  }),
  /** The id of an organisation, or 0 for the whole scope of the caller. A foreign id is refused. */
  heartbeat: stream('/order/api/sse/heartbeat/{id}', {
    access: { menu: menuKey.dataCockpit, screen: true },
    params: row({ id: z.string().regex(/^(0|[1-9]\d{0,17})$/, '编号格式不正确') }),
    data: ofOrders.ScreenEvent,
  }),
}
