import { z } from 'zod'
import { exportList } from '../kit/bulk.ts'
import { codes } from '../kit/codes.ts'
import { page, PageQuery } from '../kit/page.ts'
import { done, get, post } from '../kit/route.ts'
import { date, id, money, personKeyword, row, text, time, yuan } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { ownerIds, ownerNames } from '../system/ownership.ts'
import { wallet } from './member-row.ts'

export const adjustmentDirection = codes({
  up: { code: 1, label: '增加', tone: 'ok' },
  down: { code: 2, label: '扣减', tone: 'bad' },
})

export const adjustmentStatus = codes({
  waiting: { code: 1, label: '待审批', tone: 'warn' },
  approved: { code: 2, label: '已批准', tone: 'ok' },
  turnedDown: { code: 3, label: '已驳回', tone: 'bad' },
  withdrawn: { code: 4, label: '已撤回', tone: 'off' },
})
export const adjustmentFlow = adjustmentStatus.flow({
  approve: { from: ['waiting'], to: 'approved' },
  turnDown: { from: ['waiting'], to: 'turnedDown' },
  withdraw: { from: ['waiting'], to: 'withdrawn' },
})

export type BalanceAdjustment = z.infer<typeof BalanceAdjustment>
export const BalanceAdjustment = row({
  id: z.string(),
  adjustmentNo: z.string(),
  memberId: z.string(),
  nickname: z.string(),
  ...ownerNames,
  direction: adjustmentDirection.schema,
  wallet: wallet.schema,
  amount: money,
  reason: z.string(),
  pictureId: z.string().nullable(),
  status: adjustmentStatus.schema,
  own: z.boolean().describe('asked for by the reader, who cannot decide on it'),
  createdBy: z.string(),
  createdAt: time,
  decidedBy: z.string().nullable(),
  decidedAt: time.nullable(),
  decision: z.string().nullable().describe('why it was turned down'),
})

/** What the list shows and a file holds. */
export const adjustmentColumns = {
  adjustmentNo: '调整单号',
  status: '状态',
  memberId: '会员ID',
  nickname: '会员',
  direction: '方向',
  wallet: '账户',
  amount: '金额',
  reason: '原因',
  organiseName: '所属机构',
  agentName: '所属代理商',
  siteName: '所属站点',
  createdBy: '申请人',
  createdAt: '申请时间',
  decidedBy: '审批人',
  decidedAt: '审批时间',
  decision: '驳回原因',
} as const

const menu = menuKey.balanceAdjustment
const module = '余额调整'
const deciding = { menu, action: 'approve' } as const

/** A balance is changed by hand only by two different people: one asks, the other decides. */
export const balanceAdjustment = {
  list: get('/wechat/api/balanceAdjustment/pageList', {
    access: { menu },
    query: PageQuery.extend({
      keyword: personKeyword.optional().describe('the number of the request or of the member, or a whole phone'),
      status: adjustmentStatus.wire.optional(),
      direction: adjustmentDirection.wire.optional(),
      wallet: wallet.wire.optional(),
      ...ownerIds,
      from: date.optional(),
      to: date.optional(),
    }),
    data: page(BalanceAdjustment),
  }),
  add: post('/wechat/api/balanceAdjustment/save', {
    access: { menu, action: 'add' },
    audit: { module, does: '申请余额调整' },
    idempotent: true,
    body: row({
      memberId: id,
      direction: adjustmentDirection.wire,
      wallet: wallet.wire,
      amount: yuan,
      reason: text(200, '原因'),
      pictureId: id.optional(),
    }),
    data: row({ id: z.string() }),
  }),
  approve: post('/wechat/api/balanceAdjustment/approve', {
    access: deciding,
    audit: { module, does: '批准余额调整' },
    idempotent: true,
    body: row({ id }),
    data: done,
  }),
  turnDown: post('/wechat/api/balanceAdjustment/turnDown', {
    access: deciding,
    audit: { module, does: '驳回余额调整' },
    body: row({ id, reason: text(200, '驳回原因') }),
    data: done,
  }),
  withdraw: post('/wechat/api/balanceAdjustment/withdraw', {
    access: { menu, action: 'add' },
    audit: { module, does: '撤回余额调整' },
    body: row({ id }),
    data: done,
  }),
  exportList: exportList('/wechat/api/balanceAdjustment/export', { menu, module }),
}
