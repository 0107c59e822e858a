import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Benefit, discountFen } from '../../src/tariff/benefit.ts'
import { billText, readBill } from '../../src/tariff/bill-json.ts'
import { explain } from '../../src/tariff/explain.ts'
import { chooseBenefits, coveredPrice, leastReservation, reservationFor } from '../../src/tariff/limit.ts'
import { price } from '../../src/tariff/price.ts'
import { isExhausted, mayBeExhausted, safeUsage } from '../../src/tariff/running.ts'
import { anyRules, anyUsage, day, energyRules } from './samples.ts'

const int = (min: number, max: number) => fc.integer({ min, max })
const anyOff: fc.Arbitrary<Benefit['off']> = fc.oneof(
  fc.record({ by: fc.constant('percent' as const), offBp: int(1, 10_000), maxFen: fc.option(int(1, 1000)) }),
  fc.record({ by: fc.constant('amount' as const), offFen: int(1, 2000), fromFen: int(0, 2000) }),
  fc.record({ by: fc.constant('fixed' as const), payFen: int(0, 2000) }),
  fc.record({ by: fc.constant('energy' as const), freeDwh: int(0, 100_000) }),
  fc.record({ by: fc.constant('minutes' as const), freeMinutes: int(0, 600) }),
)
const anyFunder = fc.record({
  who: fc.constantFrom('platform' as const, 'organise' as const, 'agent' as const, 'site' as const),
  id: fc.constant('7'),
  weight: int(1, 100),
})
const anyBenefit: fc.Arbitrary<Benefit> = fc.record({
  kind: fc.constantFrom('price' as const, 'coupon' as const, 'pass' as const),
  ref: fc.constant('whitelist/1'),
  name: fc.constant('夜间五折'),
  scope: fc.constantFrom('charge' as const, 'service' as const),
  off: anyOff,
  funders: fc.array(anyFunder, { minLength: 1, maxLength: 4 }),
})
const anyBenefits = fc.array(anyBenefit, { maxLength: 3 })
const site = [{ who: 'site' as const, id: '1', weight: 1 }]
const half: Benefit = {
  kind: 'coupon',
  ref: 'coupon/1',
  name: '夜间五折',
  scope: 'charge',
  off: { by: 'percent', offBp: 5000, maxFen: null },
  funders: [{ who: 'organise', id: '0', weight: 1 }],
}

const coupon = (id: number, off: { offFen: number; fromFen: number }): Benefit => ({
  ...half,
  ref: `coupon/${id}`,
  off: { by: 'amount', ...off },
})

/** 0.60 + 0.40 yuan for a kWh. */
const oneYuan = energyRules(day(60_000, 40_000))
const startMs = Date.UTC(2026, 10, 15, 4)
const usage = (energyDwh: number, durationS = 3600) => ({
  startMs,
  endMs: startMs + durationS * 1000,
  durationS,
  energyDwh,
})

describe('benefits', () => {
  it('never make a bill negative, and explain the whole difference to the price without them', () => {
    fc.assert(
      fc.property(anyRules, anyUsage, anyBenefits, (rules, used, benefits) => {
        const list = price(rules, used)
        const bill = price(rules, used, { benefits })
        for (const fen of [bill.electricityFen, bill.serviceFen, bill.occupancyFen])
          expect(fen).toBeGreaterThanOrEqual(0n)
        expect(bill.totalFen).toBe(bill.electricityFen + bill.serviceFen + bill.occupancyFen)
        expect(bill.totalFen + discountFen(bill.discounts)).toBe(list.totalFen)
        expect(bill.occupancyFen).toBe(list.occupancyFen)
        expect(
          bill.discounts.length + bill.steps.filter(({ kind }) => kind === 'noBenefit').length,
        ).toBeLessThanOrEqual(benefits.length)
      }),
    )
  })

  it('have funders whose shares add up to the discount to the fen', () => {
    fc.assert(
      fc.property(anyRules, anyUsage, anyBenefits, (rules, used, benefits) => {
        for (const { offFen, shares } of price(rules, used, { benefits }).discounts) {
          expect(shares.reduce((sum, { shareFen }) => sum + shareFen, 0n)).toBe(offFen)
          for (const { shareFen } of shares) expect(shareFen).toBeGreaterThanOrEqual(0n)
        }
      }),
    )
  })

  it('come before the limit of the reserved money', () => {
    fc.assert(
      fc.property(anyRules, anyUsage, anyBenefits, fc.bigInt(0n, 3000n), (rules, used, benefits, heldFen) => {
        const [free, limited] = [price(rules, used, { benefits }), price(rules, used, { benefits, heldFen })]
        expect(limited.totalFen).toBe(free.totalFen < heldFen ? free.totalFen : heldFen)
        expect(limited.totalFen + limited.cappedByFen).toBe(free.totalFen)
        expect(limited.discounts).toEqual(free.discounts)
      }),
    )
  })

  it('survive a round trip through JSON, and bills from before them read as bills without', () => {
    fc.assert(
      fc.property(anyRules, anyUsage, anyBenefits, (rules, used, benefits) => {
        const bill = price(rules, used, { benefits })
        expect(readBill(JSON.parse(billText(bill)))).toEqual(bill)
        expect(explain(readBill(billText(bill)))).toEqual(explain(bill))
      }),
    )
    const { discounts: _, ...old } = price(oneYuan, usage(10_000))
    expect(readBill(billText(old as never)).discounts).toEqual([])
  })

  it.each<[string, Partial<Benefit>, bigint]>([
    ['half of 3.00', {}, 150n],
    ['half of the service fee', { scope: 'service' }, 60n],
    ['half, at most 1.00', { off: { by: 'percent', offBp: 5000, maxFen: 100 } }, 100n],
    ['1.00 from 3.00', { off: { by: 'amount', offFen: 100, fromFen: 300 } }, 100n],
    ['1.00 from 3.01', { off: { by: 'amount', offFen: 100, fromFen: 301 } }, 0n],
    ['9.00, more than the price', { off: { by: 'amount', offFen: 900, fromFen: 0 } }, 300n],
    ['a price of 1.20', { off: { by: 'fixed', payFen: 120 } }, 180n],
    ['a price above the tariff', { off: { by: 'fixed', payFen: 400 } }, 0n],
    ['1 of 3 kWh', { off: { by: 'energy', freeDwh: 10_000 } }, 100n],
    ['all kWh', { off: { by: 'energy', freeDwh: 30_000 } }, 300n],
    ['20 of 60 minutes', { off: { by: 'minutes', freeMinutes: 20 } }, 100n],
  ])('take off %s', (_, change, offFen) => {
    expect(discountFen(price(oneYuan, usage(30_000), { benefits: [{ ...half, ...change }] }).discounts)).toBe(offFen)
  })

  it('apply one after the other, each to what is left', () => {
    const price20: Benefit = { ...half, kind: 'price', off: { by: 'percent', offBp: 2000, maxFen: null } }
    const from240: Benefit = { ...half, off: { by: 'amount', offFen: 50, fromFen: 240 } }
    const bill = price(oneYuan, usage(30_000), { benefits: [price20, from240] })
    expect(bill.discounts.map(({ kind, offFen }) => [kind, offFen])).toEqual([
      ['price', 60n],
      ['coupon', 50n],
    ])
    expect([bill.electricityFen, bill.serviceFen, bill.totalFen]).toEqual([114n, 76n, 190n])
  })

  it('follow the minimum fee, and are explained with their funder', () => {
    const rules = { ...oneYuan, minFeeFen: 100 }
    const bill = price(rules, usage(5000), { benefits: [half] })
    expect(bill.totalFen).toBe(50n)
    expect(explain(bill).slice(-3)).toEqual([
      '不足最低消费 1.00 元，服务费补收 0.50 元',
      '优惠券「夜间五折」优惠 0.50 元（机构承担）',
      '原价 1.00 元，优惠 0.50 元，应付 0.50 元：电费 0.15 元，服务费 0.35 元',
    ])
    const late = price(rules, usage(5000), { benefits: [{ ...half, off: { by: 'amount', offFen: 1, fromFen: 500 } }] })
    expect(explain(late)).toContain('优惠券「夜间五折」未使用：未满 5.00 元')
  })
})

describe('the reservation with benefits', () => {
  const at = { startMs, ratedW: 1000 }
  const free: Benefit = { ...half, kind: 'price', off: { by: 'energy', freeDwh: 1_000_000 }, funders: site }

  it('covers the dearest charge within the limit', () => {
    fc.assert(
      fc.property(anyRules, anyBenefits, int(1, 720), int(100, 20_000), (rules, benefits, minutes, ratedW) => {
        const heldFen = reservationFor(rules, { by: 'minutes', minutes }, { startMs, ratedW, benefits })
        const most = Math.min(minutes, rules.maxMinutes)
        const used = { ...usage(Math.round((ratedW * most) / 6), most * 60), peakPowerDw: ratedW * 10 }
        expect(price(rules, used, { benefits, heldFen }).cappedByFen).toBe(0n)
      }),
    )
  })

  it('is nothing for a charge that they cover in full, and never more than asked for', () => {
    expect(reservationFor(oneYuan, { by: 'full' }, { ...at, benefits: [free] })).toBe(0n)
    expect(reservationFor(oneYuan, { by: 'money', fen: 500 }, { ...at, benefits: [free] })).toBe(0n)
    expect(reservationFor(oneYuan, { by: 'money', fen: 500 }, { ...at, benefits: [half] })).toBe(500n)
    expect(reservationFor(oneYuan, { by: 'minutes', minutes: 60 }, { ...at, benefits: [half] })).toBe(50n)
    expect(leastReservation({ ...oneYuan, startFeeFen: 200 }, { ...at, benefits: [free] })).toBe(0n)
    expect(leastReservation({ ...oneYuan, startFeeFen: 200 }, at)).toBe(200n)
  })

  it('lets a pile that counts list prices run as far as the money and the benefits reach', () => {
    expect(coveredPrice(oneYuan, 100n, at)).toBe(100n)
    expect(coveredPrice(oneYuan, 100n, { ...at, benefits: [half] })).toBeGreaterThanOrEqual(198n)
    expect(coveredPrice(oneYuan, 0n, { ...at, benefits: [free] })).toBe(1000n)
  })

  it('are of each kind the one with which the requested charge costs least', () => {
    const fixed: Benefit = { ...half, ref: 'whitelist/2', off: { by: 'fixed', payFen: 300 } }
    expect(chooseBenefits(oneYuan, [half, fixed], at)).toEqual([fixed])
    expect(chooseBenefits(oneYuan, [half, fixed], at, { by: 'minutes', minutes: 60 })).toEqual([half])
    expect(chooseBenefits(oneYuan, [], at)).toEqual([])
    const [threeOff, oneOff] = [coupon(3, { offFen: 300, fromFen: 1000 }), coupon(4, { offFen: 100, fromFen: 0 })]
    expect(chooseBenefits(oneYuan, [oneOff, threeOff], at)).toEqual([threeOff])
    expect(chooseBenefits(oneYuan, [threeOff, oneOff], at, { by: 'minutes', minutes: 120 })).toEqual([oneOff])
    // Money that reaches the threshold counts as a charge that passes it.
    expect(chooseBenefits(oneYuan, [oneOff, threeOff], at, { by: 'money', fen: 1000 })).toEqual([threeOff])
    // After a price that halves the charge, the threshold is out of reach.
    const halfPrice: Benefit = { ...half, kind: 'price', ref: 'whitelist/1' }
    expect(chooseBenefits(oneYuan, [threeOff, halfPrice], at)).toEqual([halfPrice])
    expect(chooseBenefits(oneYuan, [oneOff, halfPrice], at)).toEqual([halfPrice, oneOff])
  })

  it('are either a price of the person or a coupon that stands alone, whichever saves more', () => {
    const halfPrice: Benefit = { ...half, kind: 'price', ref: 'whitelist/1' }
    const [little, much] = [100, 700].map((offFen): Benefit => ({
      ...coupon(offFen, { offFen, fromFen: 0 }),
      alone: true,
    }))
    if (little === undefined || much === undefined) throw new Error('two coupons')
    expect(chooseBenefits(oneYuan, [little, halfPrice], at)).toEqual([halfPrice])
    expect(chooseBenefits(oneYuan, [much, halfPrice], at)).toEqual([much])
    expect(chooseBenefits(oneYuan, [little, much], at)).toEqual([much])
  })

  it('that lower nothing are not used up', () => {
    const all: Benefit = { ...half, kind: 'price', off: { by: 'percent', offBp: 10_000, maxFen: null } }
    expect(chooseBenefits(oneYuan, [all, coupon(3, { offFen: 300, fromFen: 0 })], at)).toEqual([all])
  })
})

describe('a running charge with benefits', () => {
  it('is never used up below its safe usage or while the upper bound excludes it', () => {
    fc.assert(
      fc.property(anyRules, anyUsage, anyBenefits, fc.bigInt(0n, 2000n), (rules, used, benefits, heldFen) => {
        const exhausted = isExhausted(rules, used, heldFen, benefits)
        expect(exhausted && !mayBeExhausted(rules, used, heldFen, benefits)).toBe(false)
        const safe = safeUsage(rules, heldFen, benefits)
        const isSafe = used.energyDwh <= safe.energyDwh && used.durationS <= safe.durationS
        expect(exhausted && isSafe).toBe(false)
      }),
    )
  })

  it('without reserved money ends where the benefit ends', () => {
    const free: Benefit = { ...half, off: { by: 'energy', freeDwh: 20_000 } }
    expect(isExhausted(oneYuan, usage(20_000), 0n, [free])).toBe(false)
    expect(isExhausted(oneYuan, usage(20_200), 0n, [free])).toBe(true)
    expect(safeUsage(oneYuan, 0n, [free]).energyDwh).toBe(20_000)
  })
})
