import type { BillPart } from '@wattdeck/contract/order/charging-order.ts'
import type { Bill, BillLine } from '@wattdeck/domain/tariff/bill.ts'
import * as words from '@wattdeck/domain/tariff/labels.ts'

/** The lines of a bill as table rows: quantity, unit price, and the amount before rounding. */
export const billParts = (bill: Bill): BillPart[] => bill.lines.flatMap(partsOf)

function partsOf(line: BillLine): BillPart[] {
  switch (line.kind) {
    case 'energy': {
      const label = `${words.periodText[line.period]}时段 ${words.clockText(line.fromMin)}–${words.clockText(line.toMin)}`
      const quantity = `${words.energyText(line.energyDwh)} 度`
      return [
        part(`${label} 电费`, quantity, `${words.priceText(line.electricityE5)} 元/度`, line.electricity),
        part(`${label} 服务费`, quantity, `${words.priceText(line.serviceE5)} 元/度`, line.service),
      ]
    }
    case 'time': {
      const price = `${words.feeText(line.priceFen)} 元/${line.unitMinutes}分钟`
      return [part(`第 ${line.fromMin}–${line.toMin} 分钟`, `${line.toMin - line.fromMin} 分钟`, price, line.amount)]
    }
    case 'power': {
      const band = line.maxWatt === null ? `${line.aboveWatt} W 以上` : `${line.aboveWatt}–${line.maxWatt} W`
      const price = `${words.priceText(line.priceE5)} 元/小时`
      return [part(`功率 ${band}`, words.durationText(line.seconds), price, line.amount)]
    }
    case 'electricity': {
      const price = `${words.priceText(line.electricityE5)} 元/度`
      return [part('其中电费', `${words.energyText(line.energyDwh)} 度`, price, line.amount)]
    }
    case 'occupancy': {
      const price = `${words.priceText(line.priceE5)} 元/分钟`
      return [part('占位费', `${line.billedMin} 分钟`, price, line.amount)]
    }
    default:
      return line satisfies never
  }
}

const part = (label: string, quantity: string, unitPrice: string, exact: Parameters<typeof words.exactText>[0]) => ({
  label,
  quantity,
  unitPrice,
  amount: words.exactText(exact),
})
