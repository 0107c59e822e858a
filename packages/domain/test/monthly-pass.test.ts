import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayFen, earnedFen, passMost } from '../src/monthly-pass.ts'

describe('the income of a pass by day', () => {
  it('adds up to the price, and no two days differ by more than one fen', () => {
    fc.assert(
      fc.property(
        fc.bigInt(1n, BigInt(passMost.priceFen)),
        fc.integer({ min: 1, max: passMost.days }),
        (price, days) => {
          const parts = Array.from({ length: days }, (_, day) => dayFen(price, days, day))
          expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(price)
          const [least, most] = [parts.reduce((a, b) => (a < b ? a : b)), parts.reduce((a, b) => (a > b ? a : b))]
          expect(most - least <= 1n).toBe(true)
        },
      ),
    )
  })

  it('is nothing before the first day and the price after the last', () => {
    expect(earnedFen(3000n, 30, 0)).toBe(0n)
    expect(earnedFen(3000n, 30, 10)).toBe(1000n)
    expect(earnedFen(2999n, 30, 30)).toBe(2999n)
  })
})
