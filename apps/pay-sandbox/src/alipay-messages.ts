import { type No, refunded, type Trade } from './pay-simulator.ts'

export const yuan = (fen: number) => (fen / 100).toFixed(2)
export const china = (at: Date) => new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')

export const alipayNo: Record<No, string> = {
  'other order': 'ACQ.CONTEXT_INCONSISTENT',
  paid: 'ACQ.TRADE_HAS_SUCCESS',
  closed: 'ACQ.TRADE_HAS_CLOSE',
  expired: 'ACQ.TRADE_HAS_CLOSE',
  absent: 'ACQ.TRADE_NOT_EXIST',
  'not paid': 'ACQ.TRADE_STATUS_ERROR',
  'too much': 'ACQ.REFUND_AMT_NOT_EQUAL_TOTAL',
  'other total': 'ACQ.INVALID_PARAMETER',
  'other refund': 'ACQ.DISCORDANT_REPEAT_REQUEST',
  'too many': 'ACQ.REASON_TRADE_REFUND_FEE_ERR',
}

/** A fully refunded trade is closed, like an unpaid one. */
export function statusOf(trade: Trade): string {
  const isFullyRefunded = trade.refunds.some(({ state }) => state === 'SUCCESS') && refunded(trade) === trade.fen
  if (trade.state === 'SUCCESS') return isFullyRefunded ? 'TRADE_CLOSED' : 'TRADE_SUCCESS'
  const late = trade.expiresAt.getTime() <= Date.now()
  return trade.state === 'CLOSED' || late ? 'TRADE_CLOSED' : 'WAIT_BUYER_PAY'
}
