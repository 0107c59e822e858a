import { yuanText } from './money.ts'

/** Money that people credit by hand, without a payment behind it, in fen. A day is one of China's clock. */
export const creditLimits = { onceFen: 500_000n, personDayFen: 2_000_000n, organiseDayFen: 10_000_000n }

/** What was credited or asked for today, before this one. */
export type CreditedToday = { byPersonFen: bigint; inOrganiseFen: bigint }

/** Why a credit by hand is above a limit, in words for who asks; undefined where it is not. */
export function creditProblem(fen: bigint, { byPersonFen, inOrganiseFen }: CreditedToday): string | undefined {
  const { onceFen, personDayFen, organiseDayFen } = creditLimits
  if (fen > onceFen) return `单笔增加不能超过${yuanText(onceFen)}元`
  if (byPersonFen + fen > personDayFen) return dayText('您', personDayFen, byPersonFen)
  return inOrganiseFen + fen > organiseDayFen ? dayText('本机构', organiseDayFen, inOrganiseFen) : undefined
}

const dayText = (whose: string, limitFen: bigint, usedFen: bigint) =>
  `${whose}每日人工增加余额的额度为${yuanText(limitFen)}元，今日剩余${yuanText(usedFen < limitFen ? limitFen - usedFen : 0n)}元`
