import { z } from 'zod'
import { rechargeTarget } from '../accounting/pay-codes.ts'
import { codes } from '../kit/codes.ts'
import { f } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import { personal } from '../kit/personal.ts'
import { type DataOf, get } from '../kit/route.ts'
import { screenRoutes } from '../kit/screen-routes.ts'
import { id, money, personKeyword, row, text, yuan } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'

export const offlineWay = codes({
  cash: { code: 1, label: '现金', tone: 'ok' },
  transfer: { code: 2, label: '转账', tone: 'run' },
})

export const offlineStatus = codes({
  waiting: { code: 1, label: '待审核', tone: 'warn' },
  approved: { code: 2, label: '已通过', tone: 'ok' },
  turnedDown: { code: 3, label: '已驳回', tone: 'bad' },
  withdrawn: { code: 4, label: '已撤销', tone: 'off' },
})
export const offlineFlow = offlineStatus.flow({
  approve: { from: ['waiting'], to: 'approved' },
  turnDown: { from: ['waiting'], to: 'turnedDown' },
  withdraw: { from: ['waiting'], to: 'withdrawn' },
})

const menu = menuKey.offlineRecharge
const module = '线下充值'
const { change, create, approve } = screenRoutes({ menu, module })

export const offlineRechargeList = defineList('/seeker/api/offlineRecharge', {
  menu,
  module,
  fields: {
    serialNo: f.no('流水号', { width: 140 }),
    status: f.code('审核状态', offlineStatus, { width: 90 }),
    memberName: f.person('用户', 'name', { optional: true, width: 120, object: { kind: 'member', id: 'memberId' } }),
    cardNo: f.shown('卡号', { optional: true, width: 130 }),
    memberPhone: f.person('手机号', 'phone', { optional: true, width: 130 }),
    amount: f.money('金额', { width: 110 }),
    gift: f.money('赠送', { width: 90 }),
    way: f.code('收款方式', offlineWay, { width: 90 }),
    bankRef: f.shown('银行流水号', { optional: true, width: 200 }),
    createdBy: f.shown('操作人', { width: 100, object: { kind: 'staff', id: 'createdById' } }),
    createdAt: f.time('申请时间', { width: 170 }),
    decidedBy: f.shown('审核人', { optional: true, width: 100 }),
    decidedAt: f.time('审核时间', { optional: true, width: 170 }),
    decision: f.shown('驳回原因', { optional: true, width: 180 }),
    remark: f.shown('备注', { optional: true, width: 180 }),
    rechargeId: f.shown('充值单号', { optional: true, width: 190, object: { kind: 'recharge', id: 'rechargeId' } }),
    shiftNo: f.shown('交班单', { optional: true, width: 140, about: 'shift of the clerk who took the cash' }),
    ...f.owner,
    target: f.data(rechargeTarget.schema),
    memberId: f.data(z.string().nullable()),
    cardId: f.data(z.string().nullable()),
    pictureId: f.data(z.string().nullable()),
    shiftId: f.data(z.string().nullable()),
    createdById: f.data(z.string()),
    own: f.data(z.boolean().describe('requested by the caller, who cannot decide on it')),
  },
  decided: [
    ['serialNo', 'createdAt'],
    ['status', 'decision'],
    ['memberName', 'cardNo'],
    ['memberPhone'],
    ['amount', 'gift'],
    ['way', 'bankRef'],
    ['createdBy', 'decidedBy'],
    ['siteName', 'agentName'],
  ],
  filter: {
    own: {
      keyword: {
        title: '手机号/卡号/流水号',
        schema: personKeyword.describe('complete phone number, complete card number, or request number'),
      },
      shiftId: { schema: id.describe('a shift of a clerk') },
    },
    exact: ['status', 'way'],
    owner: ['organise', 'agent', 'site'],
    days: 'createdAt',
  },
  exports: true,
})
export type OfflineRecharge = DataOf<typeof offlineRechargeList.routes.list>['rows'][number]

export type Payee = z.infer<typeof Payee>
const Payee = row({
  id: z.string(),
  name: personal('name').nullable().describe('the member, or the holder of the card if known'),
  phone: personal('phone').nullable(),
  cardNo: z.string().nullable(),
  siteName: z.string().nullable(),
})

const payee = {
  memberId: id.optional().describe('credits the wallet of this member'),
  cardId: id.optional().describe('credits this stored card; exactly one of the two'),
}
const asking = { menu, action: 'add' } as const

/** Maker-checker: a clerk takes money at the desk and requests its credit, a different person approves it. */
export const offlineRecharge = {
  ...offlineRechargeList.routes,
  payees: get('/seeker/api/offlineRecharge/payees', {
    access: asking,
    query: row({
      target: rechargeTarget.wire,
      keyword: personKeyword.describe('of a wallet: complete phone number or member id; of a card: complete number'),
    }),
    data: row({ rows: z.array(Payee) }),
  }),
  /** What the server would credit now. It is computed again when the recharge is requested. */
  quote: get('/seeker/api/offlineRecharge/quote', {
    access: asking,
    query: row({ ...payee, amount: yuan }),
    data: row({
      gift: money.describe('of the enabled tier of exactly this amount'),
      credited: money,
      before: money.describe('paid and gift money without reservations'),
      after: money,
      problem: z.string().nullable().describe('why the recharge would be refused'),
    }),
  }),
  add: create('/seeker/api/offlineRecharge/save', '新增线下充值', {
    ...payee,
    amount: yuan,
    way: offlineWay.wire,
    bankRef: z
      .string()
      .trim()
      .toUpperCase()
      .regex(/^[0-9A-Z]{6,40}$/, '银行流水号须为6到40位数字或字母')
      .optional()
      .describe('reference of the payer’s bank; required for a transfer'),
    pictureId: id.optional().describe('voucher; required for a transfer'),
    remark: text(200, '备注').optional(),
  }),
  approve: approve('/seeker/api/offlineRecharge/approve', '线下充值审核通过', { id }, { idempotent: true }),
  turnDown: approve('/seeker/api/offlineRecharge/turnDown', '驳回线下充值', { id, reason: text(200, '驳回原因') }),
  withdraw: change('/seeker/api/offlineRecharge/withdraw', '撤销线下充值', { id }, { action: 'add' }),
}
