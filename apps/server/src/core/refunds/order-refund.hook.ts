import { payRefundPurpose } from '@wattdeck/contract/accounting/pay-codes.ts'
import type { Db } from '../../kit/db/db.ts'
import { publishToOrganisation } from '../../kit/events/outbox.ts'
import { post } from '../ledger/ledger.ts'
import { requestRefund } from '../payments/request-refund.ts'
import type { RefundHook } from '../payments/pay-hooks.ts'
import { payTime } from '../payments/pay-numbers.ts'
import type { LockedRefund as PayRefund } from '../payments/pay-refund.store.ts'
import { giveUpRefund } from './give-up.ts'
import * as store from './order-refund.store.ts'
import { rechargeOf, shiftRecharge, stuckOf, underWay } from './origin.store.ts'
import { payerOf } from './payer.ts'

const purpose = payRefundPurpose.code.order

/** Handles the result of a refund of a charge to its original payment. */
export const orderRefundHook: RefundHook = {
  arrived: async (db, scope, { refId }) => finish(db, await locked(db, refId)),
  refused: async (db, scope, payRefund, words) => {
    const refund = await locked(db, payRefund.refId)
    await intoWallet(db, refund, payRefund)
    await store.writeWords(db, refund.id, `${words}，已退到钱包`)
    await finish(db, refund)
  },
  abnormal: async (db, scope, { refId }, words) => {
    const refund = await locked(db, refId)
    await store.writeWords(db, refund.id, words)
    await publishLists(db, refund)
  },
}

async function locked(db: Db, id: string): Promise<store.OrderRefund> {
  const refund = await store.readRefund(db, id, 'lock')
  if (refund === undefined) throw new Error(`there is no refund ${id}`)
  return refund
}

/** Returns money that left the wallet for a refund to the payer's account. */
async function intoWallet(db: Db, refund: store.OrderRefund, payRefund: PayRefund): Promise<void> {
  const payer = payerOf(refund)
  if (payer === undefined) throw new Error(`refund ${refund.id} has no payer`)
  await shiftRecharge(db, await rechargeOf(db, payRefund.payOrderId), -payRefund.amountFen)
  await post(db, [
    {
      key: `refund/${refund.id}/in/${payRefund.id}`,
      keyAt: payTime(refund.id),
      place: refund,
      kind: 'refund',
      ref: refund.id,
      lines: [
        { account: 'refundDue', owner: String(payRefund.provider), fen: -payRefund.amountFen },
        { account: payer.paid, owner: payer.owner, fen: payRefund.amountFen },
      ],
    },
  ])
}

async function finish(db: Db, refund: store.OrderRefund): Promise<void> {
  if (!(await underWay(db, purpose, refund.id))) await store.writeArrived(db, refund.id)
  await publishLists(db, refund)
}

const publishLists = (db: Db, { organiseId, agentId, siteId }: store.OrderRefund): Promise<void> =>
  publishToOrganisation(
    db,
    { organise_id: organiseId, agent_id: agentId, site_id: siteId },
    { kind: 'changed', list: 'refundOrder' },
  )

/** Resolves stuck refunds by a staff decision: sends them again under a new number, or returns the money to the wallet. */
export async function mendOrderRefund(db: Db, id: string, how: 'again' | 'wallet', by: string): Promise<number> {
  let mended = 0
  for (const payRefundId of await stuckOf(db, purpose, id)) {
    const attempt = await giveUpRefund(db, payRefundId, by)
    if (attempt === undefined) continue
    mended++
    const refund = await locked(db, id)
    if (how === 'wallet') await intoWallet(db, refund, attempt)
    else
      await requestRefund(db, {
        payOrderId: attempt.payOrderId,
        fen: attempt.amountFen,
        purpose,
        refId: id,
        reason: `订单${refund.orderId}退款`,
      })
  }
  if (mended === 0) return 0
  await store.writeWords(db, id, how === 'wallet' ? `${by}确认未到账，已退到钱包` : `${by}重新发起退款`)
  await finish(db, await locked(db, id))
  return mended
}
