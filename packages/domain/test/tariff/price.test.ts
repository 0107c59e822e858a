import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Bill } from '../../src/tariff/bill.ts'
import { checkRules } from '../../src/tariff/check.ts'
import { type Assumption, assumedUsage, estimate, whatIf } from '../../src/tariff/estimate.ts'
import { price } from '../../src/tariff/price.ts'
import { minReservationFen, type EnergyRules, ruleLimits, type TariffRules } from '../../src/tariff/rules.ts'
import { splitEnergy } from '../../src/tariff/split.ts'
import { type Usage, usageLimits } from '../../src/tariff/usage.ts'
import {
  anyEnergyRules,
  anyPowerRules,
  anyRules,
  anyTimeRules,
  anyUsage,
  common,
  day,
  energyRules,
  peakFlatValley,
  twoYuan,
} from './samples.ts'

const reserve = fc.option(fc.bigInt({ min: 0n, max: 20_000n }), { nil: undefined })
const partsOf = ({ electricityFen, serviceFen, occupancyFen, totalFen }: Bill) => ({
  electricityFen,
  serviceFen,
  occupancyFen,
  totalFen,
})

describe('for any rules and any charge', () => {
  it('the parts are not negative and add up to a total within the reserved money', () => {
    fc.assert(
      fc.property(
        anyRules,
        anyUsage,
        reserve,
        fc.bigInt({ min: 0n, max: 3000n }),
        (rules, usage, heldFen, boughtFen) => {
          const bill = price(rules, usage, { heldFen, boughtFen })
          expect(bill.electricityFen + bill.serviceFen + bill.occupancyFen).toBe(bill.totalFen)
          for (const part of Object.values(partsOf(bill))) expect(part).toBeGreaterThanOrEqual(0n)
          if (heldFen !== undefined) expect(bill.totalFen).toBeLessThanOrEqual(heldFen)
          expect(bill.totalFen + bill.cappedByFen).toBe(price(rules, usage, { boughtFen }).totalFen)
        },
      ),
    )
  })

  it('a charge that is not free costs at least the minimum', () => {
    fc.assert(
      fc.property(anyRules, anyUsage, (rules, usage) => {
        const { totalFen, steps } = price(rules, usage)
        const isDue = (usage.durationS > 0 || usage.energyDwh > 0) && !steps.some(({ kind }) => kind === 'free')
        expect(totalFen).toBeGreaterThanOrEqual(isDue ? BigInt(rules.minFeeFen) : 0n)
      }),
    )
  })

  it('the same rules read from JSON give the same bill', () => {
    fc.assert(
      fc.property(anyRules, anyUsage, reserve, (rules, usage, heldFen) => {
        const stored = JSON.parse(JSON.stringify(rules)) as TariffRules
        expect(stored).toEqual(rules)
        expect(price(stored, usage, { heldFen })).toEqual(price(rules, usage, { heldFen }))
      }),
    )
  })

  it('neither rules nor usage are mutated', () => {
    const freeze = <T extends object>(value: T): T => {
      for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) freeze(inner as object)
      return Object.freeze(value)
    }
    fc.assert(
      fc.property(anyRules, anyUsage, (rules, usage) => {
        expect(() =>
          price(freeze(structuredClone(rules)), freeze(structuredClone(usage)), { heldFen: 100n }),
        ).not.toThrow()
      }),
    )
  })
})

const noCommon = <T extends TariffRules>(rules: T): T => ({ ...rules, ...common })

describe('additional usage', () => {
  it('never costs less: energy, at a price by energy', () => {
    fc.assert(
      fc.property(anyEnergyRules, anyUsage, fc.integer({ min: 1, max: 50_000 }), (rules, usage, more) => {
        const dearer = price(rules, { ...usage, energyDwh: usage.energyDwh + more })
        const { electricityFen, totalFen } = price(rules, usage)
        expect(dearer.electricityFen).toBeGreaterThanOrEqual(electricityFen)
        expect(dearer.totalFen).toBeGreaterThanOrEqual(totalFen)
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    ['by time', anyTimeRules],
    ['by power', anyPowerRules.map((rules) => ({ ...rules, mode: 'peak' as const }))],
  ])('never costs less: time, at a price %s', (_, anyOfThem) => {
    fc.assert(
      fc.property(anyOfThem, anyUsage, fc.integer({ min: 1, max: 50_000 }), (rules, usage, moreS) => {
        const withPeak = { ...usage, peakPowerDw: usage.peakPowerDw ?? 2000 }
        const { durationS, endMs } = withPeak
        const longer = { ...withPeak, durationS: durationS + moreS, endMs: endMs + moreS * 1000 }
        expect(price(rules, longer).totalFen).toBeGreaterThanOrEqual(price(rules, withPeak).totalFen)
      }),
    )
  })

  it('never changes the total: energy, at a price by time', () => {
    fc.assert(
      fc.property(anyTimeRules, anyUsage, fc.integer({ min: 1, max: 50_000 }), (rules, usage, more) => {
        const other = price(rules, { ...usage, energyDwh: usage.energyDwh + more })
        expect(other.totalFen).toBe(price(rules, usage).totalFen)
      }),
    )
  })
})

/** Cuts a usage in two at an instant, with a reading there. */
function cutAt(rules: EnergyRules, usage: Usage, atMs: number): [Usage, Usage] {
  const wholeS = (atMs - usage.startMs) / 1000
  const before = rules.segments.map(() => 0)
  const energies = splitEnergy(rules.segments, usage)
  const minute = (atMs / 60_000 + 480) % 1440 || 1440
  for (const [at, { toMin }] of rules.segments.entries()) if (toMin <= minute) before[at] = energies[at] ?? 0
  const after = energies.map((energy, at) => energy - (before[at] ?? 0))
  const sum = (parts: number[]) => parts.reduce((all, part) => all + part, 0)
  return [
    { startMs: usage.startMs, endMs: atMs, durationS: wholeS, energyDwh: sum(before), segmentEnergyDwh: before },
    {
      startMs: atMs,
      endMs: usage.endMs,
      durationS: usage.durationS - wholeS,
      energyDwh: sum(after),
      segmentEnergyDwh: after,
    },
  ]
}

describe('a charge cut in two at the edge of a segment', () => {
  // round(a) + round(b) and round(a + b) differ by at most one.
  it('costs at most a fen more or less for electricity, and as much for service', () => {
    const within = fc.record({ fromMin: fc.integer({ min: 0, max: 1439 }), minutes: fc.integer({ min: 1, max: 1440 }) })
    fc.assert(
      fc.property(
        anyEnergyRules.map(noCommon),
        within,
        fc.nat(1_000_000),
        fc.nat(11),
        (rules, span, energyDwh, which) => {
          const midnight = Date.parse('2026-03-01T00:00:00+08:00')
          const toMin = Math.min(1440, span.fromMin + span.minutes)
          const startMs = midnight + span.fromMin * 60_000
          const usage = { startMs, endMs: midnight + toMin * 60_000, durationS: (toMin - span.fromMin) * 60, energyDwh }
          const edges = rules.segments
            .map((segment) => segment.toMin)
            .filter((edge) => edge > span.fromMin && edge < toMin)
          const edge = edges[which % Math.max(1, edges.length)]
          fc.pre(edge !== undefined)
          const whole = price(rules, usage)
          const [first, second] = cutAt(rules, usage, midnight + edge * 60_000).map((part) => price(rules, part))
          for (const part of ['electricityFen', 'serviceFen'] as const) {
            const difference = (first?.[part] ?? 0n) + (second?.[part] ?? 0n) - whole[part]
            expect(difference).toBeGreaterThanOrEqual(-1n)
            expect(difference).toBeLessThanOrEqual(1n)
          }
        },
      ),
      { numRuns: 500 },
    )
  })
})

describe('an estimate', () => {
  it('equals the bill of a charge that matches the assumption, for any number of readings', () => {
    const assumption: fc.Arbitrary<Assumption> = fc.record({
      startMs: fc
        .integer({ min: Date.UTC(2026, 0, 1) / 60_000, max: Date.UTC(2027, 0, 1) / 60_000 })
        .map((m) => m * 60_000),
      minutes: fc.integer({ min: 1, max: 1440 }),
      powerW: fc.integer({ min: 1, max: 2000 }).map((sixth) => sixth * 6),
    })
    fc.assert(
      fc.property(anyRules, assumption, (rules, assumed) => {
        const { startMs, minutes, powerW } = assumed
        const samples = Array.from({ length: minutes - 1 }, (_, at) => ({
          atMs: startMs + (at + 1) * 60_000,
          energyDwh: (powerW / 6) * (at + 1),
          powerDw: powerW * 10,
        }))
        expect(price(rules, { ...assumedUsage(assumed), samples })).toEqual(estimate(rules, assumed))
      }),
    )
  })

  it('needs at most the minimum reservation when only the minimum is due', () => {
    const rules = { ...energyRules(day(62_000, 40_000)), minFeeFen: 200, startFeeFen: 100 }
    expect(minReservationFen(rules)).toBe(200)
    expect(minReservationFen({ ...rules, startFeeFen: 300 })).toBe(300)
    expect(estimate(rules, { startMs: 0, minutes: 10, powerW: 200 }).totalFen).toBe(200n)
  })
})

describe('the highest possible bill', () => {
  it('[valid.order-amount-max] stays below the largest order amount', () => {
    const top = { minFeeFen: ruleLimits.amountFen, freeMinutes: 0, presets: [] }
    const occupancy = { freeMinutes: 0, priceE5: ruleLimits.priceE5, capFen: ruleLimits.amountFen }
    const segments = day(ruleLimits.priceE5, ruleLimits.priceE5)
    const energy: TariffRules = { ...peakFlatValley, ...top, occupancy, segments }
    const tiers = [{ uptoMin: null, priceFen: ruleLimits.tierPriceFen }]
    const time: TariffRules = { ...twoYuan, ...top, occupancy, unitMinutes: 1, tiers }
    const usage = {
      startMs: 0,
      endMs: usageLimits.durationS * 1000,
      durationS: usageLimits.durationS,
      energyDwh: usageLimits.energyDwh,
      occupiedMin: usageLimits.occupiedMin,
    }
    for (const rules of [energy, time]) {
      expect(checkRules(rules)).toEqual([])
      expect(price(rules, usage).totalFen).toBeLessThanOrEqual(999_999_999n)
      expect(price(rules, usage).totalFen).toBeGreaterThan(100_000_000n)
    }
  })
})

describe('whatIf', () => {
  const raised = { ...peakFlatValley, segments: peakFlatValley.segments.map((one) => ({ ...one, serviceE5: 60_000 })) }

  it('adds up the difference of each part over all charges', () => {
    fc.assert(
      fc.property(anyRules, anyRules, fc.array(anyUsage, { maxLength: 5 }), (before, after, usages) => {
        const result = whatIf(before, after, usages)
        const sum = (rules: TariffRules) => usages.reduce((all, usage) => all + price(rules, usage).totalFen, 0n)
        expect(result.count).toBe(usages.length)
        expect(result.difference.totalFen).toBe(sum(after) - sum(before))
        const { electricityFen, serviceFen, occupancyFen, totalFen } = result.difference
        expect(electricityFen + serviceFen + occupancyFen).toBe(totalFen)
      }),
    )
  })

  it('keeps the counts of devices when only prices differ, and splits anew when segments differ', () => {
    const startMs = Date.parse('2026-03-01T10:00:00+08:00')
    const segmentEnergyDwh = [0, 0, 10_000, 0]
    const usage = { startMs, endMs: startMs + 3_600_000, durationS: 3600, energyDwh: 10_000, segmentEnergyDwh }
    const sameEdges = whatIf(peakFlatValley, raised, [usage])
    expect(sameEdges).toMatchObject({ before: { totalFen: 115n }, after: { totalFen: 130n }, dearer: 1, cheaper: 0 })
    const otherEdges = whatIf(peakFlatValley, energyRules(day(50_000, 50_000)), [usage])
    expect(otherEdges).toMatchObject({ before: { totalFen: 155n }, after: { totalFen: 100n }, dearer: 0, cheaper: 1 })
  })
})
