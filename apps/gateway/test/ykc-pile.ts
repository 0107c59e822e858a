import { connect } from 'node:net'
import type { CommandResultEvent, DeviceEvent } from '@wattdeck/device-protocol/message.ts'
import type { YkcFrame } from '@wattdeck/device-protocol/ykc/frame.ts'
import { frames, newStream } from '@wattdeck/device-protocol/ykc/stream.ts'
import { encodeResult, encodeUp } from '@wattdeck/device-protocol/ykc/up-written.ts'
import { until } from '../../server/test/harness/until.ts'

const login: DeviceEvent = { kind: 'register', firmware: 'V4.1.50', portCount: 2, model: 'DC' }

/** A scripted pile: sends given frames and records all received ones. */
export function openPile(port: number, pileNo: string) {
  const socket = connect(port, '127.0.0.1')
  const stream = newStream()
  const received: YkcFrame[] = []
  let seq = 0
  let isClosed = false
  socket.on('error', () => undefined)
  socket.on('close', () => {
    isClosed = true
  })
  socket.on('data', (chunk: Uint8Array) => received.push(...frames(stream, chunk)))
  const frameOf = (event: DeviceEvent, as = pileNo) => {
    const frame = encodeUp(as, seq++, event)
    if (!frame.ok) throw new Error(frame.reason)
    return frame.value
  }
  const ofType = (type: number) => received.filter((frame) => frame.type === type)
  return {
    received,
    ofType,
    write: (bytes: Uint8Array) => socket.write(bytes),
    /** Returns the sequence number of the frame. */
    say: (event: DeviceEvent, as = pileNo): number => {
      const frame = frameOf(event, as)
      socket.write(frame.bytes)
      return frame.seq
    },
    answer: (request: YkcFrame, result: Partial<CommandResultEvent>) => {
      const frame = encodeResult(pileNo, request, { kind: 'commandResult', ok: true, carriedOut: true, ...result })
      if (!frame.ok) throw new Error(frame.reason)
      socket.write(frame.value.bytes)
    },
    /** Waits for the nth frame of a type, from 1. */
    waitForFrame: (type: number, nth = 1) => until(() => ofType(type)[nth - 1]),
    /** Drops the recorded frames of a type. */
    forget: (type: number) => {
      const rest = received.filter((frame) => frame.type !== type)
      received.splice(0, received.length, ...rest)
    },
    async login() {
      socket.write(frameOf(login).bytes)
      return until(() => ofType(0x02)[0])
    },
    closes: () => until(() => isClosed || undefined),
    end: () => socket.destroy(),
  }
}
