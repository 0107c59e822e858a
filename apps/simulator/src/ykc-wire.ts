import { connect, type Socket } from 'node:net'
import type { CommandResultEvent, DeviceEvent, PortReportEvent } from '@wattdeck/device-protocol/message.ts'
import { plugStatus } from '@wattdeck/device-protocol/plug-status.ts'
import { decodeDown, type YkcDown } from '@wattdeck/device-protocol/ykc/down-read.ts'
import { nextSeq, type YkcFrame } from '@wattdeck/device-protocol/ykc/frame.ts'
import { frames, newStream } from '@wattdeck/device-protocol/ykc/stream.ts'
import { ykcTiming } from '@wattdeck/device-protocol/ykc/timing.ts'
import { ykcType } from '@wattdeck/device-protocol/ykc/types.ts'
import { encodeResult, encodeUp } from '@wattdeck/device-protocol/ykc/up-written.ts'
import type { Faults } from './faults.ts'
import { Cable, type WireCallbacks, type Identity, type Obeyed, type TcpPlace, type Wire } from './wire.ts'

const reconnectMs = 1000
const reconnectMaxMs = 15_000
const reorderMs = 200

/** A YKC pile on TCP. It logs in, and reconnects automatically, each time to the next known gateway. */
export function ykcWire(
  identity: Identity,
  place: TcpPlace,
  faults: Faults,
  random: () => number,
  callbacks: WireCallbacks,
): Wire {
  const pile = new Pile(identity, place, random, callbacks)
  function send(event: DeviceEvent): number {
    const frame = pile.frameOf(event)
    if (random() < faults.drop) return frame.seq
    const write = () => pile.write(frame.bytes)
    if (random() < faults.reorder) setTimeout(write, reorderMs * random()).unref()
    else write()
    if (random() < faults.duplicate) write()
    return frame.seq
  }
  return {
    connect: () => pile.open(),
    resendAfterMs: (times) =>
      times <= ykcTiming.settlementResends ? ykcTiming.settlementResendMs : ykcTiming.settlementLastMs,
    send: (event) => {
      for (const one of pile.splitEvent(event)) send(one)
    },
    sendRecord: (key, event, copies = 1) => {
      for (const one of pile.splitEvent(event)) for (let copy = 0; copy < copies; copy++) pile.keep(send(one), key)
    },
    sendGarbage: () => pile.write(Uint8Array.from({ length: 1 + Math.floor(random() * 300) }, () => random() * 256)),
    cut: (forMs) => pile.cut(forMs),
    restart: () => pile.restart(),
    end: () => pile.end(),
  }
}

class Pile {
  readonly #identity: Identity
  readonly #place: TcpPlace
  readonly #random: () => number
  readonly #callbacks: WireCallbacks
  readonly #cable = new Cable()
  /** The newest report of each gun. */
  readonly #reports: PortReportEvent[]
  /** Record key by sequence number, to match acknowledgements. */
  readonly #kept = new Map<number, string>()
  #socket: Socket | undefined
  #beat: NodeJS.Timeout | undefined
  #seq = 0
  #tries = 0
  #ended = false

  constructor(identity: Identity, place: TcpPlace, random: () => number, callbacks: WireCallbacks) {
    this.#identity = identity
    this.#place = place
    this.#random = random
    this.#callbacks = callbacks
    this.#reports = Array.from({ length: identity.portCount }, (_, at) => idle(at + 1))
  }

  open(): void {
    if (this.#ended || !this.#cable.isThere(() => this.open())) return
    const { host, ports } = this.#place
    const own = connect(ports[this.#tries % ports.length] ?? 0, host)
    this.#socket = own
    this.#seq = 0
    const stream = newStream()
    own.setNoDelay(true)
    own.on('connect', () => own.write(this.frameOf(this.#login()).bytes))
    own.on('data', (chunk: Uint8Array) => {
      for (const frame of frames(stream, chunk)) {
        const decoded = decodeDown(frame)
        if (decoded.ok) this.#handleCommand(frame, decoded.value)
      }
    })
    own.on('error', () => undefined) // 'close' follows
    own.on('close', () => this.#closed(own))
  }
  cut(forMs = 0): void {
    this.#cable.pull(forMs)
    this.#socket?.destroy()
  }
  restart(): void {
    this.#socket?.end()
  }
  end(): void {
    this.#ended = true
    this.#socket?.destroy()
  }
  write(bytes: Uint8Array): void {
    if (this.#socket?.writable === true) this.#socket.write(bytes)
  }
  keep(seq: number, key: string): void {
    this.#kept.set(seq, key)
  }

  frameOf(event: DeviceEvent): YkcFrame {
    const frame = encodeUp(this.#identity.wireId, this.#seq, event)
    if (!frame.ok) throw new Error(`${event.kind}: ${frame.reason}`)
    this.#seq = nextSeq(this.#seq)
    return frame.value
  }

  /** Maps an event to frames of a pile: the login is sent on connect, and a status change becomes a report. */
  splitEvent(event: DeviceEvent): DeviceEvent[] {
    if (event.kind === 'register') return []
    if (event.kind === 'heartbeat') return this.#changed(event.ports)
    if (event.kind === 'alarm') {
      const [first = idle(1)] = this.#reports
      return event.alarm.raw === 0 ? [] : [{ ...first, faults: [event.alarm] }]
    }
    if (event.kind !== 'portReport' && event.kind !== 'settlement') return [event]
    const renumbered = { ...event, orderNo: this.#serialOf(event.orderNo, event.port) }
    if (renumbered.kind === 'portReport') this.#reports[renumbered.port - 1] = renumbered
    return [renumbered]
  }

  #login(): DeviceEvent {
    const { portCount, iccid } = this.#identity
    return { kind: 'register', firmware: '1.26', portCount, model: 'DC', iccid }
  }

  #changed(ports: Extract<DeviceEvent, { kind: 'heartbeat' }>['ports']): DeviceEvent[] {
    const changed: DeviceEvent[] = []
    for (const [at, status] of ports.entries()) {
      const before = this.#reports[at]
      if (before === undefined || before.status.name === status.name) continue
      // The report that follows carries 'working' with its order.
      if (status.name === 'working') continue
      const report = { ...idle(at + 1), status }
      this.#reports[at] = report
      changed.push(report)
    }
    return changed
  }

  /** A locally started charge gets its own serial, derived from its order number after pile and gun. */
  #serialOf(orderNo: string | undefined, port: number): string | undefined {
    if (orderNo === undefined || /^\d{32}$/.test(orderNo)) return orderNo
    return `${this.#identity.wireId}${String(port).padStart(2, '0')}${orderNo.slice(-16).padStart(16, '0')}`
  }

  #handleCommand(frame: YkcFrame, down: YkcDown): void {
    if (down.kind === 'swipeAnswer') return this.#callbacks.onCard(down)
    if (down.kind === 'ack') return this.#acked(frame, down)
    if (frame.type === ykcType.tariffAnswer) return
    if (down.kind === 'query')
      return this.#callbacks.onCommand(down, () => {
        // A pile cannot refuse a query: its report is the answer.
        const report = this.#reports[(down.port ?? 1) - 1]
        if (report !== undefined) this.write(this.frameOf(report).bytes)
      })
    const command = down.kind === 'stopPort' ? { ...down, orderNo: this.#reports[down.port - 1]?.orderNo ?? '' } : down
    this.#callbacks.onCommand(command, (obeyed) => {
      const answer = encodeResult(this.#identity.wireId, frame, resultOf(obeyed))
      if (answer.ok) this.write(answer.value.bytes)
    })
  }

  #acked({ type, seq }: YkcFrame, answer: YkcDown): void {
    if (type === ykcType.loginAnswer) {
      if (answer.kind === 'ack' && answer.bad === undefined) this.#welcome()
      return
    }
    if (type === ykcType.heartbeatAnswer) return
    const key = this.#kept.get(seq)
    this.#kept.delete(seq)
    if (key !== undefined) this.#callbacks.onAcked(key)
  }

  #welcome(): void {
    this.#tries = 0
    const beat = () => {
      for (const { port } of this.#reports) this.write(this.frameOf({ kind: 'heartbeat', ports: [], port }).bytes)
    }
    this.#beat = setInterval(beat, ykcTiming.heartbeatMs)
    for (const report of this.#reports) this.write(this.frameOf(report).bytes)
    beat()
    this.#callbacks.onUp()
  }

  #closed(own: Socket): void {
    if (this.#socket !== own) return
    this.#socket = undefined
    clearInterval(this.#beat)
    this.#kept.clear()
    this.#callbacks.onDown()
    this.#tries += 1
    if (this.#ended) return
    const wait = Math.min(reconnectMaxMs, reconnectMs * 2 ** Math.min(this.#tries - 1, 4))
    setTimeout(() => this.open(), wait * (0.5 + this.#random())).unref()
  }
}

const idle = (port: number): PortReportEvent => ({
  kind: 'portReport',
  port,
  status: plugStatus.say('ykc', 'free'),
  powerDw: 0,
  energyWh: 0,
  durationS: 0,
})

function resultOf({ refused, ...result }: Obeyed): CommandResultEvent {
  const ok = refused === undefined
  const refusal = ok ? undefined : { name: refused, raw: 0 }
  return { kind: 'commandResult', ok, carriedOut: ok, refusal, deviceTimeS: Math.floor(Date.now() / 1000), ...result }
}
