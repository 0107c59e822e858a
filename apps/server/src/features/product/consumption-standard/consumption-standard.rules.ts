import { rulesOf, sheetProblems, type TariffSheet } from '@wattdeck/contract/product/tariff-sheet.ts'
import type { Preset, TariffRules } from '@wattdeck/domain/tariff/rules.ts'
import { energyText, feeText } from '@wattdeck/domain/tariff/labels.ts'
import { Refusal } from '../../../kit/http/refusal.ts'
import { protocolsOf } from '../_shared/tariff-fit.ts'

/** The rules of a form. A refusal names every wrong field. */
export function checkedRules(sheet: TariffSheet, adapters: readonly string[]): TariffRules {
  const rules = rulesOf(sheet)
  const problems = sheetProblems(rules, protocolsOf(adapters))
  if (problems.length === 0) return rules
  // Keeps the first problem of each field.
  const fields = Object.fromEntries(problems.toReversed().map(({ path, text }) => [`rules.${path}`, text]))
  const message = [...new Set(problems.map(({ text }) => text))].slice(0, 5).join('；')
  throw new Refusal(422, message, { fields })
}

export function presetWords({ by, value }: Preset): string {
  if (by === 'money') return `${feeText(value)}元`
  return by === 'minutes' ? `${value}分钟` : `${energyText(value)}度`
}
