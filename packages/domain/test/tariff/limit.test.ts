import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { billText, readBill } from '../../src/tariff/bill-json.ts'
import { estimate } from '../../src/tariff/estimate.ts'
import { explain } from '../../src/tariff/explain.ts'
import { type AskedLimit, deviceLimit, heldFor } from '../../src/tariff/limit.ts'
import { price } from '../../src/tariff/price.ts'
import { leastHeldFen } from '../../src/tariff/rules.ts'
import { anyRules, anyUsage } from './samples.ts'

const startMs = Date.UTC(2026, 10, 15, 4)
const anyPower = fc.integer({ min: 100, max: 120_000 })
const anyLimit: fc.Arbitrary<AskedLimit> = fc.oneof(
  fc.record({ by: fc.constant('money' as const), fen: fc.integer({ min: 1, max: 100_000 }) }),
  fc.record({ by: fc.constant('minutes' as const), minutes: fc.integer({ min: 1, max: 1440 }) }),
  fc.record({ by: fc.constant('energy' as const), energyDwh: fc.integer({ min: 1, max: 1_000_000 }) }),
  fc.constant({ by: 'full' as const }),
)

describe('what is put aside', () => {
  it('is what was asked for, or what that costs at most, and never too little to begin', () => {
    fc.assert(
      fc.property(anyRules, anyLimit, anyPower, (rules, asked, ratedW) => {
        const held = heldFor(rules, asked, { startMs, ratedW })
        expect(held).toBeGreaterThanOrEqual(BigInt(leastHeldFen(rules)))
        if (asked.by === 'money') expect(held).toBeGreaterThanOrEqual(BigInt(asked.fen))
        if (asked.by === 'minutes') {
          const minutes = Math.min(asked.minutes, rules.maxMinutes)
          expect(held).toBeGreaterThanOrEqual(estimate(rules, { startMs, minutes, powerW: ratedW }).totalFen)
        }
      }),
    )
  })

  it('pays for what the device is told to give, at the power of the port, beyond the first minute', () => {
    fc.assert(
      fc.property(anyRules, fc.integer({ min: 1, max: 100_000 }), anyPower, (rules, fen, ratedW) => {
        const at = { startMs, ratedW }
        const asked = { by: 'money' as const, fen }
        const held = heldFor(rules, asked, at)
        const limit = deviceLimit(rules, asked, held, at)
        if (limit.by === 'full') throw new Error('money is no full battery')
        const powerW = rules.billingType === 2 ? Math.min(ratedW, rules.bands[0]?.maxWatt ?? ratedW) : ratedW
        const minutes = limit.by === 'duration' ? limit.durationS / 60 : Math.floor((limit.energyWh * 60) / powerW)
        expect(minutes).toBeLessThanOrEqual(rules.maxMinutes)
        if (minutes > 1) expect(estimate(rules, { startMs, minutes, powerW }).totalFen).toBeLessThanOrEqual(held)
      }),
    )
  })
})

describe('a bill', () => {
  it('is the same after it was written down and read again', () => {
    fc.assert(
      fc.property(anyRules, anyUsage, (rules, usage) => {
        const bill = price(rules, usage, { heldFen: 500n })
        const read = readBill(JSON.parse(billText(bill)))
        expect(read).toEqual(bill)
        expect(explain(read)).toEqual(explain(bill))
      }),
    )
  })
})
