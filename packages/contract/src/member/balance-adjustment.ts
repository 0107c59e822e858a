import { z } from 'zod'
import { codes } from '../kit/codes.ts'
import { f } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import type { DataOf } from '../kit/route.ts'
import { screenRoutes } from '../kit/screen-routes.ts'
import { id, personKeyword, text, yuan } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { wallet } from './member-row.ts'

export const adjustmentDirection = codes({
  up: { code: 1, label: '增加', tone: 'ok' },
  down: { code: 2, label: '扣减', tone: 'bad' },
})

export const adjustmentStatus = codes({
  waiting: { code: 1, label: '待审批', tone: 'warn' },
  approved: { code: 2, label: '已通过', tone: 'ok' },
  turnedDown: { code: 3, label: '已驳回', tone: 'bad' },
  withdrawn: { code: 4, label: '已撤销', tone: 'off' },
})
export const adjustmentFlow = adjustmentStatus.flow({
  approve: { from: ['waiting'], to: 'approved' },
  turnDown: { from: ['waiting'], to: 'turnedDown' },
  withdraw: { from: ['waiting'], to: 'withdrawn' },
})

const menu = menuKey.balanceAdjustment
const module = '余额调整'
const { change, create, approve } = screenRoutes({ menu, module })

export const adjustmentList = defineList('/wechat/api/balanceAdjustment', {
  menu,
  module,
  fields: {
    adjustmentNo: f.no('调整单号', { width: 140 }),
    status: f.code('状态', adjustmentStatus, { width: 90 }),
    nickname: f.shown('会员', { width: 150, object: { kind: 'member', id: 'memberId' } }),
    direction: f.code('方向', adjustmentDirection, { width: 80 }),
    wallet: f.code('账户', wallet, { width: 100 }),
    amount: f.money('金额', { width: 120 }),
    reason: f.shown('原因', { width: 220 }),
    createdBy: f.shown('申请人', { width: 100 }),
    createdAt: f.time('申请时间', { width: 180 }),
    decidedBy: f.shown('审批人', { optional: true, width: 100 }),
    decidedAt: f.time('审批时间', { optional: true, width: 180 }),
    decision: f.shown('驳回原因', { optional: true, width: 180, about: 'reason for the rejection' }),
    ...f.owner,
    memberId: f.shown('会员ID', { width: 110, hidden: true }),
    pictureId: f.data(z.string().nullable()),
    own: f.data(z.boolean().describe('requested by the caller, who cannot decide on it')),
  },
  decided: [
    ['adjustmentNo', 'createdAt'],
    ['status', 'decision'],
    ['nickname', 'memberId'],
    ['direction', 'wallet'],
    ['amount'],
    ['reason'],
    ['createdBy', 'decidedBy'],
    ['siteName', 'agentName'],
  ],
  filter: {
    own: {
      keyword: {
        title: '单号/会员ID/手机号',
        schema: personKeyword.describe('request number, member number, or complete phone number'),
      },
    },
    exact: ['status', 'direction', 'wallet'],
    owner: ['organise', 'agent', 'site'],
    days: 'createdAt',
  },
  exports: true,
})
export type BalanceAdjustment = DataOf<typeof adjustmentList.routes.list>['rows'][number]

/** Maker-checker: one person requests a change of a balance, a different person decides. */
export const balanceAdjustment = {
  ...adjustmentList.routes,
  add: create('/wechat/api/balanceAdjustment/save', '申请余额调整', {
    memberId: id,
    direction: adjustmentDirection.wire,
    wallet: wallet.wire,
    amount: yuan,
    reason: text(200, '原因'),
    pictureId: id.optional(),
  }),
  approve: approve('/wechat/api/balanceAdjustment/approve', '通过余额调整', { id }, { idempotent: true }),
  turnDown: approve('/wechat/api/balanceAdjustment/turnDown', '驳回余额调整', { id, reason: text(200, '驳回原因') }),
  withdraw: change('/wechat/api/balanceAdjustment/withdraw', '撤销余额调整', { id }, { action: 'add' }),
}
