import { flagNotice } from './apply-notice.ts'
import {
  type DueNotice,
  postponeNoticeQuery,
  closeNotice,
  lockNotice,
  noticeStatus,
  readStored,
} from './notice.store.ts'
import type { Answer, Notice, Payment, Provider, Refunding } from './provider.ts'
import { settlePayment, type Verdict } from './settle-payment.ts'
import { settleRefund } from './settle-refund.ts'
import { pauseOf, type StepTools } from './step-tools.ts'

/** Seconds until the next query, after no answer or an answer that does not confirm the notice yet. */
const pauses = [1, 2, 5, 30, 120, 600]
/** After this many answers that contradict it, a notice counts as untrue. */
const mostAsks = 3

type Transaction = Parameters<Parameters<StepTools['within']>[0]>
type QueryAnswer = Answer<{ payment: Payment } | { refunding: Refunding }>

const query = (provider: Provider, notice: Notice): Promise<QueryAnswer> =>
  notice.kind === 'payment' ? provider.query(notice.payment.payNo) : provider.queryRefund(notice.refunding)

/** Confirms a notice by a query. Only the answer of the provider is posted. */
export async function stepNotice(dueNotice: DueNotice, tools: StepTools): Promise<void> {
  const { merchant, within } = tools
  const notice = readStored(dueNotice.content)
  const answer: QueryAnswer =
    merchant.provider === undefined
      ? { result: 'unknown', why: 'no key is live' }
      : await query(merchant.provider, notice)
  await within(async (...transaction) => {
    const [db, scope] = transaction
    if (!(await lockNotice(db, dueNotice))) return
    const verdict = await judge(transaction, tools, answer)
    if (verdict.is === 'strange') return flagNotice(db, scope, merchant, notice, verdict.why)
    if (verdict.is === 'paid' || verdict.is === 'again')
      return closeNotice(db, dueNotice, { status: noticeStatus.done, problem: null })
    if (verdict.is === 'open' && dueNotice.asks >= mostAsks)
      return flagNotice(db, scope, merchant, notice, '通知内容与渠道查询结果不符，未入账')
    await postponeNoticeQuery(db, dueNotice, pauseOf(pauses, dueNotice.asks))
  })
}

async function judge([db, scope]: Transaction, { merchant, hooks }: StepTools, answer: QueryAnswer): Promise<Verdict> {
  if (answer.result === 'unknown') return { is: 'unknown' }
  if (answer.result === 'refused') return { is: answer.absent === true ? 'open' : 'unknown' }
  return 'payment' in answer
    ? settlePayment(db, scope, hooks, merchant, answer.payment)
    : settleRefund(db, scope, hooks, merchant, answer.refunding)
}
