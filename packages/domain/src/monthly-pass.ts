/** Limits of plans and passes. */
export const passMost = {
  priceFen: 9_999_900,
  days: 365,
  minutes: 1440,
  kwh: 200,
  dayTimes: 20,
  monthTimes: 600,
  sites: 200,
  /** Unexpired passes and unpaid purchases of one plan and member, which limits purchases at an old price. */
  ahead: 3,
} as const

/** A charge that ended sooner is no use of a pass. */
export const shortUseS = 180

/** For so many days the income of a day waits for the bills of its charges. */
export const billWaitDays = 7

/**
 * The part of the price that the first days of a pass earn, rounded down. The parts of all days add up to the price, and
 * those of two days differ by at most one fen.
 */
export const earnedFen = (priceFen: bigint, days: number, upTo: number): bigint =>
  (priceFen * BigInt(upTo)) / BigInt(days)

/** The part of one day, counted from 0. */
export const dayFen = (priceFen: bigint, days: number, day: number): bigint =>
  earnedFen(priceFen, days, day + 1) - earnedFen(priceFen, days, day)
