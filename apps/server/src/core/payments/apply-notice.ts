import type { Db } from '../../kit/db/db.ts'
import type { Scope } from '../../kit/db/scope.ts'
import type { OpenMerchant } from './merchants.ts'
import { askAbout, closeNotice, noticeStatus } from './notice.store.ts'
import type { PayHooks } from './pay-hooks.ts'
import type { Notice } from './provider.ts'
import { settlePayment, tellTrouble, type Verdict } from './settle-payment.ts'
import { settleRefund } from './settle-refund.ts'

/**
 * Does what a proven notice says, in the transaction that holds its row. One whose payment we do not know yet stays and
 * waits; one that contradicts us credits nothing and is shown to people. One that the provider must confirm first is left to
 * a worker, which asks.
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
  if (verdict.is === 'ask') await askAbout(db, key)
  else if (verdict.is === 'strange') await flagNotice(db, scope, merchant, notice, verdict.why)
  else await closeNotice(db, key, { status: noticeStatus.done, problem: null })
  return verdict
}

/** Nobody knows its payment, and nobody will. */
export const giveUpNotice = (db: Db, scope: Scope, merchant: OpenMerchant, notice: Notice): Promise<void> =>
  flagNotice(db, scope, merchant, notice, '没有对应的支付单')

/** It says what is not so: nothing is credited, and people are told. */
export async function flagNotice(db: Db, scope: Scope, merchant: OpenMerchant, notice: Notice, why: string) {
  const no = notice.kind === 'payment' ? notice.payment.payNo : notice.refunding.payNo
  const key = { merchantId: merchant.id, noticeId: notice.id }
  await closeNotice(db, key, { status: noticeStatus.strange, problem: why })
  await tellTrouble(
    db,
    scope,
    { organiseId: merchant.organiseId, agentId: null, siteId: null },
    { title: '支付通知与订单不符', body: `${no}：${why}`, payNo: no },
  )
}
