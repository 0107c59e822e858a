import { describe, expect, it } from 'vitest'
import { changeOf, comparedOf, shiftMonths } from './stat-compare.rules.ts'

const at = (text: string) => Date.parse(`${text}+08:00`)
const noon = at('2026-11-15T12:34:00')
const texts = (from: string, to: string, now = noon) => {
  const { previous, lastYear, until } = comparedOf({ from, to }, now)
  const text = (part: typeof previous) => `${part.from} ${part.to} ${part.hours ?? 'full'}`
  return { previous: text(previous), lastYear: text(lastYear), until }
}

describe('past days are compared', () => {
  it('with as many days before, and the same days a year before', () => {
    expect(texts('2026-11-04', '2026-11-10')).toEqual({
      previous: '2026-10-28 2026-11-03 full',
      lastYear: '2025-11-04 2025-11-10 full',
      until: null,
    })
  })

  it('with whole months of any length, if they are whole months', () => {
    expect(texts('2026-03-01', '2026-03-31')).toMatchObject({
      previous: '2026-02-01 2026-02-28 full',
      lastYear: '2025-03-01 2025-03-31 full',
    })
    expect(texts('2026-02-01', '2026-03-31').previous).toBe('2025-12-01 2026-01-31 full')
    expect(texts('2025-02-01', '2025-02-28').lastYear).toBe('2024-02-01 2024-02-29 full')
    expect(texts('2025-01-01', '2025-12-31').previous).toBe('2024-01-01 2024-12-31 full')
  })

  it('on a leap day with the last day of a February without one', () => {
    expect(texts('2024-02-29', '2024-02-29')).toMatchObject({
      previous: '2024-02-28 2024-02-28 full',
      lastYear: '2023-02-28 2023-02-28 full',
    })
    expect(shiftMonths('2024-02-29', 12)).toBe('2025-02-28')
    expect(shiftMonths('2026-12-31', 2)).toBe('2027-02-28')
  })
})

describe('current days are compared up to the last full hour', () => {
  it('of the same day of the other period', () => {
    expect(texts('2026-11-15', '2026-11-15')).toEqual({
      previous: '2026-11-14 2026-11-14 12',
      lastYear: '2025-11-15 2025-11-15 12',
      until: '2026-11-15 12:00',
    })
    expect(texts('2026-11-09', '2026-11-15').previous).toBe('2026-11-02 2026-11-08 12')
    expect(texts('2026-11-01', '2026-11-15').previous).toBe('2026-10-01 2026-10-15 12')
    expect(texts('2026-11-01', '2026-11-30').previous).toBe('2026-10-01 2026-10-15 12')
    expect(texts('2026-01-01', '2026-11-15').previous).toBe('2025-01-01 2025-11-15 12')
  })

  it('in Shanghai time, and with all of a shorter month', () => {
    expect(texts('2026-03-01', '2026-03-31', at('2026-03-31T00:10:00'))).toEqual({
      previous: '2026-02-01 2026-02-28 full',
      lastYear: '2025-03-01 2025-03-31 0',
      until: '2026-03-31 00:00',
    })
    expect(texts('2024-02-29', '2024-02-29', at('2024-02-29T23:59:59')).lastYear).toBe('2023-02-28 2023-02-28 full')
  })

  it('and not at all before they begin', () => {
    expect(comparedOf({ from: '2026-12-01', to: '2026-12-02' }, noon).part).toBeNull()
  })
})

it('a change is a percentage with one decimal, and null without a previous value', () => {
  expect(changeOf(150n, 100n)).toBe('50.0')
  expect(changeOf(2n, 3n)).toBe('-33.3')
  expect(changeOf(0n, 3n)).toBe('-100.0')
  expect(changeOf(1005n, 1000n)).toBe('0.5')
  expect(changeOf(7n, 7n)).toBe('0.0')
  expect(changeOf(7n, 0n)).toBeNull()
})
