import { describe, expect, it } from 'vitest'
import { daysOf, grainsFor, readState, shanghaiToday, withChanges } from './analysis-state.ts'

const today = '2026-03-01'
const read = (text: string) => readState(new URLSearchParams(text), today)
const after = (text: string, changes: Record<string, string | undefined>) =>
  withChanges(new URLSearchParams(text), changes).toString()

describe('a link', () => {
  it('with a named range uses the days relative to the current day', () => {
    expect(daysOf('yesterday', today)).toEqual({ from: '2026-02-28', to: '2026-02-28' })
    expect(daysOf('7d', today)).toEqual({ from: '2026-02-23', to: today })
    expect(daysOf('30d', today)).toEqual({ from: '2026-01-31', to: today })
    expect(daysOf('month', today)).toEqual({ from: today, to: today })
    expect(daysOf('lastMonth', today)).toEqual({ from: '2026-02-01', to: '2026-02-28' })
    expect(daysOf('lastMonth', '2026-01-05')).toEqual({ from: '2025-12-01', to: '2025-12-31' })
    expect(daysOf('year', today)).toEqual({ from: '2026-01-01', to: today })
    expect(shanghaiToday(Date.parse('2026-02-28T17:00:00Z'))).toBe(today)
  })

  it('applies its own days, places and a suitable grain', () => {
    expect(read('from=2026-01-01&to=2026-01-05&grain=1&organiseId=7&deviceTypeId=3')).toEqual({
      preset: undefined,
      days: { from: '2026-01-01', to: '2026-01-05' },
      grain: 1,
      owners: { organiseId: '7', deviceTypeId: '3' },
    })
  })

  it('with invalid values shows the last thirty days', () => {
    for (const text of [
      '',
      'range=forever',
      'from=2026-02-30&to=2026-03-01',
      'from=2026-03-02&to=2026-03-01',
      'from=2020-01-01&to=2026-01-01',
    ])
      expect(read(text), text).toMatchObject({ preset: '30d', days: { from: '2026-01-31', to: today } })
    expect(read('organiseId=x&agentId=0').owners).toEqual({})
    expect(read('range=year&grain=1').grain).toBe(3)
  })
})

describe('a choice', () => {
  it('of days removes the named range, and vice versa', () => {
    expect(after('range=7d&grain=1&organiseId=7', { from: '2026-01-01', to: '2026-01-02' })).toBe(
      'organiseId=7&from=2026-01-01&to=2026-01-02',
    )
    expect(after('from=2026-01-01&to=2026-01-02&heat=energy', { range: 'month' })).toBe('heat=energy&range=month')
  })

  it('that is cleared is removed from the link', () => {
    expect(after('organiseId=7&siteId=8', { organiseId: '7', siteId: undefined })).toBe('organiseId=7')
  })

  it('of a grain is offered only when it suits the period', () => {
    expect(grainsFor({ from: today, to: today })).toEqual([1])
    expect(grainsFor({ from: '2026-02-23', to: today })).toEqual([2, 1])
    expect(grainsFor({ from: '2026-01-31', to: today })).toEqual([2, 3])
    expect(grainsFor({ from: '2026-01-01', to: '2026-06-30' })).toEqual([3, 2, 4])
    expect(grainsFor({ from: '2026-01-01', to: '2026-12-31' })).toEqual([4, 3, 2])
  })
})
