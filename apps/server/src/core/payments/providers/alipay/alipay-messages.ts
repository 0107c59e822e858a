import { z } from 'zod'
import type { Notice, Payment } from '../../provider.ts'
import { fenOf, ofChinaTime } from '../../wire-values.ts'

/** Yuan as text. Any other type, including numbers, is invalid. */
const amount = z.string().transform(fenOf).pipe(z.bigint().nonnegative())
const time = z.string().transform(ofChinaTime).pipe(z.date())
const status = z.enum(['WAIT_BUYER_PAY', 'TRADE_CLOSED', 'TRADE_SUCCESS', 'TRADE_FINISHED'])
type Status = z.infer<typeof status>

/** A trade that closed after it was paid is fully refunded; one that closed before is only closed. */
function stateOf(tradeStatus: Status, paid: boolean): Payment['state'] {
  if (tradeStatus === 'WAIT_BUYER_PAY') return 'waiting'
  if (tradeStatus === 'TRADE_CLOSED') return paid ? 'refunded' : 'closed'
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

/** An answer contains neither application nor account, so those of the request apply. */
export function readPayment(answer: unknown, ours: { appId: string; merchantNo: string }): Payment | undefined {
  const { data: result } = Result.safeParse(answer)
  if (result === undefined) return undefined
  const state = stateOf(result.trade_status, result.send_pay_date !== undefined)
  const paid = state === 'paid' || state === 'refunded'
  return {
    payNo: result.out_trade_no,
    state,
    transactionId: paid ? result.trade_no : undefined,
    fen: paid ? result.total_amount : undefined,
    paidAt: result.send_pay_date,
    payer: result.buyer_user_id ?? result.buyer_open_id,
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
  /** Present only after a refund. */
  refund_fee: amount.optional(),
  gmt_refund: z.string().optional(),
  out_biz_no: z.string().optional(),
})

const hour = 3_600_000
/** The provider repeats a notice for 25 hours. An older one is a replay by a third party. */
const isOfNow = (at: Date) => Date.now() - at.getTime() < 26 * hour && at.getTime() - Date.now() < 5 * 60_000

export function readNotice(fields: unknown): Notice | undefined {
  const { data: notice } = Reported.safeParse(fields)
  if (notice === undefined || !isOfNow(notice.notify_time)) return undefined
  if (notice.refund_fee !== undefined && notice.out_biz_no !== undefined) return refundNotice(notice, notice.out_biz_no)
  const state = stateOf(notice.trade_status, notice.gmt_payment !== undefined)
  const paid = state === 'paid' || state === 'refunded'
  return {
    id: notice.notify_id,
    kind: 'payment',
    payment: {
      payNo: notice.out_trade_no,
      state,
      transactionId: paid ? notice.trade_no : undefined,
      fen: paid ? notice.total_amount : undefined,
      paidAt: notice.gmt_payment,
      payer: notice.buyer_id ?? notice.buyer_open_id,
      merchantNo: notice.seller_id,
      appId: notice.app_id,
    },
  }
}

/** `refund_fee` is the sum of all refunds of the payment, so the amount of this refund is unknown. */
function refundNotice(notice: z.infer<typeof Reported>, refundNo: string): Notice {
  return {
    id: notice.notify_id,
    kind: 'refund',
    refunding: {
      refundNo,
      payNo: notice.out_trade_no,
      state: 'success',
      refundId: undefined,
      fen: undefined,
      // Alipay sends this time with milliseconds, unlike all others.
      refundedAt: ofChinaTime(notice.gmt_refund?.slice(0, 19) ?? ''),
      merchantNo: notice.seller_id,
    },
  }
}
