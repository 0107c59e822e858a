import { z } from 'zod'
import { exportList } from '../kit/bulk.ts'
import { page, PageQuery } from '../kit/page.ts'
import { personal } from '../kit/personal.ts'
import { get, post } from '../kit/route.ts'
import { id, phone, row, whole, yuan } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { chargeLimit, orderStatus } from './order-codes.ts'
import { deviceNo, orderQuery, OrderRow, OrderTotals, totalsQuery } from './order-row.ts'

const menu = menuKey.consumeOrder
const module = '消费订单'
const own = { status: orderStatus.wire.optional() }

/** Whom a charge can be started for: found by the whole phone number, shown masked. */
export type StartPayer = z.infer<typeof StartPayer>
const StartPayer = row({
  id: z.string(),
  name: personal('name'),
  phone: personal('phone'),
  balance: z.string().describe('paid and given together, in yuan'),
  enabled: z.boolean(),
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
  payer: get('/seeker/api/consumeOrder/payer', {
    access: { menu, action: 'control' },
    query: row({ phone, deviceNo: deviceNo.describe('its organisation is the one that the member belongs to') }),
    data: StartPayer,
  }),
  /** For a member who stands at the device and cannot start it: their money, their order. */
  start: post('/seeker/api/consumeOrder/start', {
    access: { menu, action: 'control' },
    audit: { module, does: '远程启动充电' },
    idempotent: true,
    body: row({
      deviceNo,
      portNo: whole(1, 24),
      memberId: id,
      limitBy: chargeLimit.wire,
      amount: yuan.optional(),
      minutes: whole(1, 1440).optional(),
    }),
    data: row({ id: z.string(), held: z.string() }),
  }),
}
