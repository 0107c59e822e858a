import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { billText, readBill } from '../../src/tariff/bill-json.ts'
import { estimate } from '../../src/tariff/estimate.ts'
import { explain } from '../../src/tariff/explain.ts'
import { type RequestedLimit, deviceLimit, reservationFor } from '../../src/tariff/limit.ts'
import { price } from '../../src/tariff/price.ts'
import { minReservationFen } from '../../src/tariff/rules.ts'
import { anyRules, anyUsage } from './samples.ts'

const startMs = Date.UTC(2026, 10, 15, 4)
const anyPower = fc.integer({ min: 100, max: 120_000 })
const anyLimit: fc.Arbitrary<RequestedLimit> = fc.oneof(
  fc.record({ by: fc.constant('money' as const), fen: fc.integer({ min: 1, max: 100_000 }) }),
  fc.record({ by: fc.constant('minutes' as const), minutes: fc.integer({ min: 1, max: 1440 }) }),
  fc.record({ by: fc.constant('energy' as const), energyDwh: fc.integer({ min: 1, max: 1_000_000 }) }),
  fc.constant({ by: 'full' as const }),
)

describe('the reserved amount', () => {
  it('is the requested amount, or its highest cost, and never below the minimum', () => {
    fc.assert(
      fc.property(anyRules, anyLimit, anyPower, (rules, request, ratedW) => {
        const reservedFen = reservationFor(rules, request, { startMs, ratedW })
        expect(reservedFen).toBeGreaterThanOrEqual(BigInt(minReservationFen(rules)))
        if (request.by === 'money') expect(reservedFen).toBeGreaterThanOrEqual(BigInt(request.fen))
        if (request.by === 'minutes') {
          const minutes = Math.min(request.minutes, rules.maxMinutes)
          expect(reservedFen).toBeGreaterThanOrEqual(estimate(rules, { startMs, minutes, powerW: ratedW }).totalFen)
        }
      }),
    )
  })

  it('covers the limit of the device at the rated power, beyond the first minute', () => {
    fc.assert(
      fc.property(anyRules, fc.integer({ min: 1, max: 100_000 }), anyPower, (rules, fen, ratedW) => {
        const at = { startMs, ratedW }
        const request = { by: 'money' as const, fen }
        const reservedFen = reservationFor(rules, request, at)
        const limit = deviceLimit(rules, request, reservedFen, at)
        if (limit.by === 'full') throw new Error('a money request has no full-battery limit')
        const powerW = rules.billingType === 2 ? Math.min(ratedW, rules.bands[0]?.maxWatt ?? ratedW) : ratedW
        const minutes = limit.by === 'duration' ? limit.durationS / 60 : Math.floor((limit.energyWh * 60) / powerW)
        expect(minutes).toBeLessThanOrEqual(rules.maxMinutes)
        if (minutes > 1) expect(estimate(rules, { startMs, minutes, powerW }).totalFen).toBeLessThanOrEqual(reservedFen)
      }),
    )
  })
})

describe('a bill', () => {
  it('is unchanged after a round trip through JSON', () => {
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
