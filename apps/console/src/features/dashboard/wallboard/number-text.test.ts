import { describe, expect, it } from 'vitest'
import { cells, durationText, kwhText, moneyShort, moneyText, shortText } from './number-text.ts'

describe('numbers of a wallboard', () => {
  it('are shortened by 万 and 亿', () => {
    expect([999, 12_345, 123_456, 250_000_000].map(shortText)).toEqual(['999', '12,345', '12.35万', '2.5亿'])
  })

  it('have separated thousands, and money stays text', () => {
    expect(moneyText('12345678901234.50')).toBe('12,345,678,901,234.50')
    expect(moneyText('0.05')).toBe('0.05')
    expect(['30.90', '99999.99', '1234567.00'].map(moneyShort)).toEqual(['¥30.90', '¥99,999.99', '¥123.46万'])
    expect(kwhText(12_345_678)).toBe('1,234.57')
  })

  it('show durations in hours and minutes', () => {
    expect([59, 3599, 3660].map(durationText)).toEqual(['0 分', '59 分', '1 时 1 分'])
  })

  it('keep the key of each digit when the number grows', () => {
    const keys = (text: string) => cells(text).map(({ key }) => key)
    expect(keys('1,234').slice(-3)).toEqual(keys('999').slice(-3))
    expect(new Set(keys('1,234,567.00')).size).toBe('1,234,567.00'.length)
  })
})
