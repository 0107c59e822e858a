import { yuanText } from '@wattdeck/domain/money.ts'
import { needsReadings } from '@wattdeck/domain/tariff/lab.ts'
import { price } from '@wattdeck/domain/tariff/price.ts'
import type { TariffRules } from '@wattdeck/domain/tariff/rules.ts'
import { usageProblem } from '@wattdeck/domain/tariff/usage.ts'
import { lastHeard, usageOf } from '../../../core/charging/settle-order.ts'

/** What is known of a running charge that its price depends on. */
export type RunningCharge = {
  rules: TariffRules | null
  heldFen: string
  startedMs: number
  atMs: number
  reportedMs: number | null
  reportedS: number | null
  reportedDwh: number | null
  peakPowerDw: number | null
}

/**
 * What a bill of the last report would say, in yuan. Null where the price depends on readings on the way, which are not
 * read here, and where nothing was reported or no price is known.
 */
export function amountSoFar(charge: RunningCharge): string | null {
  const { rules, heldFen, reportedMs } = charge
  if (rules === null || reportedMs === null) return null
  const usage = usageOf(charge, lastHeard(charge))
  if (usageProblem(usage) !== undefined || needsReadings(rules, usage)) return null
  return yuanText(price(rules, usage, { heldFen: BigInt(heldFen) }).totalFen)
}
