import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { serviceStanding, serviceStopsOn, serviceText, type ServiceTerms, shanghaiDay } from '../src/base-service.ts'

const terms: ServiceTerms = { expiresOn: '2026-03-01', graceDays: 3, warnDays: 7, stopsAtExpiry: true }

describe('the day in Shanghai', () => {
  it('begins at 16:00 UTC of the day before', () => {
    expect(shanghaiDay(Date.parse('2026-02-28T15:59:59.999Z'))).toBe('2026-02-28')
    expect(shanghaiDay(Date.parse('2026-02-28T16:00:00.000Z'))).toBe('2026-03-01')
  })

  it('matches the calendar of the time zone', () => {
    const zone = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' })
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2099, 11, 31) }), (at) => {
        expect(shanghaiDay(at)).toBe(zone.format(at))
      }),
    )
  })
})

describe('the state of a service', () => {
  it.each([
    ['2026-02-21', 'normal'],
    ['2026-02-22', 'warning'],
    ['2026-03-01', 'warning'],
    ['2026-03-02', 'warning'],
    ['2026-03-04', 'warning'],
    ['2026-03-05', 'arrears'],
    ['2027-03-05', 'arrears'],
  ])('on %s is %s', (today, standing) => {
    expect(serviceStanding(today, terms)).toBe(standing)
  })

  it('is in arrears on the day after the expiry without days of grace', () => {
    const strict = { ...terms, graceDays: 0 }
    expect(serviceStanding('2026-03-01', strict)).toBe('warning')
    expect(serviceStanding('2026-03-02', strict)).toBe('arrears')
  })

  it('counts the 29th of February in a leap year', () => {
    const leap = { ...terms, expiresOn: '2028-02-28', graceDays: 1 }
    expect(serviceStanding('2028-02-29', leap)).toBe('warning')
    expect(serviceStanding('2028-03-01', leap)).toBe('arrears')
  })

  it('is at most a warning when the expiry only triggers a reminder', () => {
    expect(serviceStanding('2036-03-01', { ...terms, stopsAtExpiry: false })).toBe('warning')
  })
})

const day = fc
  .integer({ min: 0, max: 40_000 })
  .map((number) => new Date(number * 86_400_000).toISOString().slice(0, 10))
const anyTerms = fc.record({
  expiresOn: day,
  graceDays: fc.integer({ min: 0, max: 90 }),
  warnDays: fc.integer({ min: 1, max: 90 }),
  stopsAtExpiry: fc.boolean(),
})
const rank = { normal: 0, warning: 1, arrears: 2 }

describe('for any terms', () => {
  it('never improves from one day to the next', () => {
    fc.assert(
      fc.property(anyTerms, day, day, (some, a, b) => {
        const [earlier, later] = a < b ? [a, b] : [b, a]
        expect(rank[serviceStanding(later, some)]).toBeGreaterThanOrEqual(rank[serviceStanding(earlier, some)])
      }),
    )
  })

  it('goes into arrears on the day the service stops, and not a day before', () => {
    fc.assert(
      fc.property(anyTerms, day, (some, today) => {
        const stops = serviceStopsOn(some)
        expect(serviceStanding(today, some) === 'arrears').toBe(stops !== null && today >= stops)
      }),
    )
  })

  it('is a warning on the day of the expiry', () => {
    fc.assert(
      fc.property(anyTerms, (some) => {
        expect(serviceStanding(some.expiresOn, some)).toBe('warning')
      }),
    )
  })
})

describe('the message for the staff', () => {
  it('names the day, and whether it has passed', () => {
    expect(serviceText('warning', '2026-03-01', '2026-03-01')).toBe('您的基础服务将于 2026-03-01 到期，请及时续费')
    expect(serviceText('warning', '2026-03-01', '2026-03-02')).toBe('您的基础服务已于 2026-03-01 到期，请及时续费')
  })

  it('names no day when no terms are set', () => {
    expect(serviceText('warning', null, '2026-03-01')).toBe('您的基础服务即将到期，请及时续费')
    expect(serviceText('arrears', null, '2026-03-01')).toBe('您的基础服务已欠费，部分功能已停用，请尽快缴费')
  })
})
