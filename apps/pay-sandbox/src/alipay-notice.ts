import { randomBytes } from 'node:crypto'
import { type Fields, signedForm } from './alipay-wire.ts'
import { china, statusOf, yuan } from './alipay-messages.ts'
import { type Refund, refunded, type Trade } from './pay-simulator.ts'
import type { SandboxState } from './sandbox-state.ts'

export function notifyAlipayPayment(sandbox: SandboxState, trade: Trade): void {
  sendNotice(sandbox, trade, { trade_status: 'TRADE_SUCCESS' })
}

/** Alipay sends refund notices to the payment's address, with the total refunded so far. */
export function notifyAlipayRefund(sandbox: SandboxState, trade: Trade, { refundNo, doneAt, state }: Refund): void {
  if (state !== 'SUCCESS') return
  const refundFields = { refund_fee: yuan(refunded(trade)), gmt_refund: china(doneAt ?? new Date()) }
  sendNotice(sandbox, trade, { trade_status: statusOf(trade), out_biz_no: refundNo, ...refundFields })
}

function sendNotice(sandbox: SandboxState, trade: Trade, about: Fields): void {
  const faults = sandbox.faults.of(trade.merchantNo)
  if (trade.notifyUrl === undefined) return
  const notify_id = randomBytes(17).toString('hex')
  const fields = {
    notify_type: 'trade_status_sync',
    notify_id,
    charset: 'utf-8',
    version: '1.0',
    app_id: trade.appId,
    auth_app_id: trade.appId,
    seller_id: trade.merchantNo,
    trade_no: trade.transactionId,
    out_trade_no: trade.payNo,
    subject: trade.title,
    total_amount: yuan(trade.fen + faults.noticeFenDelta),
    receipt_amount: yuan(trade.fen + faults.noticeFenDelta),
    buyer_id: trade.payer ?? '',
    gmt_create: china(trade.askedAt),
    gmt_payment: china(trade.paidAt ?? new Date()),
    ...about,
  }
  const make = () => ({
    headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
    body: signedForm(
      sandbox.keys,
      { ...fields, notify_time: china(new Date(Date.now() - faults.noticeAgeMs)) },
      faults.forgeNotices,
    ),
  })
  sandbox.notices.enqueue({ url: trade.notifyUrl, make, accepted: (_, body) => body === 'success' }, faults)
}
