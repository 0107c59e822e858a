import { expect, it } from 'vitest'
import { grouped, totalsText } from './totals.ts'

it.each([
  ['0', '0'],
  ['999', '999'],
  ['1234', '1,234'],
  ['-1234567.8901', '-1,234,567.8901'],
  ['123456789012345678901234.50', '123,456,789,012,345,678,901,234.50'],
])('%s is written %s', (text, expected) => expect(grouped(text)).toBe(expected))

it('names the count and each sum', () => {
  const items = [
    { key: 'count', label: '站点' },
    { key: 'parking', label: '车位' },
    { key: 'energy', label: '电量', unit: 'kWh' },
    { key: 'amount', label: '收入', unit: '¥' },
    { key: 'other', label: '其他' },
  ]
  const sums = { parking: '5678', energy: '90123.45', amount: '1234.50' }
  expect(totalsText(items, { count: 1234, sums })).toBe(
    '合计：站点 1,234 · 车位 5,678 · 电量 90,123.45 kWh · 收入 ¥1,234.50 · 其他 –',
  )
})
