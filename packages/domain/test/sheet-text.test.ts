import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { neutralText, originalText } from '../src/sheet-text.ts'

const starters = ['=', '+', '-', '@', '\t', '\r', '\n', '\0', '＝', '＋', '－', '＠', '﹦', '﹢', '﹣', '﹫']
const blanks = ['', ' ', '   ', '\u00A0', '\u3000', '\u200B', '\uFEFF', '\u202E', ' \u200F ']

describe('a text for a sheet', () => {
  it.each(starters)('gets an apostrophe when it begins with %j, also after blanks', (starter) => {
    for (const blank of blanks) expect(neutralText(`${blank}${starter}1+1`)).toBe(`'${blank}${starter}1+1`)
  })

  it.each(['', '0', '12.5', '充电站', 'a=b', "'quoted'", 'x@y.cn', '1-2', '（-）', '·+'])(
    'stays unchanged: %j',
    (text) => {
      expect(neutralText(text)).toBe(text)
    },
  )

  it('never begins like a formula once it is neutral', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.tuple(fc.constantFrom(...blanks), fc.constantFrom(...starters), fc.string()).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(text, (value) => {
        const neutral = neutralText(value)
        expect(neutral.replace(/^[\s\p{Cf}]+/u, '').slice(0, 1)).not.toMatch(/[=+\-@＝＋－＠﹦﹢﹣﹫\p{Cc}]/u)
        expect(neutralText(neutral)).toBe(neutral)
        expect(neutral.endsWith(value)).toBe(true)
      }),
    )
  })

  it('is restored when it is read back', () => {
    fc.assert(
      fc.property(fc.constantFrom(...blanks, ...starters), fc.string({ unit: 'grapheme' }), (head, tail) => {
        const text = head + tail
        fc.pre(originalText(text) === text)
        expect(originalText(neutralText(text))).toBe(text)
      }),
    )
  })
})
