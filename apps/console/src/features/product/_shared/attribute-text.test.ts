import { describe, expect, it } from 'vitest'
import { choicesOf, rangeText, valueText } from './attribute-text.ts'

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

describe('an attribute in words', () => {
  it('says its range, its options, or nothing', () => {
    expect(rangeText(shapeOf({ minimum: 0, maximum: 9 }))).toBe('0 ~ 9')
    expect(rangeText(shapeOf({ minimum: 0 }))).toBe('≥ 0')
    expect(rangeText(shapeOf({ maximum: 9 }))).toBe('≤ 9')
    expect(rangeText(shapeOf(choice))).toBe('甲、乙')
    expect(rangeText(shapeOf({}))).toBe('')
  })

  it('shows a value as people read it', () => {
    expect(valueText(shapeOf(choice), 'b')).toBe('乙')
    expect(valueText(shapeOf(choice), 'gone')).toBe('gone')
    expect(valueText(shapeOf({ dataType: 4 }), '1')).toBe('开')
    expect(valueText(shapeOf({}), '12')).toBe('12')
    expect(valueText(shapeOf({}), null)).toBe('')
  })

  it('is chosen from options or a switch, and typed otherwise', () => {
    expect(choicesOf(shapeOf(choice))).toHaveLength(2)
    expect(choicesOf(shapeOf({ dataType: 4 }))?.map(({ value }) => value)).toEqual(['1', '0'])
    expect(choicesOf(shapeOf({}))).toBeUndefined()
  })
})
