import { describe, expect, it } from 'vitest'
import { comparedAt } from './period-figures.rules.ts'

const at = (text: string) => Date.parse(`${text}+08:00`)
const [day, month] = [1, 2] as const

describe('the current day', () => {
  it('is compared with the same full hours of the day before', () => {
    expect(comparedAt(day, at('2026-03-01T14:25:00'))).toEqual({
      whole: { days: { from: '2026-03-01', to: '2026-03-01' } },
      soFar: {
        upto: '2026-03-01 14:00:00',
        now: { hours: { from: '2026-03-01T00:00:00+08:00', upto: '2026-03-01T14:00:00+08:00' } },
        before: { hours: { from: '2026-02-28T00:00:00+08:00', upto: '2026-02-28T14:00:00+08:00' } },
      },
    })
  })

  it('has no comparison before its first full hour', () => {
    expect(comparedAt(day, at('2026-03-01T00:59:59')).soFar).toBeUndefined()
    expect(comparedAt(undefined, at('2026-03-01T01:00:00')).soFar?.upto).toBe('2026-03-01 01:00:00')
  })
})

describe('the current month', () => {
  it('is compared with the same days and hours of the month before', () => {
    expect(comparedAt(month, at('2026-11-15T09:10:00'))).toEqual({
      whole: { days: { from: '2026-11-01', to: '2026-11-15' } },
      soFar: {
        upto: '2026-11-15 09:00:00',
        now: {
          days: { from: '2026-11-01', to: '2026-11-14' },
          hours: { from: '2026-11-15T00:00:00+08:00', upto: '2026-11-15T09:00:00+08:00' },
        },
        before: {
          days: { from: '2026-10-01', to: '2026-10-14' },
          hours: { from: '2026-10-15T00:00:00+08:00', upto: '2026-10-15T09:00:00+08:00' },
        },
      },
    })
  })

  it('is compared with the whole month before if that is shorter, with and without a leap day', () => {
    expect(comparedAt(month, at('2026-03-30T09:10:00')).soFar?.before).toEqual({
      days: { from: '2026-02-01', to: '2026-02-28' },
    })
    expect(comparedAt(month, at('2028-03-29T09:10:00')).soFar?.before).toEqual({
      days: { from: '2028-02-01', to: '2028-02-28' },
      hours: { from: '2028-02-29T00:00:00+08:00', upto: '2028-02-29T09:00:00+08:00' },
    })
    expect(comparedAt(month, at('2028-03-30T00:10:00')).soFar?.before).toEqual({
      days: { from: '2028-02-01', to: '2028-02-29' },
    })
  })

  it('consists of hours only on its first day, and January is compared with December', () => {
    expect(comparedAt(month, at('2027-01-01T03:00:00')).soFar).toMatchObject({
      now: { hours: { from: '2027-01-01T00:00:00+08:00', upto: '2027-01-01T03:00:00+08:00' } },
      before: { hours: { from: '2026-12-01T00:00:00+08:00', upto: '2026-12-01T03:00:00+08:00' } },
    })
    expect(comparedAt(month, at('2027-01-01T00:30:00')).soFar).toBeUndefined()
    expect(comparedAt(month, at('2027-01-02T00:30:00')).soFar).toMatchObject({
      now: { days: { from: '2027-01-01', to: '2027-01-01' } },
      before: { days: { from: '2026-12-01', to: '2026-12-01' } },
    })
  })
})
