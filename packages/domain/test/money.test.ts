import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { amountMessage, discountMessage, parseDiscount, parseYuan, yuanText } from '../src/money.ts'

describe('parseYuan', () => {
  it.each([
    ['0.01', 1n],
    ['0.1', 10n],
    ['1', 100n],
    ['12.3', 1230n],
    ['007', 700n],
    ['9999999', 999_999_900n],
    ['9999999.99', 999_999_999n],
  ])('[valid.amount] parses %s as %s fen', (text, fen) => {
    expect(parseYuan(text)).toBe(fen)
  })

  it.each([
    ['', 'nothing'],
    ['0', 'zero'],
    ['0.00', 'zero with decimals'],
    ['0.001', 'three decimals'],
    ['1.', 'a point without decimals'],
    ['.5', 'a point without a whole part'],
    ['-1', 'a negative amount'],
    ['+1', 'a sign'],
    ['1e3', 'an exponent'],
    ['0x10', 'another base'],
    ['1_000', 'a separator of code'],
    ['1,000', 'a separator of people'],
    [' 1', 'a space before'],
    ['1 ', 'a space behind'],
    ['1\n', 'a line break behind'],
    ['１', 'a full-width digit'],
    ['NaN', 'no number'],
    ['Infinity', 'no end'],
    ['10000000', 'more than the maximum'],
    ['99999999999999999999', 'far more than the maximum'],
  ])('[valid.amount] refuses %j: %s', (text) => {
    expect(parseYuan(text)).toBeUndefined()
  })

  it('[valid.amount] has the message of the specification', () => {
    expect(amountMessage).toBe('请输入正确格式的金额（0.01-9999999.99之间，最多两位小数）')
  })

  it('[valid.order-amount-max] accepts at most 9999999.99', () => {
    expect(parseYuan('9999999.99')).toBe(999_999_999n)
    expect(parseYuan('10000000.00')).toBeUndefined()
  })

  it('[valid.amount] parses every amount that yuanText writes', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 999_999_999n }), (fen) => {
        expect(parseYuan(yuanText(fen))).toBe(fen)
      }),
    )
  })

  it('[valid.amount] returns an amount in range or undefined for any input', () => {
    const typed = fc.oneof(fc.string(), fc.double().map(String), fc.stringMatching(/^[\d.eE+-]{1,12}$/))
    fc.assert(
      fc.property(typed, (text) => {
        const fen = parseYuan(text)
        expect(fen === undefined || (fen >= 1n && fen <= 999_999_999n && Number(text) * 100 - Number(fen) < 0.01)).toBe(
          true,
        )
      }),
    )
  })
})

describe('yuanText', () => {
  it.each([
    [0n, '0.00'],
    [1n, '0.01'],
    [10n, '0.10'],
    [100n, '1.00'],
    [123_456n, '1234.56'],
    [-1n, '-0.01'],
    [-123_456n, '-1234.56'],
    [9_007_199_254_740_993n, '90071992547409.93'],
  ])('writes %s fen as %s', (fen, text) => {
    expect(yuanText(fen)).toBe(text)
  })

  it('loses no fen for any size or sign', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), (fen) => {
        const text = yuanText(fen)
        expect(text).toMatch(/^-?\d+\.\d\d$/)
        expect(BigInt(text.replace('.', ''))).toBe(fen)
      }),
    )
  })
})

describe('parseDiscount', () => {
  it.each([
    ['0.01', 1],
    ['0.29', 29],
    ['1.1', 110],
    ['8.5', 850],
    ['57.97', 5797],
    ['99.99', 9999],
    ['100', 10_000],
    ['100.00', 10_000],
  ])('[valid.discount] parses %s as %i hundredths of a percent', (text, hundredths) => {
    expect(parseDiscount(text)).toBe(hundredths)
  })

  it.each(['', '0', '0.00', '0.001', '1.001', '99.999', '100.01', '101', '1000', '-1', '1e1', ' 1', '1.', '.5', '１'])(
    '[valid.discount] refuses %j',
    (text) => {
      expect(parseDiscount(text)).toBeUndefined()
    },
  )

  it('[valid.discount] accepts every hundredth from 0.01 to 100', () => {
    for (let hundredths = 1; hundredths <= 10_000; hundredths++)
      expect(parseDiscount(yuanText(BigInt(hundredths)))).toBe(hundredths)
  })

  it('[valid.discount] has the message of the specification', () => {
    expect(discountMessage).toBe('请输入正确格式的折扣（0.01-100之间，最多两位小数）')
  })
})
