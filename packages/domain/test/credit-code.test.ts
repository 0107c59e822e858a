import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { creditCheck, isCreditCode } from '../src/credit-code.ts'

const letters = '0123456789ABCDEFGHJKLMNPQRTUWXY'
const letter = fc.constantFrom(...letters.split(''))
const digit = fc.constantFrom(...'0123456789'.split(''))
const text = (part: fc.Arbitrary<string>, length: number) =>
  fc.array(part, { minLength: length, maxLength: length }).map((parts) => parts.join(''))
const code = fc
  .tuple(text(letter, 2), text(digit, 6), text(letter, 9))
  .map((parts) => parts.join(''))
  .map((first17) => first17 + creditCheck(first17))

describe('a credit code', () => {
  it.each(['914403001922038216', '9144030071526726XG', '91110000802100433B', '91350100M000100Y43'])(
    'accepts the code of a registered company: %s',
    (creditCode) => {
      expect(isCreditCode(creditCode)).toBe(true)
    },
  )

  it.each([
    ['', 'nothing'],
    ['914403001922038215', 'another check character'],
    ['91440300192203821', 'one too short'],
    ['9144030019220382166', 'one too long'],
    ['91440300192203821６', 'a digit of another width'],
    ['9144030071526726xg', 'small letters'],
    ['914403001922O38216', 'the letter O, which the standard leaves out'],
    ['9144A3001922038216', 'a letter where the place stands'],
    [' 914403001922038216', 'a blank'],
  ])('refuses %j: %s', (wrong) => {
    expect(isCreditCode(wrong)).toBe(false)
  })

  it('accepts any body with its check character', () => {
    fc.assert(
      fc.property(code, (right) => {
        expect(isCreditCode(right)).toBe(true)
      }),
    )
  })

  it('detects every single mistyped character', () => {
    fc.assert(
      fc.property(code, fc.nat(17), letter, (right, place, other) => {
        fc.pre(right[place] !== other)
        expect(isCreditCode(right.slice(0, place) + other + right.slice(place + 1))).toBe(false)
      }),
    )
  })

  it('detects two swapped neighbours', () => {
    fc.assert(
      fc.property(code, fc.nat(16), (right, place) => {
        const [one = '', other = ''] = right.slice(place, place + 2)
        fc.pre(one !== other)
        expect(isCreditCode(right.slice(0, place) + other + one + right.slice(place + 2))).toBe(false)
      }),
    )
  })
})
