import { describe, expect, it } from 'vitest'
import { arrivalsPerSecond, gapMs } from '../src/evening.ts'
import { chargeFault, noFaults, randomOf } from '../src/faults.ts'
import { count, endOf, newCharge, reportOf, settlementOf } from '../src/charge.ts'

const hourMs = 3_600_000

describe('arrivals', () => {
  const days = { perDay: 2400, startedMs: 0, speed: 60, fromHour: 17, toHour: 41 }
  it('reach the daily count at any speed, with most arrivals in the evening', () => {
    // At speed 60, a real minute is an hour of the schedule.
    const inHour = Array.from({ length: 24 }, (_, hour) => arrivalsPerSecond(days, (hour * hourMs) / 60 + 1) * 60)
    expect(inHour.reduce((sum, some) => sum + some, 0)).toBeCloseTo(2400)
    expect(inHour.indexOf(Math.max(...inHour))).toBe(2) // 19:00
    expect(arrivalsPerSecond(days, (24 * hourMs) / 60 + 1)).toBe(arrivalsPerSecond(days, 1))
  })

  it('form a Poisson process', () => {
    const random = randomOf(1)
    const gaps = Array.from({ length: 20_000 }, () => gapMs(4, random))
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length
    const spread = Math.sqrt(gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length)
    expect(mean / 250).toBeCloseTo(1, 1)
    // Exponential gaps have a standard deviation equal to their mean.
    expect(spread / mean).toBeCloseTo(1, 1)
  })
})

describe('a charge', () => {
  const begun = { orderNo: '1', peakDw: 5000, fault: undefined, quietUntilMs: 0, nowMs: 0, fullInMs: hourMs }
  const context = (nowMs: number) => ({ protocol: 'mqttJson' as const, port: 1, nowMs, deviceTimeS: 0 })

  it('has a meter that never falls and never exceeds its peak power', () => {
    const charge = newCharge(begun, { by: 'full' })
    let before = 0
    for (let nowMs = 0; nowMs <= hourMs; nowMs += 1000) {
      count(charge, nowMs)
      const { energyWh } = reportOf(charge, context(nowMs), 0)
      expect(energyWh).toBeGreaterThanOrEqual(before)
      expect(energyWh).toBeLessThanOrEqual((500 * nowMs) / hourMs + 1)
      before = energyWh
    }
    expect(before).toBeGreaterThan(300)
    expect(settlementOf(charge, context(hourMs), 'full', { meterWh: 0, priceE5: 0 }).energyWh).toBe(before)
  })

  it.each([
    ['full', { by: 'full' } as const, hourMs],
    ['presetDuration', { by: 'duration', durationS: 600 } as const, 600_000],
    ['full', { by: 'duration', durationS: 7200 } as const, hourMs],
  ])('ends as %s by %o', (why, limit, endMs) => {
    const charge = newCharge(begun, limit)
    expect(endOf(charge, endMs - 1)).toBeUndefined()
    expect(endOf(charge, endMs)).toBe(why)
  })

  it('ends when it reaches its energy limit', () => {
    const charge = newCharge(begun, { by: 'energy', energyWh: 100 })
    count(charge, 600_000)
    expect(endOf(charge, 600_000)).toBeUndefined()
    count(charge, 900_000)
    expect(endOf(charge, 900_000)).toBe('presetEnergy')
  })

  it('draws faults with the configured probability', () => {
    const [random, counts] = [randomOf(7), new Map<string | undefined, number>()]
    for (let n = 0; n < 10_000; n++) {
      const fault = chargeFault({ ...noFaults, wrongMeter: 0.1, offline: 0.2 }, random)
      counts.set(fault, (counts.get(fault) ?? 0) + 1)
    }
    expect(new Set(counts.keys())).toEqual(new Set(['offline', 'wrongMeter', undefined]))
    expect(Math.abs((counts.get('wrongMeter') ?? 0) - 1000)).toBeLessThan(120)
    expect(Math.abs((counts.get('offline') ?? 0) - 2000)).toBeLessThan(160)
  })
})
