import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lineChanges } from '../../src/tariff/changes.ts'
import { briefText } from '../../src/tariff/display.ts'
import { addToTally, type LabOrder, mostChanged, needsReadings, newTally } from '../../src/tariff/lab.ts'
import { parseDecimal } from '../../src/tariff/parse.ts'
import type { EnergyRules, PowerRules, TimeRules } from '../../src/tariff/rules.ts'
import { priceText } from '../../src/tariff/labels.ts'

const common = {
  minFeeFen: 0,
  startFeeFen: 0,
  freeMinutes: 0,
  maxMinutes: 600,
  fullStop: true,
  refundUnused: true,
  occupancy: null,
  presets: [],
}
const clock: EnergyRules = {
  ...common,
  billingType: 0,
  segments: [
    { fromMin: 0, toMin: 480, period: 'valley', electricityE5: 35_000, serviceE5: 40_000 },
    { fromMin: 480, toMin: 1440, period: 'peak', electricityE5: 105_000, serviceE5: 40_000 },
  ],
}
const time: TimeRules = {
  ...common,
  billingType: 1,
  unitMinutes: 60,
  stepMinutes: 1,
  tiers: [
    { uptoMin: 240, priceFen: 50 },
    { uptoMin: null, priceFen: 40 },
  ],
  electricityE5: 60_000,
}
const power: PowerRules = {
  ...common,
  billingType: 2,
  mode: 'peak',
  bands: [
    { maxWatt: 200, priceE5: 25_000 },
    { maxWatt: 300, priceE5: 30_000 },
  ],
  electricityE5: 60_000,
}

describe('a decimal', () => {
  it('is parsed as an integer that formats back to the same text', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000 }), (e5) => {
        expect(parseDecimal(priceText(e5), 5)).toBe(e5)
      }),
    )
  })
  it.each(['', '.5', '1.', '1.234567', '-1', '1e3', ' 1', '１', '123456789', 'NaN'])('is not %j', (text) =>
    expect(parseDecimal(text, 5)).toBeUndefined(),
  )
})

describe('readings', () => {
  const at = (hour: number) => Date.UTC(2026, 0, 5, hour - 8)
  it('matter only where a charge crosses an edge of a segment', () => {
    expect(needsReadings(clock, { startMs: at(7), endMs: at(9) })).toBe(true)
    expect(needsReadings(clock, { startMs: at(9), endMs: at(20) })).toBe(false)
    expect(needsReadings(clock, { startMs: at(20), endMs: at(26) })).toBe(true)
    expect(needsReadings(time, { startMs: at(7), endMs: at(9) })).toBe(false)
  })
  it('matter for power only when the peak is unknown or each second counts', () => {
    const span = { startMs: at(7), endMs: at(9) }
    expect(needsReadings(power, { ...span, peakPowerDw: 2000 })).toBe(false)
    expect(needsReadings(power, span)).toBe(true)
    expect(needsReadings({ ...power, mode: 'segmented' }, { ...span, peakPowerDw: 2000 })).toBe(true)
  })
})

const sums = (fen: bigint) => ({ electricityFen: fen, serviceFen: 0n, occupancyFen: 0n, totalFen: fen })
const orders: fc.Arbitrary<LabOrder[]> = fc.array(
  fc.record({
    siteId: fc.constantFrom('1', '2', null),
    memberId: fc.constantFrom('11', '12', '13', null),
    before: fc.bigInt(0n, 1000n).map(sums),
    after: fc.bigInt(0n, 1000n).map(sums),
  }),
)
const tallied = (all: readonly LabOrder[]) => {
  const tally = newTally()
  for (const order of all) addToTally(tally, order)
  return tally
}

describe('sums over charges', () => {
  it('do not depend on the order, and the sides add up to the total', () => {
    fc.assert(
      fc.property(orders, (all) => {
        const tally = tallied(all)
        expect(tallied(all.toReversed())).toEqual(tally)
        const ofSites = [...tally.sites.values()].reduce((sum, { afterFen }) => sum + afterFen, 0n)
        const placed = all.filter(({ siteId }) => siteId !== null)
        expect(ofSites).toBe(placed.reduce((sum, { after }) => sum + after.totalFen, 0n))
        expect(tally.dearer + tally.cheaper).toBeLessThanOrEqual(tally.count)
      }),
    )
  })
  it('name the largest changes of each direction', () => {
    const sides = new Map(
      Object.entries({ 1: [0n, 5n], 2: [0n, 9n], 3: [7n, 0n], 4: [2n, 2n] }).map(
        ([id, [beforeFen = 0n, afterFen = 0n]]) => [id, { count: 1, beforeFen, afterFen }],
      ),
    )
    expect(mostChanged(sides, 'more', 20).map(({ id }) => id)).toEqual(['2', '1'])
    expect(mostChanged(sides, 'less', 20).map(({ id }) => id)).toEqual(['3'])
    expect(mostChanged(sides, 'more', 1)).toHaveLength(1)
  })
})

describe('labels', () => {
  it('describe prices in brief', () => {
    expect([clock, time, power].map(briefText)).toEqual([
      '电费 0.35–1.05，服务费 0.40 元/度',
      '0.40–0.50 元/小时',
      '0.25–0.30 元/小时',
    ])
  })
  it('list the lines that another version changes, and none for equal versions', () => {
    expect(lineChanges('甲\n乙', '甲\n丙')).toEqual([
      { kind: 'removed', line: '乙' },
      { kind: 'added', line: '丙' },
    ])
    expect(lineChanges('甲', '甲')).toEqual([])
  })
})
