import type { RuleProblem } from './check.ts'
import type { TariffRules } from './rules.ts'

/**
 * The law requires electricity and service to be shown and billed apart. A price that includes the electricity in the
 * service fee does not comply. A price of zero complies.
 */
export function meetsPriceLaw(rules: TariffRules): { holds: boolean; reasons: RuleProblem[] } {
  const reasons = rules.billingType === 0 ? hiddenInSegments(rules.segments) : hiddenInTotal(rules)
  return { holds: reasons.length === 0, reasons }
}

const hiddenInSegments = (segments: readonly { electricityE5: number; serviceE5: number }[]): RuleProblem[] =>
  segments.flatMap(({ electricityE5, serviceE5 }, at) =>
    electricityE5 === 0 && serviceE5 > 0
      ? [
          {
            code: 'apart',
            path: `segments.${at}.electricityE5`,
            text: '电费和服务费须分开标示，请填写该时段的电费单价',
          },
        ]
      : [],
  )

function hiddenInTotal(rules: Exclude<TariffRules, { billingType: 0 }>): RuleProblem[] {
  const costs =
    rules.billingType === 1
      ? rules.tiers.some(({ priceFen }) => priceFen > 0)
      : rules.bands.some(({ priceE5 }) => priceE5 > 0)
  if (!costs || rules.electricityE5 > 0) return []
  const text = '按时间或功率计费时，须填写每度电的电费单价，以便在订单中分开列出电费和服务费'
  return [{ code: 'apart', path: 'electricityE5', text }]
}
