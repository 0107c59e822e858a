import { yuanText } from '../money.ts'
import { discountFen } from './benefit.ts'
import { type Bill, type BillLine, type BillStep, type Exact, roundFen, sum } from './bill.ts'
import * as words from './labels.ts'

/**
 * A bill in sentences that a member can check with a pocket calculator. The evidence of an order stores the same text.
 */
export function explain(bill: Bill): string[] {
  const used = `充电时长${words.durationText(bill.durationS)}，用电 ${words.energyText(bill.energyDwh)} 度`
  const ofKind = (...kinds: BillLine['kind'][]) => bill.lines.filter(({ kind }) => kinds.includes(kind)).map(lineText)
  return [
    used,
    ...ofKind('energy', 'time', 'power'),
    ...sumTexts(bill.lines),
    ...ofKind('electricity', 'occupancy'),
    ...bill.steps.map(stepText),
    totalText(bill),
  ]
}

function lineText(line: BillLine): string {
  switch (line.kind) {
    case 'energy': {
      const energy = words.energyText(line.energyDwh)
      const time = `${words.clockText(line.fromMin)}–${words.clockText(line.toMin)}`
      const electricity = `${energy} × ${words.priceText(line.electricityE5)} = ${words.exactText(line.electricity)} 元`
      const service = `${energy} × ${words.priceText(line.serviceE5)} = ${words.exactText(line.service)} 元`
      return `${words.periodText[line.period]}时段（${time}）用电 ${energy} 度：电费 ${electricity}，服务费 ${service}`
    }
    case 'time': {
      const minutes = line.toMin - line.fromMin
      const unit = `${words.feeText(line.priceFen)} 元/${words.unitText(line.unitMinutes)}`
      return `第 ${line.fromMin}–${line.toMin} 分钟：${minutes} 分钟 × ${unit} = ${words.exactText(line.amount)} 元`
    }
    case 'power': {
      const band = line.maxWatt === null ? `${line.aboveWatt} W 以上` : `${line.aboveWatt}–${line.maxWatt} W`
      const hours = `${words.durationText(line.seconds)} × ${words.priceText(line.priceE5)} 元/小时`
      return `功率 ${band}：${hours} = ${words.exactText(line.amount)} 元`
    }
    case 'electricity': {
      const factors = `${words.energyText(line.energyDwh)} 度 × ${words.priceText(line.electricityE5)} 元/度`
      return `其中电费：${factors} = ${words.exactText(line.amount)} 元，其余为服务费`
    }
    case 'occupancy': {
      const minutes = `占位 ${line.occupiedMin} 分钟，免费 ${line.freeMinutes} 分钟`
      const factors = `${line.billedMin} 分钟 × ${words.priceText(line.priceE5)} 元`
      return `${minutes}：${factors} = ${words.exactText(line.amount)} 元`
    }
    default:
      return line satisfies never
  }
}

const rounded = (what: string, amount: Exact) =>
  `${what}合计 ${words.exactText(amount)} 元，四舍五入为 ${yuanText(roundFen(amount))} 元`

/** The rounding: once each for electricity and service, or once for time or power. */
function sumTexts(lines: readonly BillLine[]): string[] {
  const byEnergy = lines.filter((line) => line.kind === 'energy')
  if (byEnergy.length > 0)
    return [
      rounded('电费', sum(byEnergy.map(({ electricity }) => electricity))),
      rounded('服务费', sum(byEnergy.map(({ service }) => service))),
    ]
  const others = lines.filter((line) => line.kind === 'time' || line.kind === 'power')
  return others.length === 0 ? [] : [rounded('充电费用', sum(others.map(({ amount }) => amount)))]
}

function stepText(step: BillStep): string {
  switch (step.kind) {
    case 'free':
      return `未超过免费时长 ${step.freeMinutes} 分钟，充电不收费`
    case 'meanPower':
      return `设备未上报功率，按平均功率 ${words.wattText(step.powerDw)} W 计费`
    case 'electricityCut':
      return `电费超出充电费用的 ${yuanText(step.cutFen)} 元不收取，服务费为 0.00 元`
    case 'minFee':
      return `不足最低消费 ${yuanText(step.minFeeFen)} 元，服务费补收 ${yuanText(step.raisedFen)} 元`
    case 'package':
      return `已购 ${yuanText(step.boughtFen)} 元，未用部分不退，服务费补收 ${yuanText(step.raisedFen)} 元`
    case 'occupancyCap':
      return `占位费封顶 ${yuanText(step.capFen)} 元，超出的 ${yuanText(step.cutFen)} 元不收取`
    case 'benefit': {
      const scope = step.scope === 'service' ? '仅服务费，' : ''
      const funders = [...new Set(step.funders)].map((who) => words.funderText[who]).join('、')
      return `${words.benefitText[step.benefit]}「${step.name}」优惠 ${yuanText(step.offFen)} 元（${scope}${funders}承担）`
    }
    case 'noBenefit': {
      const why = step.fromFen === null ? '没有可优惠的金额' : `未满 ${yuanText(step.fromFen)} 元`
      return `${words.benefitText[step.benefit]}「${step.name}」未使用：${why}`
    }
    case 'held':
      return `费用超出预付金额 ${yuanText(step.heldFen)} 元，超出的 ${yuanText(step.cutFen)} 元不收取`
    default:
      return step satisfies never
  }
}

function totalText({ totalFen, electricityFen, serviceFen, occupancyFen, discounts, cappedByFen }: Bill): string {
  const offFen = discountFen(discounts)
  const list =
    offFen === 0n ? '' : `原价 ${yuanText(totalFen + cappedByFen + offFen)} 元，优惠 ${yuanText(offFen)} 元，`
  const occupancy = occupancyFen === 0n ? '' : `，占位费 ${yuanText(occupancyFen)} 元`
  return `${list}应付 ${yuanText(totalFen)} 元：电费 ${yuanText(electricityFen)} 元，服务费 ${yuanText(serviceFen)} 元${occupancy}`
}
