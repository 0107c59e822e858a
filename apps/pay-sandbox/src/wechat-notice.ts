import { randomUUID } from 'node:crypto'
import type { Refund, Trade } from './pay-simulator.ts'
import { sealed, signedHeaders } from './wechat-wire.ts'
import { refundNoticeSaid, tradeSaid } from './wechat-messages.ts'
import type { SandboxState } from './sandbox-state.ts'

export function tellWechatPayment(sandbox: SandboxState, trade: Trade): void {
  const { noticeFenDelta } = sandbox.faults.of(trade.merchantNo)
  const said = tradeSaid(trade, true, noticeFenDelta)
  tell(sandbox, trade, trade.notifyUrl, {
    type: 'TRANSACTION.SUCCESS',
    original: 'transaction',
    summary: '支付成功',
    said,
  })
}

export function tellWechatRefund(sandbox: SandboxState, trade: Trade, done: Refund): void {
  const { noticeFenDelta } = sandbox.faults.of(trade.merchantNo)
  const said = refundNoticeSaid(trade, done, noticeFenDelta)
  tell(sandbox, trade, done.notifyUrl, { type: `REFUND.${done.state}`, original: 'refund', summary: '退款结果', said })
}

type Event = { type: string; original: string; summary: string; said: object }

/** Repeats keep the id and the sealed text, and are signed anew. */
function tell(
  sandbox: SandboxState,
  trade: Trade,
  url: string | undefined,
  { type, original, summary, said }: Event,
): void {
  const merchant = sandbox.merchants.byNo('wechat', trade.merchantNo)
  if (merchant === undefined || url === undefined) return
  const faults = sandbox.faults.of(trade.merchantNo)
  const head = { id: randomUUID(), create_time: new Date().toISOString(), resource_type: 'encrypt-resource' }
  const body = JSON.stringify({
    ...head,
    event_type: type,
    summary,
    resource: sealed(merchant.apiV3Key, said, original),
  })
  const make = () => ({
    headers: signedHeaders(sandbox.keys, body, faults.forgeNotices, Date.now() - faults.noticeAgeMs),
    body,
  })
  sandbox.notices.tell({ url, make, accepted: (status) => status === 200 || status === 204 }, faults)
}
