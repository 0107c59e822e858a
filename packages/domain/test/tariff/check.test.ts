import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkRules } from '../../src/tariff/check.ts'
import { meetsPriceLaw } from '../../src/tariff/law.ts'
import { protocolLimits, type TariffProtocol } from '../../src/tariff/protocol-limits.ts'
import type { Preset, Segment, TariffRules } from '../../src/tariff/rules.ts'
import { anyRules, day, energyRules, peakFlatValley, segmentsOn, twoBands, twoYuan } from './samples.ts'

const problemsOf = (rules: TariffRules) => checkRules(rules).map(({ code, path }) => `${code} ${path}`)
const texts = (rules: TariffRules) => checkRules(rules).map(({ text }) => text)

describe('the check of rules', () => {
  it('accepts all valid rules', () => {
    fc.assert(
      fc.property(anyRules, (rules) => {
        expect(problemsOf(rules)).toEqual([])
      }),
    )
  })

  it('[valid.segments] accepts exactly the segments that cover the day in order', () => {
    const edge = fc.constantFrom(0, 360, 720, 1080, 1440)
    const loose = fc.array(fc.tuple(edge, edge), { minLength: 0, maxLength: 4 })
    fc.assert(
      fc.property(loose, (spans) => {
        const segments = spans.map(([fromMin, toMin]): Segment => ({ ...day(1, 1)[0]!, fromMin, toMin }))
        const covers = [0, 360, 720, 1080].map((from) => spans.filter(([a, b]) => a <= from && from < b).length)
        const sorted = spans.every(([a, b], at) => a < b && (spans[at - 1]?.[1] ?? 0) <= a)
        const good = sorted && covers.every((count) => count === 1)
        expect(checkRules(energyRules(segments)).length === 0).toBe(good)
      }),
      { numRuns: 2000 },
    )
  })

  it('[valid.segments] refuses a day when one edge is moved by a minute or more on one side only', () => {
    const moved = fc.integer({ min: -1440, max: 1440 }).filter((by) => by !== 0)
    fc.assert(
      fc.property(segmentsOn(1), fc.nat(), fc.constantFrom('fromMin', 'toMin'), moved, (segments, which, edge, by) => {
        const at = which % segments.length
        const other = segments.map((one, place) => (place === at ? { ...one, [edge]: one[edge] + by } : one))
        expect(checkRules(energyRules(segments))).toEqual([])
        expect(checkRules(energyRules(other))).not.toEqual([])
      }),
    )
    const [first, second] = [0, 720].map((fromMin): Segment => ({ ...day(1, 1)[0]!, fromMin, toMin: fromMin + 720 }))
    expect(problemsOf(energyRules([{ ...first!, toMin: 721 }, second!]))).toEqual(['overlap segments.1.fromMin'])
  })

  it('[valid.segments] accepts 12 segments and no more', () => {
    const of = (count: number) =>
      energyRules(
        Array.from({ length: count }, (_, at): Segment => {
          const toMin = at === count - 1 ? 1440 : (at + 1) * 60
          return { ...day(60_000, 40_000)[0]!, fromMin: at * 60, toMin }
        }),
      )
    expect(checkRules(of(12))).toEqual([])
    expect(checkRules(of(13))).toEqual([{ code: 'count', path: 'segments', text: '最多可设置12个时段' }])
  })

  it('reports problems of segments with the texts of the specification', () => {
    const [first, second] = day(1, 1).flatMap((one) => [
      { ...one, toMin: 700 },
      { ...one, fromMin: 720 },
    ]) as [Segment, Segment]
    expect(texts(energyRules([first, second]))).toEqual(['时段必须覆盖全天24小时'])
    expect(texts(energyRules([{ ...first, toMin: 740 }, second]))).toEqual(['时段不能重叠'])
    expect(texts(energyRules([]))).toEqual(['时段必须覆盖全天24小时'])
  })

  const segment = day(1, 1)[0]!
  const preset = (by: Preset['by'], value: number): Preset => ({ by, value })
  it.each<[string, TariffRules, string[]]>([
    ['a negative fee', { ...twoYuan, minFeeFen: -1 }, ['range minFeeFen']],
    ['half a fen', { ...twoYuan, startFeeFen: 0.5 }, ['range startFeeFen']],
    ['yuan typed as fen', { ...twoYuan, minFeeFen: 1_000_001 }, ['range minFeeFen']],
    ['no number', { ...twoYuan, maxMinutes: Number.NaN }, ['range maxMinutes']],
    ['all of it free', { ...twoYuan, freeMinutes: 30, maxMinutes: 30 }, ['tooLong freeMinutes']],
    ['no flag', { ...twoYuan, fullStop: 1 as unknown as boolean }, ['kind fullStop']],
    ['no billing', { ...twoYuan, billingType: 3 } as unknown as TariffRules, ['kind billingType']],
    ['no cap', { ...twoYuan, occupancy: { freeMinutes: 15, priceE5: 1, capFen: 0 } }, ['range occupancy.capFen']],
    [
      'a preset twice',
      { ...twoYuan, presets: [preset('minutes', 60), preset('minutes', 60)] },
      ['twice presets.1.value'],
    ],
    ['a preset too long', { ...twoYuan, presets: [preset('minutes', 601)] }, ['range presets.0.value']],
    ['a preset of no energy', { ...twoYuan, presets: [preset('energy', 0)] }, ['range presets.0.value']],
    [
      'a preset that cannot start',
      { ...twoYuan, startFeeFen: 200, presets: [preset('money', 100)] },
      ['tooSmall presets.0.value'],
    ],
    ['a dear kWh', energyRules([{ ...segment, electricityE5: 10_000_001 }]), ['range segments.0.electricityE5']],
    ['a price below nothing', energyRules([{ ...segment, serviceE5: -1 }]), ['range segments.0.serviceE5']],
    ['no period', energyRules([{ ...segment, period: 'toString' as 'flat' }]), ['kind segments.0.period']],
    ['no tier', { ...twoYuan, tiers: [] }, ['count tiers']],
    ['an end of the last tier', { ...twoYuan, tiers: [{ uptoMin: 60, priceFen: 1 }] }, ['order tiers.0.uptoMin']],
    [
      'tiers that fall',
      { ...twoYuan, tiers: [60, 60, null].map((uptoMin) => ({ uptoMin, priceFen: 1 })) },
      ['order tiers.1.uptoMin'],
    ],
    [
      'a tier within a step',
      { ...twoYuan, stepMinutes: 30, tiers: [45, null].map((uptoMin) => ({ uptoMin, priceFen: 1 })) },
      ['step tiers.0.uptoMin'],
    ],
    ['a step of nothing', { ...twoYuan, stepMinutes: 0 }, ['range stepMinutes']],
    ['a unit of nothing', { ...twoYuan, unitMinutes: 0 }, ['range unitMinutes']],
    ['no band', { ...twoBands, bands: [] }, ['count bands']],
    ['bands that fall', { ...twoBands, bands: twoBands.bands.toReversed() }, ['order bands.1.maxWatt']],
    ['no mode', { ...twoBands, mode: 'mean' as 'peak' }, ['kind mode']],
  ])('refuses %s', (_, rules, problems) => {
    expect(problemsOf(rules)).toEqual(problems)
  })
})

describe('the limits of a protocol', () => {
  const limits = (rules: TariffRules, protocol: TariffProtocol) =>
    protocolLimits(rules, protocol).map(({ code, path }) => `${code} ${path}`)
  const cut = (edges: number[]) =>
    energyRules([...edges, 1440].map((toMin, at) => ({ ...day(at, 1)[0]!, fromMin: edges[at - 1] ?? 0, toMin })))

  it('allow four prices on half hours for YKC', () => {
    expect(limits(peakFlatValley, 'ykc')).toEqual([])
    expect(limits(cut([30, 60, 90]), 'ykc')).toEqual([])
    expect(limits(cut([30, 60, 90, 120]), 'ykc')).toEqual(['prices segments'])
    expect(protocolLimits(cut([45]), 'ykc')).toEqual([
      { code: 'halfHour', path: 'segments.0.toMin', text: '时段须以整点或半点为界' },
      { code: 'halfHour', path: 'segments.1.fromMin', text: '时段须以整点或半点为界' },
    ])
    expect(limits(cut([45, 90, 120, 200, 300]), 'ocpp16')).toEqual([])
  })

  it('allow only energy and money for YKC', () => {
    expect(limits(twoYuan, 'ykc')).toEqual(['billing billingType'])
    expect(limits(twoBands, 'ykc')).toEqual(['billing billingType'])
    const presets: Preset[] = [
      { by: 'money', value: 100 },
      { by: 'minutes', value: 60 },
    ]
    expect(limits({ ...peakFlatValley, presets }, 'ykc')).toEqual(['range presets.1'])
  })

  it('allow two bytes of seconds or of 0.01 kWh for DNY', () => {
    expect(limits({ ...twoYuan, maxMinutes: 1092 }, 'dny')).toEqual([])
    const presets: Preset[] = [1092, 1093].map((value) => ({ by: 'minutes', value }))
    expect(limits({ ...twoYuan, maxMinutes: 1093, presets }, 'dny')).toEqual(['range maxMinutes', 'range presets.1'])
    const energies: Preset[] = [100, 150, 6_553_500, 6_553_600].map((value) => ({ by: 'energy', value }))
    expect(limits({ ...twoYuan, presets: energies }, 'dny')).toEqual(['range presets.1', 'range presets.3'])
    expect(limits({ ...twoYuan, maxMinutes: 9000 }, 'mqttJson')).toEqual([])
  })
})

describe('meetsPriceLaw', () => {
  it('is true when electricity and service are separate', () => {
    for (const rules of [peakFlatValley, twoYuan, twoBands])
      expect(meetsPriceLaw(rules)).toEqual({ holds: true, reasons: [] })
  })

  it('is false when another price includes electricity, and names the place', () => {
    const paths = (rules: TariffRules) => meetsPriceLaw(rules).reasons.map(({ path }) => path)
    expect(paths(energyRules(day(0, 150_000)))).toEqual(['segments.0.electricityE5'])
    expect(paths({ ...twoYuan, electricityE5: 0 })).toEqual(['electricityE5'])
    expect(paths({ ...twoBands, electricityE5: 0 })).toEqual(['electricityE5'])
    expect(meetsPriceLaw({ ...twoYuan, electricityE5: 0 }).holds).toBe(false)
  })

  it('is true for a price of zero', () => {
    expect(meetsPriceLaw(energyRules(day(0, 0))).holds).toBe(true)
    expect(meetsPriceLaw({ ...twoYuan, electricityE5: 0, tiers: [{ uptoMin: null, priceFen: 0 }] }).holds).toBe(true)
  })
})
