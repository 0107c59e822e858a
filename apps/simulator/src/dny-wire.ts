import { connect, type Socket } from 'node:net'
import { decodeDown } from '@wattdeck/device-protocol/dny/down.ts'
import { type DnyFrame, nextMessageId, parsePhysicalId } from '@wattdeck/device-protocol/dny/frame.ts'
import { frames, newStream } from '@wattdeck/device-protocol/dny/stream.ts'
import { encodeResult, encodeUp, greeting } from '@wattdeck/device-protocol/dny/up.ts'
import type { DeviceCommand, DeviceEvent } from '@wattdeck/device-protocol/message.ts'
import { refusal } from '@wattdeck/device-protocol/refusal.ts'
import type { Faults } from './faults.ts'
import { Cable, type WireCallbacks, type Identity, type Obeyed, type TcpPlace, type Wire } from './wire.ts'

const reconnectMs = 1000
const reconnectMaxMs = 15_000
const reorderMs = 200
const resendMs = 1_800_000

/** A DNY connection on TCP. It reconnects automatically, each time to the next known gateway. */
export function dnyWire(
  identity: Identity,
  place: TcpPlace,
  faults: Faults,
  random: () => number,
  callbacks: WireCallbacks,
): Wire {
  const physicalId = parsePhysicalId(identity.wireId)
  if (physicalId === undefined) throw new Error(`${identity.wireId} is not a physical id`)
  let socket: Socket | undefined
  let messageId = 0
  let tries = 0
  let ended = false
  const cable = new Cable()
  /** Record key by message id, to match acknowledgements. */
  const keyByMessageId = new Map<number, string>()
  let last: { messageId: number; command: number; answer: Uint8Array | undefined } = {
    messageId: -1,
    command: 0,
    answer: undefined,
  }

  function open(): void {
    // The device may have been ended while it waited to reconnect.
    if (ended || !cable.isThere(open)) return
    const port = place.ports[tries % place.ports.length] ?? 0
    const own = connect(port, place.host)
    socket = own
    const stream = newStream()
    own.setNoDelay(true)
    own.on('connect', () => {
      tries = 0
      own.write(greeting(identity.iccid))
      callbacks.onUp()
    })
    own.on('data', (chunk: Uint8Array) => {
      for (const item of frames(stream, chunk)) {
        if (item.kind !== 'frame') continue
        const decoded = decodeDown(item.frame)
        if (!decoded.ok) continue
        if (decoded.value.kind === 'ack') acked(item.frame.messageId)
        else if (decoded.value.kind === 'swipeAnswer') callbacks.onCard(decoded.value)
        // The time answers the device's own request.
        else if (decoded.value.kind !== 'setClock') obey(item.frame, decoded.value)
      }
    })
    own.on('error', () => undefined) // 'close' follows
    own.on('close', () => {
      if (socket !== own) return
      socket = undefined
      callbacks.onDown()
      tries += 1
      if (ended) return
      const wait = Math.min(reconnectMaxMs, reconnectMs * 2 ** Math.min(tries - 1, 4))
      setTimeout(open, wait * (0.5 + random())).unref()
    })
  }
  /** A command with the last message id was already executed: only its answer is repeated. */
  function obey(frame: DnyFrame, command: DeviceCommand): void {
    if (frame.messageId === last.messageId && frame.command === last.command) {
      if (last.answer !== undefined) socket?.write(last.answer)
      return
    }
    last = { messageId: frame.messageId, command: frame.command, answer: undefined }
    callbacks.onCommand(command, (obeyed) => {
      const answer = encodeResult(frame, resultOf(obeyed))
      // A query has no answer; the device sends its registration and heartbeat instead.
      if (!answer.ok || command.kind === 'query') return
      last = { ...last, answer: answer.value.bytes }
      if (socket?.writable === true) socket.write(answer.value.bytes)
    })
  }
  function acked(id: number): void {
    const key = keyByMessageId.get(id)
    keyByMessageId.delete(id)
    if (key !== undefined) callbacks.onAcked(key)
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
    sendRecord: (key, event, copies = 1) => {
      for (let copy = 0; copy < copies; copy++) keyByMessageId.set(send(event), key)
    },
    sendGarbage: () => socket?.write(Uint8Array.from({ length: 1 + Math.floor(random() * 300) }, () => random() * 256)),
    cut: (forMs = 0) => {
      cable.pull(forMs)
      socket?.destroy()
    },
    // The last command is held in memory, which a restart clears.
    restart: () => {
      last = { messageId: -1, command: 0, answer: undefined }
      socket?.end()
    },
    end: () => {
      ended = true
      socket?.destroy()
    },
  }
}

/** The vendor defines codes for start refusals; any other refusal is 1. */
function resultOf({ refused, ...result }: Obeyed) {
  const raw = refused === undefined ? 0 : (refusal.rows[refused].dny?.[0] ?? 1)
  const ok = refused === undefined
  return { kind: 'commandResult' as const, ok, carriedOut: ok, refusal: { name: 'unknown' as const, raw }, ...result }
}
