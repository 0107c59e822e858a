import { payPurpose } from '@wattdeck/contract/accounting/pay-codes.ts'
import type { Db } from '../../kit/db/db.ts'
import { conflict } from '../../kit/http/refusal.ts'
import { findTaker } from './merchant.store.ts'
import { addPay, type NewPay } from './pay-order.store.ts'

/** How long a code can be paid. */
export const payLivesS = 15 * 60

type Params = Omit<NewPay, 'merchant' | 'livesS'> & { provider: number }

/**
 * Asks somebody for money, in the caller's transaction. Nothing is sent before it commits; a worker sends it then, and what
 * the payer's device needs stands in the payment a moment later.
 */
export async function askPayment(db: Db, ask: Params): Promise<string> {
  const merchant = await findTaker(db, ask.place.organiseId, ask.provider)
  if (merchant === undefined) throw conflict('该支付方式未开通')
  return addPay(db, { ...ask, merchant, livesS: payLivesS })
}

/** One fen, to see that keys and addresses are right. It goes back as soon as it has come. */
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
