import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lastPlausible } from '../src/plausible-sample.ts'

const startMs = Date.UTC(2026, 0, 1)
const at = (minute: number, energyDwh: number) => ({ atMs: startMs + minute * 60_000, energyDwh })

describe('the last plausible reading', () => {
  it('is the last reading of a normal charge', () => {
    expect(lastPlausible([at(1, 80), at(30, 2400), at(60, 4900)], startMs, 1000)).toEqual(at(60, 4900))
  })
  it('is the reading before the meter fell, jumped, or predated the charge', () => {
    expect(lastPlausible([at(30, 2400), at(31, 0), at(60, 2500)], startMs, 1000)).toEqual(at(30, 2400))
    expect(lastPlausible([at(30, 2400), at(31, 90_000)], startMs, 1000)).toEqual(at(30, 2400))
    expect(lastPlausible([at(-5, 0), at(30, 2400)], startMs, 1000)).toBeUndefined()
  })
  it('is undefined without readings', () => {
    expect(lastPlausible([], startMs, 1000)).toBeUndefined()
  })
  it('never exceeds the energy the port can deliver', () => {
    const reading = fc.record({
      minute: fc.integer({ min: -10, max: 1000 }),
      energy: fc.integer({ min: -100, max: 200_000 }),
    })
    fc.assert(
      fc.property(fc.array(reading, { maxLength: 30 }), fc.integer({ min: 1, max: 7000 }), (readings, ratedW) => {
        const sample = lastPlausible(
          readings.map(({ minute, energy }) => at(minute, energy)),
          startMs,
          ratedW,
        )
        if (sample === undefined) return
        const hours = (sample.atMs - startMs) / 3_600_000
        expect(sample.energyDwh).toBeGreaterThanOrEqual(0)
        expect(sample.energyDwh).toBeLessThanOrEqual(ratedW * hours * 10 * 1.1 + 501)
      }),
    )
  })
})
