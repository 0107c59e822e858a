import { payRefundStatus } from '@wattdeck/contract/accounting/pay-codes.ts'
import type { Db } from '../../kit/db/db.ts'
import type { Scope } from '../../kit/db/scope.ts'
import { post } from '../ledger/ledger.ts'
import { hookOf, type PayHooks } from './pay-hooks.ts'
import { payNo, payTime, refundIdOf, refundNo } from './pay-numbers.ts'
import { type LockedRefund, lockRefund, shiftRefunded, writeRefund } from './pay-refund.store.ts'
import type { Refunding } from './provider.ts'
import {
  type MerchantView,
  type Hint,
  needsQuery,
  publishPayChange,
  notifyPayProblem,
  type Verdict,
} from './settle-payment.ts'

const { toSend, processing, arrived, refused, abnormal } = payRefundStatus.code
/** Seconds until the next query of a refund. */
const laterS = [5, 15, 60, 300, 600, 1800]
export const refundPause = (looks: number): number => laterS[Math.min(looks, laterS.length - 1)] ?? 1800

/** Applies the reported state of a refund once. A refund that arrived or was refused does not change any more. */
export async function settleRefund(
  db: Db,
  scope: Scope,
  hooks: PayHooks,
  merchant: MerchantView,
  report: Hint<Refunding>,
  looks = 0,
): Promise<Verdict> {
  const id = refundIdOf(report.refundNo)
  const refund = id === undefined ? undefined : await lockRefund(db, id)
  if (refund === undefined) return { is: 'unknown' }
  const why = contradiction(refund, merchant, report)
  if (why !== undefined) return { is: 'strange', why }
  if (refund.status === arrived || refund.status === refused) return { is: 'again' }
  if (report.state !== 'processing' && needsQuery(merchant, report, refund.amountFen)) return { is: 'ask' }
  const refundId = report.refundId ?? null
  if (report.state === 'success') return arrive(db, scope, hooks, refund, refundId)
  if (report.state === 'closed') return refuseRefund(db, scope, hooks, refund, '渠道已关闭该退款')
  if (report.state === 'abnormal') return markAbnormal(db, scope, hooks, refund, refundId)
  // An abnormal refund keeps its status until it arrives.
  const status = refund.status === toSend ? processing : refund.status
  await writeRefund(db, refund.id, { status, refundId, words: '渠道处理中', nextS: refundPause(looks) })
  return { is: 'open' }
}

function contradiction(refund: LockedRefund, merchant: MerchantView, report: Refunding): string | undefined {
  if (refund.merchantId !== merchant.id) return '通知来自其他商户'
  if (report.merchantNo !== merchant.ownNo) return `商户号不符：${report.merchantNo}`.slice(0, 200)
  if (report.payNo !== payNo(refund.payOrderId)) return `退款属于其他支付单：${report.payNo}`.slice(0, 200)
  return report.fen !== undefined && report.fen !== refund.amountFen ? '退款金额与申请不符' : undefined
}

async function arrive(db: Db, scope: Scope, hooks: PayHooks, refund: LockedRefund, refundId: string | null) {
  await writeRefund(db, refund.id, { status: arrived, refundId, words: null, nextS: null })
  const owner = String(refund.provider)
  await post(db, [
    {
      key: `pay/${refund.payOrderId}/back/${refund.id}`,
      keyAt: payTime(refund.id),
      place: refund,
      kind: 'refund',
      ref: refundNo(refund.id),
      lines: [
        { account: 'refundDue', owner, fen: -refund.amountFen },
        { account: 'channel', owner, fen: refund.amountFen },
      ],
    },
  ])
  await hookOf(hooks.refund, refund.purpose).arrived(db, scope, refund)
  await publishPayChange(db, refund)
  return { is: 'paid' } as const
}

/** Records the refusal of the provider, so that the amount of the payment can be refunded again. */
export async function refuseRefund(db: Db, scope: Scope, hooks: PayHooks, refund: LockedRefund, words: string) {
  await writeRefund(db, refund.id, { status: refused, refundId: null, words, nextS: null })
  await shiftRefunded(db, refund.payOrderId, -refund.amountFen)
  await hookOf(hooks.refund, refund.purpose).refused(db, scope, refund, words)
  await notifyStuck(db, scope, refund, words)
  return { is: 'paid' } as const
}

/** Keeps the refund scheduled, because staff may resolve it at the provider. */
async function markAbnormal(db: Db, scope: Scope, hooks: PayHooks, refund: LockedRefund, refundId: string | null) {
  const words = '收款账户异常，需人工处理'
  await writeRefund(db, refund.id, { status: abnormal, refundId, words, nextS: 1800 })
  if (refund.status === abnormal) return { is: 'again' } as const
  await hookOf(hooks.refund, refund.purpose).abnormal(db, scope, refund, words)
  await notifyStuck(db, scope, refund, words)
  return { is: 'paid' } as const
}

async function notifyStuck(db: Db, scope: Scope, refund: LockedRefund, words: string): Promise<void> {
  const no = payNo(refund.payOrderId)
  await notifyPayProblem(db, scope, refund, {
    title: '退款未能到账',
    body: `${refundNo(refund.id)}：${words}`,
    payNo: no,
  })
  await publishPayChange(db, refund)
}
