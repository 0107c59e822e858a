import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dnyAttributeGroups, missingBeside } from '../src/dny/attributes.ts'
import { decodeDown, encodeAnswer, encodeCommand, wantsAnswer } from '../src/dny/down.ts'
import { makeFrame, nextMessageId, parseFrame, type DnyFrame } from '../src/dny/frame.ts'
import { decodeUp, encodeResult, encodeUp } from '../src/dny/up.ts'
import type { CommandResultEvent, DeviceEvent } from '../src/message.ts'
import { bytes, dnyAddress, dnyCommandSent, dnyEvent, startPort, swipeAnswer, value } from './samples.ts'

const address = { physicalId: 0x04ceaa40, messageId: 1 }
const up = (event: DeviceEvent) => value(encodeUp(address, event))

describe('DNY events', () => {
  it('decode to the encoded value', () => {
    fc.assert(
      fc.property(dnyAddress, dnyEvent, (to, event) => {
        const frame = value(encodeUp(to, event))
        expect(value(parseFrame(frame.bytes))).toEqual(frame)
        expect(frame).toMatchObject(to)
        expect(value(decodeUp(frame))).toEqual(event)
      }),
      { numRuns: 500 },
    )
  })

  it('decode frames of older firmware up to their last field', () => {
    const settlement = up({
      kind: 'settlement',
      port: 1,
      durationS: 60,
      energyWh: 10,
      maxPowerDw: 5,
      stopReason: { name: 'full', raw: 1 },
      deviceTimeS: 77,
    })
    const all = [...settlement.data]
    expect(value(decodeUp(value(makeFrame(address, 3, all.slice(0, 29)))))).toMatchObject({ kind: 'settlement' })
    const short = decodeUp(value(makeFrame(address, 3, all.slice(0, 28))))
    expect(short).toEqual({ ok: false, reason: 'the data ends in orderNo' })
    expect(decodeUp(value(makeFrame(address, 3, all.slice(0, 33))))).toMatchObject({ ok: false })
  })

  it('ignore additional bytes of newer firmware', () => {
    const frame = up({ kind: 'heartbeat', ports: [{ name: 'free', raw: 0 }] })
    const longer = value(makeFrame(address, frame.command, [...frame.data, 0, 0, 1, 2, 3]))
    expect(value(decodeUp(longer))).toMatchObject({ kind: 'heartbeat', ports: [{ name: 'free' }] })
  })

  it('distinguish a port from a sensor', () => {
    const alarm = (kind: number, place: number) => value(decodeUp(value(makeFrame(address, 0x42, [kind, place]))))
    expect(alarm(7, 0)).toMatchObject({ alarm: { name: 'doorOpen' }, port: 1 })
    expect(alarm(4, 2)).toMatchObject({ alarm: { name: 'smoke' }, sensor: 2 })
    expect(alarm(99, 2)).toMatchObject({ alarm: { name: 'unknown', raw: 99 }, sensor: 2 })
  })

  it.each([
    ['a port that is none', { kind: 'swipe', card: 'dd058d7a', port: 256 }],
    ['a card that is too short', { kind: 'swipe', card: 'dd05', port: 1 }],
    ['a version that is none', { kind: 'register', firmware: 'v2', portCount: 2 }],
    ['a temperature off the scale', { kind: 'heartbeat', ports: [], temperatureC: -65 }],
    ['what DNY cannot say', { kind: 'offlineStart', port: 1, orderNo: '1' }],
  ] as [string, DeviceEvent][])('cannot be encoded with %s', (_, event) =>
    expect(encodeUp(address, event)).toMatchObject({ ok: false }),
  )

  it('are refused with a reason for an unknown command', () => {
    expect(decodeUp(value(makeFrame(address, 0x35, [])))).toEqual({ ok: false, reason: 'command 35 is not known' })
    expect(decodeDown(value(makeFrame(address, 0xe0, [])))).toEqual({ ok: false, reason: 'command e0 is not known' })
  })
})

describe('DNY commands', () => {
  it('decode to the encoded value', () => {
    fc.assert(
      fc.property(dnyAddress, dnyCommandSent, (to, command) => {
        const [frame, ...more] = value(encodeCommand(to, command))
        expect(more).toEqual([])
        expect(value(decodeDown(frame as DnyFrame))).toEqual(command)
      }),
      { numRuns: 500 },
    )
  })

  it('round energy down to units of 10 Wh', () => {
    const start = {
      kind: 'startPort' as const,
      port: 1,
      orderNo: '7',
      limit: { by: 'energy' as const, energyWh: 1239 },
    }
    const [frame] = value(encodeCommand(address, start))
    expect(value(decodeDown(frame as DnyFrame))).toMatchObject({ limit: { by: 'energy', energyWh: 1230 } })
  })

  it.each([
    [{ limit: { by: 'energy' as const, energyWh: 9 } }],
    [{ limit: { by: 'duration' as const, durationS: 0 } }],
    [{ limit: { by: 'duration' as const, durationS: 65_536 } }],
    [{ orderNo: 'ORDER-1' }],
    [{ orderNo: '0'.repeat(32) }],
    [{ port: 0 }],
    [{ port: 1.5 }],
  ])('refuse a start with %j', (change) => {
    const start = { kind: 'startPort' as const, port: 1, orderNo: '1', limit: { by: 'full' as const }, ...change }
    expect(encodeCommand(address, start)).toMatchObject({ ok: false })
  })

  it.each([{ kind: 'stop' as const }, { kind: 'restore' as const }, { kind: 'setClock' as const, atS: 1 }])(
    'refuse the unsupported $kind',
    (command) => expect(encodeCommand(address, command)).toMatchObject({ ok: false }),
  )

  it('use one frame per attribute group', () => {
    const identifiers = ['floatPercent', 'maxDuration']
    const rawResult = value(encodeCommand({ ...address, messageId: 0xffff }, { kind: 'readAttributes', identifiers }))
    expect(rawResult.map(({ command, messageId }) => [command, messageId])).toEqual([
      [0x90, 0xffff],
      [0x92, 1],
    ])
    expect(encodeCommand(address, { kind: 'readAttributes', identifiers: ['toString'] })).toMatchObject({ ok: false })
  })

  it('write an attribute group only as a whole', () => {
    const refusal = encodeCommand(address, { kind: 'writeAttributes', values: { overloadPower: 20_000 } })
    expect(refusal).toMatchObject({ ok: false, reason: expect.stringContaining('maxDuration') as string })
    expect(missingBeside({ overloadPower: 20_000 })).toEqual(['maxDuration'])
    const values = { overloadPower: 20_000, maxDuration: 36_000 }
    expect(missingBeside(values)).toEqual([])
    expect(value(encodeCommand(address, { kind: 'writeAttributes', values }))).toHaveLength(1)
    const tooMuch = { ...values, overloadPower: 35_001 }
    expect(encodeCommand(address, { kind: 'writeAttributes', values: tooMuch })).toMatchObject({ ok: false })
  })
})

describe('DNY answers', () => {
  it('match the command of the request', () => {
    const heartbeat = up({ kind: 'heartbeat', ports: [] })
    const ack = value(encodeAnswer(heartbeat, { kind: 'ack' }))
    expect([...ack.data]).toEqual([0])
    expect(value(decodeDown(ack))).toEqual({ kind: 'ack' })
    expect(encodeAnswer(heartbeat, { kind: 'setClock', atS: 1 })).toMatchObject({ ok: false })
    expect([0x20, 0x21, 0x22, 0x12, 0x02, 0x03].every(wantsAnswer)).toBe(true)
    expect([0x06, 0x11, 0x42, 0x82].some(wantsAnswer)).toBe(false)
  })

  it('to swipes decode to the encoded value', () => {
    const swipe = up({ kind: 'swipe', card: 'dd058d7a', port: 1 })
    fc.assert(
      fc.property(swipeAnswer, (answer) => {
        expect(value(decodeDown(value(encodeAnswer(swipe, answer))))).toEqual(answer)
      }),
    )
  })

  it('to starts decode to the encoded value', () => {
    fc.assert(
      fc.property(startPort, fc.integer({ min: 0, max: 20 }), (command, raw) => {
        const [request] = value(encodeCommand(address, command))
        const result: CommandResultEvent = { kind: 'commandResult', ok: raw === 0, carriedOut: raw === 0 }
        const refusal = { name: 'unknown' as const, raw }
        const rawResult = { ...result, refusal, orderNo: command.orderNo, waitingPorts: [1, 16] }
        const read = value(decodeUp(value(encodeResult(request as DnyFrame, rawResult)))) as CommandResultEvent
        expect(read).toMatchObject({ ok: raw === 0, orderNo: command.orderNo, waitingPorts: [1, 16], messageId: 1 })
        expect(read.refusal?.raw).toBe(raw === 0 ? undefined : raw)
      }),
    )
  })

  it('name the refusal of a changed limit', () => {
    const answer = (raw: number) => value(decodeUp(value(makeFrame(address, 0x8a, [raw])))) as CommandResultEvent
    expect(answer(0)).toMatchObject({ ok: true, refusal: undefined })
    expect([1, 2, 3, 4].map((raw) => answer(raw).refusal?.name)).toEqual([
      'notCharging',
      'belowPresent',
      'noPort',
      'unknown',
    ])
  })
})

describe('DNY attributes', () => {
  const all = dnyAttributeGroups.flatMap(({ attributes }) => attributes)
  it('have unique names and consistent ranges', () => {
    expect(new Set(all.map(({ identifier }) => identifier)).size).toBe(all.length)
    for (const { min, max, initial, bytes: size, label } of all) {
      expect(max).toBeLessThan(256 ** size)
      expect(min).toBeLessThanOrEqual(initial ?? min)
      expect(max).toBeGreaterThanOrEqual(initial ?? max)
      expect(label).toMatch(/\p{Script=Han}/u)
    }
  })
  it('mark the card keys as secret', () => {
    expect(all.filter(({ secret }) => secret).map(({ identifier }) => identifier)).toEqual(['cardKey', 'newCardKey'])
  })
})

describe('DNY frames', () => {
  it.each([
    ['444e59', 'at least 14 bytes'],
    ['454e590900 40aace04 0100 87 3803', "begins with 'DNY'"],
    ['444e590a00 40aace04 0100 87 3803', 'the length says 15, there are 14'],
    ['444e590001 40aace04 0100 87 3803', 'the length says nothing possible'],
    ['444e590900 40aace04 0100 87 3903', 'the sum should be 824, it is 825'],
  ])('%s is refused: %s', (hex, reason) =>
    expect(parseFrame(bytes(hex))).toMatchObject({ ok: false, reason: expect.stringContaining(reason) as string }),
  )

  it('have at most 256 bytes', () => {
    const data = Array.from({ length: 243 }, () => 1)
    expect(makeFrame(address, 1, data)).toMatchObject({ ok: false })
    expect(value(makeFrame(address, 1, data.slice(1))).bytes).toHaveLength(256)
  })

  it('wrap message ids around', () => {
    expect([0, 1, 65_534, 65_535].map(nextMessageId)).toEqual([1, 2, 65_535, 1])
  })
})
