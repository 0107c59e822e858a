import { describe, expect, it } from 'vitest'
import { kilowatts, minutesOf, progressOf } from './charge-progress.ts'

const now = Date.parse('2026-11-15T10:30:00+08:00')
const charge = {
  startedAt: '2026-11-15 10:00:30',
  energyDwh: 7500,
  amount: '0.76',
  limitBy: 1 as const,
  limitValue: 300,
}

describe('the progress of a charge', () => {
  it.each([
    [{}, 25, '选择 ¥3.00'],
    [{ limitBy: 2 as const, limitValue: 120 }, 24, '选择 120 分钟'],
    [{ limitBy: 3 as const, limitValue: 30_000 }, 25, '选择 3.00 kWh'],
    [{ limitBy: 3 as const, limitValue: 5000 }, 100, '选择 0.50 kWh'],
    [{ limitBy: 4 as const, limitValue: 0 }, undefined, '充满为止'],
    [{ amount: null }, undefined, '选择 ¥3.00'],
    [{ limitBy: 3 as const, limitValue: 30_000, energyDwh: null }, undefined, '选择 3.00 kWh'],
    [{ limitValue: 0 }, undefined, '选择 ¥0.00'],
  ])('of %j is %s, %s', (change, percent, text) => {
    expect(progressOf({ ...charge, ...change }, now)).toEqual({ percent, text })
  })

  it('counts whole minutes, never negative', () => {
    expect(minutesOf(charge, now)).toBe(29)
    expect(minutesOf({ startedAt: '2026-11-15 10:31:00' }, now)).toBe(0)
  })
})

it('watts are displayed in kW', () => {
  expect([kilowatts('0'), kilowatts('6400.5'), kilowatts('27000000')]).toEqual(['0.00', '6.40', '27,000.00'])
})
