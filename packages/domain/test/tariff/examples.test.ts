import { describe, expect, it } from 'vitest'
import { price, type Terms } from '../../src/tariff/price.ts'
import type { TariffRules } from '../../src/tariff/rules.ts'
import type { Usage } from '../../src/tariff/usage.ts'
import { day, energyRules, peakFlatValley, twoBands, twoYuan } from './samples.ts'

const usage = (over: Partial<Usage>): Usage => {
  const startMs = Date.parse('2026-03-01T21:40:00+08:00')
  const durationS = over.durationS ?? 6000
  return { startMs, endMs: startMs + durationS * 1000, durationS, energyDwh: 0, ...over }
}
const parts = (rules: TariffRules, used: Partial<Usage>, terms?: Terms) => {
  const { electricityFen, serviceFen, occupancyFen, totalFen } = price(rules, usage(used), terms)
  return { electricityFen, serviceFen, occupancyFen, totalFen }
}

describe('a price by time', () => {
  it('of 2 yuan for 480 minutes costs 1.30 for 312', () => {
    expect(price(twoYuan, usage({ durationS: 312 * 60 }), { heldFen: 200n })).toMatchObject({
      totalFen: 130n,
      steps: [],
    })
  })

  it('by started half hours costs 1.38', () => {
    const halfHours = { ...twoYuan, stepMinutes: 30 }
    expect(price(halfHours, usage({ durationS: 312 * 60 }), { heldFen: 200n }).totalFen).toBe(138n)
  })

  it('bills a started minute', () => {
    expect(price(twoYuan, usage({ durationS: 12 * 60 + 1 })).totalFen).toBe(5n)
    expect(price({ ...twoYuan, unitMinutes: 1 }, usage({ durationS: 61 })).totalFen).toBe(400n)
  })

  it('keeps its total for any electricity part', () => {
    const durationS = 312 * 60
    expect(parts(twoYuan, { durationS, energyDwh: 10_000 })).toMatchObject({ electricityFen: 60n, serviceFen: 70n })
    expect(parts(twoYuan, { durationS, energyDwh: 90_000 })).toMatchObject({ electricityFen: 130n, serviceFen: 0n })
    expect(price(twoYuan, usage({ durationS, energyDwh: 90_000 })).steps).toEqual([
      { kind: 'electricityCut', cutFen: 410n },
    ])
  })

  it('applies its tiers in order', () => {
    const ladder = {
      ...twoYuan,
      unitMinutes: 60,
      tiers: [
        { uptoMin: 240, priceFen: 30 },
        { uptoMin: 480, priceFen: 20 },
        { uptoMin: null, priceFen: 10 },
      ],
    }
    expect(price(ladder, usage({ durationS: 240 * 60 })).totalFen).toBe(120n)
    expect(price(ladder, usage({ durationS: 300 * 60 })).totalFen).toBe(140n)
    expect(price(ladder, usage({ durationS: 600 * 60 })).totalFen).toBe(220n)
  })
})

describe('a price by energy', () => {
  it('rounds electricity and service once each: 0.83 and 0.54', () => {
    const rules = energyRules(day(62_000, 40_000))
    expect(parts(rules, { energyDwh: 13_456 }, { heldFen: 300n })).toEqual({
      electricityFen: 83n,
      serviceFen: 54n,
      occupancyFen: 0n,
      totalFen: 137n,
    })
  })

  it('follows the time of day: 7 kW from 21:40 to 23:20 costs 8.17 and 5.25', () => {
    const bill = price(peakFlatValley, usage({ energyDwh: 116_666 }))
    expect(bill.lines).toMatchObject([
      { period: 'peak', energyDwh: 23_333, electricity: { parts: 2_449_965_000n } },
      { period: 'flat', energyDwh: 70_000, electricity: { parts: 4_900_000_000n } },
      { period: 'valley', energyDwh: 23_333, electricity: { parts: 816_655_000n } },
    ])
    expect(bill).toMatchObject({ electricityFen: 817n, serviceFen: 525n, totalFen: 1342n })
  })

  it('prefers the counts of the device by segment', () => {
    const bill = price(peakFlatValley, usage({ energyDwh: 116_666, segmentEnergyDwh: [0, 10_000, 0, 0] }))
    expect(bill).toMatchObject({ electricityFen: 105n, serviceFen: 50n, energyDwh: 10_000 })
  })

  it('prefers readings to an even distribution', () => {
    const tenOClock = Date.parse('2026-03-01T22:00:00+08:00')
    const samples = [{ atMs: tenOClock, energyDwh: 100_000 }]
    const bill = price(peakFlatValley, usage({ energyDwh: 116_666, samples }))
    expect(bill.lines).toMatchObject([{ energyDwh: 100_000 }, { energyDwh: 12_500 }, { energyDwh: 4166 }])
  })

  it('continues across midnight and several days', () => {
    const startMs = Date.parse('2026-03-01T23:30:00+08:00')
    const over = { startMs, endMs: startMs + 3_600_000, durationS: 3600, energyDwh: 20_000 }
    expect(price(peakFlatValley, over).lines).toMatchObject([
      { fromMin: 0, energyDwh: 10_000 },
      { fromMin: 1380, energyDwh: 10_000 },
    ])
    const days = { startMs, endMs: startMs + 48 * 3_600_000, durationS: 48 * 3600, energyDwh: 480_000 }
    expect(price(peakFlatValley, days).lines).toMatchObject([
      { fromMin: 0, energyDwh: 160_000 },
      { fromMin: 480, energyDwh: 280_000 },
      { fromMin: 1320, energyDwh: 20_000 },
      { fromMin: 1380, energyDwh: 20_000 },
    ])
  })
})

describe('a price by power', () => {
  const durationS = 12_000

  it('by peak power costs 1.00 for 200 minutes at 280 W', () => {
    expect(price(twoBands, usage({ durationS, peakPowerDw: 2800 })).totalFen).toBe(100n)
  })

  it('by seconds in each band costs 0.98', () => {
    const used = usage({ durationS, peakPowerDw: 2800, secondsPerBand: [1200, 10_800] })
    expect(price({ ...twoBands, mode: 'segmented' }, used).totalFen).toBe(98n)
  })

  it('by samples gives the same amount', () => {
    const startMs = usage({}).startMs
    const samples = [
      { atMs: startMs + 1000, energyDwh: 1, powerDw: 1800 },
      { atMs: startMs + 1_200_000, energyDwh: 600, powerDw: 2800 },
    ]
    expect(price({ ...twoBands, mode: 'segmented' }, usage({ durationS, samples })).totalFen).toBe(98n)
  })

  it('uses the mean power when none was reported, and records it', () => {
    const bill = price(twoBands, usage({ durationS, energyDwh: 6000 }))
    expect(bill).toMatchObject({ totalFen: 83n, steps: [{ kind: 'meanPower', powerDw: 1800 }] })
  })

  it('above the last band is the price of the last band', () => {
    expect(price(twoBands, usage({ durationS, peakPowerDw: 9000 })).totalFen).toBe(100n)
  })
})

describe('the common rules', () => {
  const rules = energyRules(day(62_000, 40_000))

  it('charge 13.50 for 42 minutes of occupancy with 15 free, 0.50 a minute, at most 30', () => {
    const occupied = { ...rules, occupancy: { freeMinutes: 15, priceE5: 50_000, capFen: 3000 } }
    expect(parts(occupied, { occupiedMin: 42 }).occupancyFen).toBe(1350n)
    expect(parts(occupied, { occupiedMin: 15 }).occupancyFen).toBe(0n)
    expect(price(occupied, usage({ occupiedMin: 500 }))).toMatchObject({
      occupancyFen: 3000n,
      steps: [{ kind: 'occupancyCap', cutFen: 21_250n }],
    })
  })

  it('charge nothing for 4 minutes of which 5 are free', () => {
    const free = { ...rules, freeMinutes: 5, minFeeFen: 100 }
    expect(parts(free, { durationS: 240, energyDwh: 500 }).totalFen).toBe(0n)
    expect(parts(free, { durationS: 300, energyDwh: 500 }).totalFen).toBe(0n)
    expect(parts(free, { durationS: 301, energyDwh: 500 }).totalFen).toBe(100n)
  })

  it('raise the service fee to the minimum, but not when nothing was charged', () => {
    const least = { ...rules, minFeeFen: 200 }
    expect(parts(least, { energyDwh: 13_456 })).toMatchObject({ electricityFen: 83n, serviceFen: 117n })
    expect(parts(least, { durationS: 0, energyDwh: 0 }).totalFen).toBe(0n)
  })

  it('bill a package without refund in full, and only that', () => {
    const withoutRefund = { ...rules, refundUnused: false }
    expect(parts(withoutRefund, { energyDwh: 13_456 }, { heldFen: 300n }).totalFen).toBe(137n)
    const terms = { heldFen: 300n, boughtFen: 300n }
    expect(parts(withoutRefund, { energyDwh: 13_456 }, terms)).toMatchObject({ electricityFen: 83n, serviceFen: 217n })
    expect(parts(rules, { energyDwh: 13_456 }, terms).totalFen).toBe(137n)
  })

  it('cap the bill at the reserved money; occupancy is cut first, electricity last', () => {
    const occupied = { ...rules, occupancy: { freeMinutes: 0, priceE5: 10_000, capFen: 3000 } }
    const used = { energyDwh: 13_456, occupiedMin: 2 }
    expect(parts(occupied, used, { heldFen: 140n })).toMatchObject({ serviceFen: 54n, occupancyFen: 3n })
    expect(parts(occupied, used, { heldFen: 100n })).toMatchObject({ electricityFen: 83n, serviceFen: 17n })
    expect(parts(occupied, used, { heldFen: 50n })).toMatchObject({ electricityFen: 50n, serviceFen: 0n })
    expect(parts(occupied, used, { heldFen: -5n }).totalFen).toBe(0n)
    expect(price(occupied, usage(used), { heldFen: 100n })).toMatchObject({ totalFen: 100n, cappedByFen: 57n })
  })

  it.each([
    ['negative energy', { energyDwh: -1 }],
    ['a fraction of energy', { energyDwh: 0.5 }],
    ['no number', { energyDwh: Number.NaN }],
    ['an end before the start', { endMs: 0 }],
    ['negative time', { durationS: -1 }],
    ['a negative segment', { segmentEnergyDwh: [-1] }],
    ['segments of other rules', { segmentEnergyDwh: [1, 2] }],
    ['more than any charger gives', { energyDwh: 100_000_001 }],
  ])('refuse %s', (_, used) => {
    expect(() => price(rules, usage(used))).toThrow(RangeError)
  })
})
