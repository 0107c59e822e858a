import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dropEmpty, wireText } from '../src/params.ts'

describe('dropEmpty', () => {
  it('[valid.empty-fields-dropped] drops an empty text, an empty list, and an absent value', () => {
    expect(dropEmpty({ name: '', phone: '138', left: undefined, none: null, ids: [] })).toEqual({ phone: '138' })
  })

  it('[valid.empty-fields-dropped] keeps values that only look empty', () => {
    const fields = { zero: 0, no: false, space: ' ', list: [''], text: '0' }
    expect(dropEmpty(fields)).toEqual(fields)
  })

  it('[valid.empty-fields-dropped] does not change its argument', () => {
    const fields = { name: '', code: 'a' }
    dropEmpty(fields)
    expect(fields).toEqual({ name: '', code: 'a' })
  })

  it('[valid.empty-fields-dropped] keeps every other field, and is idempotent', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), fc.oneof(fc.string(), fc.integer())), (fields) => {
        const remaining = dropEmpty(fields)
        for (const [name, value] of Object.entries(fields))
          expect(remaining[name]).toBe(value === '' ? undefined : value)
        expect(dropEmpty(remaining)).toEqual(remaining)
        expect(Object.values(remaining)).not.toContain('')
      }),
    )
  })
})

describe('wireText', () => {
  it.each([
    ['text', 'text'],
    [0, '0'],
    [false, 'false'],
    [1.5, '1.5'],
    [['1', '2', '3'], '1,2,3'],
    [[], ''],
    [[1, [2, 3]], '1,2,3'],
  ])('writes %j as %j', (value, text) => {
    expect(wireText(value)).toBe(text)
  })

  it('writes fen as whole digits', () => {
    expect(wireText(9_007_199_254_740_993n)).toBe('9007199254740993')
  })
})
