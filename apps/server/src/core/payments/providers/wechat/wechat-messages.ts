import { z } from 'zod'
import type { Payment, Refunding } from '../../provider.ts'

const fen = z.int().nonnegative().transform(BigInt)
const time = z.iso.datetime({ offset: true }).transform((text) => new Date(text))

/** A payment as queries and notices tell it; the partner's names beside the merchant's. */
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

export function readPayment(said: unknown): Payment | undefined {
  const { data: told } = Result.safeParse(said)
  const appId = told?.appid ?? told?.sp_appid
  const merchantNo = told?.sub_mchid ?? told?.mchid ?? told?.sp_mchid
  if (told === undefined || appId === undefined || merchantNo === undefined) return undefined
  const state = states[told.trade_state]
  const paid = state === 'paid' || state === 'refunded'
  // Another currency is no amount of ours.
  if (paid && (told.amount?.total === undefined || told.amount.currency !== 'CNY')) return undefined
  return {
    payNo: told.out_trade_no,
    state,
    transactionId: told.transaction_id,
    fen: paid ? told.amount?.total : undefined,
    paidAt: told.success_time,
    payer: told.payer?.openid ?? told.payer?.sub_openid ?? told.payer?.sp_openid,
    merchantNo,
    appId,
  }
}

const status = z.enum(['SUCCESS', 'CLOSED', 'PROCESSING', 'ABNORMAL'])
/** Answers say `status` and name no merchant; notices say `refund_status` and do. */
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

export function readRefunding(said: unknown, ourMerchantNo: string): Refunding | undefined {
  const { data: told } = Returned.safeParse(said)
  const state = told?.status ?? told?.refund_status
  if (told === undefined || state === undefined) return undefined
  return {
    refundNo: told.out_refund_no,
    payNo: told.out_trade_no,
    state: refundStates[state],
    refundId: told.refund_id,
    fen: told.amount.refund,
    refundedAt: told.success_time,
    merchantNo: told.sub_mchid ?? told.mchid ?? ourMerchantNo,
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
