import type { RefundOrder } from '@wattdeck/contract/order/refund-order.ts'

type Waiting = Pick<RefundOrder, 'id' | 'own'>

/**
 * Which refund stands next, and how many there are: the one that was opened first, then the others from the oldest on.
 * What somebody asked for themselves is not theirs to decide on, and what was decided or passed over does not come back.
 */
export function nextRefund<R extends Waiting>(
  newestFirst: readonly R[],
  passed: readonly string[],
  first: string | undefined,
): { next: R | undefined; left: number } {
  const open = newestFirst.filter((row) => !row.own && !passed.includes(row.id))
  return { next: open.find((row) => row.id === first) ?? open.at(-1), left: open.length }
}
