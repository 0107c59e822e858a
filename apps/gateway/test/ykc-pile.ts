import { connect } from 'node:net'
import type { CommandResultEvent, DeviceEvent } from '@wattdeck/device-protocol/message.ts'
import type { YkcFrame } from '@wattdeck/device-protocol/ykc/frame.ts'
import { frames, newStream } from '@wattdeck/device-protocol/ykc/stream.ts'
import { encodeResult, encodeUp } from '@wattdeck/device-protocol/ykc/up-written.ts'
import { until } from '../../server/test/harness/until.ts'

const login: DeviceEvent = { kind: 'register', firmware: 'V4.1.50', portCount: 2, model: 'DC' }

/** A pile that says what a test tells it to, frame by frame, and keeps all it hears. */
export function openPile(port: number, pileNo: string) {
  const socket = connect(port, '127.0.0.1')
  const stream = newStream()
  const heard: YkcFrame[] = []
  let seq = 0
  let gone = false
  socket.on('error', () => undefined)
  socket.on('close', () => {
    gone = true
  })
  socket.on('data', (chunk: Uint8Array) => heard.push(...frames(stream, chunk)))
  const said = (event: DeviceEvent, as = pileNo) => {
    const frame = encodeUp(as, seq++, event)
    if (!frame.ok) throw new Error(frame.reason)
    return frame.value
  }
  const ofType = (type: number) => heard.filter((frame) => frame.type === type)
  return {
    heard,
    ofType,
    write: (bytes: Uint8Array) => socket.write(bytes),
    /** Answers the number that it was sent with. */
    say: (event: DeviceEvent, as = pileNo): number => {
      const frame = said(event, as)
      socket.write(frame.bytes)
      return frame.seq
    },
    answer: (asked: YkcFrame, result: Partial<CommandResultEvent>) => {
      const frame = encodeResult(pileNo, asked, { kind: 'commandResult', ok: true, carriedOut: true, ...result })
      if (!frame.ok) throw new Error(frame.reason)
      socket.write(frame.value.bytes)
    },
    /** The nth frame of a type, from 1. */
    hears: (type: number, nth = 1) => until(() => ofType(type)[nth - 1]),
    /** What was heard of a type so far does not count any more. */
    forget: (type: number) => {
      const rest = heard.filter((frame) => frame.type !== type)
      heard.splice(0, heard.length, ...rest)
    },
    async login() {
      socket.write(said(login).bytes)
      return until(() => ofType(0x02)[0])
    },
    closes: () => until(() => gone || undefined),
    end: () => socket.destroy(),
  }
}
