import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { partsOf } from './Excerpt.tsx'

describe('an excerpt', () => {
  it('highlights the keyword in the spelling of the text', () => {
    expect(partsOf('用 Excel 或 EXCEL', 'excel')).toEqual(['用 ', 'Excel', ' 或 ', 'EXCEL', ''])
    expect(partsOf('没有', '密码')).toEqual(['没有'])
    expect(partsOf('没有', '')).toEqual(['没有'])
    expect(partsOf('İx', 'x')).toEqual(['İx'])
  })

  it('keeps the whole text', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ maxLength: 3 }), (text, keyword) => {
        expect(partsOf(text, keyword).join('')).toBe(text)
      }),
    )
  })
})
