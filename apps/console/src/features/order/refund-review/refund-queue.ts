import type { RefundOrder } from '@wattdeck/contract/order/refund-order.ts'

type Waiting = Pick<RefundOrder, 'id' | 'own'>

/**
 * The next refund and the number of waiting ones: first the opened one, then the others from the oldest on. Own
 * requests are excluded (maker-checker), and so are decided and skipped ones.
 */
export function nextRefund<R extends Waiting>(
  newestFirst: readonly R[],
  passed: readonly string[],
  first: string | undefined,
): { next: R | undefined; left: number } {
  const open = newestFirst.filter((row) => !row.own && !passed.includes(row.id))
  return { next: open.find((row) => row.id === first) ?? open.at(-1), left: open.length }
}
