import type { Key, No, Refund, Trade } from './pay-simulator.ts'
import { refunded } from './pay-simulator.ts'

export type Refusal = { status: number; code: string; message: string }

export const wechatNo: Record<No, Refusal> = {
  'other order': { status: 403, code: 'OUT_TRADE_NO_USED', message: '商户订单号重复' },
  paid: { status: 400, code: 'ORDERPAID', message: '该订单已支付' },
  closed: { status: 400, code: 'ORDER_CLOSED', message: '该订单已关闭' },
  expired: { status: 400, code: 'INVALID_REQUEST', message: '订单已过期' },
  absent: { status: 404, code: 'ORDER_NOT_EXIST', message: '订单不存在' },
  'not paid': { status: 400, code: 'INVALID_REQUEST', message: '订单未支付' },
  'too much': { status: 400, code: 'INVALID_REQUEST', message: '申请退款金额超出订单可退金额' },
  'other total': { status: 400, code: 'PARAM_ERROR', message: '订单金额不一致' },
  'other refund': { status: 400, code: 'INVALID_REQUEST', message: '商户退款单号重复且参数不一致' },
  'too many': { status: 403, code: 'INVALID_REQUEST', message: '部分退款次数超限' },
}

const china = (at: Date) => `${new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(0, 19)}+08:00`

function names(trade: Trade) {
  const { merchantNo, subMerchantNo, appId } = trade
  return subMerchantNo === undefined
    ? { appid: appId, mchid: merchantNo }
    : { sp_appid: appId, sp_mchid: merchantNo, sub_mchid: subMerchantNo }
}

function stateOf(trade: Trade): string {
  if (trade.state === 'SUCCESS' && refunded(trade) > 0) return 'REFUND'
  return trade.state === 'NOTPAY' && trade.expiresAt.getTime() <= Date.now() ? 'CLOSED' : trade.state
}

const words = { SUCCESS: '支付成功', REFUND: '订单发生过退款', NOTPAY: '订单未支付', CLOSED: '订单已关闭' }

/** A payment notice carries the state at the time of payment. */
export function tradeReply(trade: Trade, atPayment = false, fenDelta = 0) {
  const state = atPayment ? 'SUCCESS' : stateOf(trade)
  const paid = trade.paidAt !== undefined
  const payer = trade.subMerchantNo === undefined ? { openid: trade.payer } : { sp_openid: trade.payer }
  return {
    ...names(trade),
    out_trade_no: trade.payNo,
    trade_state: state,
    trade_state_desc: words[state as keyof typeof words],
    ...(paid && {
      transaction_id: trade.transactionId,
      trade_type: trade.way === 'code' ? 'NATIVE' : 'JSAPI',
      bank_type: 'OTHERS',
      success_time: china(trade.paidAt ?? new Date()),
      payer,
    }),
    amount: {
      total: trade.fen + fenDelta,
      currency: 'CNY',
      ...(paid && { payer_total: trade.fen + fenDelta, payer_currency: 'CNY' }),
    },
  }
}

const refundWords = (trade: Trade, refund: Refund, fenDelta = 0) => ({
  refund_id: refund.refundId,
  out_refund_no: refund.refundNo,
  transaction_id: trade.transactionId,
  out_trade_no: trade.payNo,
  user_received_account: '支付用户零钱',
  ...(refund.doneAt && refund.state === 'SUCCESS' && { success_time: china(refund.doneAt) }),
  amount: {
    total: trade.fen,
    refund: refund.fen + fenDelta,
    payer_total: trade.fen,
    payer_refund: refund.fen + fenDelta,
  },
})

/** Refund in a response, without the merchant's fields. */
export function refundReply(trade: Trade, refund: Refund) {
  const content = refundWords(trade, refund)
  const amount = { ...content.amount, settlement_refund: refund.fen, settlement_total: trade.fen, discount_refund: 0 }
  return {
    ...content,
    channel: 'ORIGINAL',
    create_time: china(refund.askedAt),
    status: refund.state,
    amount: { ...amount, currency: 'CNY' },
  }
}

export function refundNotice(trade: Trade, refund: Refund, fenDelta: number) {
  const { merchantNo, subMerchantNo } = trade
  const who = subMerchantNo === undefined ? { mchid: merchantNo } : { sp_mchid: merchantNo, sub_mchid: subMerchantNo }
  return { ...who, ...refundWords(trade, refund, fenDelta), refund_status: refund.state }
}

export const wechatKey = (merchantNo: string, subMerchantNo: string | undefined): Key => ({
  provider: 'wechat',
  merchantNo,
  subMerchantNo,
})
