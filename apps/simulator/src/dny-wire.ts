import { connect, type Socket } from 'node:net'
import { decodeDown } from '@wattdeck/device-protocol/dny/down.ts'
import { nextMessageId, parsePhysicalId } from '@wattdeck/device-protocol/dny/frame.ts'
import { frames, newStream } from '@wattdeck/device-protocol/dny/stream.ts'
import { encodeUp, greeting } from '@wattdeck/device-protocol/dny/up.ts'
import type { DeviceEvent } from '@wattdeck/device-protocol/message.ts'
import type { Faults } from './faults.ts'
import type { Hearing, Identity, Wire } from './wire.ts'

const reconnectMs = 1000
const reconnectMaxMs = 15_000
const reorderMs = 200
const resendMs = 1_800_000

export type DnyPlace = { host: string; ports: readonly number[] }

/** A DNY socket on TCP. It comes back by itself, each time to the next of the gateways it knows. */
export function dnyWire(
  identity: Identity,
  place: DnyPlace,
  faults: Faults,
  random: () => number,
  hear: Hearing,
): Wire {
  const physicalId = parsePhysicalId(identity.wireId)
  if (physicalId === undefined) throw new Error(`${identity.wireId} is no physical id`)
  let socket: Socket | undefined
  let messageId = 0
  let tries = 0
  let ended = false
  /** Which record an acknowledgement is of. */
  const sent = new Map<number, string>()

  function open(): void {
    const port = place.ports[tries % place.ports.length] ?? 0
    const own = connect(port, place.host)
    socket = own
    const stream = newStream()
    own.setNoDelay(true)
    own.on('connect', () => {
      tries = 0
      own.write(greeting(identity.iccid))
      hear.onUp()
    })
    own.on('data', (chunk: Uint8Array) => {
      for (const item of frames(stream, chunk)) {
        if (item.kind !== 'frame') continue
        const said = decodeDown(item.frame)
        if (said.ok && (said.value.kind === 'ack' || said.value.kind === 'swipeAnswer')) acked(item.frame.messageId)
      }
    })
    own.on('error', () => undefined) // 'close' follows
    own.on('close', () => {
      if (socket !== own) return
      socket = undefined
      hear.onDown()
      tries += 1
      if (ended) return
      const wait = Math.min(reconnectMaxMs, reconnectMs * 2 ** Math.min(tries - 1, 4))
      setTimeout(open, wait * (0.5 + random())).unref()
    })
  }
  function acked(id: number): void {
    const key = sent.get(id)
    sent.delete(id)
    if (key !== undefined) hear.onAcked(key)
  }
  function send(event: DeviceEvent): number {
    messageId = nextMessageId(messageId)
    const frame = encodeUp({ physicalId: physicalId ?? 0, messageId }, event)
    if (!frame.ok) throw new Error(`${event.kind}: ${frame.reason}`)
    const { bytes } = frame.value
    if (random() < faults.drop) return messageId
    const write = () => socket?.writable === true && socket.write(bytes)
    if (random() < faults.reorder) setTimeout(write, reorderMs * random()).unref()
    else write()
    if (random() < faults.duplicate) write()
    return messageId
  }
  return {
    connect: open,
    resendAfterMs: () => resendMs,
    send: (event) => void send(event),
    sendRecord: (key, event) => void sent.set(send(event), key),
    sendGarbage: () => socket?.write(Uint8Array.from({ length: 1 + Math.floor(random() * 300) }, () => random() * 256)),
    cut: () => socket?.destroy(),
    end: () => {
      ended = true
      socket?.destroy()
    },
  }
}
