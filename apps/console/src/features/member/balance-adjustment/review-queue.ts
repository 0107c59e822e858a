import type { BalanceAdjustment } from '@wattdeck/contract/member/balance-adjustment.ts'

type Waiting = Pick<BalanceAdjustment, 'id' | 'own'>

/**
 * The next request and the number of waiting ones: first the opened one, then the others from the oldest on. Own
 * requests are excluded (maker-checker), and so are decided and skipped ones.
 */
export function nextToReview<R extends Waiting>(
  newestFirst: readonly R[],
  passed: readonly string[],
  first?: R,
): { next: R | undefined; left: number } {
  const open = newestFirst.filter((row) => !row.own && !passed.includes(row.id))
  return { next: open.find((row) => row.id === first?.id) ?? open.at(-1), left: open.length }
}
