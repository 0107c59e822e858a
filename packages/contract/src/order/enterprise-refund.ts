import { z } from 'zod'
import { exportList } from '../kit/bulk.ts'
import { page, PageQuery } from '../kit/page.ts'
import { personal } from '../kit/personal.ts'
import { aboutPerson } from '../kit/privacy.ts'
import { done, get, post } from '../kit/route.ts'
import { date, id, keyword, money, row, text, time, yuan } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { ownerIds, ownerNames } from '../system/ownership.ts'
import { refundStep } from './refund-codes.ts'

export type EnterpriseRefund = z.infer<typeof EnterpriseRefund>
export const EnterpriseRefund = row({
  id: z.string().describe('the number that people see; it holds the moment it was asked for'),
  company: z.string(),
  taxpayerNo: z.string().nullable(),
  memberId: z.string().describe('whose wallet the company uses'),
  ...ownerNames,
  amount: money,
  payee: z.string(),
  account: personal('bankCard'),
  bank: z.string(),
  voucherId: z.string().nullable(),
  reason: z.string(),
  status: refundStep.schema,
  createdBy: z.string(),
  createdAt: time,
  auditedBy: z.string().nullable(),
  auditedAt: time.nullable(),
  approvedBy: z.string().nullable(),
  approvedAt: time.nullable(),
  decision: z.string().nullable().describe('why it was declined'),
  paidBy: z.string().nullable(),
  finishedAt: time.nullable(),
  own: z.boolean().describe('asked for by the reader'),
  acted: z.boolean().describe('the reader has done a step of it and can do no other'),
})

export const enterpriseRefundColumns = {
  id: '退款单号',
  status: '状态',
  company: '企业',
  memberId: '企业账户（会员ID）',
  taxpayerNo: '纳税人识别号',
  amount: '金额',
  payee: '收款户名',
  account: '收款账号',
  bank: '开户行',
  reason: '原因',
  organiseName: '所属机构',
  agentName: '所属代理商',
  siteName: '所属站点',
  createdBy: '申请人',
  createdAt: '申请时间',
  auditedBy: '审核人',
  auditedAt: '审核时间',
  approvedBy: '审批人',
  approvedAt: '审批时间',
  decision: '不通过原因',
  paidBy: '打款人',
  finishedAt: '打款时间',
} as const

const menu = menuKey.enterpriseRefund
const module = '企业退款'
const one = row({ id })
const why = row({ id, reason: text(200, '原因') })
const asking = { menu, action: 'add' } as const
const auditing = { menu, action: 'edit' } as const
const deciding = { menu, action: 'approve' } as const

/** Money of a company's wallet, paid to its bank account by hand: asked, audited and approved by three people. */
export const enterpriseRefund = {
  list: get('/seeker/api/enterpriseRefund/pageList', {
    access: { menu },
    query: PageQuery.extend({
      refundNo: id.optional().describe('the whole number'),
      company: keyword.optional().describe('how its name begins'),
      status: refundStep.wire.optional(),
      ...ownerIds,
      from: date.optional().describe('the day it was asked for'),
      to: date.optional(),
    }),
    data: page(EnterpriseRefund),
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
    audit: { module, does: '企业退款审核不通过' },
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
    audit: { module, does: '企业退款审批不通过' },
    body: why,
    data: done,
  }),
  cancel: post('/seeker/api/enterpriseRefund/cancel', {
    access: asking,
    audit: { module, does: '撤销企业退款' },
    body: one,
    data: done,
  }),
  /** The bank has paid: the voucher says so. */
  finish: post('/seeker/api/enterpriseRefund/finish', {
    access: auditing,
    audit: { module, does: '上传企业退款回单' },
    idempotent: true,
    body: row({ id, pictureId: id }),
    data: done,
  }),
  /** The bank cannot pay: the money goes back into the wallet. */
  giveBack: post('/seeker/api/enterpriseRefund/giveBack', {
    access: deciding,
    audit: { module, does: '企业退款退回钱包' },
    idempotent: true,
    body: one,
    data: done,
  }),
  exportList: exportList('/seeker/api/enterpriseRefund/export', { menu, module }),
}
