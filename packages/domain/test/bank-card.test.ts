import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bankCardProblem } from '../src/bank-card.ts'

const problem = {
  empty: '请输入银行卡号',
  length: '银行卡号长度必须在12到19位之间',
  digits: '银行卡号必须全为数字',
  prefix: '银行卡号开头两位不符合规范',
  check: '银行卡号校验不通过，请核对后重新输入',
}
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)
const allowed = [10, 18, 30, 35, 37, ...range(40, 56), 58, 60, 62, 65, 68, 69, 84, 87, 88, 94, 95, 98, 99].map(String)

/** Independent of the code under test: the digit that makes the weighted sum a multiple of ten. */
function withCheckDigit(body: string): string {
  const sum = Array.from(body)
    .toReversed()
    .map((digit, place) => (place % 2 === 0 ? Number(digit) * 2 : Number(digit)))
    .reduce((total, value) => total + Math.floor(value / 10) + (value % 10), 0)
  return `${body}${(10 - (sum % 10)) % 10}`
}

const ofLength = (length: number) => withCheckDigit('62'.padEnd(length - 1, '0'))
const body = fc
  .tuple(fc.constantFrom(...allowed), fc.stringMatching(/^\d{9,16}$/))
  .map(([prefix, digits]) => prefix + digits)

describe('bankCardProblem', () => {
  it('accepts known valid numbers', () => {
    for (const card of ['6222021234567890128', '4111111111111111', '5500005555555559'])
      expect(bankCardProblem(withCheckDigit(card.slice(0, -1)))).toBeUndefined()
    expect(bankCardProblem('4111111111111111')).toBeUndefined()
    expect(bankCardProblem('5500005555555559')).toBeUndefined()
  })

  it('[valid.bank-card.spaces] ignores spaces at any position', () => {
    expect(bankCardProblem(' 4111 1111 1111 1111 ')).toBeUndefined()
    expect(bankCardProblem('4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1')).toBeUndefined()
  })

  it('[valid.bank-card.empty] refuses an empty text and spaces only', () => {
    expect(bankCardProblem('')).toBe(problem.empty)
    expect(bankCardProblem('   ')).toBe(problem.empty)
  })

  it('[valid.bank-card.length] refuses 11 and 20 digits and accepts 12 and 19', () => {
    expect(bankCardProblem(ofLength(11))).toBe(problem.length)
    expect(bankCardProblem(ofLength(12))).toBeUndefined()
    expect(bankCardProblem(ofLength(19))).toBeUndefined()
    expect(bankCardProblem(ofLength(20))).toBe(problem.length)
  })

  it('[valid.bank-card.length] counts the length without spaces', () => {
    expect(bankCardProblem('62 00 00 00 00 0')).toBe(problem.length)
  })

  it.each(['62220212345a', '6222-0212-3456', '６２２２０２１２３４５６', '622202.12345', '+62220212345'])(
    '[valid.bank-card.digits] refuses %s',
    (card) => {
      expect(bankCardProblem(card)).toBe(problem.digits)
    },
  )

  it('[valid.bank-card.prefix] accepts only the listed first two digits', () => {
    for (const prefix of range(0, 99).map((number) => String(number).padStart(2, '0'))) {
      const answer = bankCardProblem(withCheckDigit(`${prefix}0000000000000`))
      expect([prefix, answer]).toEqual([prefix, allowed.includes(prefix) ? undefined : problem.prefix])
    }
  })

  it('[valid.bank-card.check-digit] accepts any number with the correct check digit', () => {
    fc.assert(
      fc.property(body, (digits) => {
        expect(bankCardProblem(withCheckDigit(digits))).toBeUndefined()
      }),
    )
  })

  it('[valid.bank-card.check-digit] refuses a number with one changed digit after the first two', () => {
    fc.assert(
      fc.property(body, fc.nat(), fc.integer({ min: 1, max: 9 }), (digits, somewhere, step) => {
        const card = withCheckDigit(digits)
        const place = 2 + (somewhere % (card.length - 2))
        const changed = String((Number(card[place]) + step) % 10)
        expect(bankCardProblem(card.slice(0, place) + changed + card.slice(place + 1))).toBe(problem.check)
      }),
    )
  })

  it('returns a message or undefined for any input', () => {
    fc.assert(
      fc.property(fc.string(), (typed) => {
        expect([undefined, ...Object.values(problem)]).toContain(bankCardProblem(typed))
      }),
    )
  })
})
