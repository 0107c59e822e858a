import { payRefundPurpose } from '@wattdeck/contract/accounting/pay-codes.ts'
import { orderStatus } from '@wattdeck/contract/order/order-codes.ts'
import { refundWay } from '@wattdeck/contract/order/refund-codes.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { backOwnFirst, shareByRemainder } from '@wattdeck/domain/refund.ts'
import type { Db } from '../../kit/db/db.ts'
import { conflict } from '../../kit/http/refusal.ts'
import { type Posting, post } from '../ledger/ledger.ts'
import { askRefund } from '../payments/ask-refund.ts'
import { payTime } from '../payments/pay-numbers.ts'
import * as store from './order-refund.store.ts'
import { lockSources, shiftRecharge } from './origin.store.ts'
import { type Payer, payerOf } from './payer.ts'

/** What of an order can still go back. */
export function leftOf(order: store.BilledOrder, taken: store.RefundParts): store.RefundParts {
  return {
    paidFen: order.paidFen - taken.paidFen,
    giftFen: order.giftFen - taken.giftFen,
    electricityFen: order.electricityFen - taken.electricityFen,
    serviceFen: order.serviceFen - taken.serviceFen,
    occupancyFen: order.occupancyFen - taken.occupancyFen,
  }
}

function payerToRefund(order: Pick<store.BilledOrder, 'status' | 'memberId' | 'cardId'>): Payer {
  const payer = payerOf(order)
  if (order.status !== orderStatus.code.billed) throw conflict('只有已完成的订单可以退款')
  if (payer === undefined) throw conflict('该订单没有付款人，不能退款')
  return payer
}

type Params = { amountFen: bigint; way: number; reason: string; by: { id: string; name: string } }

/**
 * Asks for a part of a charge back. The order is locked: what is asked for is taken off what can be asked for, at once,
 * so that however many ask at the same time nobody gets back more than was paid.
 */
export async function askOrderRefund(db: Db, order: store.BilledOrder, wish: Params): Promise<string> {
  const payer = payerToRefund(order)
  if (wish.way === refundWay.code.origin && payer.paid === 'cardPaid') throw conflict('储值卡支付的订单只能退回卡内')
  if (order.siteId === null) throw conflict('该订单没有站点，不能退款')
  const left = leftOf(order, await store.takenOf(db, order.id))
  const most = left.paidFen + left.giftFen
  if (wish.amountFen > most) throw conflict(`退款金额超过可退金额，当前可退${yuanText(most)}元`)
  const { paid, gift } = backOwnFirst(wish.amountFen, { paid: left.paidFen, gift: left.giftFen })
  const [electricityFen = 0n, serviceFen = 0n, occupancyFen = 0n] = shareByRemainder(wish.amountFen, [
    left.electricityFen,
    left.serviceFen,
    left.occupancyFen,
  ])
  const parts = { paidFen: paid, giftFen: gift, electricityFen, serviceFen, occupancyFen }
  await store.shiftOrder(db, order.id, wish.amountFen)
  return store.addRefund(db, { ...wish, order, parts })
}

type Decider = { by: string; byId: string | null; trace: object | null }

/** The money goes back: from the site's incomes into the wallet, and from there to where it came from if that is wished. */
export async function approveOrderRefund(db: Db, refund: store.OrderRefund, decider: Decider): Promise<boolean> {
  const payer = payerOf(refund)
  if (payer === undefined) throw conflict('该订单没有付款人，不能退款')
  const sent = refund.way === refundWay.code.origin ? await sendBack(db, refund, payer) : noneSent
  const words = wordsOf(refund, sent.fen)
  const as = sent.fen > 0n ? 'approve' : 'arrive'
  if (!(await store.writeApproved(db, refund.id, { ...decider, as, words }))) return false
  await post(db, [intoWallet(refund, payer, decider.by), ...sent.postings])
  return true
}

/** In words, where less goes back to where it came from than was wished. */
function wordsOf({ way, paidFen, giftFen }: store.OrderRefund, sentFen: bigint): string | null {
  if (way !== refundWay.code.origin) return null
  const kept = paidFen - sentFen
  const notes = [
    ...(kept > 0n ? [`${yuanText(kept)}元没有可原路退回的充值，已退到钱包`] : []),
    ...(giftFen > 0n ? [`赠送${yuanText(giftFen)}元已退到赠送余额`] : []),
  ]
  return notes.length === 0 ? null : notes.join('；')
}

const common = (refund: store.OrderRefund) => ({ keyAt: payTime(refund.id), place: refund, kind: 'refund' }) as const

const intoWallet = (refund: store.OrderRefund, { owner, paid, gift }: Payer, by: string): Posting => ({
  ...common(refund),
  key: `refund/${refund.id}/back`,
  // Found with all that moved money for the order.
  ref: refund.orderId,
  memo: `退款单${refund.id}`,
  by,
  lines: [
    { account: 'siteElectricity', owner: refund.siteId, fen: -refund.electricityFen },
    { account: 'siteService', owner: refund.siteId, fen: -refund.serviceFen },
    { account: 'siteOccupancy', owner: refund.siteId, fen: -refund.occupancyFen },
    { account: paid, owner, fen: refund.paidFen },
    { account: gift, owner, fen: refund.giftFen },
  ],
})

type Sent = { fen: bigint; postings: Posting[] }
const noneSent: Sent = { fen: 0n, postings: [] }

/** By the newest recharges that have something left, as many as are needed. Their payments are locked before any account. */
async function sendBack(db: Db, refund: store.OrderRefund, payer: Payer): Promise<Sent> {
  const sources = payer.paid === 'memberPaid' ? await lockSources(db, payer.owner) : []
  let missing = refund.paidFen
  const postings: Posting[] = []
  for (const source of sources) {
    if (missing === 0n) break
    const fen = missing < source.leftFen ? missing : source.leftFen
    missing -= fen
    const wish = { payOrderId: source.payOrderId, fen, purpose: payRefundPurpose.code.order, refId: refund.id }
    const payRefundId = await askRefund(db, { ...wish, reason: `订单${refund.orderId}退款` })
    await shiftRecharge(db, source.rechargeId, fen)
    postings.push({
      ...common(refund),
      key: `refund/${refund.id}/out/${payRefundId}`,
      ref: refund.id,
      lines: [
        { account: payer.paid, owner: payer.owner, fen: -fen },
        { account: 'refundDue', owner: String(source.provider), fen },
      ],
    })
  }
  return { fen: refund.paidFen - missing, postings }
}

/** What was asked for can be asked for again. The order is locked before the refund, as where one is asked for. */
export async function declineOrderRefund(
  db: Db,
  refund: store.OrderRefund,
  by: { id: string; name: string },
  why: string,
): Promise<boolean> {
  if (!(await store.writeDeclined(db, refund.id, by, why))) return false
  await store.shiftOrder(db, refund.orderId, -refund.amountFen)
  return true
}
