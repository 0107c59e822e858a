import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { yuanText } from '../../src/money.ts'
import type { BillLine } from '../../src/tariff/bill.ts'
import { daySegments, displayText } from '../../src/tariff/display.ts'
import { explain } from '../../src/tariff/explain.ts'
import { price } from '../../src/tariff/price.ts'
import type { TariffRules } from '../../src/tariff/rules.ts'
import type { Usage } from '../../src/tariff/usage.ts'
import { clockText, durationText, energyText, exactText, priceText, wattText } from '../../src/tariff/labels.ts'
import { anyRules, anyUsage, peakFlatValley, twoBands, twoYuan } from './samples.ts'

const startMs = Date.parse('2026-03-01T21:40:00+08:00')
const explanation = (rules: TariffRules, used: Partial<Usage>, heldFen?: bigint) =>
  explain(price(rules, { startMs, endMs: startMs + 6_000_000, durationS: 6000, energyDwh: 0, ...used }, { heldFen }))

describe('figures', () => {
  it('have at least two decimals and no needless zeros', () => {
    expect([0, 1, 60_000, 105_000, 10_000_000].map(priceText)).toEqual(['0.00', '0.00001', '0.60', '1.05', '100.00'])
    expect([0, 23_333, 70_000].map(energyText)).toEqual(['0.00', '2.3333', '7.00'])
    expect([0, 90, 1320, 1440].map(clockText)).toEqual(['00:00', '01:30', '22:00', '24:00'])
    expect([0, 59, 6000, 3601].map(durationText)).toEqual(['0分', '59秒', '1小时40分', '1小时1秒'])
    expect([1800, 1805].map(wattText)).toEqual(['180', '180.5'])
  })

  it('are exact, or marked as rounded', () => {
    expect(exactText({ parts: 2_449_965_000n, perFen: 10_000_000n })).toBe('2.449965')
    expect(exactText({ parts: 1n, perFen: 10_000_000n })).toBe('0.000000001')
    expect(exactText({ parts: 295n, perFen: 3n })).toBe('约0.983333')
    expect(exactText({ parts: 200n, perFen: 3n })).toBe('约0.666667')
  })
})

describe('explain', () => {
  it('gives sentences that a pocket calculator can check', () => {
    expect(explanation(peakFlatValley, { energyDwh: 116_666 })).toEqual([
      '充电时长1小时40分，用电 11.6666 度',
      '峰时段（08:00–22:00）用电 2.3333 度：电费 2.3333 × 1.05 = 2.449965 元，服务费 2.3333 × 0.50 = 1.16665 元',
      '平时段（22:00–23:00）用电 7.00 度：电费 7.00 × 0.70 = 4.90 元，服务费 7.00 × 0.45 = 3.15 元',
      '谷时段（23:00–24:00）用电 2.3333 度：电费 2.3333 × 0.35 = 0.816655 元，服务费 2.3333 × 0.40 = 0.93332 元',
      '电费合计 8.16662 元，四舍五入为 8.17 元',
      '服务费合计 5.24997 元，四舍五入为 5.25 元',
      '应付 13.42 元：电费 8.17 元，服务费 5.25 元',
    ])
  })

  it('includes minimum, occupancy and the part that is not billed', () => {
    const rules = { ...twoYuan, minFeeFen: 150, occupancy: { freeMinutes: 15, priceE5: 50_000, capFen: 300 } }
    expect(explanation(rules, { durationS: 18_720, energyDwh: 10_000, occupiedMin: 42 }, 400n)).toEqual([
      '充电时长5小时12分，用电 1.00 度',
      '第 0–312 分钟：312 分钟 × 2.00 元/480分钟 = 1.30 元',
      '充电费用合计 1.30 元，四舍五入为 1.30 元',
      '其中电费：1.00 度 × 0.60 元/度 = 0.60 元，其余为服务费',
      '占位 42 分钟，免费 15 分钟：27 分钟 × 0.50 元 = 13.50 元',
      '不足最低消费 1.50 元，服务费补收 0.20 元',
      '占位费封顶 3.00 元，超出的 10.50 元不收取',
      '费用超出预付金额 4.00 元，超出的 0.50 元不收取',
      '应付 4.00 元：电费 0.60 元，服务费 0.90 元，占位费 2.50 元',
    ])
  })

  it('names the band of a power', () => {
    const segmented = { ...twoBands, mode: 'segmented' as const }
    expect(explanation(segmented, { durationS: 12_000, secondsPerBand: [1200, 10_800] })).toEqual([
      '充电时长3小时20分，用电 0.00 度',
      '功率 0–200 W：20分 × 0.25 元/小时 = 约0.083333 元',
      '功率 200 W 以上：3小时 × 0.30 元/小时 = 0.90 元',
      '充电费用合计 约0.983333 元，四舍五入为 0.98 元',
      '应付 0.98 元：电费 0.00 元，服务费 0.98 元',
    ])
  })

  it('gives the reason when nothing is due', () => {
    expect(explanation({ ...twoYuan, freeMinutes: 5 }, { durationS: 240 })).toEqual([
      '充电时长4分，用电 0.00 度',
      '未超过免费时长 5 分钟，充电不收费',
      '应付 0.00 元：电费 0.00 元，服务费 0.00 元',
    ])
  })

  const amounts = (line: BillLine) => (line.kind === 'energy' ? [line.electricity, line.service] : [line.amount])
  it('includes the amount of every line, step and part', () => {
    fc.assert(
      fc.property(
        anyRules,
        anyUsage,
        fc.option(fc.bigInt({ min: 0n, max: 5000n }), { nil: undefined }),
        (rules, usage, heldFen) => {
          const bill = price(rules, usage, { heldFen, boughtFen: 300n })
          const all = explain(bill).join('\n')
          for (const amount of bill.lines.flatMap(amounts)) expect(all).toContain(`= ${exactText(amount)} 元`)
          for (const step of bill.steps)
            for (const value of Object.values(step))
              if (typeof value === 'bigint') expect(all).toContain(`${yuanText(value)} 元`)
          const parts = `电费 ${yuanText(bill.electricityFen)} 元，服务费 ${yuanText(bill.serviceFen)} 元`
          expect(all).toContain(`应付 ${yuanText(bill.totalFen)} 元：${parts}`)
        },
      ),
    )
  })
})

describe('the price display', () => {
  it('shows electricity and service of each segment separately', () => {
    const rules: TariffRules = {
      ...peakFlatValley,
      startFeeFen: 500,
      occupancy: { freeMinutes: 15, priceE5: 50_000, capFen: 3000 },
      presets: [{ by: 'money', value: 1000 }],
    }
    expect(displayText(rules).split('\n')).toEqual([
      '计费方式：按电量',
      '谷时段 00:00–08:00：电费 0.35 元/度，服务费 0.40 元/度',
      '峰时段 08:00–22:00：电费 1.05 元/度，服务费 0.50 元/度',
      '平时段 22:00–23:00：电费 0.70 元/度，服务费 0.45 元/度',
      '谷时段 23:00–24:00：电费 0.35 元/度，服务费 0.40 元/度',
      '起充金额：5.00 元',
      '单次充电最长600分钟，充满自停',
      '可选档位：10.00元',
      '预付金额未用部分退还',
      '占位费：充电结束15分钟后0.50 元/分钟，封顶 30.00 元',
    ])
  })

  it('shows the electricity part of a price by time or power', () => {
    const ladder = [240, null].map((uptoMin) => ({ uptoMin, priceFen: 30 }))
    const time = { ...twoYuan, unitMinutes: 60, tiers: ladder, freeMinutes: 5, minFeeFen: 100, refundUnused: false }
    expect(displayText(time).split('\n')).toEqual([
      '计费方式：按时间',
      '0–240分钟：0.30 元/小时',
      '超过240分钟：0.30 元/小时',
      '不足1分钟按1分钟计',
      '其中电费按实际用电量计 0.60 元/度，其余为服务费',
      '最低消费：1.00 元，不足部分计入服务费',
      '5分钟内结束充电不收费',
      '单次充电最长600分钟，充满自停',
      '所购档位未用部分不退',
    ])
    expect(displayText(twoBands)).toContain('0–200W：0.25 元/小时\n200W以上：0.30 元/小时\n整单按最大功率所在档计费')
  })

  it('shows the day as a bar without a gap', () => {
    fc.assert(
      fc.property(anyRules, (rules) => {
        const bar = daySegments(rules)
        expect(bar.reduce((all, { fromMin, toMin }) => all + toMin - fromMin, 0)).toBe(1440)
        expect([bar[0]?.fromMin, bar.at(-1)?.toMin]).toEqual([0, 1440])
      }),
    )
    expect(daySegments(peakFlatValley)[2]).toEqual({
      fromMin: 1320,
      toMin: 1380,
      time: '22:00–23:00',
      period: '平',
      price: '电费 0.70 元/度，服务费 0.45 元/度',
    })
  })
})
