import { payRefundStatus } from '@wattdeck/contract/accounting/pay-codes.ts'
import { payNo, refundNo } from './pay-numbers.ts'
import { type DueRefund, lockRefund, writeRefund } from './pay-refund.store.ts'
import type { Answer, Provider, Refunding } from './provider.ts'
import { notifyPayProblem } from './settle-payment.ts'
import { refundPause, refuseRefund, settleRefund } from './settle-refund.ts'
import { pauseOf, type StepTools } from './step-tools.ts'

const unknownPauses = [2, 5, 15, 60, 300, 600]
/** The merchant's balance at the provider is too low. It refills, and a retry with the same number succeeds. */
const shortOfMoney = /NOT_?ENOUGH/i

/** Sends a refund or queries its state. Its number is an idempotency key, so it happens once. */
export async function stepRefund(refund: DueRefund, tools: StepTools): Promise<void> {
  const { provider } = tools.merchant
  const answer: Answer<{ refunding: Refunding }> =
    provider === undefined ? { result: 'unknown', why: '没有可用的密钥' } : await sendOrQuery(refund, tools, provider)
  await tools.within(async (db, scope) => {
    if (answer.result === 'done') return follow(db, scope, refund, tools, answer.refunding)
    const locked = await lockRefund(db, refund.id)
    if (locked === undefined) return
    const { toSend, processing, abnormal } = payRefundStatus.code
    if (![toSend, processing, abnormal].includes(locked.status as 1)) return
    const later = (words: string, nextS: number) =>
      writeRefund(db, refund.id, { status: locked.status, refundId: null, words, nextS })
    if (answer.result === 'unknown')
      return later('渠道未答复，结果未知，将再次查询', pauseOf(unknownPauses, refund.looks))
    if (shortOfMoney.test(answer.code)) return later(`渠道余额不足，将再次发起：${answer.words}`, 600)
    // For a refund that was sent, only a final state counts, not a refused query.
    if (locked.status !== toSend) return later(answer.words, refundPause(refund.looks))
    await refuseRefund(db, scope, tools.hooks, locked, answer.words)
  })
}

function sendOrQuery(
  refund: DueRefund,
  { merchant }: StepTools,
  provider: Provider,
): Promise<Answer<{ refunding: Refunding }>> {
  const numbers = { payNo: payNo(refund.payOrderId), refundNo: refundNo(refund.id) }
  if (refund.status !== payRefundStatus.code.toSend) return provider.queryRefund(numbers)
  return provider.refund({
    ...numbers,
    fen: BigInt(refund.amountFen),
    ofFen: BigInt(refund.ofFen),
    reason: refund.reason,
    notifyUrl: `${merchant.notifyUrl}/refund`,
  })
}

type Transaction = Parameters<Parameters<StepTools['within']>[0]>

async function follow(
  db: Transaction[0],
  scope: Transaction[1],
  refund: DueRefund,
  { merchant, hooks }: StepTools,
  refunding: Refunding,
): Promise<void> {
  const verdict = await settleRefund(db, scope, hooks, merchant, refunding, refund.looks)
  if (verdict.is !== 'strange') return
  const no = payNo(refund.payOrderId)
  const place = { organiseId: merchant.organiseId, agentId: null, siteId: null }
  await notifyPayProblem(db, scope, place, { title: '退款结果与申请不符', body: `${no}：${verdict.why}`, payNo: no })
  // The next answer would be the same, so the next automatic query is a day later.
  const { processing } = payRefundStatus.code
  await writeRefund(db, refund.id, {
    status: Math.max(refund.status, processing),
    refundId: null,
    words: verdict.why,
    nextS: 24 * 3600,
  })
}
