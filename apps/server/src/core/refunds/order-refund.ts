import { payRefundPurpose } from '@wattdeck/contract/accounting/pay-codes.ts'
import { orderStatus } from '@wattdeck/contract/order/order-codes.ts'
import { refundWay } from '@wattdeck/contract/order/refund-codes.ts'
import { type Fen, yuanText } from '@wattdeck/domain/money.ts'
import { splitOwnFirst, shareByRemainder } from '@wattdeck/domain/refund.ts'
import type { Db } from '../../kit/db/db.ts'
import { conflict } from '../../kit/http/refusal.ts'
import { subsidyLines } from '../ledger/subsidy.ts'
import { type Posting, post } from '../ledger/ledger.ts'
import { requestRefund } from '../payments/request-refund.ts'
import { payTime } from '../payments/pay-numbers.ts'
import * as store from './order-refund.store.ts'
import { lockSources, shiftRecharge } from './origin.store.ts'
import { type Payer, payerOf } from './payer.ts'

/** The amounts of an order that can still be refunded. */
export function leftOf(order: store.BilledOrder, taken: store.RefundParts): store.RefundParts {
  return {
    paidFen: order.paidFen - taken.paidFen,
    giftFen: order.giftFen - taken.giftFen,
    electricityFen: order.electricityFen - taken.electricityFen,
    serviceFen: order.serviceFen - taken.serviceFen,
    occupancyFen: order.occupancyFen - taken.occupancyFen,
    subsidyFen: order.subsidyFen - taken.subsidyFen,
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
 * Requests a refund of a part of a charge. The caller has locked the order. The amount is deducted from the refundable
 * amount at once, so that concurrent requests never exceed the paid amount.
 */
export async function requestOrderRefund(db: Db, order: store.BilledOrder, params: Params): Promise<string> {
  const payer = payerToRefund(order)
  if (params.way === refundWay.code.origin && payer.paid === 'cardPaid') throw conflict('储值卡支付的订单只能退回卡内')
  if (order.siteId === null) throw conflict('该订单没有站点，不能退款')
  const left = leftOf(order, await store.requestedParts(db, order.id))
  const most = left.paidFen + left.giftFen
  if (params.amountFen > most) throw conflict(`退款金额超过可退金额，当前可退${yuanText(most)}元`)
  const { paid, gift } = splitOwnFirst(params.amountFen, { paid: left.paidFen, gift: left.giftFen })
  const [electricityFen = 0n, serviceFen = 0n, occupancyFen = 0n] = shareByRemainder(params.amountFen, [
    left.electricityFen,
    left.serviceFen,
    left.occupancyFen,
  ])
  const subsidies = await subsidiesToReturn(db, order, params.amountFen, left)
  const subsidyFen = subsidies.reduce((sum, { shareFen }) => sum + shareFen, 0n)
  const parts = { paidFen: paid, giftFen: gift, electricityFen, serviceFen, occupancyFen, subsidyFen }
  await store.shiftOrder(db, order.id, params.amountFen)
  return store.addRefund(db, { ...params, order, parts, subsidies })
}

/** The funders get back the share of the refund in what the payer paid; all that is left with the last part. */
async function subsidiesToReturn(db: Db, order: store.BilledOrder, amountFen: bigint, left: store.RefundParts) {
  if (left.subsidyFen === 0n) return []
  const returnFen = (left.subsidyFen * amountFen) / (left.paidFen + left.giftFen)
  const returned = await store.returnedSubsidies(db, order.id, order.subsidies)
  const available = order.subsidies.map(({ shareFen }, at) => shareFen - (returned[at] ?? 0n))
  const shares = shareByRemainder(returnFen, available)
  return order.subsidies.map((one, at) => ({ ...one, shareFen: (shares[at] ?? 0n) as Fen }))
}

type Decider = { by: string; byId: string | null; trace: object | null }

/** Returns the money from the site's income to the wallet, and on to the original payment if requested. */
export async function approveOrderRefund(db: Db, refund: store.OrderRefund, decider: Decider): Promise<boolean> {
  const payer = payerOf(refund)
  if (payer === undefined) throw conflict('该订单没有付款人，不能退款')
  const sent = refund.way === refundWay.code.origin ? await sendBack(db, refund, payer) : noneSent
  const words = wordsOf(refund, sent.fen)
  const as = sent.fen > 0n ? 'approve' : 'arrive'
  if (!(await store.writeApproved(db, refund.id, { ...decider, as, words }))) return false
  await post(db, [intoWallet(refund, payer, decider.by), ...sent.postings])
  await store.returnCoupon(db, refund.orderId, refund.organiseId)
  return true
}

/** A text for staff if less than requested returns to the original payment. */
function wordsOf({ way, paidFen, giftFen }: store.OrderRefund, sentFen: bigint): string | null {
  if (way !== refundWay.code.origin) return null
  const walletFen = paidFen - sentFen
  const notes = [
    ...(walletFen > 0n ? [`${yuanText(walletFen)}元没有可原路退回的充值，已退到钱包`] : []),
    ...(giftFen > 0n ? [`赠送${yuanText(giftFen)}元已退到赠送余额`] : []),
  ]
  return notes.length === 0 ? null : notes.join('；')
}

const common = (refund: store.OrderRefund) => ({ keyAt: payTime(refund.id), place: refund, kind: 'refund' }) as const

const intoWallet = (refund: store.OrderRefund, { owner, paid, gift }: Payer, by: string): Posting => ({
  ...common(refund),
  key: `refund/${refund.id}/back`,
  // The reference of the order groups all its postings.
  ref: refund.orderId,
  memo: `退款单${refund.id}`,
  by,
  lines: [
    { account: 'siteElectricity', owner: refund.siteId, fen: -refund.electricityFen },
    { account: 'siteService', owner: refund.siteId, fen: -refund.serviceFen },
    { account: 'siteOccupancy', owner: refund.siteId, fen: -refund.occupancyFen },
    { account: paid, owner, fen: refund.paidFen },
    { account: gift, owner, fen: refund.giftFen },
    ...subsidyLines(
      refund.siteId,
      refund.subsidies.map((one) => ({ ...one, shareFen: (0n - one.shareFen) as Fen })),
    ),
  ],
})

type Sent = { fen: bigint; postings: Posting[] }
const noneSent: Sent = { fen: 0n, postings: [] }

/** Refunds through the newest recharges with a remaining amount, as many as needed. Payments are locked before accounts. */
async function sendBack(db: Db, refund: store.OrderRefund, payer: Payer): Promise<Sent> {
  const sources = payer.paid === 'memberPaid' ? await lockSources(db, payer.owner) : []
  let missing = refund.paidFen
  const postings: Posting[] = []
  for (const source of sources) {
    if (missing === 0n) break
    const fen = missing < source.leftFen ? missing : source.leftFen
    missing -= fen
    const params = { payOrderId: source.payOrderId, fen, purpose: payRefundPurpose.code.order, refId: refund.id }
    const payRefundId = await requestRefund(db, { ...params, reason: `订单${refund.orderId}退款` })
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

/** Declines a refund, so that its amount can be requested again. The order is locked before the refund, as for a request. */
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
