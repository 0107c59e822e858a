import { describe, expect, it } from 'vitest'
import { choicesOf, parameterText, quantityText, rangeText, valueText } from './attribute-text.ts'

const none = { minimum: null, maximum: null, options: [] }
const choice = {
  ...none,
  dataType: 3,
  options: [
    { value: 'a', label: '甲' },
    { value: 'b', label: '乙' },
  ],
} as const
const shapeOf = (more: object) => ({ ...none, dataType: 1, ...more }) as Parameters<typeof rangeText>[0]

describe('the text of an attribute', () => {
  it('shows its range, its options, or nothing', () => {
    expect(rangeText(shapeOf({ minimum: 0, maximum: 9 }))).toBe('0 ~ 9')
    expect(rangeText(shapeOf({ minimum: 0 }))).toBe('≥ 0')
    expect(rangeText(shapeOf({ maximum: 9 }))).toBe('≤ 9')
    expect(rangeText(shapeOf(choice))).toBe('甲、乙')
    expect(rangeText(shapeOf({}))).toBe('')
  })

  it('formats a value', () => {
    expect(valueText(shapeOf(choice), 'b')).toBe('乙')
    expect(valueText(shapeOf(choice), 'gone')).toBe('gone')
    expect(valueText(shapeOf({ dataType: 4 }), '1')).toBe('开')
    expect(valueText(shapeOf({}), '12')).toBe('12')
    expect(valueText(shapeOf({}), null)).toBe('')
  })

  it('offers choices for options and switches, and none otherwise', () => {
    expect(choicesOf(shapeOf(choice))).toHaveLength(2)
    expect(choicesOf(shapeOf({ dataType: 4 }))?.map(({ value }) => value)).toEqual(['1', '0'])
    expect(choicesOf(shapeOf({}))).toBeUndefined()
  })
})

describe('a parameter of a device', () => {
  it('shows long times in hours and minutes', () => {
    expect(quantityText('36000', 's')).toBe('10 小时')
    expect(quantityText('3600', 's')).toBe('1 小时')
    expect(quantityText('180', 's')).toBe('3 分钟')
    expect(quantityText('90', 's')).toBe('90 秒')
    expect(quantityText('700', 'W')).toBe('700 W')
    expect(quantityText('A1', null)).toBe('A1')
  })

  it('shows the state of a switch', () => {
    expect(parameterText('关闭用户拔出判断', '0', null)).toEqual({ label: '用户拔出判断', text: '开启' })
    expect(parameterText('关闭二维码灯', '1', '')).toEqual({ label: '二维码灯', text: '关闭' })
    expect(parameterText('最大充电时间', '36000', 's')).toEqual({ label: '最大充电时间', text: '10 小时' })
  })
})
