import { randomUUID } from 'node:crypto'
import type { Refund, Trade } from './pay-simulator.ts'
import { sealed, signedHeaders } from './wechat-wire.ts'
import { refundNotice, tradeReply } from './wechat-messages.ts'
import type { SandboxState } from './sandbox-state.ts'

export function notifyWechatPayment(sandbox: SandboxState, trade: Trade): void {
  const { noticeFenDelta } = sandbox.faults.of(trade.merchantNo)
  const content = tradeReply(trade, true, noticeFenDelta)
  sendNotice(sandbox, trade, trade.notifyUrl, {
    type: 'TRANSACTION.SUCCESS',
    original: 'transaction',
    summary: '支付成功',
    said: content,
  })
}

export function notifyWechatRefund(sandbox: SandboxState, trade: Trade, refund: Refund): void {
  const { noticeFenDelta } = sandbox.faults.of(trade.merchantNo)
  const content = refundNotice(trade, refund, noticeFenDelta)
  sendNotice(sandbox, trade, refund.notifyUrl, {
    type: `REFUND.${refund.state}`,
    original: 'refund',
    summary: '退款结果',
    said: content,
  })
}

type Event = { type: string; original: string; summary: string; said: object }

/** Retries keep the id and the ciphertext, and are signed again. */
function sendNotice(
  sandbox: SandboxState,
  trade: Trade,
  url: string | undefined,
  { type, original, summary, said: content }: Event,
): void {
  const merchant = sandbox.merchants.byNo('wechat', trade.merchantNo)
  if (merchant === undefined || url === undefined) return
  const faults = sandbox.faults.of(trade.merchantNo)
  const head = { id: randomUUID(), create_time: new Date().toISOString(), resource_type: 'encrypt-resource' }
  const body = JSON.stringify({
    ...head,
    event_type: type,
    summary,
    resource: sealed(merchant.apiV3Key, content, original),
  })
  const make = () => ({
    headers: signedHeaders(sandbox.keys, body, faults.forgeNotices, Date.now() - faults.noticeAgeMs),
    body,
  })
  sandbox.notices.enqueue({ url, make, accepted: (status) => status === 200 || status === 204 }, faults)
}
