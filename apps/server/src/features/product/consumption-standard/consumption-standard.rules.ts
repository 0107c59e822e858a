import { rulesOf, sheetProblems, type TariffSheet, tariffProtocol } from '@wattdeck/contract/product/tariff-sheet.ts'
import type { TariffProtocol } from '@wattdeck/domain/tariff/protocol-limits.ts'
import type { Preset, TariffRules } from '@wattdeck/domain/tariff/rules.ts'
import { energyText, feeText } from '@wattdeck/domain/tariff/labels.ts'
import { Refusal } from '../../../kit/http/refusal.ts'

/** The rules of a form, or a refusal that names every field which is wrong. */
export function checkedRules(sheet: TariffSheet, adapters: readonly string[]): TariffRules {
  const rules = rulesOf(sheet)
  const problems = sheetProblems(rules, protocolsOf(adapters))
  if (problems.length === 0) return rules
  // The first thing that is wrong with each field.
  const fields = Object.fromEntries(problems.toReversed().map(({ path, text }) => [`rules.${path}`, text]))
  const message = [...new Set(problems.map(({ text }) => text))].slice(0, 5).join('；')
  throw new Refusal(422, message, { fields })
}

const protocolsOf = (adapters: readonly string[]): TariffProtocol[] => [
  ...new Set(adapters.flatMap((adapter) => tariffProtocol(adapter) ?? [])),
]

/** Why devices that speak these cannot charge by the rules; undefined when they can. */
export const misfitOf = (rules: TariffRules, adapters: readonly string[]): string | undefined =>
  sheetProblems(rules, protocolsOf(adapters))[0]?.text

export function presetWords({ by, value }: Preset): string {
  if (by === 'money') return `${feeText(value)}元`
  return by === 'minutes' ? `${value}分钟` : `${energyText(value)}度`
}
