import { payPurpose } from '@wattdeck/contract/accounting/pay-codes.ts'
import type { Db } from '../../kit/db/db.ts'
import { conflict } from '../../kit/http/refusal.ts'
import { findReceivingMerchant } from './merchant.store.ts'
import { addPay, type NewPay } from './pay-order.store.ts'

/** Lifetime of a payment code, in seconds. */
export const payLivesS = 15 * 60

type Params = Omit<NewPay, 'merchant' | 'livesS'> & { provider: number }

/**
 * Creates a payment in the caller's transaction (outbox). After the commit a worker sends it to the provider and then
 * stores the handle for the payer's device in the payment.
 */
export async function createPayment(db: Db, ask: Params): Promise<string> {
  const merchant = await findReceivingMerchant(db, ask.place.organiseId, ask.provider)
  if (merchant === undefined) throw conflict('该支付方式未开通')
  return addPay(db, { ...ask, merchant, livesS: payLivesS })
}

/** A payment of one fen that tests keys and addresses. It is refunded as soon as it arrives. */
export const askTest = (db: Db, organiseId: string, merchant: NewPay['merchant'], way: number) =>
  addPay(db, {
    place: { organiseId, agentId: null, siteId: null },
    merchant,
    way,
    purpose: payPurpose.code.test,
    refId: null,
    memberId: null,
    openId: null,
    fen: 1n,
    livesS: payLivesS,
  })
