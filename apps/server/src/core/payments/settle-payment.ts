import { payRefundPurpose } from '@wattdeck/contract/accounting/pay-codes.ts'
import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { popupType } from '@wattdeck/contract/auth/notification.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import type { Db } from '../../kit/db/db.ts'
import { notifyHolders } from '../../kit/events/notify-holders.ts'
import { publishToOrganisation } from '../../kit/events/outbox.ts'
import type { Scope } from '../../kit/db/scope.ts'
import { post } from '../ledger/ledger.ts'
import { payLivesS } from './ask-payment.ts'
import { requestRefund } from './request-refund.ts'
import { hookOf, type PayHooks } from './pay-hooks.ts'
import { payIdOf, payNo, payTime } from './pay-numbers.ts'
import * as store from './pay-order.store.ts'
import type { Payment } from './provider.ts'
import { storedPay } from './stored-status.ts'

/** Margin for clock differences and for a payment in the last second. */
const afterS = 60

/** The merchant of the request: its own number (in partner mode that of the sub-merchant) and the app. */
export type MerchantView = { id: string; ownNo: string; appId: string; feeE5: number; keySinceMs: number }

/** Data from a notice is a hint; data from a query is not. */
export type Hint<T> = T & { isHint?: true }

/** A notice above this amount is confirmed by a query before it is credited. */
const noticeLimitFen = 100_000n
/** For this time after a key becomes live, its notices are confirmed by a query, regardless of the amount. */
const youngKeyMs = 24 * 3_600_000

export const needsQuery = ({ keySinceMs }: MerchantView, { isHint }: Hint<object>, fen: bigint): boolean =>
  isHint === true && (fen > noticeLimitFen || Date.now() < keySinceMs + youngKeyMs)

export type Verdict =
  /** Credited now, or being refunded because it was late. */
  | { is: 'paid' }
  /** Already applied. */
  | { is: 'again' }
  /** Not paid, according to the provider. */
  | { is: 'open' }
  /** A notice that a query must confirm before anything is posted. */
  | { is: 'ask' }
  /** The payment does not exist yet. */
  | { is: 'unknown' }
  /** It contradicts the request: nothing is credited, and staff must check it. */
  | { is: 'strange'; why: string }

/**
 * The only function that marks a payment as paid, for notices, scheduled queries and manual queries alike. It locks the row,
 * compares the reported payment with the request and posts the money once.
 */
export async function settlePayment(
  db: Db,
  scope: Scope,
  hooks: PayHooks,
  merchant: MerchantView,
  reported: Hint<Payment>,
): Promise<Verdict> {
  const id = payIdOf(reported.payNo)
  const pay = id === undefined ? undefined : await store.lockPay(db, id)
  if (pay === undefined) return { is: 'unknown' }
  const why = contradiction(pay, merchant, reported)
  if (why !== undefined) return { is: 'strange', why }
  if (pay.status === storedPay.number.paid) return { is: 'again' }
  if (reported.state === 'refunded') return { is: 'strange', why: '渠道显示已支付并已退款，本地未收到支付' }
  if (reported.state !== 'paid' || reported.transactionId === undefined) return { is: 'open' }
  if (needsQuery(merchant, reported, pay.amountFen)) return { is: 'ask' }
  const late = pay.status === storedPay.number.closed
  const feeFen = (pay.amountFen * BigInt(merchant.feeE5) + 50_000n) / 100_000n
  const { transactionId, payer = null, paidAt = new Date() } = reported
  await store.writePaid(db, pay.id, { transactionId, paidAt, payer, feeFen, late })
  if (late) await takeBack(db, pay)
  else await hookOf(hooks.pay, pay.purpose).paid(db, scope, pay)
  await bookFee(db, pay, feeFen)
  await publishPayChange(db, pay)
  return { is: 'paid' }
}

/** The first difference between payment and report, as a text for staff. */
function contradiction(pay: store.LockedPay, merchant: MerchantView, reported: Payment): string | undefined {
  if (pay.merchantId !== merchant.id) return '通知来自其他商户'
  if (reported.merchantNo !== merchant.ownNo) return `商户号不符：${reported.merchantNo}`.slice(0, 200)
  if (reported.appId !== merchant.appId) return `应用不符：${reported.appId}`.slice(0, 200)
  if (reported.fen !== undefined && reported.fen !== pay.amountFen)
    return `金额不符：应付${yuanText(pay.amountFen)}元，渠道称${yuanText(reported.fen)}元`
  if (reported.state === 'paid' && reported.fen === undefined) return '渠道未说明支付金额'
  const other = pay.transactionId !== null && reported.transactionId !== undefined
  return other && pay.transactionId !== reported.transactionId
    ? `同一支付单有另一笔渠道流水：${reported.transactionId}`
    : undefined
}

/** Posts the fee by the merchant's rate; reconciliation with the provider's bill verifies it later. */
async function bookFee(db: Db, pay: store.LockedPay, feeFen: bigint): Promise<void> {
  if (feeFen === 0n) return
  const owner = String(pay.provider)
  await post(db, [
    {
      key: `pay/${pay.id}/fee`,
      keyAt: payTime(pay.id),
      place: pay,
      kind: 'channelFee',
      ref: payNo(pay.id),
      lines: [
        { account: 'channel', owner, fen: feeFen },
        { account: 'channelFee', owner, fen: -feeFen },
      ],
    },
  ])
}

/** Posts a payment without a recipient to `refundDue`, until it is refunded. */
export async function postRefundDue(db: Db, pay: store.LockedPay): Promise<void> {
  const owner = String(pay.provider)
  await post(db, [
    {
      key: `pay/${pay.id}/aside`,
      keyAt: payTime(pay.id),
      place: pay,
      kind: 'recharge',
      ref: payNo(pay.id),
      lines: [
        { account: 'channel', owner, fen: -pay.amountFen },
        { account: 'refundDue', owner, fen: pay.amountFen },
      ],
    },
  ])
}

/** Refunds a payment that arrived after it was closed. */
async function takeBack(db: Db, pay: store.LockedPay): Promise<void> {
  await postRefundDue(db, pay)
  await requestRefund(db, {
    payOrderId: pay.id,
    fen: pay.amountFen,
    purpose: payRefundPurpose.code.late,
    refId: pay.id,
    reason: '支付超时，款项原路退回',
  })
}

/**
 * How a payment was closed. `absent`: the provider has no record of it, like Alipay for a code that was not scanned. Such
 * a code can still be paid until it expires.
 */
export type Closing = { failure?: string; absent?: boolean }

/** Closes an unpaid payment and cancels its order in the same transaction. */
export async function closePayment(db: Db, hooks: PayHooks, id: string, { failure, absent }: Closing): Promise<void> {
  const pay = await store.lockPay(db, id)
  if (pay?.status !== storedPay.number.unpaid) return
  // A later notice may get lost, so a worker queries the payment once more after the code expires.
  const lookBackS = absent === true ? payLivesS + afterS : null
  await store.writeClosed(db, id, { failure: failure ?? null, lookBackS })
  await hookOf(hooks.pay, pay.purpose).closed(db, pay)
  await publishPayChange(db, pay)
}

type Place = { organiseId: string; agentId: string | null; siteId: string | null }

/** Makes open lists of payments reload. */
export const publishPayChange = (db: Db, { organiseId, agentId, siteId }: Place): Promise<void> =>
  publishToOrganisation(
    db,
    { organise_id: organiseId, agent_id: agentId, site_id: siteId },
    { kind: 'changed', list: 'payOrder' },
  )

/** Notifies staff about a payment problem that needs manual action. */
export const notifyPayProblem = (
  db: Db,
  scope: Scope,
  place: Place,
  trouble: { title: string; body: string; payNo: string },
) =>
  notifyHolders(
    db,
    scope,
    {
      place: { organise_id: place.organiseId, agent_id: place.agentId, site_id: place.siteId },
      grant: { menu: menuKey.payOrder, action: 'edit' },
      except: '0',
    },
    {
      type: popupType.code.platformWarning,
      title: trouble.title,
      body: trouble.body,
      route: `/order/payOrder?payNo=${encodeURIComponent(trouble.payNo)}`,
    },
  )
