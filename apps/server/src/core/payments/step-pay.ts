import { payPurpose, payWay } from '@wattdeck/contract/accounting/pay-codes.ts'
import { payNo } from './pay-numbers.ts'
import { type DuePay, lookAgain, lookNoMore, writeHandle } from './pay-order.store.ts'
import type { Provider } from './provider.ts'
import { closePayment, settlePayment, publishPayChange, notifyPayProblem } from './settle-payment.ts'
import { pauseOf, type StepTools } from './step-tools.ts'
import { storedPay } from './stored-status.ts'

/** Seconds until the next attempt to send. They are short, because the payer waits for the code. */
const sendPauses = [1, 2, 4, 8]
/** Seconds until the next query while the payer pays; normally a notice arrives first. */
const lookPauses = [30, 60, 120, 300, 600]
const firstLookS = 10
/** Seconds until the next attempt to close an unpaid payment. */
const closePauses = [2, 5, 15, 60, 300, 600]

/** Performs the next step of a payment, as its row requires. The provider is called between transactions. */
export async function stepPay(pay: DuePay, tools: StepTools): Promise<void> {
  const { provider } = tools.merchant
  const open = pay.status === storedPay.number.unpaid
  if (provider === undefined) return wait(pay, tools, pauseOf(open && !pay.sent ? sendPauses : closePauses, pay.looks))
  if (!open) return lookBack(pay, tools, provider)
  if (pay.expired) return finish(pay, tools, provider)
  return pay.sent ? look(pay, tools, provider) : send(pay, tools, provider)
}

const wait = (pay: DuePay, { within }: StepTools, seconds: number): Promise<void> =>
  within((db) => lookAgain(db, pay.id, seconds))

/** The payment number is an idempotency key at the provider, so an unknown result is retried. */
async function send(pay: DuePay, tools: StepTools, provider: Provider): Promise<void> {
  const { merchant, within, hooks } = tools
  const answer = await provider.pay({
    payNo: payNo(pay.id),
    fen: BigInt(pay.amountFen),
    title: `${merchant.name}-${payPurpose.show(pay.purpose as 1).label}`,
    expiresAt: new Date(pay.expiresMs),
    notifyUrl: merchant.notifyUrl,
    by: pay.way === payWay.code.app ? { way: 'app', openId: pay.openId ?? '' } : { way: 'code' },
  })
  if (answer.result === 'unknown') return wait(pay, tools, pauseOf(sendPauses, pay.looks))
  await within(async (db) => {
    if (answer.result === 'refused') return closePayment(db, hooks, pay.id, { failure: `渠道拒绝：${answer.words}` })
    await writeHandle(db, pay.id, answer.handle, firstLookS)
    await publishPayChange(db, { organiseId: merchant.organiseId, agentId: null, siteId: null })
  })
}

type QueryResult = 'settled' | 'open' | 'absent' | 'unknown'

/** Queries the payment and settles it if it is paid. */
async function ask(pay: DuePay, tools: StepTools, provider: Provider): Promise<QueryResult> {
  const answer = await provider.query(payNo(pay.id))
  if (answer.result === 'unknown') return 'unknown'
  if (answer.result === 'refused') return answer.absent === true ? 'absent' : 'unknown'
  const { payment } = answer
  const { merchant, hooks, within } = tools
  return within(async (db, scope): Promise<QueryResult> => {
    const verdict = await settlePayment(db, scope, hooks, merchant, payment)
    if (verdict.is === 'paid' || verdict.is === 'again') return 'settled'
    if (verdict.is === 'strange') {
      const place = { organiseId: merchant.organiseId, agentId: null, siteId: null }
      const no = payNo(pay.id)
      await notifyPayProblem(db, scope, place, {
        title: '查单结果与支付单不符',
        body: `${no}：${verdict.why}`,
        payNo: no,
      })
      // No further query is scheduled, because the next answer would be the same.
      await lookNoMore(db, pay.id)
      return 'settled'
    }
    if (payment.state !== 'closed' && payment.state !== 'failed') return 'open'
    await closePayment(db, hooks, pay.id, {})
    return 'settled'
  })
}

/** Queries a payment without a notice, because the notice may be lost. */
async function look(pay: DuePay, tools: StepTools, provider: Provider): Promise<void> {
  if ((await ask(pay, tools, provider)) === 'settled') return
  const leftS = Math.max(1, (pay.expiresMs - Date.now()) / 1000)
  await wait(pay, tools, Math.min(pauseOf(lookPauses, pay.looks), leftS))
}

/** Ends an expired payment: queries it, closes it at the provider, then locally. A closed trade cannot be paid. */
async function finish(pay: DuePay, tools: StepTools, provider: Provider): Promise<void> {
  const seen = await ask(pay, tools, provider)
  if (seen === 'settled') return
  const again = () => wait(pay, tools, pauseOf(closePauses, pay.looks))
  const over = (absent: boolean) => tools.within((db) => closePayment(db, tools.hooks, pay.id, { absent }))
  // A day after the expiry the provider accepts no payment; an earlier one is refunded when it becomes known.
  if (pay.stale) return over(false)
  if (seen === 'unknown') return again()
  const closed = await provider.close(payNo(pay.id))
  if (closed.result === 'done') return over(false)
  if (closed.result === 'refused' && closed.absent === true) return over(true)
  // Refused: it was probably paid at this moment. The next query decides.
  return again()
}

/**
 * Checks a payment that is already paid or closed, after a manual request or a closing while absent at the provider. A
 * payment made since then is refunded; an open trade is closed at the provider.
 */
async function lookBack(pay: DuePay, tools: StepTools, provider: Provider): Promise<void> {
  const seen = await ask(pay, tools, provider)
  const again = () => wait(pay, tools, pauseOf(closePauses, pay.looks))
  if (seen === 'unknown') return again()
  if (seen === 'open') {
    const closed = await provider.close(payNo(pay.id))
    if (closed.result !== 'done' && !(closed.result === 'refused' && closed.absent === true)) return again()
  }
  await tools.within((db) => lookNoMore(db, pay.id))
}
