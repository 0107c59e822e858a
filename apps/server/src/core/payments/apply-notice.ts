import type { Db } from '../../kit/db/db.ts'
import type { Scope } from '../../kit/db/scope.ts'
import type { OpenMerchant } from './merchants.ts'
import { scheduleNoticeQuery, closeNotice, noticeStatus } from './notice.store.ts'
import type { PayHooks } from './pay-hooks.ts'
import type { Notice } from './provider.ts'
import { settlePayment, notifyPayProblem, type Verdict } from './settle-payment.ts'
import { settleRefund } from './settle-refund.ts'

/**
 * Applies a verified notice, in the transaction that locks its row. A notice of an unknown payment stays stored and waits.
 * A notice that contradicts the payment credits nothing and is flagged for staff. A notice that needs confirmation is left
 * to a worker, which queries the provider.
 */
export async function applyNotice(
  db: Db,
  scope: Scope,
  hooks: PayHooks,
  merchant: OpenMerchant,
  notice: Notice,
): Promise<Verdict> {
  const verdict =
    notice.kind === 'payment'
      ? await settlePayment(db, scope, hooks, merchant, { ...notice.payment, isHint: true })
      : await settleRefund(db, scope, hooks, merchant, { ...notice.refunding, isHint: true })
  if (verdict.is === 'unknown') return verdict
  const key = { merchantId: merchant.id, noticeId: notice.id }
  if (verdict.is === 'ask') await scheduleNoticeQuery(db, key)
  else if (verdict.is === 'strange') await flagNotice(db, scope, merchant, notice, verdict.why)
  else await closeNotice(db, key, { status: noticeStatus.done, problem: null })
  return verdict
}

/** Flags a notice whose payment was not found within the waiting time. */
export const giveUpNotice = (db: Db, scope: Scope, merchant: OpenMerchant, notice: Notice): Promise<void> =>
  flagNotice(db, scope, merchant, notice, '没有对应的支付单')

/** Flags a notice: credits nothing and notifies staff. */
export async function flagNotice(db: Db, scope: Scope, merchant: OpenMerchant, notice: Notice, why: string) {
  const no = notice.kind === 'payment' ? notice.payment.payNo : notice.refunding.payNo
  const key = { merchantId: merchant.id, noticeId: notice.id }
  await closeNotice(db, key, { status: noticeStatus.strange, problem: why })
  await notifyPayProblem(
    db,
    scope,
    { organiseId: merchant.organiseId, agentId: null, siteId: null },
    { title: '支付通知与订单不符', body: `${no}：${why}`, payNo: no },
  )
}
