import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { price } from '../../src/tariff/price.ts'
import type { TariffRules } from '../../src/tariff/rules.ts'
import { mayBeExhausted, isExhausted, safeUsage } from '../../src/tariff/running.ts'

const common = {
  minFeeFen: 100,
  startFeeFen: 100,
  freeMinutes: 0,
  maxMinutes: 600,
  fullStop: true,
  refundUnused: false,
  occupancy: null,
  presets: [],
}
const byEnergy: TariffRules = {
  ...common,
  billingType: 0,
  segments: [{ fromMin: 0, toMin: 1440, period: 'flat', electricityE5: 60_000, serviceE5: 40_000 }],
}
const byTime: TariffRules = {
  ...common,
  billingType: 1,
  unitMinutes: 60,
  stepMinutes: 60,
  tiers: [{ uptoMin: null, priceFen: 100 }],
  electricityE5: 50_000,
}
const startMs = Date.UTC(2026, 0, 1)
const used = (minutes: number, energyDwh: number) => ({
  startMs,
  endMs: startMs + minutes * 60_000,
  durationS: minutes * 60,
  energyDwh,
})

describe('the reserved money', () => {
  it('runs out with the fen that reaches it, and not by a minimum that is due at the end', () => {
    expect(isExhausted(byEnergy, used(5, 100), 100n)).toBe(false)
    expect(isExhausted(byEnergy, used(50, 9900), 100n)).toBe(false)
    expect(isExhausted(byEnergy, used(51, 10_000), 100n)).toBe(true)
  })
  it('lasts to the end of the paid hour, and not into the next', () => {
    expect(isExhausted(byTime, used(1, 10), 100n)).toBe(false)
    expect(isExhausted(byTime, used(60, 10), 100n)).toBe(false)
    expect(isExhausted(byTime, used(61, 10), 100n)).toBe(true)
  })
  it('has run out whenever a bill would be cut by more than a minimum', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 600 }),
        fc.integer({ min: 0, max: 50_000 }),
        fc.bigInt(1n, 900n),
        (minutes, energy, reservedFen) => {
          const usage = used(minutes, energy)
          const cut = price({ ...byEnergy, minFeeFen: 0 }, usage, { heldFen: reservedFen }).cappedByFen > 0n
          expect(cut && !isExhausted(byEnergy, usage, reservedFen)).toBe(false)
        },
      ),
    )
  })

  it('is never used up when the highest price excludes it', () => {
    const dayAndNight: TariffRules = {
      ...byEnergy,
      segments: [
        { fromMin: 0, toMin: 480, period: 'valley', electricityE5: 30_000, serviceE5: 20_000 },
        { fromMin: 480, toMin: 1440, period: 'peak', electricityE5: 90_000, serviceE5: 40_000 },
      ],
    }
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 600 }),
        fc.integer({ min: 0, max: 50_000 }),
        fc.bigInt(1n, 900n),
        (minutes, energy, reservedFen) => {
          const [now, ever] = [isExhausted, mayBeExhausted].map((ask) =>
            ask(dayAndNight, used(minutes, energy), reservedFen),
          )
          expect(now === true && ever === false).toBe(false)
        },
      ),
    )
  })
  it('cannot run out within the safe usage, and may run out just beyond', () => {
    const byPower: TariffRules = {
      ...common,
      billingType: 2,
      mode: 'peak',
      bands: [
        { maxWatt: 200, priceE5: 30_000 },
        { maxWatt: 1000, priceE5: 90_000 },
      ],
      electricityE5: 50_000,
    }
    const use = fc.record({
      rules: fc.constantFrom(
        byEnergy,
        byTime,
        byPower,
        { ...byEnergy, freeMinutes: 30 },
        { ...byTime, freeMinutes: 30 },
      ),
      held: fc.bigInt(1n, 900n),
      minutes: fc.integer({ min: 0, max: 600 }),
      energy: fc.integer({ min: 0, max: 100_000 }),
      peakPowerDw: fc.option(fc.integer({ min: 0, max: 20_000 }), { nil: undefined }),
    })
    fc.assert(
      fc.property(use, ({ rules, held: reservedFen, minutes, energy, peakPowerDw }) => {
        const safe = safeUsage(rules, reservedFen)
        const usage = { ...used(minutes, energy), peakPowerDw }
        const isWithin = energy <= safe.energyDwh && usage.durationS <= safe.durationS
        expect(isWithin && mayBeExhausted(rules, usage, reservedFen)).toBe(false)
      }),
    )
    expect(safeUsage(byEnergy, 100n).energyDwh).toBeGreaterThan(9_900)
    expect(mayBeExhausted(byEnergy, used(60, safeUsage(byEnergy, 100n).energyDwh + 1), 100n)).toBe(true)
    expect(safeUsage(byTime, 100n).durationS).toBe(3600)
  })
})
