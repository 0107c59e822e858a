import { z } from 'zod'
import { exportList } from '../kit/bulk.ts'
import { page, PageQuery } from '../kit/page.ts'
import { personal } from '../kit/personal.ts'
import { done, get, post } from '../kit/route.ts'
import { phone, row, smsCode, whole, yuan } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { chargeLimit, orderStatus } from './order-codes.ts'
import { deviceNo, orderQuery, OrderRow, OrderTotals, totalsQuery } from './order-row.ts'

const menu = menuKey.consumeOrder
const module = '消费订单'
const controlling = { menu, action: 'control' } as const
const memberAt = { phone, deviceNo: deviceNo.describe('its organisation is the one that the member belongs to') }
const own = { status: orderStatus.wire.optional() }

/** Whether a charge can be started for a phone number: no more is told of members whom the caller may not see. */
export type StartPayer = z.infer<typeof StartPayer>
const StartPayer = row({
  found: z.boolean(),
  name: personal('name').nullable(),
  enough: z.boolean().describe('for the least that a charge at this device costs'),
})

export const consumeOrder = {
  list: get('/seeker/api/consumeOrder/pageList', {
    access: { menu },
    query: PageQuery.extend({ ...orderQuery, ...own }),
    data: page(OrderRow),
  }),
  totals: get('/seeker/api/consumeOrder/totals', {
    access: { menu },
    query: row({ ...totalsQuery, ...own }),
    data: OrderTotals,
  }),
  exportList: exportList('/seeker/api/consumeOrder/export', { menu, module }),
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
