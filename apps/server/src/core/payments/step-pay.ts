import { payPurpose, payWay } from '@wattdeck/contract/accounting/pay-codes.ts'
import { payNo } from './pay-numbers.ts'
import { type DuePay, lookAgain, lookNoMore, writeHandle } from './pay-order.store.ts'
import type { Provider } from './provider.ts'
import { closePayment, settlePayment, tellPays, tellTrouble } from './settle-payment.ts'
import { pauseOf, type StepTools } from './step-tools.ts'
import { storedPay } from './stored-status.ts'

/** Seconds until the next attempt: to send, while the payer looks at an empty page. */
const sendPauses = [1, 2, 4, 8]
/** To look, while the payer pays: a notice normally comes first. */
const lookPauses = [30, 60, 120, 300, 600]
const firstLookS = 10
/** To close what nobody paid. */
const closePauses = [2, 5, 15, 60, 300, 600]

/** The next thing to do with a payment, by what stands in its row. The provider is asked between transactions. */
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

/** Asked twice with the same number the provider does it once, so an unknown end is asked again. */
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
    await tellPays(db, { organiseId: merchant.organiseId, agentId: null, siteId: null })
  })
}

type Seen = 'settled' | 'open' | 'absent' | 'unknown'

/** What the provider says has become of it; settled here if it is paid. */
async function ask(pay: DuePay, tools: StepTools, provider: Provider): Promise<Seen> {
  const answer = await provider.query(payNo(pay.id))
  if (answer.result === 'unknown') return 'unknown'
  if (answer.result === 'refused') return answer.absent === true ? 'absent' : 'unknown'
  const { payment } = answer
  const { merchant, hooks, within } = tools
  return within(async (db, scope): Promise<Seen> => {
    const verdict = await settlePayment(db, scope, hooks, merchant, payment)
    if (verdict.is === 'paid' || verdict.is === 'again') return 'settled'
    if (verdict.is === 'strange') {
      const place = { organiseId: merchant.organiseId, agentId: null, siteId: null }
      const no = payNo(pay.id)
      await tellTrouble(db, scope, place, { title: '查单结果与支付单不符', body: `${no}：${verdict.why}`, payNo: no })
      // It is not asked again by itself: the next answer would be the same.
      await lookNoMore(db, pay.id)
      return 'settled'
    }
    if (payment.state !== 'closed' && payment.state !== 'failed') return 'open'
    await closePayment(db, hooks, pay.id, {})
    return 'settled'
  })
}

/** No notice has come for a while: perhaps it was lost. */
async function look(pay: DuePay, tools: StepTools, provider: Provider): Promise<void> {
  if ((await ask(pay, tools, provider)) === 'settled') return
  const leftS = Math.max(1, (pay.expiresMs - Date.now()) / 1000)
  await wait(pay, tools, Math.min(pauseOf(lookPauses, pay.looks), leftS))
}

/** Its time is over: ask first, then close it there, then here. Nobody can pay what is closed there. */
async function finish(pay: DuePay, tools: StepTools, provider: Provider): Promise<void> {
  const seen = await ask(pay, tools, provider)
  if (seen === 'settled') return
  const again = () => wait(pay, tools, pauseOf(closePauses, pay.looks))
  const over = (absent: boolean) => tools.within((db) => closePayment(db, tools.hooks, pay.id, { absent }))
  // A day after its time the provider itself lets nobody pay; whoever did is refunded when we hear of it.
  if (pay.stale) return over(false)
  if (seen === 'unknown') return again()
  const closed = await provider.close(payNo(pay.id))
  if (closed.result === 'done') return over(false)
  if (closed.result === 'refused' && closed.absent === true) return over(true)
  // Refused: somebody has paid in this very moment. The next look will tell.
  return again()
}

/**
 * Of one that is decided: somebody wants to know, or it was closed while the provider knew nothing of it. If it was paid
 * after that, it is sent back now; if somebody is about to pay it, it is closed there.
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
