import type { BalanceAdjustment } from '@wattdeck/contract/member/balance-adjustment.ts'

type Waiting = Pick<BalanceAdjustment, 'id' | 'own'>

/**
 * Which request stands next, and how many there are: the one that was opened first, then the others from the oldest on.
 * What somebody asked for themselves is not theirs to decide on, and what was decided or passed over does not come back.
 */
export function nextToReview<R extends Waiting>(
  newestFirst: readonly R[],
  passed: readonly string[],
  first?: R,
): { next: R | undefined; left: number } {
  const open = newestFirst.filter((row) => !row.own && !passed.includes(row.id))
  return { next: open.find((row) => row.id === first?.id) ?? open.at(-1), left: open.length }
}
