import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bandOf, peakPower, shareOut, splitEnergy, splitSeconds, timeInSegments } from '../../src/tariff/split.ts'
import { anyPowerRules, anyUsage, peakFlatValley, segmentsOn, twoBands } from './samples.ts'

const sum = (parts: readonly number[]) => parts.reduce((all, part) => all + part, 0)
const weights = fc.array(fc.oneof(fc.nat(3), fc.nat(3_000_000_000)), { minLength: 1, maxLength: 12 })

describe('shareOut', () => {
  it('returns integer shares that add up, and zero for a weight of zero', () => {
    fc.assert(
      fc.property(fc.nat(100_000_000), weights, (total, by) => {
        const shares = shareOut(total, by)
        expect(sum(shares)).toBe(total)
        for (const [at, share] of shares.entries()) {
          expect(Number.isSafeInteger(share) && share >= 0).toBe(true)
          if (by[at] === 0 && sum(by) > 0) expect(share).toBe(0)
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('never reduces a share when the total grows', () => {
    fc.assert(
      fc.property(fc.nat(50), weights, (total, by) => {
        const [less, more] = [shareOut(total, by), shareOut(total + 1, by)]
        for (const [at, share] of less.entries()) expect(more[at]).toBeGreaterThanOrEqual(share)
      }),
      { numRuns: 2000 },
    )
  })

  it('is exact when the division is exact', () => {
    expect(shareOut(116_666, [20, 60, 20])).toEqual([23_333, 70_000, 23_333])
    expect(shareOut(3, [1, 1])).toEqual([2, 1])
    expect(shareOut(7, [0, 0])).toEqual([7, 0])
  })
})

describe('time in segments', () => {
  it('matches the clock in Shanghai, minute by minute', () => {
    const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Shanghai', hour: '2-digit', minute: '2-digit' })
    const minuteOf = (atMs: number) => {
      const [hour = 0, minute = 0] = clock.format(atMs).split(':').map(Number)
      return (hour % 24) * 60 + minute
    }
    const fromMin = fc.integer({ min: Date.UTC(2025, 0, 1) / 60_000, max: Date.UTC(2028, 0, 1) / 60_000 })
    fc.assert(
      fc.property(segmentsOn(1), fromMin, fc.nat(2000), (segments, from, minutes) => {
        const counted = segments.map(() => 0)
        for (let minute = from; minute < from + minutes; minute++) {
          const now = minuteOf(minute * 60_000)
          const at = segments.findIndex((segment) => segment.fromMin <= now && now < segment.toMin)
          counted[at] = (counted[at] ?? 0) + 60_000
        }
        expect(timeInSegments(segments, from * 60_000, (from + minutes) * 60_000)).toEqual(counted)
      }),
      { numRuns: 30 },
    )
  })

  it('accepts times before 1970', () => {
    expect(timeInSegments(peakFlatValley.segments, -86_400_000, 0)).toEqual([480, 840, 60, 60].map((m) => m * 60_000))
  })
})

describe('splitting energy', () => {
  it('keeps the sum for any readings', () => {
    fc.assert(
      fc.property(segmentsOn(1), anyUsage, (segments, usage) => {
        const parts = splitEnergy(segments, usage)
        expect(sum(parts)).toBe(usage.energyDwh)
        expect(Math.min(...parts)).toBeGreaterThanOrEqual(0)
      }),
      { numRuns: 500 },
    )
  })

  it('assigns energy only to segments with time', () => {
    fc.assert(
      fc.property(segmentsOn(1), anyUsage, (segments, usage) => {
        fc.pre(usage.durationS > 0)
        const times = timeInSegments(segments, usage.startMs, usage.endMs)
        const parts = splitEnergy(segments, usage)
        expect(parts.filter((part, at) => part > 0 && times[at] === 0)).toEqual([])
      }),
    )
  })

  it('ignores readings that decrease, lie outside or are not numbers', () => {
    const startMs = Date.parse('2026-03-01T21:00:00+08:00')
    const at = (minute: number, energyDwh: number) => ({ atMs: startMs + minute * 60_000, energyDwh })
    const usage = { startMs, endMs: startMs + 7_200_000, durationS: 7200, energyDwh: 10_000 }
    const odd = [
      at(-5, 9000),
      at(60, 4000),
      at(30, 9000),
      at(90, 100),
      at(100, Number.NaN),
      at(110, 4.5),
      at(500, 9999),
    ]
    expect(splitEnergy(peakFlatValley.segments, { ...usage, samples: odd })).toEqual([0, 4000, 6000, 0])
    expect(splitEnergy(peakFlatValley.segments, { ...usage, samples: [at(60, 99_999)] })).toEqual([0, 10_000, 0, 0])
  })

  it('assigns a charge of no duration to its instant', () => {
    const startMs = Date.parse('2026-03-01T22:30:00+08:00')
    const usage = { startMs, endMs: startMs, durationS: 0, energyDwh: 5 }
    expect(splitEnergy(peakFlatValley.segments, usage)).toEqual([0, 0, 5, 0])
  })
})

describe('splitting seconds over bands', () => {
  it('keeps the sum', () => {
    fc.assert(
      fc.property(anyPowerRules, anyUsage, ({ bands }, usage) => {
        expect(sum(splitSeconds(bands, usage))).toBe(usage.durationS)
      }),
    )
  })

  it('includes the last watt of a band', () => {
    expect([0, 2000, 2001, 3000, 99_999].map((powerDw) => bandOf(twoBands.bands, powerDw))).toEqual([0, 0, 1, 1, 1])
  })

  it('takes the peak from the device, else from samples, else the mean', () => {
    const usage = { startMs: 0, endMs: 3_600_000, durationS: 3600, energyDwh: 1500 }
    const samples = [{ atMs: 5, energyDwh: 0, powerDw: 2100 }]
    expect(peakPower({ ...usage, samples, peakPowerDw: 2500 })).toEqual({ powerDw: 2500, mean: false })
    expect(peakPower({ ...usage, samples })).toEqual({ powerDw: 2100, mean: false })
    expect(peakPower(usage)).toEqual({ powerDw: 1500, mean: true })
    expect(peakPower({ ...usage, durationS: 0 })).toEqual({ powerDw: 0, mean: true })
  })

  it('takes a band from samples only when they include the power', () => {
    const usage = { startMs: 0, endMs: 3_600_000, durationS: 3600, energyDwh: 1500 }
    const samples = [{ atMs: 1_800_000, energyDwh: 700 }]
    expect(splitSeconds(twoBands.bands, { ...usage, samples, peakPowerDw: 2500 })).toEqual([0, 3600])
  })
})
