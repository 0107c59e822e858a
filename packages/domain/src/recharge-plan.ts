import { yuanText } from './money.ts'

/** What a member pays and which gift is added, in fen. */
export type PlanTier = { payFen: bigint; giftFen: bigint }

/** Bounds of a recharge plan. A gift never exceeds the paid amount. */
export const planMost = { tiers: 20, giftPercent: 100, validDays: 3650 }

/** The message for the operator when tiers contradict each other; undefined when they do not. */
export function tiersProblem(tiers: readonly PlanTier[]): string | undefined {
  if (tiers.length === 0) return '请至少添加一个档位'
  if (tiers.length > planMost.tiers) return `档位不能超过${planMost.tiers}个`
  const seen = new Set<bigint>()
  for (const { payFen, giftFen } of tiers) {
    if (seen.has(payFen)) return `充值${yuanText(payFen)}元的档位重复`
    seen.add(payFen)
    if (giftFen * 100n > payFen * BigInt(planMost.giftPercent))
      return `充值${yuanText(payFen)}元的赠送金额不能超过充值金额`
  }
  return undefined
}

type Offer = { minFen: bigint; allowsCustom: boolean; tiers: readonly PlanTier[] }

/** The message when a tier lies below the minimum of its plan. */
export const belowMinimum = ({ minFen, tiers }: Omit<Offer, 'allowsCustom'>): string | undefined =>
  tiers.some(({ payFen }) => payFen < minFen) ? `档位的充值金额不能低于最低充值${yuanText(minFen)}元` : undefined

/** The message for the member when the plan refuses this amount, which is not the amount of a tier. */
export function customProblem({ minFen, allowsCustom }: Offer, fen: bigint): string | undefined {
  if (!allowsCustom) return '不支持自定义金额，请选择充值档位'
  return fen < minFen ? `充值金额不能低于${yuanText(minFen)}元` : undefined
}

const shortYuan = (fen: bigint) => yuanText(fen).replace(/\.00$/, '')
/** 充100送10; without a gift 充50. */
export const tierText = ({ payFen, giftFen }: PlanTier) =>
  giftFen === 0n ? `充${shortYuan(payFen)}` : `充${shortYuan(payFen)}送${shortYuan(giftFen)}`
