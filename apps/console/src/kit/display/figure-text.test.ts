import { describe, expect, it } from 'vitest'
import { changeOf, comparedLines, exactText, figureTitle, shortText, unitOf } from './figure-text.ts'

const short = (name: keyof typeof unitOf, wire: string) => {
  const { digits, scale } = shortText(unitOf[name], wire)
  return digits + scale
}

describe('a figure', () => {
  it('is written in full below a million', () => {
    expect(short('revenue', '38206.45')).toBe('¥38,206.45')
    expect(short('revenue', '0.00')).toBe('¥0.00')
    expect(short('revenue', '-12.30')).toBe('¥-12.30')
    expect(short('revenue', '999999.99')).toBe('¥999,999.99')
    expect(short('orders', '9624')).toBe('9,624')
    expect(short('energy', '529012345')).toBe('52,901.23')
  })

  it('is written in 万 from a million on, and in 亿 from a hundred million on', () => {
    expect(short('revenue', '1000000.00')).toBe('¥100.00万')
    expect(short('income', '12345678.90')).toBe('¥1,234.57万')
    expect(short('income', '-12345678.90')).toBe('¥-1,234.57万')
    expect(short('revenue', '123456789.00')).toBe('¥1.23亿')
    expect(short('orders', '1234567')).toBe('123.46万')
  })

  it('is exact to the fen in its long form', () => {
    expect(exactText(unitOf.income, '9007199254740993.07')).toBe('¥9,007,199,254,740,993.07')
    expect(exactText(unitOf.energy, '529012345')).toBe('52,901.23 kWh')
    expect(exactText(unitOf.energy, '50')).toBe('0.01 kWh')
  })

  it('names its day or month in the title', () => {
    expect(figureTitle('revenue', undefined)).toBe('今日营收')
    expect(figureTitle('members', 2)).toBe('本月新增会员')
    expect(figureTitle('online', 2)).toBe('在线设备')
  })
})

describe('the comparison of a figure', () => {
  const change = (now: string, before: string) => changeOf(unitOf.revenue, { upto: '2026-11-15 14:00:00', now, before })

  it('shows the change, up in red and down in green', () => {
    expect(change('110.00', '100.00')).toEqual({ text: '↑ 10.0%', tone: 'bad' })
    expect(change('99.40', '100.00')).toEqual({ text: '↓ 0.6%', tone: 'ok' })
    expect(change('100.00', '100.00')).toEqual({ text: '持平', tone: 'off' })
  })

  it('is absent when the previous value is zero', () => {
    expect(change('5.00', '0.00')).toBeUndefined()
  })

  it('names the time up to which both values count', () => {
    const compared = { upto: '2026-11-15 14:00:00', now: '7', before: '5' }
    expect(comparedLines(unitOf.orders, compared, 1)).toEqual(['今日截至 14:00 7', '昨日截至 14:00 5'])
    expect(comparedLines(unitOf.orders, compared, 2)).toEqual(['本月截至 14:00 7', '上月截至 14:00 5'])
  })
})
