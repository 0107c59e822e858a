import { connect } from 'node:net'
import type { DeviceAnswer, DeviceEvent } from '@wattdeck/device-protocol/message.ts'
import { decodeDown } from '@wattdeck/device-protocol/dny/down.ts'
import { parsePhysicalId } from '@wattdeck/device-protocol/dny/frame.ts'
import { frames, newStream } from '@wattdeck/device-protocol/dny/stream.ts'
import { encodeUp } from '@wattdeck/device-protocol/dny/up.ts'

/** A DNY socket that says what a test tells it to, with the message number that the test wants, and keeps all answers. */
export function openSocket(port: number, wireId: string) {
  const socket = connect(port, '127.0.0.1')
  const stream = newStream()
  const heard: DeviceAnswer[] = []
  socket.on('error', () => undefined)
  socket.on('data', (chunk: Uint8Array) => {
    for (const item of frames(stream, chunk)) {
      const down = item.kind === 'frame' ? decodeDown(item.frame) : undefined
      if (down?.ok === true && (down.value.kind === 'ack' || down.value.kind === 'swipeAnswer')) heard.push(down.value)
    }
  })
  return {
    heard,
    say: (event: DeviceEvent, messageId: number) => {
      const frame = encodeUp({ physicalId: parsePhysicalId(wireId) ?? 0, messageId }, event)
      if (!frame.ok) throw new Error(frame.reason)
      socket.write(frame.value.bytes)
    },
    end: () => socket.destroy(),
  }
}
