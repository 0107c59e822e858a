import type { EnergyRules, Segment } from '@wattdeck/domain/tariff/rules.ts'
import { describe, expect, it } from 'vitest'
import { amountSoFar } from './live-operations.rules.ts'

const common = {
  startFeeFen: 100,
  minFeeFen: 0,
  freeMinutes: 0,
  maxMinutes: 720,
  fullStop: true,
  refundUnused: true,
  occupancy: null,
  presets: [],
}
const flat: Segment = { fromMin: 0, toMin: 1440, period: 'flat', electricityE5: 60_000, serviceE5: 40_000 }
const rules = (segments: Segment[]): EnergyRules => ({ ...common, billingType: 0, segments })
const atMs = Date.parse('2026-11-15T10:00:00+08:00')
const charge = {
  rules: rules([flat]),
  heldFen: '300',
  benefits: [],
  startedMs: atMs,
  atMs,
  reportedMs: atMs + 3_600_000,
  reportedS: 3600,
  reportedDwh: 15_000,
  peakPowerDw: 15_000,
}

describe('the amount of a running charge', () => {
  it('equals a bill for the last report', () => {
    expect(amountSoFar(charge)).toBe('1.50')
  })

  it('never exceeds the reserved amount', () => {
    expect(amountSoFar({ ...charge, reportedDwh: 90_000 })).toBe('3.00')
  })

  it('is unknown without a price or a report, or with a report out of range', () => {
    expect(amountSoFar({ ...charge, rules: null })).toBeNull()
    expect(amountSoFar({ ...charge, reportedMs: null })).toBeNull()
    expect(amountSoFar({ ...charge, reportedDwh: -1 })).toBeNull()
  })

  it('is unknown if the price changes during the charge', () => {
    const halves = [
      { ...flat, toMin: 630 },
      { ...flat, fromMin: 630, electricityE5: 90_000 },
    ]
    expect(amountSoFar({ ...charge, rules: rules(halves) })).toBeNull()
    // The whole charge lies in one segment.
    expect(amountSoFar({ ...charge, rules: rules(halves), reportedS: 1200, reportedDwh: 5000 })).toBe('0.50')
  })
})
