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
import { askRefund } from './ask-refund.ts'
import { hookOf, type PayHooks } from './pay-hooks.ts'
import { payIdOf, payNo, payTime } from './pay-numbers.ts'
import * as store from './pay-order.store.ts'
import type { Payment } from './provider.ts'
import { storedPay } from './stored-status.ts'

/** Clocks differ, and whoever paid in the last second is heard of a little later. */
const afterS = 60

/** Whom we asked: the merchant's own number (in partner mode the one we act for) and the app. */
export type MerchantView = { id: string; ownNo: string; appId: string; feeE5: number; keySinceMs: number }

/** What a notice says is a hint; what the provider answers to a query is not. */
export type Hint<T> = T & { isHint?: true }

/** A notice of more than this is confirmed by a query before anything is credited. */
const noticeLimitFen = 100_000n
/** So long after a key became live its notices are confirmed by a query, whatever the amount. */
const youngKeyMs = 24 * 3_600_000

export const needsQuery = ({ keySinceMs }: MerchantView, { isHint }: Hint<object>, fen: bigint): boolean =>
  isHint === true && (fen > noticeLimitFen || Date.now() < keySinceMs + youngKeyMs)

export type Verdict =
  /** Credited now, or on its way back because it came too late. */
  | { is: 'paid' }
  /** It was known already. */
  | { is: 'again' }
  /** Not paid, says the provider. */
  | { is: 'open' }
  /** A notice says so, and the provider must be asked before anything is booked. */
  | { is: 'ask' }
  /** We know no such payment, yet. */
  | { is: 'unknown' }
  /** It contradicts what we asked for: nothing is credited, somebody must look. */
  | { is: 'strange'; why: string }

/**
 * The one function that makes a payment paid. Whoever heard of it (a notice, a look, a person who asks), the row is locked,
 * what the provider says is compared with what we asked for, and the money is booked once.
 */
export async function settlePayment(
  db: Db,
  scope: Scope,
  hooks: PayHooks,
  asked: MerchantView,
  said: Hint<Payment>,
): Promise<Verdict> {
  const id = payIdOf(said.payNo)
  const pay = id === undefined ? undefined : await store.lockPay(db, id)
  if (pay === undefined) return { is: 'unknown' }
  const why = contradiction(pay, asked, said)
  if (why !== undefined) return { is: 'strange', why }
  if (pay.status === storedPay.number.paid) return { is: 'again' }
  if (said.state === 'refunded') return { is: 'strange', why: '渠道显示已支付并已退款，本地未收到支付' }
  if (said.state !== 'paid' || said.transactionId === undefined) return { is: 'open' }
  if (needsQuery(asked, said, pay.amountFen)) return { is: 'ask' }
  const late = pay.status === storedPay.number.closed
  const feeFen = (pay.amountFen * BigInt(asked.feeE5) + 50_000n) / 100_000n
  const { transactionId, payer = null, paidAt = new Date() } = said
  await store.writePaid(db, pay.id, { transactionId, paidAt, payer, feeFen, late })
  if (late) await takeBack(db, pay)
  else await hookOf(hooks.pay, pay.purpose).paid(db, scope, pay)
  await bookFee(db, pay, feeFen)
  await tellPays(db, pay)
  return { is: 'paid' }
}

/** What does not fit, in words for whoever looks at it. */
function contradiction(pay: store.LockedPay, asked: MerchantView, said: Payment): string | undefined {
  if (pay.merchantId !== asked.id) return '通知来自其他商户'
  if (said.merchantNo !== asked.ownNo) return `商户号不符：${said.merchantNo}`.slice(0, 200)
  if (said.appId !== asked.appId) return `应用不符：${said.appId}`.slice(0, 200)
  if (said.fen !== undefined && said.fen !== pay.amountFen)
    return `金额不符：应付${yuanText(pay.amountFen)}元，渠道称${yuanText(said.fen)}元`
  if (said.state === 'paid' && said.fen === undefined) return '渠道未说明支付金额'
  const other = pay.transactionId !== null && said.transactionId !== undefined
  return other && pay.transactionId !== said.transactionId
    ? `同一支付单有另一笔渠道流水：${said.transactionId}`
    : undefined
}

/** The merchant's rate says what the provider keeps; its bill will say whether it did. */
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

/** Received for nobody: what came lies aside until it has gone back. */
export async function bookAside(db: Db, pay: store.LockedPay): Promise<void> {
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

/** It was closed, and somebody paid all the same: nobody waits for it any more, so it goes back by itself. */
async function takeBack(db: Db, pay: store.LockedPay): Promise<void> {
  await bookAside(db, pay)
  await askRefund(db, {
    payOrderId: pay.id,
    fen: pay.amountFen,
    purpose: payRefundPurpose.code.late,
    refId: pay.id,
    reason: '支付超时，款项原路退回',
  })
}

/**
 * Why nobody shall pay it any more. `absent`: the provider has never heard of it, as Alipay of a code that nobody has
 * scanned; a code that was shown can still be paid there until its own time is over.
 */
export type Closing = { failure?: string; absent?: boolean }

/** Nobody will pay it any more. What it was for is called off in the same moment. */
export async function closePayment(db: Db, hooks: PayHooks, id: string, { failure, absent }: Closing): Promise<void> {
  const pay = await store.lockPay(db, id)
  if (pay?.status !== storedPay.number.unpaid) return
  // Its notice may get lost: we look ourselves when nobody can pay it any more.
  const lookBackS = absent === true ? payLivesS + afterS : null
  await store.writeClosed(db, id, { failure: failure ?? null, lookBackS })
  await hookOf(hooks.pay, pay.purpose).closed(db, pay)
  await tellPays(db, pay)
}

type Place = { organiseId: string; agentId: string | null; siteId: string | null }

/** Open lists of payments read themselves again. */
export const tellPays = (db: Db, { organiseId, agentId, siteId }: Place): Promise<void> =>
  publishToOrganisation(
    db,
    { organise_id: organiseId, agent_id: agentId, site_id: siteId },
    { kind: 'changed', list: 'payOrder' },
  )

/** Something about a payment that only a person can put right. */
export const tellTrouble = (
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
