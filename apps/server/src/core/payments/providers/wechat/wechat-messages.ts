import { z } from 'zod'
import type { Payment, Refunding } from '../../provider.ts'

const fen = z.int().nonnegative().transform(BigInt)
const time = z.iso.datetime({ offset: true }).transform((text) => new Date(text))

/** A payment in query answers and notices, with the field names of direct and partner mode. */
const Result = z.object({
  appid: z.string().optional(),
  mchid: z.string().optional(),
  sp_appid: z.string().optional(),
  sp_mchid: z.string().optional(),
  sub_mchid: z.string().optional(),
  out_trade_no: z.string(),
  transaction_id: z.string().optional(),
  trade_state: z.enum(['SUCCESS', 'REFUND', 'NOTPAY', 'CLOSED', 'REVOKED', 'USERPAYING', 'PAYERROR', 'ACCEPT']),
  success_time: time.optional(),
  payer: z.object({ openid: z.string(), sp_openid: z.string(), sub_openid: z.string() }).partial().optional(),
  amount: z.object({ total: fen.optional(), currency: z.string().default('CNY') }).optional(),
})

const states = {
  SUCCESS: 'paid',
  REFUND: 'refunded',
  NOTPAY: 'waiting',
  USERPAYING: 'waiting',
  ACCEPT: 'waiting',
  CLOSED: 'closed',
  REVOKED: 'closed',
  PAYERROR: 'failed',
} as const

export function readPayment(content: unknown): Payment | undefined {
  const { data: result } = Result.safeParse(content)
  const appId = result?.appid ?? result?.sp_appid
  const merchantNo = result?.sub_mchid ?? result?.mchid ?? result?.sp_mchid
  if (result === undefined || appId === undefined || merchantNo === undefined) return undefined
  const state = states[result.trade_state]
  const paid = state === 'paid' || state === 'refunded'
  // Amounts are always in CNY.
  if (paid && (result.amount?.total === undefined || result.amount.currency !== 'CNY')) return undefined
  return {
    payNo: result.out_trade_no,
    state,
    transactionId: result.transaction_id,
    fen: paid ? result.amount?.total : undefined,
    paidAt: result.success_time,
    payer: result.payer?.openid ?? result.payer?.sub_openid ?? result.payer?.sp_openid,
    merchantNo,
    appId,
  }
}

const status = z.enum(['SUCCESS', 'CLOSED', 'PROCESSING', 'ABNORMAL'])
/** Answers have `status` and no merchant; notices have `refund_status` and the merchant. */
const Returned = z.object({
  mchid: z.string().optional(),
  sub_mchid: z.string().optional(),
  refund_id: z.string(),
  out_refund_no: z.string(),
  out_trade_no: z.string(),
  status: status.optional(),
  refund_status: status.optional(),
  success_time: time.optional(),
  amount: z.object({ refund: fen }),
})

const refundStates = { SUCCESS: 'success', CLOSED: 'closed', PROCESSING: 'processing', ABNORMAL: 'abnormal' } as const

export function readRefunding(content: unknown, ourMerchantNo: string): Refunding | undefined {
  const { data: result } = Returned.safeParse(content)
  const state = result?.status ?? result?.refund_status
  if (result === undefined || state === undefined) return undefined
  return {
    refundNo: result.out_refund_no,
    payNo: result.out_trade_no,
    state: refundStates[state],
    refundId: result.refund_id,
    fen: result.amount.refund,
    refundedAt: result.success_time,
    merchantNo: result.sub_mchid ?? result.mchid ?? ourMerchantNo,
  }
}

export const NoticeBody = z.object({
  id: z.string().min(1).max(64),
  event_type: z.string(),
  resource: z.object({
    algorithm: z.literal('AEAD_AES_256_GCM'),
    ciphertext: z.string(),
    nonce: z.string(),
    associated_data: z.string().optional(),
  }),
})
