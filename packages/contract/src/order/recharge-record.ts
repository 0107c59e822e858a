import { z } from 'zod'
import { payProvider, rechargeStatus, rechargeTarget } from '../accounting/pay-codes.ts'
import { exportList } from '../kit/bulk.ts'
import { page, PageQuery } from '../kit/page.ts'
import { personal } from '../kit/personal.ts'
import { get } from '../kit/route.ts'
import { date, id, money, phone, row, time } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { ownerIds, ownerNames } from '../system/ownership.ts'

export type RechargeRecord = z.infer<typeof RechargeRecord>
export const RechargeRecord = row({
  id: z.string().describe('the number that people see; it holds the moment it was asked for'),
  target: rechargeTarget.schema,
  memberId: z.string().nullable(),
  memberName: personal('name').nullable(),
  memberPhone: personal('phone').nullable(),
  ...ownerNames,
  amount: money,
  gift: money,
  credited: money.describe('what came into the wallet: paid and given together; nothing before it is paid'),
  provider: payProvider.schema,
  payOrderId: z.string().nullable(),
  transactionId: z.string().nullable(),
  status: rechargeStatus.schema,
  before: money.nullable(),
  after: money.nullable(),
  refunded: money,
  createdAt: time,
  paidAt: time.nullable(),
})

export const rechargeColumns = {
  id: '充值单号',
  status: '状态',
  memberName: '用户',
  memberPhone: '手机号',
  organiseName: '所属机构',
  agentName: '所属代理商',
  siteName: '所属站点',
  amount: '金额',
  gift: '赠送',
  credited: '到账',
  provider: '支付方式',
  transactionId: '渠道流水号',
  before: '充值前余额',
  after: '充值后余额',
  refunded: '已退金额',
  createdAt: '下单时间',
  paidAt: '支付时间',
} as const

const menu = menuKey.rechargeRecord
const query = {
  rechargeNo: id.optional().describe('the whole number'),
  phone: phone.optional().describe('of the member'),
  provider: payProvider.wire.optional(),
  status: rechargeStatus.wire.optional(),
  ...ownerIds,
  from: date.optional().describe('the day it was asked for'),
  to: date.optional(),
}

export const rechargeRecord = {
  list: get('/seeker/api/rechargeRecord/pageList', {
    access: { menu },
    query: PageQuery.extend(query),
    data: page(RechargeRecord),
  }),
  totals: get('/seeker/api/rechargeRecord/totals', {
    access: { menu },
    query: row({ ...query, from: date, to: date }),
    data: row({ count: z.int(), sums: row({ amount: money, gift: money, refunded: money }) }),
  }),
  exportList: exportList('/seeker/api/rechargeRecord/export', { menu, module: '充值记录' }),
}
