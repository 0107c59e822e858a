import { z } from 'zod'
import { f } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import { aboutPerson } from '../kit/privacy.ts'
import { type DataOf, done, get, post } from '../kit/route.ts'
import { id, keyword, money, row, text, yuan } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { wholeDays } from './order-row.ts'
import { numberAbout, refundStep, stepFields } from './refund-codes.ts'

const menu = menuKey.enterpriseRefund
const module = '企业退款'

export const enterpriseRefundList = defineList('/seeker/api/enterpriseRefund', {
  menu,
  module,
  fields: {
    id: f.no('退款单号', { width: 200, about: numberAbout }),
    status: f.code('状态', refundStep, { width: 110 }),
    company: f.shown('企业', { width: 180 }),
    amount: f.money('金额', { width: 110 }),
    payee: f.shown('收款户名', { width: 160 }),
    account: f.person('收款账号', 'bankCard', { width: 180 }),
    bank: f.shown('开户行', { width: 200 }),
    reason: f.shown('原因', { width: 180 }),
    ...stepFields,
    paidBy: f.shown('打款人', { optional: true, width: 100 }),
    finishedAt: f.time('打款时间', { optional: true, width: 170 }),
    memberId: f.shown('企业账户（会员ID）', {
      width: 150,
      object: { kind: 'member', id: 'memberId' },
      about: 'member whose wallet the company uses',
    }),
    ...f.owner,
    taxpayerNo: f.shown('纳税人识别号', { optional: true, width: 190, hidden: true }),
    voucherId: f.data(z.string().nullable()),
  },
  decided: [
    ['id', 'createdAt'],
    ['status', 'reason'],
    ['company', 'memberId'],
    ['amount'],
    ['payee', 'account'],
    ['bank', 'finishedAt'],
    ['createdBy', 'approvedBy'],
  ],
  filter: {
    own: {
      company: { title: '企业', schema: keyword.describe('prefix of the name') },
      refundNo: { title: '退款单号', schema: id.describe('complete number') },
    },
    exact: ['status'],
    days: 'createdAt',
    owner: ['organise', 'agent', 'site'],
  },
  exports: true,
})
export type EnterpriseRefund = DataOf<typeof enterpriseRefundList.routes.list>['rows'][number]

const one = row({ id })
const why = row({ id, reason: text(200, '原因') })
const asking = { menu, action: 'add' } as const
const auditing = { menu, action: 'edit' } as const
const deciding = { menu, action: 'approve' } as const

/** A refund from a company's wallet, paid to its bank account by hand: three people request, audit and approve it. */
export const enterpriseRefund = {
  ...enterpriseRefundList.routes,
  totals: get('/seeker/api/enterpriseRefund/totals', {
    access: { menu },
    query: row({ ...enterpriseRefundList.filterShape, ...wholeDays }),
    data: row({ count: z.int(), sums: row({ waiting: money, refunding: money, refunded: money }) }),
  }),
  add: post('/seeker/api/enterpriseRefund/save', {
    access: asking,
    audit: { module, does: '申请企业退款' },
    idempotent: true,
    body: row({
      memberId: id,
      company: text(60, '企业名称'),
      taxpayerNo: z
        .string()
        .regex(/^[0-9A-Z]{15,20}$/, '请输入正确的纳税人识别号')
        .optional(),
      amount: yuan,
      payee: text(60, '收款户名'),
      account: aboutPerson(z.string().regex(/^\d{8,30}$/, '收款账号须为8到30位数字')),
      bank: text(60, '开户行'),
      reason: text(200, '退款原因'),
    }),
    data: row({ id: z.string() }),
  }),
  audit: post('/seeker/api/enterpriseRefund/audit', {
    access: auditing,
    audit: { module, does: '企业退款审核通过' },
    idempotent: true,
    body: one,
    data: done,
  }),
  auditFail: post('/seeker/api/enterpriseRefund/auditFail', {
    access: auditing,
    audit: { module, does: '企业退款审核驳回' },
    body: why,
    data: done,
  }),
  approve: post('/seeker/api/enterpriseRefund/approve', {
    access: deciding,
    audit: { module, does: '企业退款审批通过' },
    idempotent: true,
    body: one,
    data: done,
  }),
  approvalFail: post('/seeker/api/enterpriseRefund/approvalFail', {
    access: deciding,
    audit: { module, does: '企业退款审批驳回' },
    body: why,
    data: done,
  }),
  cancel: post('/seeker/api/enterpriseRefund/cancel', {
    access: asking,
    audit: { module, does: '撤销企业退款' },
    body: one,
    data: done,
  }),
  /** The bank has paid; the voucher is the proof. */
  finish: post('/seeker/api/enterpriseRefund/finish', {
    access: auditing,
    audit: { module, does: '上传企业退款回单' },
    idempotent: true,
    body: row({ id, pictureId: id }),
    data: done,
  }),
  /** The bank cannot pay: the money returns to the wallet. */
  giveBack: post('/seeker/api/enterpriseRefund/giveBack', {
    access: deciding,
    audit: { module, does: '企业退款退回钱包' },
    idempotent: true,
    body: one,
    data: done,
  }),
}
