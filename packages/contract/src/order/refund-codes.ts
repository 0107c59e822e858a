import { z } from 'zod'
import { codes } from '../kit/codes.ts'
import { withoutOptions } from '../kit/offered-codes.ts'
import { f } from '../kit/fields.ts'

export const numberAbout = 'display number; it encodes the time of the request'

/** 退款状态 of an order's refund: REFUND_APPROVING, APPROVED_REFUNDING, NOT_APPROVED, REFUNDED. */
export const refundStatus = codes({
  waiting: { code: 1, label: '审批中', tone: 'warn' },
  refunding: { code: 2, label: '已同意退款中', tone: 'run' },
  declined: { code: 3, label: '已拒绝', tone: 'off' },
  refunded: { code: 4, label: '已退款', tone: 'ok' },
})
export const refundFlow = refundStatus.flow({
  approve: { from: ['waiting'], to: 'refunding' },
  decline: { from: ['waiting'], to: 'declined' },
  arrive: { from: ['waiting', 'refunding'], to: 'refunded' },
})

/** 退款类型. */
export const refundKind = withoutOptions(
  codes({
    auto: { code: 1, label: '自动结算退款', tone: 'book' },
    manual: { code: 2, label: '人工退款', tone: 'link' },
    startFailed: { code: 3, label: '启动失败退款', tone: 'off' },
  }),
  ['startFailed'],
)

/** The target of a refund. Gift money always returns to the gift wallet and is never paid out. */
export const refundWay = codes({
  wallet: { code: 1, label: '退到钱包' },
  origin: { code: 2, label: '原路退回' },
})

/** A refund by three people: one requests, one audits, one approves. */
export const refundStep = codes({
  auditing: { code: 'AUDITING', label: '审核中', tone: 'warn' },
  approving: { code: 'APPROVALING', label: '审批中', tone: 'book' },
  refunding: { code: 'APPROVALING_FINISH', label: '退款中', tone: 'run' },
  finished: { code: 'FINISH', label: '退款完成', tone: 'ok' },
  auditFailed: { code: 'AUDIT_FAILED', label: '审核不通过', tone: 'bad' },
  approvalFailed: { code: 'APPROVAL_FAILED', label: '审批不通过', tone: 'bad' },
  cancelled: { code: 'AUDIT_CANCEL', label: '已撤销', tone: 'off' },
})
export const stepFlow = refundStep.flow({
  audit: { from: ['auditing'], to: 'approving' },
  auditFail: { from: ['auditing'], to: 'auditFailed' },
  approve: { from: ['approving'], to: 'refunding' },
  approvalFail: { from: ['approving'], to: 'approvalFailed' },
  cancel: { from: ['auditing', 'approving'], to: 'cancelled' },
  finish: { from: ['refunding'], to: 'finished' },
  giveBack: { from: ['refunding'], to: 'cancelled' },
})
export type RefundStepAction = Parameters<typeof stepFlow.to>[0]

/** Fields of a refund in three steps. Each step needs a different person. */
export const stepFields = {
  createdBy: f.shown('申请人', { width: 100 }),
  createdAt: f.time('申请时间', { width: 170 }),
  auditedBy: f.shown('审核人', { optional: true, width: 100 }),
  approvedBy: f.shown('审批人', { optional: true, width: 100 }),
  decision: f.shown('驳回原因', { optional: true, width: 180, about: 'reason for the rejection' }),
  auditedAt: f.time('审核时间', { optional: true, width: 170, hidden: true }),
  approvedAt: f.time('审批时间', { optional: true, width: 170, hidden: true }),
  own: f.data(z.boolean().describe('requested by the caller')),
  acted: f.data(z.boolean().describe('the caller has done one step and cannot do another')),
}
