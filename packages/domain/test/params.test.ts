import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dropEmpty, wireText } from '../src/params.ts'

describe('dropEmpty', () => {
  it('[valid.empty-fields-dropped] drops empty text, an empty list, and what is absent', () => {
    expect(dropEmpty({ name: '', phone: '138', left: undefined, none: null, ids: [] })).toEqual({ phone: '138' })
  })

  it('[valid.empty-fields-dropped] keeps what only looks empty', () => {
    const fields = { zero: 0, no: false, space: ' ', list: [''], text: '0' }
    expect(dropEmpty(fields)).toEqual(fields)
  })

  it('[valid.empty-fields-dropped] leaves the object it was given alone', () => {
    const fields = { name: '', code: 'a' }
    dropEmpty(fields)
    expect(fields).toEqual({ name: '', code: 'a' })
  })

  it('[valid.empty-fields-dropped] keeps every other field, and is done after one pass', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), fc.oneof(fc.string(), fc.integer())), (fields) => {
        const kept = dropEmpty(fields)
        for (const [name, value] of Object.entries(fields)) expect(kept[name]).toBe(value === '' ? undefined : value)
        expect(dropEmpty(kept)).toEqual(kept)
        expect(Object.values(kept)).not.toContain('')
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
