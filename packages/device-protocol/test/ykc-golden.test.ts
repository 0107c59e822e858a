import { describe, expect, it } from 'vitest'
import { Cursor, hexOf } from '../src/bytes.ts'
import type { DeviceEvent } from '../src/message.ts'
import { clock } from '../src/ykc/clock.ts'
import { decodeDown } from '../src/ykc/down-read.ts'
import { encodeAnswer, encodeCommand } from '../src/ykc/down.ts'
import { frames, newStream } from '../src/ykc/stream.ts'
import { decodeUp } from '../src/ykc/up.ts'
import { encodeUp } from '../src/ykc/up-written.ts'
import { bytes, value } from './samples.ts'
import { pileNo } from './ykc-samples.ts'

/** Frames published by vendors; their CRC was computed independently of this code. */
const login = '6822000000015503141278230500020f56342e312e3530000101010101010101010101040f32'
const loginOk = '680c000000025503141278230500da4c'
const heartbeat = '680d010000035503141278230501009f4f'
const heartbeatAnswer = '680d010000045503141278230501002e95'
const stop = '680c0300003655031412782305017949'
const restart = '680c0400009255031412782305020644'

function frame(hex: string) {
  const [found, ...more] = frames(newStream(), bytes(hex))
  if (found === undefined || more.length > 0) throw new Error('not one frame')
  return found
}
const to = { pileNo, portCount: 2 }

describe('frames of a pile', () => {
  it('encode an accepted and a refused login', () => {
    expect(frame(login)).toMatchObject({ seq: 0, encryption: 0, type: 0x01 })
    expect(value(decodeUp(frame(login)))).toEqual({
      pileNo,
      event: { kind: 'register', portCount: 2, protocolVersion: '1.5', firmware: 'V4.1.50', model: 'DC' },
    })
    expect(hexOf(value(encodeAnswer(frame(login), { kind: 'ack' })).bytes)).toBe(loginOk)
    expect(value(decodeDown(frame(loginOk)))).toEqual({ kind: 'ack' })
    const away = value(encodeAnswer(frame(login), { kind: 'ack', bad: 'nobody knows it' }))
    expect([...away.body].at(-1)).toBe(1)
    expect(value(decodeDown(away))).toEqual({ kind: 'ack', bad: 'answer 1' })
  })

  it('encode a heartbeat of a gun, answered with its sequence number', () => {
    const event: DeviceEvent = { kind: 'heartbeat', ports: [], port: 1 }
    expect(value(decodeUp(frame(heartbeat)))).toEqual({ pileNo, event })
    expect(hexOf(value(encodeUp(pileNo, 1, event)).bytes)).toBe(heartbeat)
    expect(hexOf(value(encodeAnswer(frame(heartbeat), { kind: 'ack' })).bytes)).toBe(heartbeatAnswer)
  })

  it('encode a stop, and a restart that waits for running charges', () => {
    const order = `${pileNo}01${'0'.repeat(16)}`
    const [stopping] = value(encodeCommand({ ...to, seq: 3 }, { kind: 'stopPort', port: 1, orderNo: order }))
    expect(hexOf(stopping?.bytes ?? [])).toBe(stop)
    const [restarting] = value(encodeCommand({ ...to, seq: 4 }, { kind: 'restart' }))
    expect(hexOf(restarting?.bytes ?? [])).toBe(restart)
    expect(value(decodeDown(frame(restart)))).toEqual({ kind: 'restart', force: undefined })
  })
})

describe('pile clock', () => {
  const printed = '98b70e11100314'
  const atS = Date.UTC(2020, 2, 16, 9, 14, 47) / 1000
  it("uses China's time", () => {
    expect(clock.read(new Cursor(bytes(printed)))).toBe(atS)
    const written: number[] = []
    expect(clock.write(written, atS)).toBe(true)
    expect(hexOf(written)).toBe(printed)
  })
  it.each(['00000000000000', '98b70e111e0214', '60ea0e11100314', '98b73c11100314'])('rejects %s', (hex) =>
    expect(clock.read(new Cursor(bytes(hex)))).toBeUndefined(),
  )
  it('ignores flag bits', () => {
    expect(clock.read(new Cursor(bytes('98b78e91700394')))).toBe(atS)
  })
})
