import { flagNotice } from './apply-notice.ts'
import { type AskedNotice, askLater, closeNotice, lockNotice, noticeStatus, readStored } from './notice.store.ts'
import type { Answer, Notice, Payment, Provider, Refunding } from './provider.ts'
import { settlePayment, type Verdict } from './settle-payment.ts'
import { settleRefund } from './settle-refund.ts'
import { pauseOf, type StepTools } from './step-tools.ts'

/** Seconds until the provider is asked again, where it did not answer or does not know yet what its notice says. */
const pauses = [1, 2, 5, 30, 120, 600]
/** After so many answers that contradict a notice it is taken for untrue. */
const mostAsks = 3

type Transaction = Parameters<Parameters<StepTools['within']>[0]>
type Found = Answer<{ payment: Payment } | { refunding: Refunding }>

const query = (provider: Provider, notice: Notice): Promise<Found> =>
  notice.kind === 'payment' ? provider.query(notice.payment.payNo) : provider.queryRefund(notice.refunding)

/** Asks the provider whether a notice is true. Only what the provider answers is booked. */
export async function stepNotice(asked: AskedNotice, tools: StepTools): Promise<void> {
  const { merchant, within } = tools
  const notice = readStored(asked.content)
  const answer: Found =
    merchant.provider === undefined
      ? { result: 'unknown', why: 'no key is live' }
      : await query(merchant.provider, notice)
  await within(async (...transaction) => {
    const [db, scope] = transaction
    if (!(await lockNotice(db, asked))) return
    const verdict = await judge(transaction, tools, answer)
    if (verdict.is === 'strange') return flagNotice(db, scope, merchant, notice, verdict.why)
    if (verdict.is === 'paid' || verdict.is === 'again')
      return closeNotice(db, asked, { status: noticeStatus.done, problem: null })
    if (verdict.is === 'open' && asked.asks >= mostAsks)
      return flagNotice(db, scope, merchant, notice, '通知内容与渠道查询结果不符，未入账')
    await askLater(db, asked, pauseOf(pauses, asked.asks))
  })
}

async function judge([db, scope]: Transaction, { merchant, hooks }: StepTools, answer: Found): Promise<Verdict> {
  if (answer.result === 'unknown') return { is: 'unknown' }
  if (answer.result === 'refused') return { is: answer.absent === true ? 'open' : 'unknown' }
  return 'payment' in answer
    ? settlePayment(db, scope, hooks, merchant, answer.payment)
    : settleRefund(db, scope, hooks, merchant, answer.refunding)
}
