import { z } from 'zod'
import { defineList } from '../kit/list.ts'
import { personal } from '../kit/personal.ts'
import { done, get, post } from '../kit/route.ts'
import { phone, row, smsCode, whole, yuan } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { chargeLimit } from './order-codes.ts'
import { deviceNo, orderFields, orderFilter, OrderTotals, wholeDays } from './order-row.ts'

const menu = menuKey.consumeOrder
const module = '消费订单'
const controlling = { menu, action: 'control' } as const
const memberAt = { phone, deviceNo: deviceNo.describe('its organisation is the one that the member belongs to') }

/** Whether a charge can be started for a phone number: no more is told of members whom the caller may not see. */
export type StartPayer = z.infer<typeof StartPayer>
const StartPayer = row({
  found: z.boolean(),
  name: personal('name').nullable(),
  enough: z.boolean().describe('for the least that a charge at this device costs'),
})

export const consumeOrderList = defineList('/seeker/api/consumeOrder', {
  menu,
  module,
  fields: orderFields,
  filter: { ...orderFilter, exact: ['status', 'startMode'] },
  exports: true,
})

export const consumeOrder = {
  ...consumeOrderList.routes,
  totals: get('/seeker/api/consumeOrder/totals', {
    access: { menu },
    query: row({ ...consumeOrderList.filterShape, ...wholeDays }),
    data: OrderTotals,
  }),
  /** Counted and logged for each caller. */
  payer: post('/seeker/api/consumeOrder/payer', {
    access: controlling,
    audit: { module, does: '查找充电用户' },
    body: row(memberAt),
    data: StartPayer,
  }),
  /** To the member's phone, as consent to one charge at this device. Counted as a search is. */
  sendCode: post('/seeker/api/consumeOrder/smsCode', {
    access: controlling,
    audit: { module, does: '发送充电确认验证码' },
    body: row(memberAt),
    data: done,
  }),
  /** For a member who stands at the device and cannot start it: their money, their order, their code. */
  start: post('/seeker/api/consumeOrder/start', {
    access: controlling,
    audit: { module, does: '远程启动充电' },
    idempotent: true,
    body: row({
      ...memberAt,
      code: smsCode.describe('that the member got'),
      portNo: whole(1, 24),
      limitBy: chargeLimit.wire,
      amount: yuan.optional(),
      minutes: whole(1, 1440).optional(),
    }),
    data: row({ id: z.string(), held: z.string() }),
  }),
}
