import { segmentCountProblem } from '../limits.ts'
import {
  dayMinutes,
  type EnergyRules,
  minReservationFen,
  type PowerRules,
  type Preset,
  ruleLimits as most,
  type TariffRules,
  type TimeRules,
} from './rules.ts'
import { feeText, periodText, priceText } from './labels.ts'

/** A problem of tariff rules: its code, its path ('segments.2.toMin') and its message. */
export type RuleProblem = { code: RuleProblemCode; path: string; text: string }
export type RuleProblemCode =
  | 'range'
  | 'kind'
  | 'count'
  | 'order'
  | 'gap'
  | 'overlap'
  | 'twice'
  | 'tooSmall'
  | 'tooLong'
  | 'step'
  | 'halfHour'
  | 'prices'
  | 'billing'
  | 'apart'

type Report = (code: RuleProblemCode, path: string, text: string) => void

/** Validates rules. An empty result means that the rules may be stored and passed to price(). */
export function checkRules(rules: TariffRules): RuleProblem[] {
  const problems: RuleProblem[] = []
  const report: Report = (code, path, text) => void problems.push({ code, path, text })
  checkCommon(rules, report)
  checkPresets(rules, report)
  if (rules.billingType === 0) checkSegments(rules, report)
  else if (rules.billingType === 1) checkTiers(rules, report)
  else if (rules.billingType === 2) checkBands(rules, report)
  else report('kind', 'billingType', '请选择计费类型')
  return problems
}

/** Checks one integer: its label, its value and its bounds. */
function whole(report: Report, path: string, value: number, [label, min, max]: readonly [string, number, number]) {
  if (Number.isInteger(value) && value >= min && value <= max) return true
  report('range', path, `${label}须为${min}-${max}之间的整数`)
  return false
}
function fee(report: Report, path: string, value: number, [label, min, max]: readonly [string, number, number]) {
  if (!Number.isInteger(value) || value < min || value > max)
    report('range', path, `${label}须在${feeText(min)}-${feeText(max)}元之间，最多两位小数`)
}
function unitPrice(report: Report, path: string, value: number, label: string) {
  if (!Number.isInteger(value) || value < 0 || value > most.priceE5)
    report('range', path, `${label}须在0-${priceText(most.priceE5)}元之间，最多五位小数`)
}

function checkCommon(rules: TariffRules, report: Report): void {
  fee(report, 'minFeeFen', rules.minFeeFen, ['最低消费', 0, most.amountFen])
  fee(report, 'startFeeFen', rules.startFeeFen, ['起充金额', 0, most.amountFen])
  whole(report, 'freeMinutes', rules.freeMinutes, ['免费时长', 0, most.freeMinutes])
  const lasts = whole(report, 'maxMinutes', rules.maxMinutes, ['最长时长', 1, most.maxMinutes])
  if (lasts && rules.freeMinutes >= rules.maxMinutes) report('tooLong', 'freeMinutes', '免费时长须小于最长时长')
  for (const flag of ['fullStop', 'refundUnused'] as const)
    if (typeof rules[flag] !== 'boolean') report('kind', flag, '请选择是或否')
  const { occupancy } = rules
  if (occupancy === null) return
  whole(report, 'occupancy.freeMinutes', occupancy.freeMinutes, ['占位免费时长', 0, most.occupancyFreeMinutes])
  unitPrice(report, 'occupancy.priceE5', occupancy.priceE5, '占位费单价')
  fee(report, 'occupancy.capFen', occupancy.capFen, ['占位费封顶', 1, most.amountFen])
}

function checkPresets(rules: TariffRules, report: Report): void {
  const { presets, maxMinutes } = rules
  if (presets.length > most.presets) report('count', 'presets', `最多可设置${most.presets}个档位`)
  const seen = new Set<string>()
  for (const [at, preset] of presets.entries()) {
    const path = `presets.${at}.value`
    const key = `${preset.by} ${preset.value}`
    if (seen.has(key)) report('twice', path, '档位不能重复')
    seen.add(key)
    checkPreset(preset, { path, maxMinutes, leastFen: minReservationFen(rules) }, report)
  }
}

function checkPreset(
  { by, value }: Preset,
  at: { path: string; maxMinutes: number; leastFen: number },
  report: Report,
) {
  const { path, maxMinutes, leastFen } = at
  if (by === 'minutes') whole(report, path, value, ['档位时长', 1, maxMinutes])
  else if (by === 'money') {
    fee(report, path, value, ['档位金额', 1, most.amountFen])
    if (value < leastFen) report('tooSmall', path, '档位金额不能小于起充金额和最低消费')
  } else if (by === 'energy') {
    if (!Number.isInteger(value) || value < 1 || value > most.presetDwh)
      report('range', path, `档位电量须在0.0001-${most.presetDwh / 10_000}度之间，最多四位小数`)
  } else report('kind', path, '请选择档位类型')
}

function checkSegments({ segments }: EnergyRules, report: Report): void {
  const tooMany = segmentCountProblem(segments.length)
  if (tooMany !== undefined) report('count', 'segments', tooMany)
  let reached = 0
  for (const [at, segment] of segments.entries()) {
    const path = `segments.${at}`
    const { fromMin, toMin } = segment
    whole(report, `${path}.fromMin`, fromMin, ['开始时间', 0, dayMinutes - 1])
    whole(report, `${path}.toMin`, toMin, ['结束时间', 1, dayMinutes])
    if (fromMin >= toMin) report('order', `${path}.toMin`, '结束时间须晚于开始时间')
    if (fromMin < reached) report('overlap', `${path}.fromMin`, '时段不能重叠')
    if (fromMin > reached) report('gap', `${path}.fromMin`, '时段必须覆盖全天24小时')
    reached = Math.max(reached, toMin)
    if (!Object.hasOwn(periodText, segment.period)) report('kind', `${path}.period`, '请选择时段类型')
    unitPrice(report, `${path}.electricityE5`, segment.electricityE5, '电费单价')
    unitPrice(report, `${path}.serviceE5`, segment.serviceE5, '服务费单价')
  }
  if (reached !== dayMinutes) report('gap', 'segments', '时段必须覆盖全天24小时')
}

function checkTiers({ unitMinutes, stepMinutes, tiers, electricityE5 }: TimeRules, report: Report): void {
  whole(report, 'unitMinutes', unitMinutes, ['计费单位时长', 1, most.maxMinutes])
  const stepped = whole(report, 'stepMinutes', stepMinutes, ['计时步长', 1, dayMinutes])
  unitPrice(report, 'electricityE5', electricityE5, '电费单价')
  if (tiers.length === 0 || tiers.length > most.tiers) report('count', 'tiers', `请设置1-${most.tiers}个阶梯`)
  let reached = 0
  for (const [at, { uptoMin, priceFen }] of tiers.entries()) {
    const path = `tiers.${at}`
    fee(report, `${path}.priceFen`, priceFen, ['阶梯单价', 0, most.tierPriceFen])
    const isLast = at === tiers.length - 1
    if (isLast !== (uptoMin === null)) report('order', `${path}.uptoMin`, '仅最后一个阶梯不设上限')
    if (uptoMin === null) continue
    const inRange = whole(report, `${path}.uptoMin`, uptoMin, ['阶梯上限', 1, most.maxMinutes])
    if (uptoMin <= reached) report('order', `${path}.uptoMin`, '阶梯上限须逐级递增')
    if (inRange && stepped && uptoMin % stepMinutes !== 0)
      report('step', `${path}.uptoMin`, '阶梯上限须为计时步长的整数倍')
    reached = Math.max(reached, uptoMin)
  }
}

function checkBands({ bands, mode, electricityE5 }: PowerRules, report: Report): void {
  unitPrice(report, 'electricityE5', electricityE5, '电费单价')
  if (mode !== 'peak' && mode !== 'segmented') report('kind', 'mode', '请选择功率计费方式')
  if (bands.length === 0 || bands.length > most.bands) report('count', 'bands', `请设置1-${most.bands}个功率档`)
  let reached = 0
  for (const [at, { maxWatt, priceE5 }] of bands.entries()) {
    whole(report, `bands.${at}.maxWatt`, maxWatt, ['功率上限', 1, most.bandWatt])
    if (maxWatt <= reached) report('order', `bands.${at}.maxWatt`, '功率上限须逐档递增')
    unitPrice(report, `bands.${at}.priceE5`, priceE5, '功率档单价')
    reached = Math.max(reached, maxWatt)
  }
}
