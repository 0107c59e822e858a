import { dayMinutes, type PowerRules, type Preset, type Segment, type TariffRules, type TimeRules } from './rules.ts'
import * as words from './labels.ts'

/** A segment of the day bar: its bounds and labels. One whole day when the prices do not depend on the time of day. */
export type DaySegment = { fromMin: number; toMin: number; time: string; period: string; price: string }

export const daySegments = (rules: TariffRules): DaySegment[] =>
  rules.billingType === 0
    ? rules.segments.map((segment) => ({
        fromMin: segment.fromMin,
        toMin: segment.toMin,
        time: timeText(segment),
        period: words.periodText[segment.period],
        price: pairText(segment),
      }))
    : [
        {
          fromMin: 0,
          toMin: dayMinutes,
          time: timeText({ fromMin: 0, toMin: dayMinutes }),
          period: '全天',
          price: `${words.billingText[rules.billingType]}计费`,
        },
      ]

const timeText = ({ fromMin, toMin }: { fromMin: number; toMin: number }) =>
  `${words.clockText(fromMin)}–${words.clockText(toMin)}`
const pairText = ({ electricityE5, serviceE5 }: Segment) =>
  `电费 ${words.priceText(electricityE5)} 元/度，服务费 ${words.priceText(serviceE5)} 元/度`

/** 价格公示文本: everything a member must know before a charge starts, one item a line. */
export const displayText = (rules: TariffRules): string =>
  [`计费方式：${words.billingText[rules.billingType]}`, ...priceLines(rules), ...commonLines(rules)].join('\n')

function priceLines(rules: TariffRules): string[] {
  if (rules.billingType === 0)
    return rules.segments.map(
      (segment) => `${words.periodText[segment.period]}时段 ${timeText(segment)}：${pairText(segment)}`,
    )
  const apart = `其中电费按实际用电量计 ${words.priceText(rules.electricityE5)} 元/度，其余为服务费`
  return [...(rules.billingType === 1 ? tierLines(rules) : bandLines(rules)), apart]
}

function tierLines({ tiers, unitMinutes, stepMinutes }: TimeRules): string[] {
  const lines = tiers.map(({ uptoMin, priceFen }, at) => {
    const from = tiers[at - 1]?.uptoMin ?? 0
    const reach = uptoMin === null ? (from === 0 ? '充电' : `超过${from}分钟`) : `${from}–${uptoMin}分钟`
    return `${reach}：${words.feeText(priceFen)} 元/${words.unitText(unitMinutes)}`
  })
  return [...lines, `不足${stepMinutes}分钟按${stepMinutes}分钟计`]
}

function bandLines({ bands, mode }: PowerRules): string[] {
  const lines = bands.map(({ maxWatt, priceE5 }, at) => {
    const above = bands[at - 1]?.maxWatt ?? 0
    const reach = at === bands.length - 1 ? `${above}W以上` : `${above}–${maxWatt}W`
    return `${reach}：${words.priceText(priceE5)} 元/小时`
  })
  return [...lines, mode === 'peak' ? '整单按最大功率所在档计费' : '按各功率档的实际时长分段计费']
}

function presetText({ by, value }: Preset): string {
  if (by === 'money') return `${words.feeText(value)}元`
  return by === 'minutes' ? `${value}分钟` : `${words.energyText(value)}度`
}

function commonLines(rules: TariffRules): string[] {
  const { minFeeFen, startFeeFen, freeMinutes, maxMinutes, occupancy, presets } = rules
  const lines: (string | false)[] = [
    startFeeFen > 0 && `起充金额：${words.feeText(startFeeFen)} 元`,
    minFeeFen > 0 && `最低消费：${words.feeText(minFeeFen)} 元，不足部分计入服务费`,
    freeMinutes > 0 && `${freeMinutes}分钟内结束充电不收费`,
    `单次充电最长${maxMinutes}分钟${rules.fullStop ? '，充满自停' : ''}`,
    presets.length > 0 && `可选档位：${presets.map(presetText).join('、')}`,
    rules.refundUnused ? '预付金额未用部分退还' : '所购档位未用部分不退',
  ]
  if (occupancy !== null) {
    const { freeMinutes: free, priceE5, capFen } = occupancy
    const price = `${words.priceText(priceE5)} 元/分钟，封顶 ${words.feeText(capFen)} 元`
    lines.push(`占位费：充电结束${free}分钟后${price}`)
  }
  return lines.filter((line) => line !== false)
}

/** The range of some prices, or a single price when all are equal. */
function rangeText(prices: readonly number[], text: (price: number) => string): string {
  const [low, high] = [Math.min(...prices), Math.max(...prices)]
  return low === high ? text(low) : `${text(low)}–${text(high)}`
}

/** A brief form of the prices, for lists. */
export function briefText(rules: TariffRules): string {
  if (rules.billingType === 0) {
    const { segments } = rules
    const electricity = rangeText(
      segments.map(({ electricityE5 }) => electricityE5),
      words.priceText,
    )
    const service = rangeText(
      segments.map(({ serviceE5 }) => serviceE5),
      words.priceText,
    )
    return `电费 ${electricity}，服务费 ${service} 元/度`
  }
  if (rules.billingType === 1) {
    const fees = rules.tiers.map(({ priceFen }) => priceFen)
    return `${rangeText(fees, words.feeText)} 元/${words.unitText(rules.unitMinutes)}`
  }
  const prices = rules.bands.map(({ priceE5 }) => priceE5)
  return `${rangeText(prices, words.priceText)} 元/小时`
}
