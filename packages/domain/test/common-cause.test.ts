import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Cause, commonCauses, type Failing, type Fleet } from '../src/common-cause.ts'

const dimensions = ['site', 'carrier', 'gateway', 'firmware', 'type', 'batch'] as const
type Dimension = (typeof dimensions)[number]

function fleetOf(devices: readonly Failing[]): Fleet {
  const counts = new Map(
    dimensions.map((dimension) => {
      const values = new Map<string, number>()
      for (const { traits } of devices) {
        const value = traits[dimension]
        if (value) values.set(value, (values.get(value) ?? 0) + 1)
      }
      return [dimension, values] as const
    }),
  )
  return { total: devices.length, counts }
}

/** A small seeded random generator, with the same result on every machine. */
function dice(seed: number) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const upTo = (most: number) => Math.floor(next() * most)
  return { next, upTo, between: (least: number, most: number) => least + upTo(most - least + 1) }
}

/**
 * A realistic fleet: sites of very different sizes, each with few models, mostly one carrier and one or two days of
 * installation. Dimensions correlate, so the true cause is not obvious.
 */
function makeFleet({ next, upTo, between }: ReturnType<typeof dice>): Failing[] {
  const sites = between(10, 60)
  const firmwares = between(2, 6)
  const devices: Failing[] = []
  for (let site = 0; site < sites; site++) {
    const carrier = `c${upTo(3)}`
    const type = `t${upTo(5)}`
    const day = `d${upTo(30)}`
    for (let n = between(3, 40); n > 0; n--)
      devices.push({
        id: `${site}-${n}`,
        traits: {
          site: `s${site}`,
          carrier: next() < 0.8 ? carrier : `c${upTo(3)}`,
          type: next() < 0.85 ? type : `t${upTo(5)}`,
          firmware: `f${upTo(firmwares)}`,
          batch: next() < 0.8 ? day : `d${upTo(30)}`,
          gateway: `g${upTo(3)}`,
        },
      })
  }
  return devices
}

type Scenario = { fleet: Failing[]; failing: Failing[]; cause: { dimension: Dimension; value: string } }
function makeScenario(seed: number): Scenario {
  const chance = dice(seed)
  const fleet = makeFleet(chance)
  const dimension = dimensions[seed % dimensions.length] ?? 'site'
  const values = [...(fleetOf(fleet).counts.get(dimension) ?? [])].filter(([, devices]) => devices >= 6)
  const [value] = values[chance.upTo(values.length)] ?? ['']
  // Not every affected device fails, and some devices fail for other reasons.
  const rate = 0.6 + chance.next() * 0.4
  const noise = chance.next() * 0.03
  const failing = fleet.filter(({ traits }) => chance.next() < (traits[dimension] === value ? rate : noise))
  return { fleet, failing, cause: { dimension, value } }
}

const explain = (failing: readonly Failing[], devices: readonly Failing[]): Cause[] =>
  commonCauses(failing, fleetOf(devices), dimensions)

describe('fifty seeded outages', () => {
  it('are explained by their true cause first, in at least forty-five cases', () => {
    const wrong: string[] = []
    for (let seed = 1; seed <= 50; seed++) {
      const { fleet, failing, cause } = makeScenario(seed)
      const [first] = explain(failing, fleet)
      if (first?.dimension !== cause.dimension || first.value !== cause.value)
        wrong.push(`${seed}: ${cause.dimension} ${cause.value}, took ${first?.dimension} ${first?.value}`)
    }
    console.log(`common cause: ${50 - wrong.length} of 50 right${wrong.map((line) => `\n  ${line}`).join('')}`)
    expect(50 - wrong.length).toBeGreaterThanOrEqual(45)
  })
})

describe('three hundred devices of one carrier that go offline', () => {
  const carriers = ['mobile', 'unicom', 'telecom']
  const fleet = Array.from({ length: 900 }, (_, n): Failing => ({
    id: String(n),
    traits: {
      site: `s${Math.floor(n / 9)}`,
      carrier: carriers[n % 3] ?? null,
      gateway: `g${n % 2}`,
      firmware: `f${n % 5}`,
      type: `t${n % 4}`,
      batch: null,
    },
  }))
  const dark = fleet.filter(({ traits }) => traits['carrier'] === 'mobile')
  const others = fleet.filter(({ traits }) => traits['carrier'] !== 'mobile').filter((_, n) => n % 31 === 0)

  it('form one incident with the carrier as cause, separate from twenty other failures', () => {
    expect(others).toHaveLength(20)
    const causes = explain([...dark, ...others], fleet)
    expect(causes.map(({ dimension, value, ids }) => [dimension, value, ids.length])).toEqual([
      ['carrier', 'mobile', 300],
    ])
  })

  it('are separated from a site that loses its power at the same time', () => {
    const [site] = others
    const powerless = fleet.filter(({ traits }) => traits['site'] === site?.traits['site'])
    const failing = [...new Set([...dark, ...powerless])]
    const causes = explain(failing, fleet)
    expect(causes.map(({ dimension }) => dimension).toSorted()).toEqual(['carrier', 'site'])
  })
})

describe('causes', () => {
  const device: fc.Arbitrary<Failing> = fc.record({
    id: fc.uuid(),
    traits: fc.record({
      site: fc.option(fc.constantFrom('a', 'b', 'c', 'd')),
      carrier: fc.option(fc.constantFrom('x', 'y')),
      gateway: fc.constantFrom('1', '2'),
      firmware: fc.option(fc.constantFrom('v1', 'v2', 'v3')),
      type: fc.constantFrom('t1', 't2'),
      batch: fc.constant(null),
    }),
  })
  const scenario = fc
    .uniqueArray(device, { selector: ({ id }) => id, maxLength: 60 })
    .chain((fleet) => fc.record({ fleet: fc.constant(fleet), failing: fc.subarray(fleet) }))

  it('explain each device at most once, only devices with their value, and never fewer than three', () => {
    fc.assert(
      fc.property(scenario, ({ fleet, failing }) => {
        const causes = explain(failing, fleet)
        const ids = causes.flatMap((cause) => cause.ids)
        expect(new Set(ids).size).toBe(ids.length)
        for (const { dimension, value, ids: own, fleet: all } of causes) {
          expect(own.length).toBeGreaterThanOrEqual(3)
          expect(all).toBeGreaterThanOrEqual(own.length)
          for (const id of own) expect(failing.find((one) => one.id === id)?.traits[dimension]).toBe(value)
        }
      }),
    )
  })

  it('do not depend on the order of the devices', () => {
    fc.assert(
      fc.property(scenario, ({ fleet, failing }) => {
        const named = (causes: Cause[]) => causes.map(({ score, ids }) => [score.toFixed(6), ids.length])
        expect(named(explain(failing.toReversed(), fleet))).toEqual(named(explain(failing, fleet)))
      }),
    )
  })

  it('are empty when all devices fail, or none', () => {
    fc.assert(
      fc.property(scenario, ({ fleet }) => {
        expect(explain([], fleet)).toEqual([])
        expect(explain(fleet, fleet)).toEqual([])
      }),
    )
  })
})
