import { describe, expect, it } from 'vitest'
import { periodsOf, secondsOf } from './stat-periods.rules.ts'
import { districtsOf } from './stat-place.store.ts'

describe('the districts of a region', () => {
  it('are those that begin with the digits of a province or a city', () => {
    expect(districtsOf('330000')).toEqual({ from: '330000', upto: '340000' })
    expect(districtsOf('330100')).toEqual({ from: '330100', upto: '330200' })
    expect(districtsOf('339900')).toEqual({ from: '339900', upto: '340000' })
    // A city without districts is its own district; counties directly under a province have a city code of their own.
    expect(districtsOf('441900')).toEqual({ from: '441900', upto: '442000' })
    expect(districtsOf('469000')).toEqual({ from: '469000', upto: '469100' })
  })

  it('of a district is itself', () => {
    expect(districtsOf('330106')).toEqual({ only: '330106' })
    expect(districtsOf('110101')).toEqual({ only: '110101' })
  })
})

const now = Date.parse('2026-03-01T00:30:00+08:00')
describe('periods', () => {
  it('are the last thirty days or twelve months in Shanghai time', () => {
    const days = periodsOf({}, now)
    expect([days.length, days[0]?.name, days.at(-1)?.name]).toEqual([30, '2026-03-01', '2026-01-31'])
    const months = periodsOf({ span: 2 }, now)
    expect([months.length, months[0]?.name, months.at(-1)?.name]).toEqual([12, '2026-03', '2025-04'])
    expect(months[1]).toEqual({ name: '2026-02', from: '2026-02-01', to: '2026-02-28' })
  })

  it('are whole months for any given days', () => {
    const names = periodsOf({ span: 2, from: '2025-12-31', to: '2026-02-01' }, now).map(({ name }) => name)
    expect(names).toEqual(['2026-02', '2026-01', '2025-12'])
  })

  it('at the ends of the calendar are refused', () => {
    expect(() => periodsOf({ to: '0001-01-05' }, now)).toThrow('2000年')
    expect(() => periodsOf({ span: 2, from: '9999-12-31' }, now)).toThrow('2099年')
    expect(periodsOf({ span: 2, to: '2099-12-31' }, now)[0]?.to).toBe('2099-12-31')
  })

  it('count the seconds that have passed', () => {
    expect(secondsOf({ from: '2026-02-28', to: '2026-02-28' }, now)).toBe(86_400)
    expect(secondsOf({ from: '2026-02-28', to: '2026-03-01' }, now)).toBe(86_400 + 1800)
    expect(secondsOf({ from: '2026-03-02', to: '2026-03-02' }, now)).toBe(0)
  })
})
