import { z } from 'zod'
import type { Notice, Payment } from '../../provider.ts'
import { fenOf, ofChinaTime } from '../../wire-values.ts'

/** Yuan as text. Anything else, numbers included, is not the provider's way of saying an amount. */
const amount = z.string().transform(fenOf).pipe(z.bigint().nonnegative())
const time = z.string().transform(ofChinaTime).pipe(z.date())
const status = z.enum(['WAIT_BUYER_PAY', 'TRADE_CLOSED', 'TRADE_SUCCESS', 'TRADE_FINISHED'])
type Status = z.infer<typeof status>

/** What the provider closed after it was paid went back as a whole; what it closed before is just closed. */
function stateOf(said: Status, paid: boolean): Payment['state'] {
  if (said === 'WAIT_BUYER_PAY') return 'waiting'
  if (said === 'TRADE_CLOSED') return paid ? 'refunded' : 'closed'
  return 'paid'
}

const Result = z.object({
  out_trade_no: z.string(),
  trade_no: z.string(),
  trade_status: status,
  total_amount: amount,
  send_pay_date: time.optional(),
  buyer_user_id: z.string().optional(),
  buyer_open_id: z.string().optional(),
})

/** An answer names neither the application nor the account: it is about those that asked. */
export function readPayment(said: unknown, ours: { appId: string; merchantNo: string }): Payment | undefined {
  const { data: told } = Result.safeParse(said)
  if (told === undefined) return undefined
  const state = stateOf(told.trade_status, told.send_pay_date !== undefined)
  const paid = state === 'paid' || state === 'refunded'
  return {
    payNo: told.out_trade_no,
    state,
    transactionId: paid ? told.trade_no : undefined,
    fen: paid ? told.total_amount : undefined,
    paidAt: told.send_pay_date,
    payer: told.buyer_user_id ?? told.buyer_open_id,
    merchantNo: ours.merchantNo,
    appId: ours.appId,
  }
}

const Reported = z.object({
  notify_id: z.string().min(1).max(128),
  notify_time: time,
  app_id: z.string(),
  seller_id: z.string(),
  out_trade_no: z.string(),
  trade_no: z.string(),
  trade_status: status,
  total_amount: amount,
  gmt_payment: time.optional(),
  buyer_id: z.string().optional(),
  buyer_open_id: z.string().optional(),
  /** Only where something went back. */
  refund_fee: amount.optional(),
  gmt_refund: z.string().optional(),
  out_biz_no: z.string().optional(),
})

const hour = 3_600_000
/** The provider tells again for 25 hours. Whatever is older is somebody else telling it once more. */
const isOfNow = (at: Date) => Date.now() - at.getTime() < 26 * hour && at.getTime() - Date.now() < 5 * 60_000

export function readHeard(fields: unknown): Notice | undefined {
  const { data: told } = Reported.safeParse(fields)
  if (told === undefined || !isOfNow(told.notify_time)) return undefined
  if (told.refund_fee !== undefined && told.out_biz_no !== undefined) return refundNotice(told, told.out_biz_no)
  const state = stateOf(told.trade_status, told.gmt_payment !== undefined)
  const paid = state === 'paid' || state === 'refunded'
  return {
    id: told.notify_id,
    kind: 'payment',
    payment: {
      payNo: told.out_trade_no,
      state,
      transactionId: paid ? told.trade_no : undefined,
      fen: paid ? told.total_amount : undefined,
      paidAt: told.gmt_payment,
      payer: told.buyer_id ?? told.buyer_open_id,
      merchantNo: told.seller_id,
      appId: told.app_id,
    },
  }
}

/** It tells the sum of all that went back, not what this one was: the amount is unknown. */
function refundNotice(told: z.infer<typeof Reported>, refundNo: string): Notice {
  return {
    id: told.notify_id,
    kind: 'refund',
    refunding: {
      refundNo,
      payNo: told.out_trade_no,
      state: 'success',
      refundId: undefined,
      fen: undefined,
      // With milliseconds over there, unlike every other time.
      refundedAt: ofChinaTime(told.gmt_refund?.slice(0, 19) ?? ''),
      merchantNo: told.seller_id,
    },
  }
}
