import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitRechargeRefund, splitOwnFirst, shareByRemainder, suspicionsOf } from '../src/refund.ts'

describe('shareByRemainder', () => {
  it('adds up to the amount and never exceeds a part, also after repeated refunds', () => {
    let available = [501n, 333n, 166n]
    for (const amount of [1n, 333n, 7n, 99n, 560n]) {
      const shares = shareByRemainder(amount, available)
      expect(shares.reduce((sum, share) => sum + share, 0n)).toBe(amount)
      available = available.map((part, at) => part - (shares[at] ?? 0n))
      expect(available.every((part) => part >= 0n)).toBe(true)
    }
    expect(available).toEqual([0n, 0n, 0n])
  })
  it('neither loses nor creates a fen in a hundred thousand random splits, and no share is negative', () => {
    const fen = fc.oneof(fc.bigInt(0n, 9n), fc.bigInt(0n, 999_999_999n))
    const parts = fc.array(fen, { minLength: 1, maxLength: 12 })
    const splits = () =>
      fc.assert(
        fc.property(parts, fc.bigInt(0n, 12_000_000_000n), (available, requested) => {
          const most = available.reduce((sum, part) => sum + part, 0n)
          const amount = most === 0n ? 0n : requested % (most + 1n)
          const shares = shareByRemainder(amount, available)
          const isWhole = shares.reduce((sum, share) => sum + share, 0n) === amount
          return isWhole && shares.every((share, at) => share >= 0n && share <= (available[at] ?? 0n))
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
  it('refuses more than the sum of the parts', () =>
    expect(() => shareByRemainder(4n, [1n, 2n])).toThrow('the amount exceeds the available sum'))
})

it('splitOwnFirst refunds own money first', () => {
  expect(splitOwnFirst(5n, { paid: 3n, gift: 4n })).toEqual({ paid: 3n, gift: 2n })
  expect(() => splitOwnFirst(8n, { paid: 3n, gift: 4n })).toThrow('the amount exceeds the available sum')
})

describe('splitRechargeRefund', () => {
  const recharge = { amount: 10_000n, gift: 1500n, giftBack: 0n }
  it('takes the gift in proportion, rounded up', () =>
    expect(splitRechargeRefund(1n, recharge, 1500n)).toEqual({ gift: 1n, giftSpent: 0n, payout: 1n }))
  it('deducts a spent gift from the payout', () =>
    expect(splitRechargeRefund(10_000n, recharge, 300n)).toEqual({ gift: 300n, giftSpent: 1200n, payout: 8800n }))
  it('never takes back more than the gift', () =>
    expect(splitRechargeRefund(5000n, { ...recharge, giftBack: 1000n }, 1500n)).toEqual({
      gift: 500n,
      giftSpent: 0n,
      payout: 5000n,
    }))
})

it('suspicionsOf returns the reasons', () => {
  expect(suspicionsOf({ stopReason: 'relayFault', durationS: 179, energyDwh: 0 })).toEqual([
    '故障结束',
    '充电不足3分钟',
    '没有电量',
  ])
  expect(suspicionsOf({ stopReason: 'full', durationS: 180, energyDwh: 1 })).toEqual([])
  expect(suspicionsOf({ stopReason: null, durationS: null, energyDwh: null })).toEqual([])
})
