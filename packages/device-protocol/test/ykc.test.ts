import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CommandResultEvent, DeviceCommand, DeviceEvent, SetTariffCommand } from '../src/message.ts'
import { decodeDown } from '../src/ykc/down-read.ts'
import { canSay, encodeAnswer, encodeCommand, encodeTariffAnswer, wantsAnswer } from '../src/ykc/down.ts'
import { makeFrame, nextSeq, withoutPassword, type YkcFrame } from '../src/ykc/frame.ts'
import { isSerialOf, orderSerial } from '../src/ykc/serial.ts'
import { remarkTypes } from '../src/ykc/types.ts'
import { decodeUp } from '../src/ykc/up.ts'
import { encodeResult, encodeUp } from '../src/ykc/up-written.ts'
import { value } from './samples.ts'
import { pileNo, ykcCommandSent, ykcEvent } from './ykc-samples.ts'

const to = { pileNo, portCount: 2, seq: 5 }
const orderNo = orderSerial(pileNo, 1, Date.UTC(2026, 10, 15, 4, 30, 0), 7)
const up = (event: DeviceEvent, seq = 9) => value(encodeUp(pileNo, seq, event))
const first = (command: DeviceCommand) => value(encodeCommand(to, command))[0] as YkcFrame
const start = { kind: 'startPort' as const, port: 1, orderNo, limit: { by: 'full' as const }, balanceFen: 5000 }
const tariff: SetTariffCommand = {
  kind: 'setTariff',
  modelNo: 12,
  prices: [
    { energyYuanE5: 118_540, serviceYuanE5: 40_000 },
    { energyYuanE5: 35_000, serviceYuanE5: 40_000 },
  ],
  periods: Array.from({ length: 48 }, (_, at) => Number(at < 14)),
  lossPercent: 0,
}
const bill: DeviceEvent = {
  kind: 'settlement',
  port: 1,
  orderNo,
  durationS: 3600,
  energyWh: 20_500,
  deviceTimeS: 1_763_225_984,
  stopReason: { name: 'full', raw: 0x41 },
}

describe('YKC events', () => {
  it('decode to the encoded value', () => {
    fc.assert(
      fc.property(ykcEvent, fc.nat(0xffff), (event, seq) => {
        const frame = up(event, seq)
        expect(frame.seq).toBe(seq)
        expect(value(decodeUp(frame))).toEqual({ pileNo, event })
      }),
      { numRuns: 500 },
    )
  })

  it('have the sizes of the protocol', () => {
    const report = { kind: 'portReport' as const, port: 1, powerDw: 0, energyWh: 0, durationS: 0 }
    expect(up({ ...report, status: { name: 'free', raw: 2 } }).body).toHaveLength(60)
    expect(up(bill).body).toHaveLength(158)
    expect(up({ kind: 'swipe', card: '00'.repeat(8), port: 1 }).body).toHaveLength(51)
    expect(first(start).body).toHaveLength(44)
    expect(first(tariff).body).toHaveLength(90)
  })

  it('distinguish free, plugged-in and unreachable guns', () => {
    const status = (state: number, plugged: number) => {
      const frame = up({
        kind: 'portReport',
        port: 1,
        status: { name: 'free', raw: 2 },
        powerDw: 0,
        energyWh: 0,
        durationS: 0,
      })
      const body = [...frame.body]
      body.splice(24, 3, state, 1, plugged)
      const { event } = value(decodeUp(value(makeFrame(0, 0x13, body))))
      return event.kind === 'portReport' ? event.status : undefined
    }
    expect([status(2, 0), status(2, 1), status(3, 1), status(1, 0), status(0, 0), status(9, 1)]).toEqual([
      { name: 'free', raw: 2 },
      { name: 'connected', raw: 2 },
      { name: 'working', raw: 3 },
      { name: 'fault', raw: 1 },
      { name: 'fault', raw: 0 },
      { name: 'unknown', raw: 9 },
    ])
  })

  it('name hardware faults', () => {
    const faults = [1, 3, 7, 13].map((raw) => ({ name: 'unknown' as const, raw }))
    const status = { name: 'fault' as const, raw: 1 }
    const frame = up({ kind: 'portReport', port: 1, status, powerDw: 0, energyWh: 0, durationS: 0, faults })
    expect([...frame.body].slice(-2)).toEqual([0b0100_0101, 0b0001_0000])
    expect(value(decodeUp(frame)).event).toMatchObject({
      faults: [
        { name: 'emergencyStop', raw: 1 },
        { name: 'heat', raw: 3 },
        { name: 'hardware', raw: 7 },
        { name: 'doorOpen', raw: 13 },
      ],
    })
  })

  it('keep a bill to 0.1 Wh and 0.01 fen', () => {
    const shares = [3, 33_333, 70_001, 1].map((energyDwh) => ({
      priceYuanE5: 158_540,
      energyDwh,
      lossDwh: energyDwh + 1,
      amountYuanE4: 52_846,
    }))
    const upFrame = up({ ...bill, energyDwh: 103_338, amountYuanE4: 163_834, byPrice: shares })
    expect(value(decodeUp(upFrame)).event).toMatchObject({
      energyDwh: 103_338,
      energyWh: 10_334,
      amountYuanE4: 163_834,
      byPrice: shares,
    })
  })

  it('map unused types to named remarks, and refuse unknown types', () => {
    const serial = [...up(bill).body].slice(0, 24)
    const pile = [...up({ kind: 'heartbeat', ports: [], port: 1 }).body]
    for (const [type, { about, serial: has }] of remarkTypes) {
      const { event, pileNo: who } = value(decodeUp(value(makeFrame(0, type, has ? serial : pile))))
      expect([who, event]).toEqual([pileNo, { kind: 'remark', about }])
    }
    expect(decodeUp(value(makeFrame(0, 0x77, pile)))).toEqual({ ok: false, reason: 'command 77 is not known' })
    expect(decodeUp(value(makeFrame(0, 0x03, pile.slice(0, 7))))).toEqual({
      ok: false,
      reason: 'the data ends in port',
    })
  })

  it('are refused when encrypted, in both directions', () => {
    const frame = { ...up({ kind: 'heartbeat', ports: [], port: 1 }), encryption: 1 }
    expect(decodeUp(frame)).toEqual({ ok: false, reason: 'the frame is encrypted' })
    expect(decodeDown(frame)).toEqual({ ok: false, reason: 'the frame is encrypted' })
  })

  it('drop the password of a swipe', () => {
    const asked = up({ kind: 'swipe', card: '00000000dd058d7a', port: 2 })
    const secret = [...asked.body]
    secret.splice(18, 16, ...Array.from({ length: 16 }, () => 0x61))
    const frame = value(makeFrame(asked.seq, asked.type, secret))
    expect(withoutPassword(frame)).toEqual(asked)
  })
})

describe('YKC commands', () => {
  it('decode to the encoded value', () => {
    fc.assert(
      fc.property(ykcCommandSent, (command) => {
        const [frame, ...more] = value(encodeCommand({ ...to, portCount: 1 }, command))
        expect(more).toEqual([])
        expect(value(decodeDown(frame as YkcFrame))).toEqual(command)
      }),
      { numRuns: 500 },
    )
  })

  it('query each gun with sequence numbers that wrap around', () => {
    const asked = value(encodeCommand({ ...to, seq: 0xffff }, { kind: 'query' }))
    expect(asked.map(({ type, seq, body }) => [type, seq, body.at(-1)])).toEqual([
      [0x12, 0xffff, 1],
      [0x12, 0, 2],
    ])
    expect([0, 65_534, 65_535].map(nextSeq)).toEqual([1, 65_535, 0])
  })

  it.each([
    [{ port: 'auto' as const }, 'a pile needs the number of the gun'],
    [{ orderNo: '20251115084200000077' }, 'the order number is not one of this gun'],
    [{ port: 2 }, 'the order number is not one of this gun'],
    [{ limit: { by: 'energy' as const, energyWh: 1000 } }, 'a pile ends a charge by money, not by duration or energy'],
    [{ balanceFen: undefined }, 'a pile ends a charge when the balance is used up, and none is given'],
    [{ balanceFen: -1 }, 'balanceFen does not fit'],
  ])('refuse a start with %j', (change, reason) =>
    expect(encodeCommand(to, { ...start, ...change })).toEqual({ ok: false, reason }),
  )

  it.each([
    [{ prices: [] }, 'no price'],
    [{ prices: Array.from({ length: 5 }, () => ({ energyYuanE5: 1, serviceYuanE5: 1 })) }, '5 prices, a pile knows 4'],
    [{ periods: [0] }, '1 half hours, a day has 48'],
    [{ periods: Array.from({ length: 48 }, (_, at) => Number(at === 20) * 2) }, 'half hour 21 has no price'],
    [{ modelNo: 10_000 }, 'modelNo does not fit'],
  ])('refuse a tariff with %j', (change, reason) =>
    expect(encodeCommand(to, { ...tariff, ...change })).toEqual({ ok: false, reason }),
  )

  it('refuse unsupported kinds', () => {
    const change: DeviceCommand = { kind: 'changePort', port: 1, limit: { by: 'duration', durationS: 60 } }
    expect([canSay(change), canSay(start)]).toEqual([false, true])
    expect(encodeCommand(to, change)).toMatchObject({ ok: false })
  })

  it('are answered with their own type and sequence number', () => {
    const answered = (command: DeviceCommand, answer: Partial<CommandResultEvent>) => {
      const result = { kind: 'commandResult' as const, ok: true, carriedOut: true, ...answer }
      const frame = value(encodeResult(pileNo, first(command), result))
      return { type: frame.type, seq: frame.seq, event: value(decodeUp(frame)).event }
    }
    expect(answered({ kind: 'restart' }, {})).toMatchObject({ type: 0x91, seq: 5, event: { ok: true } })
    expect(answered({ kind: 'stop' }, { ok: false })).toMatchObject({ type: 0x51, event: { ok: false } })
    expect(answered(tariff, {})).toMatchObject({ type: 0x57, event: { ok: true } })
    expect(answered({ kind: 'setClock', atS: 1_763_225_984 }, { deviceTimeS: 1_763_225_983 })).toMatchObject({
      type: 0x55,
      event: { ok: true, deviceTimeS: 1_763_225_983 },
    })
    const refusal = { name: 'unplugged' as const, raw: 0 }
    expect(answered(start, { ok: false, refusal, port: 1, orderNo })).toMatchObject({
      type: 0x33,
      event: { ok: false, carriedOut: false, refusal: { name: 'unplugged', raw: 5 }, port: 1, orderNo },
    })
    const stop = { kind: 'stopPort' as const, port: 1, orderNo }
    expect(answered(stop, { ok: false, refusal: { name: 'notCharging', raw: 0 }, port: 1 })).toMatchObject({
      type: 0x35,
      event: { refusal: { name: 'notCharging', raw: 2 }, port: 1 },
    })
  })
})

describe('YKC answers', () => {
  it('to a settlement contain its order', () => {
    const ack = value(encodeAnswer(up(bill, 77), { kind: 'ack' }))
    expect([ack.type, ack.seq, ack.body.length]).toEqual([0x40, 77, 17])
    expect([...ack.body].slice(0, 16)).toEqual([...up(bill).body].slice(0, 16))
    expect(value(decodeDown(ack))).toEqual({ kind: 'ack' })
  })

  it('to a swipe start a charge only with an order', () => {
    const asked = up({ kind: 'swipe', card: '00000000dd058d7a', port: 1 })
    const no = {
      kind: 'swipeAnswer' as const,
      card: '',
      account: { name: 'notRegistered' as const, raw: 1 },
      balanceFen: 0,
    }
    expect(value(decodeDown(value(encodeAnswer(asked, no))))).toMatchObject({
      kind: 'swipeAnswer',
      card: '00000000dd058d7a',
      port: 1,
      account: { name: 'notRegistered', raw: 1 },
    })
    const good = { ...no, account: { name: 'good' as const, raw: 0 }, balanceFen: 900 }
    expect(encodeAnswer(asked, good)).toMatchObject({ ok: false })
    const frame = value(encodeAnswer(asked, { ...good, orderNo }))
    expect([...frame.body].slice(-2)).toEqual([1, 0])
    expect(encodeAnswer(asked, { kind: 'ack' })).toMatchObject({ ok: false })
  })

  it('to a tariff check refuse another tariff, and send ours on request', () => {
    const check = up({ kind: 'tariffAsked', modelNo: 3 })
    expect(value(decodeDown(value(encodeAnswer(check, { kind: 'ack', bad: 'another' }))))).toMatchObject({
      bad: 'answer 1',
    })
    const request = up({ kind: 'tariffAsked' }, 66)
    expect(wantsAnswer(request.type)).toBe(false)
    const tariffAnswer = value(encodeTariffAnswer(pileNo, request, tariff))
    expect([tariffAnswer.type, tariffAnswer.seq]).toEqual([0x0a, 66])
    const read = value(decodeDown(tariffAnswer))
    const [sharp, peak] = tariff.prices
    expect(read).toEqual({ ...tariff, prices: [sharp, peak, peak, peak] })
  })
})

describe('order number', () => {
  it('contains pile, gun and time', () => {
    expect(orderNo).toBe('55031412782305012611151230000007')
    expect(isSerialOf(orderNo, pileNo, 1)).toBe(true)
    expect([isSerialOf(orderNo, pileNo, 2), isSerialOf(orderNo, '55031412782306', 1)]).toEqual([false, false])
  })
})
