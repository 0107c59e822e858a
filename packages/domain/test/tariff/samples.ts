import fc from 'fast-check'
import {
  type EnergyRules,
  type Period,
  type PowerRules,
  type Preset,
  ruleLimits,
  type Segment,
  type TariffRules,
  type TimeRules,
} from '../../src/tariff/rules.ts'
import type { Usage } from '../../src/tariff/usage.ts'

export const common = {
  minFeeFen: 0,
  startFeeFen: 0,
  freeMinutes: 0,
  maxMinutes: 600,
  fullStop: true,
  refundUnused: true,
  occupancy: null,
  presets: [] as Preset[],
}
/** One price for the whole day. */
export const day = (electricityE5: number, serviceE5: number): Segment[] => [
  { fromMin: 0, toMin: 1440, period: 'flat', electricityE5, serviceE5 },
]
export const energyRules = (segments: Segment[]): EnergyRules => ({ ...common, billingType: 0, segments })

export const peakFlatValley: EnergyRules = energyRules([
  { fromMin: 0, toMin: 480, period: 'valley', electricityE5: 35_000, serviceE5: 40_000 },
  { fromMin: 480, toMin: 1320, period: 'peak', electricityE5: 105_000, serviceE5: 50_000 },
  { fromMin: 1320, toMin: 1380, period: 'flat', electricityE5: 70_000, serviceE5: 45_000 },
  { fromMin: 1380, toMin: 1440, period: 'valley', electricityE5: 35_000, serviceE5: 40_000 },
])
export const twoYuan: TimeRules = {
  ...common,
  billingType: 1,
  unitMinutes: 480,
  stepMinutes: 1,
  tiers: [{ uptoMin: null, priceFen: 200 }],
  electricityE5: 60_000,
}
export const twoBands: PowerRules = {
  ...common,
  billingType: 2,
  bands: [
    { maxWatt: 200, priceE5: 25_000 },
    { maxWatt: 300, priceE5: 30_000 },
  ],
  mode: 'peak',
  electricityE5: 60_000,
}

const int = (min: number, max: number) => fc.integer({ min, max })
/** Mostly realistic prices, sometimes the highest that the rules allow. */
const priceE5 = fc.oneof(
  { weight: 4, arbitrary: int(0, 200_000) },
  { weight: 1, arbitrary: int(0, ruleLimits.priceE5) },
)
const fen = int(0, 1000)

const anyCommon = fc.record({
  minFeeFen: fen,
  startFeeFen: fen,
  freeMinutes: int(0, 10),
  maxMinutes: int(60, 720),
  fullStop: fc.boolean(),
  refundUnused: fc.boolean(),
  occupancy: fc.option(fc.record({ freeMinutes: int(0, 30), priceE5, capFen: int(1, 5000) })),
  presets: fc.constantFrom<Preset[]>([], [{ by: 'minutes', value: 60 }], [{ by: 'money', value: 1000 }]),
})
const period = fc.constantFrom<Period[]>('sharp', 'peak', 'flat', 'valley', 'deepValley')
const pair = fc.record({ period, electricityE5: priceE5, serviceE5: priceE5 })
/** Whole days, split at random edges of a grid of minutes. */
export const segmentsOn = (gridMin: number) =>
  fc
    .tuple(
      fc.uniqueArray(int(1, 1440 / gridMin - 1), { maxLength: 11 }),
      fc.array(pair, { minLength: 12, maxLength: 12 }),
    )
    .map(([cuts, pairs]) => {
      const edges = [0, ...cuts.map((cut) => cut * gridMin).toSorted((a, b) => a - b), 1440]
      return edges.slice(1).map((toMin, at): Segment => ({ fromMin: edges[at] ?? 0, toMin, ...pairs[at]! }))
    })

export const anyEnergyRules: fc.Arbitrary<EnergyRules> = fc
  .tuple(anyCommon, segmentsOn(1))
  .map(([rest, segments]) => ({ ...rest, billingType: 0, segments }))
export const anyTimeRules: fc.Arbitrary<TimeRules> = fc
  .tuple(
    anyCommon,
    fc.record({ unitMinutes: int(1, 600), stepMinutes: int(1, 60), electricityE5: priceE5 }),
    fc.uniqueArray(int(1, 20), { maxLength: 7 }),
    fc.array(int(0, ruleLimits.tierPriceFen), { minLength: 8, maxLength: 8 }),
  )
  .map(([rest, time, steps, prices]) => {
    const ends = [...steps.toSorted((a, b) => a - b).map((step) => step * time.stepMinutes), null]
    return {
      ...rest,
      ...time,
      billingType: 1,
      tiers: ends.map((uptoMin, at) => ({ uptoMin, priceFen: prices[at] ?? 0 })),
    }
  })
export const anyPowerRules: fc.Arbitrary<PowerRules> = fc
  .tuple(
    anyCommon,
    fc.record({ mode: fc.constantFrom<PowerRules['mode'][]>('peak', 'segmented'), electricityE5: priceE5 }),
    fc.uniqueArray(int(1, 2000), { minLength: 1, maxLength: 8 }),
    fc.array(priceE5, { minLength: 8, maxLength: 8 }),
  )
  .map(([rest, power, watts, prices]) => {
    const bands = watts.toSorted((a, b) => a - b).map((maxWatt, at) => ({ maxWatt, priceE5: prices[at] ?? 0 }))
    return { ...rest, ...power, billingType: 2, bands }
  })
export const anyRules: fc.Arbitrary<TariffRules> = fc.oneof(anyEnergyRules, anyTimeRules, anyPowerRules)

const startMs = int(Date.UTC(2026, 0, 1), Date.UTC(2028, 0, 1))
const sample = fc.record({
  part: int(0, 1000),
  energyDwh: int(0, 300_000),
  powerDw: fc.option(int(0, 25_000), { nil: undefined }),
})
/** Charges of up to three days, with some implausible readings. */
export const anyUsage: fc.Arbitrary<Usage> = fc
  .record({
    startMs,
    durationS: fc.oneof(int(0, 900), int(0, 3 * 86_400)),
    energyDwh: fc.oneof(int(0, 500), int(0, 1_000_000)),
    peakPowerDw: fc.option(int(0, 25_000), { nil: undefined }),
    occupiedMin: fc.option(int(0, 300), { nil: undefined }),
    readings: fc.array(sample, { maxLength: 8 }),
  })
  .map(({ readings, ...usage }) => ({
    ...usage,
    endMs: usage.startMs + usage.durationS * 1000,
    samples: readings
      .toSorted((a, b) => a.part - b.part)
      .map(({ part, energyDwh, powerDw }) => ({ atMs: usage.startMs + usage.durationS * part, energyDwh, powerDw })),
  }))
