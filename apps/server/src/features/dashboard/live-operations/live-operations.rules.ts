import { yuanText } from '@wattdeck/domain/money.ts'
import type { Benefit } from '@wattdeck/domain/tariff/benefit.ts'
import { needsReadings } from '@wattdeck/domain/tariff/lab.ts'
import { price } from '@wattdeck/domain/tariff/price.ts'
import type { TariffRules } from '@wattdeck/domain/tariff/rules.ts'
import { usageProblem } from '@wattdeck/domain/tariff/usage.ts'
import { lastReported, usageOf } from '../../../core/charging/settle-order.ts'

/** The data of a running charge that determine its price. */
export type RunningCharge = {
  rules: TariffRules | null
  heldFen: string
  benefits: readonly Benefit[]
  startedMs: number
  atMs: number
  reportedMs: number | null
  reportedS: number | null
  reportedDwh: number | null
  peakPowerDw: number | null
}

/**
 * The amount of a bill for the last report, in yuan. Null if the price depends on intermediate readings, which are not
 * read here, or if report or price are missing.
 */
export function amountSoFar(charge: RunningCharge): string | null {
  const { rules, heldFen, benefits, reportedMs } = charge
  if (rules === null || reportedMs === null) return null
  const usage = usageOf(charge, lastReported(charge))
  if (usageProblem(usage) !== undefined || needsReadings(rules, usage)) return null
  return yuanText(price(rules, usage, { heldFen: BigInt(heldFen), benefits }).totalFen)
}
