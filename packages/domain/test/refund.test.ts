import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { backOfRecharge, backOwnFirst, shareByRemainder, suspicionsOf } from '../src/refund.ts'

describe('shareByRemainder', () => {
  it('adds up to the amount and takes no more of a part than there is, however often a part is asked for', () => {
    let left = [501n, 333n, 166n]
    for (const amount of [1n, 333n, 7n, 99n, 560n]) {
      const shares = shareByRemainder(amount, left)
      expect(shares.reduce((sum, share) => sum + share, 0n)).toBe(amount)
      left = left.map((part, at) => part - (shares[at] ?? 0n))
      expect(left.every((part) => part >= 0n)).toBe(true)
    }
    expect(left).toEqual([0n, 0n, 0n])
  })
  it('loses and makes no fen in a hundred thousand random splits, and no share is negative', () => {
    const fen = fc.oneof(fc.bigInt(0n, 9n), fc.bigInt(0n, 999_999_999n))
    const parts = fc.array(fen, { minLength: 1, maxLength: 12 })
    const splits = () =>
      fc.assert(
        fc.property(parts, fc.bigInt(0n, 12_000_000_000n), (left, wish) => {
          const most = left.reduce((sum, part) => sum + part, 0n)
          const amount = most === 0n ? 0n : wish % (most + 1n)
          const shares = shareByRemainder(amount, left)
          const isWhole = shares.reduce((sum, share) => sum + share, 0n) === amount
          return isWhole && shares.every((share, at) => share >= 0n && share <= (left[at] ?? 0n))
        }),
        { numRuns: 100_000 },
      )
    expect(splits).not.toThrow()
  })
  it('gives the odd fen to the largest remainder', () => {
    expect(shareByRemainder(10n, [1n, 1n, 1000n])).toEqual([0n, 0n, 10n])
    expect(shareByRemainder(2n, [2n, 1n])).toEqual([1n, 1n])
    expect(shareByRemainder(0n, [0n, 0n])).toEqual([0n, 0n])
  })
  it('refuses more than there is', () => expect(() => shareByRemainder(4n, [1n, 2n])).toThrow('more than there is'))
})

it('backOwnFirst gives own money first', () => {
  expect(backOwnFirst(5n, { paid: 3n, gift: 4n })).toEqual({ paid: 3n, gift: 2n })
  expect(() => backOwnFirst(8n, { paid: 3n, gift: 4n })).toThrow('more than there is')
})

describe('backOfRecharge', () => {
  const recharge = { amount: 10_000n, gift: 1500n, giftBack: 0n }
  it('takes the gift in proportion, rounded up', () =>
    expect(backOfRecharge(1n, recharge, 1500n)).toEqual({ gift: 1n, giftSpent: 0n, payout: 1n }))
  it('takes what is spent off the payout', () =>
    expect(backOfRecharge(10_000n, recharge, 300n)).toEqual({ gift: 300n, giftSpent: 1200n, payout: 8800n }))
  it('never takes more of the gift than was given', () =>
    expect(backOfRecharge(5000n, { ...recharge, giftBack: 1000n }, 1500n)).toEqual({
      gift: 500n,
      giftSpent: 0n,
      payout: 5000n,
    }))
})

it('suspicionsOf says why', () => {
  expect(suspicionsOf({ stopReason: 'relayFault', durationS: 179, energyDwh: 0 })).toEqual([
    '故障结束',
    '充电不足3分钟',
    '没有电量',
  ])
  expect(suspicionsOf({ stopReason: 'full', durationS: 180, energyDwh: 1 })).toEqual([])
  expect(suspicionsOf({ stopReason: null, durationS: null, energyDwh: null })).toEqual([])
})
