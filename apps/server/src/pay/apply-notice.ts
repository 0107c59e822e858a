import type { Db } from '../kit/db.ts'
import type { Scope } from '../kit/scope.ts'
import type { OpenMerchant } from './merchants.ts'
import { closeNotice, noticeStatus } from './notice.store.ts'
import type { PayHooks } from './pay-hooks.ts'
import type { Notice } from './provider.ts'
import { settlePayment, tellTrouble, type Verdict } from './settle-payment.ts'
import { settleRefund } from './settle-refund.ts'

/**
 * Does what a proven notice says, in the transaction that holds its row. One whose payment we do not know yet stays and
 * waits; one that contradicts us credits nothing and is shown to people.
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
      ? await settlePayment(db, scope, hooks, merchant, notice.payment)
      : await settleRefund(db, scope, hooks, merchant, notice.refunding)
  if (verdict.is === 'unknown') return verdict
  const key = { merchantId: merchant.id, noticeId: notice.id }
  const { done, strange } = noticeStatus
  if (verdict.is !== 'strange') await closeNotice(db, scope, key, { status: done, problem: null })
  else await flag(db, scope, merchant, notice, verdict.why, strange)
  return verdict
}

/** Nobody knows its payment, and nobody will. */
export const giveUpNotice = (db: Db, scope: Scope, merchant: OpenMerchant, notice: Notice): Promise<void> =>
  flag(db, scope, merchant, notice, '没有对应的支付单', noticeStatus.strange)

async function flag(db: Db, scope: Scope, merchant: OpenMerchant, notice: Notice, why: string, status: number) {
  const no = notice.kind === 'payment' ? notice.payment.payNo : notice.refunding.payNo
  await closeNotice(db, scope, { merchantId: merchant.id, noticeId: notice.id }, { status, problem: why })
  await tellTrouble(
    db,
    scope,
    { organiseId: merchant.organiseId, agentId: null, siteId: null },
    { title: '支付通知与订单不符', body: `${no}：${why}`, payNo: no },
  )
}
