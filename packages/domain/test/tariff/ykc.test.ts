import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SetTariffCommand } from '../../../device-protocol/src/command.ts'
import { encodeCommand } from '../../../device-protocol/src/ykc/down.ts'
import { decodeDown } from '../../../device-protocol/src/ykc/down-read.ts'
import { price } from '../../src/tariff/price.ts'
import { protocolLimits } from '../../src/tariff/protocol-limits.ts'
import type { Segment } from '../../src/tariff/rules.ts'
import { ykcPriceTable, ykcSegmentEnergy } from '../../src/tariff/ykc.ts'
import { anyPowerRules, anyTimeRules, energyRules, peakFlatValley, segmentsOn } from './samples.ts'

/** Days on half hours with few prices; some fit into four pairs and some do not. */
const fewPrices = segmentsOn(30)
  .chain((segments) => fc.tuple(fc.constant(segments), fc.array(fc.nat(4), { minLength: 12, maxLength: 12 })))
  .map(([segments, which]) =>
    segments.map((segment, at): Segment => ({
      ...segment,
      electricityE5: (which[at] ?? 0) * 10_000,
      serviceE5: 40_000,
    })),
  )

describe('the price table of a YKC charger', () => {
  it('has each price in the place of its period', () => {
    const table = ykcPriceTable(peakFlatValley)
    expect(table?.prices).toEqual([
      { energyYuanE5: 35_000, serviceYuanE5: 40_000 },
      { energyYuanE5: 105_000, serviceYuanE5: 50_000 },
      { energyYuanE5: 70_000, serviceYuanE5: 45_000 },
      { energyYuanE5: 35_000, serviceYuanE5: 40_000 },
    ])
    expect(table?.periods.join('')).toBe('3'.repeat(16) + '1'.repeat(28) + '2233')
  })

  it('applies the prices of the rules in each half hour, or is undefined', () => {
    fc.assert(
      fc.property(fewPrices, (segments) => {
        const rules = energyRules(segments)
        const table = ykcPriceTable(rules)
        expect(table === undefined).toBe(protocolLimits(rules, 'ykc').length > 0)
        if (table === undefined) return
        const tablePrices = table.periods.map((place) => table.prices[place])
        const rulePrices = Array.from({ length: 48 }, (_, at) => {
          const segment = segments.find(({ fromMin, toMin }) => fromMin <= at * 30 && at * 30 < toMin)
          return { energyYuanE5: segment?.electricityE5, serviceYuanE5: segment?.serviceE5 }
        })
        expect(tablePrices).toEqual(rulePrices)
      }),
    )
  })

  it('is valid input of the command to a charger', () => {
    const table = ykcPriceTable(peakFlatValley) ?? { prices: [], periods: [] }
    const command: SetTariffCommand = { kind: 'setTariff', modelNo: 7, lossPercent: 0, ...table }
    const frames = encodeCommand({ pileNo: '55031412782305', portCount: 2, seq: 0 }, command)
    const read = frames.ok && frames.value[0] !== undefined ? decodeDown(frames.value[0]) : undefined
    expect(read).toEqual({ ok: true, value: command })
  })

  it('is undefined for other billing types', () => {
    fc.assert(
      fc.property(fc.oneof(anyTimeRules, anyPowerRules), (rules) => {
        expect(ykcPriceTable(rules)).toBeUndefined()
      }),
    )
  })
})

describe('the energy that a charger counted at its four prices', () => {
  const startMs = Date.parse('2026-03-01T21:40:00+08:00')
  const span = { startMs, endMs: startMs + 6_000_000 }

  it('is billed as counted', () => {
    const segmentEnergyDwh = ykcSegmentEnergy(peakFlatValley, span, [0, 23_333, 70_000, 23_333])
    expect(segmentEnergyDwh).toEqual([0, 23_333, 70_000, 23_333])
    const bill = price(peakFlatValley, { ...span, durationS: 6000, energyDwh: 116_666, segmentEnergyDwh })
    expect(bill).toMatchObject({ electricityFen: 817n, serviceFen: 525n })
  })

  it('keeps the sum of each price at any time of the charge', () => {
    fc.assert(
      fc.property(
        fewPrices,
        fc.nat(2_000_000_000),
        fc.nat(90_000_000),
        fc.array(fc.nat(100_000), { minLength: 4, maxLength: 4 }),
        (segments, start, lengthMs, counted) => {
          const rules = energyRules(segments)
          const table = ykcPriceTable(rules)
          if (table === undefined) return
          const used = counted.map((energy, place) => (table.periods.includes(place) ? energy : 0))
          const inEach = ykcSegmentEnergy(rules, { startMs: start, endMs: start + lengthMs }, used)
          const atPlace = [0, 0, 0, 0]
          for (const [at, { fromMin }] of segments.entries()) {
            const place = table.periods[fromMin / 30] ?? 0
            atPlace[place] = (atPlace[place] ?? 0) + (inEach?.[at] ?? 0)
          }
          expect(atPlace).toEqual(used)
        },
      ),
    )
  })

  it('is refused when it contains a price outside the rules', () => {
    expect(ykcSegmentEnergy(peakFlatValley, span, [1, 0, 0, 0])).toBeUndefined()
    expect(ykcSegmentEnergy(energyRules(peakFlatValley.segments), span, [0, 0, 0, 0, 5])).toBeUndefined()
  })
})
