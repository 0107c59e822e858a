import { payRefundPurpose, payRefundStatus, rechargeProvider } from '@wattdeck/contract/accounting/pay-codes.ts'
import type { PostingName } from '@wattdeck/contract/accounting/ledger-codes.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { splitRechargeRefund, type RechargeBack } from '@wattdeck/domain/refund.ts'
import type { Db } from '../../kit/db/db.ts'
import { publishToOrganisation } from '../../kit/events/outbox.ts'
import { conflict } from '../../kit/http/refusal.ts'
import { balancesOf, type Line, post } from '../ledger/ledger.ts'
import { requestRefund } from '../payments/request-refund.ts'
import type { RefundHook } from '../payments/pay-hooks.ts'
import { payNo, payTime } from '../payments/pay-numbers.ts'
import { lockRefund as lockPayRefund } from '../payments/pay-refund.store.ts'
import { giveUpRefund } from './give-up.ts'
import { shiftRecharge } from './origin.store.ts'
import * as store from './recharge-refund.store.ts'

type Refund = store.StoredRefund
export type Quote = RechargeBack & { refundableFen: bigint; amountFen: bigint }

/**
 * The refundable amount of a recharge, limited by its remaining amount and by the paid balance of the wallet. No provider
 * holds the money of a recharge at the desk, so it cannot return by the way it came.
 */
export async function quoteRecharge(db: Db, recharge: store.PaidRecharge, params: bigint | undefined): Promise<Quote> {
  if (recharge.provider === rechargeProvider.code.offline)
    throw conflict('线下充值没有支付渠道，不能原路退回；会员钱包需要退款时请在「企业退款」申请银行打款')
  const owner = recharge.memberId
  const [own = 0n, gift = 0n] = await balancesOf(db, recharge.organiseId, [
    { account: 'memberPaid', owner },
    { account: 'memberGift', owner },
  ])
  const left = recharge.amountFen - recharge.refundedFen
  const refundableFen = left < own ? left : own
  const amountFen = params ?? refundableFen
  const amounts = { amount: recharge.amountFen, gift: recharge.giftFen, giftBack: recharge.refundedGiftFen }
  return { refundableFen, amountFen, ...splitRechargeRefund(amountFen, amounts, gift) }
}

type Params = { amountFen: bigint; reason: string; by: { id: string | null; name: string } }

/** Requests a refund of a recharge. The money is reserved at once, so that it cannot be spent before the decision. */
export async function requestRechargeRefund(db: Db, recharge: store.PaidRecharge, params: Params): Promise<string> {
  const { refundableFen, gift, giftSpent, payout } = await quoteRecharge(db, recharge, params.amountFen)
  if (params.amountFen > refundableFen) throw conflict(`退款金额超过可退金额，当前可退${yuanText(refundableFen)}元`)
  if (payout <= 0n) throw conflict(`赠送金额已使用${yuanText(giftSpent)}元，扣除后没有可退金额`)
  await shiftRecharge(db, recharge.id, params.amountFen, gift + giftSpent)
  const id = await store.addRefund(db, { recharge, ...params, gift, giftSpent, payout })
  const { memberId: owner } = recharge
  await move(db, { ...recharge, id }, 'ask', 'hold', [
    { account: 'memberPaid', owner, fen: -params.amountFen },
    { account: 'memberRefunding', owner, fen: params.amountFen },
    { account: 'memberGift', owner, fen: -gift },
    { account: 'memberGiftRefunding', owner, fen: gift },
  ])
  return id
}

type Placed = { id: string; organiseId: string; agentId: string | null; siteId: string | null }

async function move(db: Db, refund: Placed, step: string, kind: PostingName, lines: Line[], giftFrom?: string) {
  const { id } = refund
  const common = { key: `rechargeRefund/${id}/${step}`, keyAt: payTime(id), place: refund, kind, ref: id, lines }
  await post(db, [giftFrom === undefined ? common : { ...common, giftFrom }])
}

/** Releases the reserved money of a declined or cancelled refund to its accounts. */
export async function releaseReserved(db: Db, refund: Refund): Promise<void> {
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

/** Creates the provider refund in this transaction (outbox). The payment is locked before any account. */
async function send(db: Db, refund: Refund, words: string | null): Promise<string> {
  const { id, payOrderId, payoutFen: fen, reason } = refund
  const payRefundId = await requestRefund(db, {
    payOrderId,
    fen,
    purpose,
    refId: id,
    reason: `充值退款：${reason}`.slice(0, 80),
  })
  await store.writeAttempt(db, id, payRefundId, words)
  return payRefundId
}

/** Pays out an approved refund: reverses the gift and sends the payout to the provider. */
export async function payOut(db: Db, refund: Refund): Promise<void> {
  const { memberId: owner, amountFen, payoutFen, giftFen, giftSpentFen } = refund
  await send(db, refund, null)
  const lines: Line[] = [
    { account: 'memberRefunding', owner, fen: -amountFen },
    { account: 'refundDue', owner: String(refund.provider), fen: payoutFen },
    { account: 'memberGiftRefunding', owner, fen: -giftFen },
    { account: 'giftCost', owner: '0', fen: giftFen + giftSpentFen },
  ]
  await move(db, refund, 'approve', 'refund', lines, giftFen > 0n ? payNo(refund.payOrderId) : undefined)
}

/** Reserves the money of a failed refund again, until staff decide. */
async function reserveAgain(db: Db, refund: Refund, payRefundId: string): Promise<void> {
  await move(db, refund, `refused/${payRefundId}`, 'hold', [
    { account: 'refundDue', owner: String(refund.provider), fen: -refund.payoutFen },
    { account: 'memberRefunding', owner: refund.memberId, fen: refund.payoutFen },
  ])
}

export const rechargeRefundHook: RefundHook = {
  arrived: async (db, scope, { refId }) => {
    const refund = await locked(db, refId)
    await store.writeFinish(db, refund.id)
    await publishRefundChange(db, refund)
  },
  refused: async (db, scope, payRefund, words) => {
    const refund = await locked(db, payRefund.refId)
    await reserveAgain(db, refund, payRefund.id)
    await store.writeStuck(db, refund.id, words)
    await publishRefundChange(db, refund)
  },
  abnormal: async (db, scope, { refId }, words) => {
    const refund = await locked(db, refId)
    await store.writeStuck(db, refund.id, words)
    await publishRefundChange(db, refund)
  },
}

async function locked(db: Db, id: string): Promise<Refund> {
  const refund = await store.readRefund(db, id, 'lock')
  if (refund === undefined) throw new Error(`there is no refund ${id}`)
  return refund
}

/** Lists that show a refund or what it changes. */
export const refundLists = ['rechargeRefund', 'rechargeRecord', 'member']

/** Makes open lists of refunds, recharges and members reload. */
export async function publishRefundChange(db: Db, { organiseId, agentId, siteId }: Placed): Promise<void> {
  const place = { organise_id: organiseId, agent_id: agentId, site_id: siteId }
  for (const list of refundLists) await publishToOrganisation(db, place, { kind: 'changed', list })
}

/**
 * Locks a stuck refund for a new decision, its payment first. An attempt that the payer's account cannot receive is ended,
 * as staff confirmed. Undefined if the refund is not stuck any more.
 */
async function unstick(db: Db, id: string, by: string): Promise<Refund | undefined> {
  const seen = await store.readRefund(db, id, 'look')
  if (seen?.payRefundId == null) return undefined
  const attempt = await lockPayRefund(db, seen.payRefundId)
  const refund = await locked(db, id)
  if (!refund.stuck || refund.payRefundId !== seen.payRefundId || attempt === undefined) return undefined
  if (attempt.status !== payRefundStatus.code.abnormal) return refund
  await giveUpRefund(db, attempt.id, by)
  await reserveAgain(db, refund, attempt.id)
  return refund
}

/** Sends a stuck refund again under a new number. */
export async function retryRefund(db: Db, id: string, by: string): Promise<boolean> {
  const refund = await unstick(db, id, by)
  if (refund === undefined) return false
  const payRefundId = await send(db, refund, `${by}重新发起退款`)
  await move(db, refund, `again/${payRefundId}`, 'refund', [
    { account: 'memberRefunding', owner: refund.memberId, fen: -refund.payoutFen },
    { account: 'refundDue', owner: String(refund.provider), fen: refund.payoutFen },
  ])
  return true
}

/** Cancels a stuck refund and restores the wallet, including the gift. */
export async function cancelStuckRefund(db: Db, id: string, by: string): Promise<boolean> {
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
