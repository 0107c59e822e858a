import { z } from 'zod'
import { defineList } from '../kit/list.ts'
import { personal } from '../kit/personal.ts'
import type { DataOf } from '../kit/route.ts'
import { screenRoutes } from '../kit/screen-routes.ts'
import { id, money, phone, row, smsCode, whole, yuan } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { chargeLimit } from './order-codes.ts'
import {
  defaultOrderColumns,
  deviceNo,
  orderBody,
  orderFields,
  orderFilter,
  orderHead,
  OrderTotals,
  wholeDays,
} from './order-row.ts'

const menu = menuKey.consumeOrder
const module = '消费订单'
const { read, change } = screenRoutes({ menu, module })
const memberAt = { phone, deviceNo: deviceNo.describe('the member is looked up in the organisation of this device') }

/** Whether a charge can be started for a phone number. Members outside the scope of the caller reveal nothing more. */
export type StartPayer = z.infer<typeof StartPayer>
const StartPayer = row({
  found: z.boolean(),
  name: personal('name').nullable(),
  enough: z.boolean().describe('balance covers the minimum cost of a charge at this device'),
})

export const consumeOrderList = defineList('/seeker/api/consumeOrder', {
  menu,
  module,
  fields: orderFields,
  decided: defaultOrderColumns,
  sorts: ['createdAt'],
  filter: { ...orderFilter, exact: ['status', 'startMode'] },
  exports: true,
})

const { id: orderId, status: orderState } = orderHead
/** The orders of one device, on its page. */
export const deviceOrderList = defineList('/seeker/api/consumeOrder', {
  menu,
  module: '设备订单',
  at: '/ofDevice/{deviceId}',
  params: row({ deviceId: id }),
  fields: {
    id: orderId,
    status: orderState,
    member: orderBody.member,
    portNo: orderBody.portNo,
    startedAt: orderBody.startedAt,
    endedAt: orderBody.endedAt,
    duration: orderBody.duration,
    energy: orderBody.energy,
    total: orderBody.total,
    refunded: orderBody.refunded,
    stopReason: orderBody.stopReason,
    startMode: orderBody.startMode,
    siteName: orderBody.siteName,
    siteId: orderBody.siteId,
    createdAt: orderBody.createdAt,
    memberId: orderBody.memberId,
    memberName: orderBody.memberName,
    memberPhone: orderBody.memberPhone,
    cardNo: orderBody.cardNo,
    durationS: orderBody.durationS,
    energyDwh: orderBody.energyDwh,
  },
  filter: { exact: ['status'], days: 'createdAt' },
})
export type DeviceOrder = DataOf<typeof deviceOrderList.routes.list>['rows'][number]

export const consumeOrder = {
  ...consumeOrderList.routes,
  ofDevice: deviceOrderList.routes.list,
  /** Billed charges of the device that ended today. */
  deviceToday: read('/seeker/api/consumeOrder/deviceToday/{deviceId}', {
    params: row({ deviceId: id }),
    data: row({ orders: z.int(), energyDwh: z.int(), total: money }),
  }),
  totals: read('/seeker/api/consumeOrder/totals', {
    query: row({ ...consumeOrderList.filterShape, ...wholeDays }),
    data: OrderTotals,
  }),
  /** Rate-limited and logged for each caller. */
  payer: change('/seeker/api/consumeOrder/payer', '查找充电用户', memberAt, { action: 'control', data: StartPayer }),
  /** An SMS code to the member's phone, as consent to one charge at this device. Rate-limited like a search. */
  sendCode: change('/seeker/api/consumeOrder/smsCode', '发送充电确认验证码', memberAt, { action: 'control' }),
  /** For a member at the device who cannot start it: uses the member's money and requires the member's code. */
  start: change(
    '/seeker/api/consumeOrder/start',
    '远程启动充电',
    {
      ...memberAt,
      code: smsCode.describe('code sent to the member'),
      portNo: whole(1, 24),
      limitBy: chargeLimit.wire,
      amount: yuan.optional(),
      minutes: whole(1, 1440).optional(),
    },
    { action: 'control', idempotent: true, data: row({ id: z.string(), held: z.string() }) },
  ),
}
