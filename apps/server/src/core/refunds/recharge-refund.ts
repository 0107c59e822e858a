import { payRefundPurpose, payRefundStatus } from '@wattdeck/contract/accounting/pay-codes.ts'
import type { PostingName } from '@wattdeck/contract/accounting/ledger-codes.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { backOfRecharge, type RechargeBack } from '@wattdeck/domain/refund.ts'
import type { Db } from '../../kit/db/db.ts'
import { publishToOrganisation } from '../../kit/events/outbox.ts'
import { conflict } from '../../kit/http/refusal.ts'
import { balancesOf, type Line, post } from '../ledger/ledger.ts'
import { askRefund } from '../payments/ask-refund.ts'
import type { RefundHook } from '../payments/pay-hooks.ts'
import { payTime } from '../payments/pay-numbers.ts'
import { lockRefund as lockPayRefund } from '../payments/pay-refund.store.ts'
import { giveUpRefund } from './give-up.ts'
import { shiftRecharge } from './origin.store.ts'
import * as store from './recharge-refund.store.ts'

type Refund = store.StoredRefund
export type Quote = RechargeBack & { refundableFen: bigint; amountFen: bigint }

/** What of a recharge can go back: no more than is left of it, and no more than the wallet holds of own money. */
export async function quoteRecharge(db: Db, recharge: store.PaidRecharge, wish: bigint | undefined): Promise<Quote> {
  const owner = recharge.memberId
  const [own = 0n, gift = 0n] = await balancesOf(db, recharge.organiseId, [
    { account: 'memberPaid', owner },
    { account: 'memberGift', owner },
  ])
  const left = recharge.amountFen - recharge.refundedFen
  const refundableFen = left < own ? left : own
  const amountFen = wish ?? refundableFen
  const known = { amount: recharge.amountFen, gift: recharge.giftFen, giftBack: recharge.refundedGiftFen }
  return { refundableFen, amountFen, ...backOfRecharge(amountFen, known, gift) }
}

type Params = { amountFen: bigint; reason: string; by: { id: string | null; name: string } }

/** Asks for money of a recharge back: it is put aside at once, so that nobody spends it while people decide. */
export async function askRechargeRefund(db: Db, recharge: store.PaidRecharge, wish: Params): Promise<string> {
  const { refundableFen, gift, giftSpent, payout } = await quoteRecharge(db, recharge, wish.amountFen)
  if (wish.amountFen > refundableFen) throw conflict(`退款金额超过可退金额，当前可退${yuanText(refundableFen)}元`)
  if (payout <= 0n) throw conflict(`赠送金额已使用${yuanText(giftSpent)}元，扣除后没有可退金额`)
  await shiftRecharge(db, recharge.id, wish.amountFen, gift + giftSpent)
  const id = await store.addRefund(db, { recharge, ...wish, gift, giftSpent, payout })
  const { memberId: owner } = recharge
  await move(db, { ...recharge, id }, 'ask', 'hold', [
    { account: 'memberPaid', owner, fen: -wish.amountFen },
    { account: 'memberRefunding', owner, fen: wish.amountFen },
    { account: 'memberGift', owner, fen: -gift },
    { account: 'memberGiftRefunding', owner, fen: gift },
  ])
  return id
}

type Placed = { id: string; organiseId: string; agentId: string | null; siteId: string | null }

async function move(db: Db, refund: Placed, step: string, kind: PostingName, lines: Line[]) {
  const { id } = refund
  await post(db, [{ key: `rechargeRefund/${id}/${step}`, keyAt: payTime(id), place: refund, kind, ref: id, lines }])
}

/** Declined or called off: what was put aside goes back where it came from, to the fen. */
export async function returnAside(db: Db, refund: Refund): Promise<void> {
  const { memberId: owner, amountFen, giftFen, giftSpentFen } = refund
  await shiftRecharge(db, refund.rechargeId, -amountFen, -(giftFen + giftSpentFen))
  await move(db, refund, 'return', 'release', [
    { account: 'memberRefunding', owner, fen: -amountFen },
    { account: 'memberPaid', owner, fen: amountFen },
    { account: 'memberGiftRefunding', owner, fen: -giftFen },
    { account: 'memberGift', owner, fen: giftFen },
  ])
}

const purpose = payRefundPurpose.code.recharge

/** Asks the provider, in this transaction; the payment is locked before any account. */
async function send(db: Db, refund: Refund, words: string | null): Promise<string> {
  const { id, payOrderId, payoutFen: fen, reason } = refund
  const payRefundId = await askRefund(db, {
    payOrderId,
    fen,
    purpose,
    refId: id,
    reason: `充值退款：${reason}`.slice(0, 80),
  })
  await store.writeAttempt(db, id, payRefundId, words)
  return payRefundId
}

/** Approved: the gift is taken back, and what is paid out is on its way. */
export async function payOut(db: Db, refund: Refund): Promise<void> {
  const { memberId: owner, amountFen, payoutFen, giftFen, giftSpentFen } = refund
  await send(db, refund, null)
  await move(db, refund, 'approve', 'refund', [
    { account: 'memberRefunding', owner, fen: -amountFen },
    { account: 'refundDue', owner: String(refund.provider), fen: payoutFen },
    { account: 'memberGiftRefunding', owner, fen: -giftFen },
    { account: 'giftCost', owner: '0', fen: giftFen + giftSpentFen },
  ])
}

/** It does not arrive: put aside again, until a person says what becomes of it. */
async function putAsideAgain(db: Db, refund: Refund, payRefundId: string): Promise<void> {
  await move(db, refund, `refused/${payRefundId}`, 'hold', [
    { account: 'refundDue', owner: String(refund.provider), fen: -refund.payoutFen },
    { account: 'memberRefunding', owner: refund.memberId, fen: refund.payoutFen },
  ])
}

export const rechargeRefundHook: RefundHook = {
  arrived: async (db, scope, { refId }) => {
    const refund = await locked(db, refId)
    await store.writeFinish(db, refund.id)
    await tellRefunds(db, refund)
  },
  refused: async (db, scope, payRefund, words) => {
    const refund = await locked(db, payRefund.refId)
    await putAsideAgain(db, refund, payRefund.id)
    await store.writeStuck(db, refund.id, words)
    await tellRefunds(db, refund)
  },
  abnormal: async (db, scope, { refId }, words) => {
    const refund = await locked(db, refId)
    await store.writeStuck(db, refund.id, words)
    await tellRefunds(db, refund)
  },
}

async function locked(db: Db, id: string): Promise<Refund> {
  const refund = await store.readRefund(db, id, 'lock')
  if (refund === undefined) throw new Error(`there is no refund ${id}`)
  return refund
}

/** Lists that show a refund or what it changes. */
export const refundLists = ['rechargeRefund', 'rechargeRecord', 'member']

/** Open lists of refunds, recharges and members read themselves again. */
export async function tellRefunds(db: Db, { organiseId, agentId, siteId }: Placed): Promise<void> {
  const place = { organise_id: organiseId, agent_id: agentId, site_id: siteId }
  for (const list of refundLists) await publishToOrganisation(db, place, { kind: 'changed', list })
}

/**
 * A refund that the provider could not do, its payment locked before it. One that the payer's account cannot take is over
 * from now on: a person has seen so. Undefined where it is not stuck any more.
 */
async function unstick(db: Db, id: string, by: string): Promise<Refund | undefined> {
  const seen = await store.readRefund(db, id, 'look')
  if (seen?.payRefundId == null) return undefined
  const attempt = await lockPayRefund(db, seen.payRefundId)
  const refund = await locked(db, id)
  if (!refund.stuck || refund.payRefundId !== seen.payRefundId || attempt === undefined) return undefined
  if (attempt.status !== payRefundStatus.code.abnormal) return refund
  await giveUpRefund(db, attempt.id, by)
  await putAsideAgain(db, refund, attempt.id)
  return refund
}

/** Once more, under a new number. */
export async function sendAgain(db: Db, id: string, by: string): Promise<boolean> {
  const refund = await unstick(db, id, by)
  if (refund === undefined) return false
  const payRefundId = await send(db, refund, `${by}重新发起退款`)
  await move(db, refund, `again/${payRefundId}`, 'refund', [
    { account: 'memberRefunding', owner: refund.memberId, fen: -refund.payoutFen },
    { account: 'refundDue', owner: String(refund.provider), fen: refund.payoutFen },
  ])
  return true
}

/** Given up: all of it is as if nobody had asked, the gift included. */
export async function giveBack(db: Db, id: string, by: string): Promise<boolean> {
  const refund = await unstick(db, id, by)
  if (refund === undefined) return false
  const { memberId: owner, amountFen, payoutFen, giftFen, giftSpentFen } = refund
  if (!(await store.writeCancel(db, id, 'giveBack', `${by}已退回钱包`))) return false
  await shiftRecharge(db, refund.rechargeId, -amountFen, -(giftFen + giftSpentFen))
  await move(db, refund, 'giveBack', 'release', [
    { account: 'memberRefunding', owner, fen: -payoutFen },
    { account: 'memberPaid', owner, fen: amountFen },
    { account: 'giftCost', owner: '0', fen: -(giftFen + giftSpentFen) },
    { account: 'memberGift', owner, fen: giftFen },
  ])
  return true
}
