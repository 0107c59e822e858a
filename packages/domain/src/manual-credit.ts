import { yuanText } from './money.ts'

/** Limits of credits that no payment provider confirms, in fen. A day is a calendar day in Asia/Shanghai. */
type CreditLimits = { onceFen: bigint; personDayFen: bigint; organiseDayFen: bigint }

/** Manual adjustments, which have no payment behind them. */
export const creditLimits: CreditLimits = { onceFen: 500_000n, personDayFen: 2_000_000n, organiseDayFen: 10_000_000n }

/** Recharges at the desk, including their gifts. */
export const offlineLimits: CreditLimits = { onceFen: 500_000n, personDayFen: 2_000_000n, organiseDayFen: 10_000_000n }

/** The sums credited or requested today, before this credit. */
export type CreditedToday = { byPersonFen: bigint; inOrganiseFen: bigint }

/** The message for the operator when a manual credit exceeds a limit; undefined when it does not. */
export const creditProblem = (fen: bigint, today: CreditedToday): string | undefined =>
  limitProblem({ once: '单笔增加', day: '人工增加余额' }, creditLimits, fen, today)

/** The same for a recharge at the desk; `fen` includes the gift. */
export const offlineProblem = (fen: bigint, today: CreditedToday): string | undefined =>
  limitProblem({ once: '单笔线下充值（含赠送）', day: '线下充值（含赠送）' }, offlineLimits, fen, today)

type Words = { once: string; day: string }

function limitProblem(words: Words, limits: CreditLimits, fen: bigint, today: CreditedToday): string | undefined {
  const { onceFen, personDayFen, organiseDayFen } = limits
  const dayText = (whose: string, limitFen: bigint, usedFen: bigint) =>
    `${whose}每日${words.day}的额度为${yuanText(limitFen)}元，今日剩余${yuanText(usedFen < limitFen ? limitFen - usedFen : 0n)}元`
  if (fen > onceFen) return `${words.once}不能超过${yuanText(onceFen)}元`
  if (today.byPersonFen + fen > personDayFen) return dayText('您', personDayFen, today.byPersonFen)
  return today.inOrganiseFen + fen > organiseDayFen ? dayText('本机构', organiseDayFen, today.inOrganiseFen) : undefined
}
