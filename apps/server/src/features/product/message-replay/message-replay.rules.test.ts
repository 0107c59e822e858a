import { messageEpochMs } from '@wattdeck/contract/events/device-bus.ts'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aliasing, pseudonymise, dueMs, newId, replayItem } from './message-replay.rules.ts'

const key = (fill: number) => [`k:${Buffer.alloc(32, fill).toString('base64')}`]
const alias = aliasing(key(1))
const idAt = (ms: number, low = 0) => String((BigInt(ms - messageEpochMs) << 22n) | BigInt(low))
const day = Date.parse('2026-05-01T00:00:00Z')

describe('personal data', () => {
  it('gets another text of the same form in another organisation, the same each time', () => {
    const swipe = { kind: 'swipe', card: '1A2B3C4D', longCard: '3301061234', vin: 'LSVAA4182E2100001', port: 1 }
    const copy = pseudonymise(swipe, alias) as typeof swipe
    expect(copy).toEqual(pseudonymise(swipe, alias))
    expect(copy.card).toMatch(/^[\dA-F]{8}$/)
    expect(copy.longCard).toMatch(/^\d{10}$/)
    expect(copy.vin).toHaveLength(17)
    expect(Object.values(copy)).not.toEqual(expect.arrayContaining([swipe.card]))
    expect([copy.card, copy.longCard, copy.vin]).not.toContain(swipe.vin)
    expect(pseudonymise(swipe, aliasing(key(2)))).not.toEqual(copy)
    expect(copy.port).toBe(1)
  })

  it('is never carried over, whatever its value and whatever the message contains', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\dA-Z]{6,20}$/), fc.object(), (secret, rest) => {
        const message = {
          ...rest,
          kind: 'remark',
          card: secret,
          text: secret,
          iccid: secret,
          imei: secret,
          plate: secret,
        }
        const { kind, ...copy } = pseudonymise({ ...message, address: secret, commandId: secret }, alias)
        expect(kind).toBe('remark')
        // A text of six letters equals its own alias in one of sixteen million cases.
        expect(Object.entries(copy).filter(([name, value]) => value === secret && name !== 'card')).toEqual([])
      }),
    )
  })

  it('is not carried over from an unreadable frame', () => {
    expect(pseudonymise({ kind: 'unreadable', reason: 'card 1A2B3C4D' }, alias)).toEqual({ kind: 'unreadable' })
  })

  it('needs a key: without one nothing is carried over', () => {
    expect(() => aliasing([])).toThrow(/SECRET_KEYS/)
  })
})

describe('the new id of a message', () => {
  it('is unique, increasing and reproducible, at any speed', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 5000 }), { minLength: 1, maxLength: 3000 })
    fc.assert(
      fc.property(gaps, fc.constantFrom(0, 1, 10, 60), fc.integer({ min: 0, max: 15 }), (steps, speed, lane) => {
        let at = day
        const sources = steps.map((step, place) => idAt((at += step), place))
        const timing = { anchorId: idAt(day + 86_400_000), firstId: sources[0] ?? '', speed, lane }
        const make = () => sources.map((source, place) => BigInt(newId(timing, source, place)))
        const ids = make()
        expect(make()).toEqual(ids)
        for (const [place, id] of ids.entries()) if (place > 0) expect(id > (ids[place - 1] ?? id)).toBe(true)
      }),
      { numRuns: 50 },
    )
  })

  it('keeps the distance in time, divided by the speed', () => {
    const anchorId = idAt(day + 3_600_000)
    const due = (speed: number) =>
      dueMs(newId({ anchorId, firstId: idAt(day), speed, lane: 3 }, idAt(day + 600_000), 5)) - day - 3_600_000
    expect([0, 1, 10, 60].map(due)).toEqual([0, 600_000, 60_000, 10_000])
  })

  it('differs between lanes, so that two replays never share one', () => {
    const timing = { anchorId: idAt(day), firstId: idAt(day), speed: 0 }
    const ids = Array.from({ length: 16 }, (_, lane) => newId({ ...timing, lane }, idAt(day), 0))
    expect(new Set(ids).size).toBe(16)
  })
})

describe('a replayed message', () => {
  const target = { replayId: '7', deviceId: '42', anchorId: idAt(day), firstId: idAt(day), speed: 0, lane: 0 }
  const recorded = { id: idAt(day, 9), boot: null, seq: null, record: null }

  it('keeps its order, by the device’s own counters where it has them', () => {
    const content = { kind: 'link' }
    expect(replayItem({ ...recorded, content }, 0, target, alias).o).toBe(recorded.id)
    const counted = replayItem({ ...recorded, boot: '3', seq: '5', content }, 0, target, alias)
    expect(counted).toMatchObject({ o: String((3n << 40n) | 5n), boot: 3, seq: 5, d: '42' })
  })

  it('opens a connection with the id that the end of the connection names', () => {
    const content = { kind: 'connected', address: '10.0.0.1:1' }
    expect(replayItem({ ...recorded, content }, 0, target, alias).e).toEqual({
      kind: 'connected',
      session: recorded.id,
    })
    const counted = { kind: 'connected', session: '77' }
    expect(replayItem({ ...recorded, content: counted }, 0, target, alias).e).toEqual(counted)
  })

  it('is a record of this replay, without its original name', () => {
    const record = { messageId: '99', atS: 1_790_000_000 }
    expect(replayItem({ ...recorded, content: { kind: 'settlement' }, record }, 0, target, alias).r).toEqual({
      key: 'r7:99',
      at: 1_790_000_000,
    })
  })
})
