import { randomUUID } from 'node:crypto'
import type { DeviceEvent, PortReportEvent, SettlementEvent } from '@wattdeck/device-protocol/message.ts'
import {
  answered,
  type ChargePointCall,
  type PlatformCall,
  parsePlatformCall,
} from '@wattdeck/device-protocol/ocpp16/calls.ts'
import * as says from '@wattdeck/device-protocol/ocpp16/charge-point.ts'
import { type OcppCall, readFrame, writeCall, writeError, writeResult } from '@wattdeck/device-protocol/ocpp16/frame.ts'
import { ocppTiming } from '@wattdeck/device-protocol/ocpp16/timing.ts'
import { WebSocket } from 'ws'
import type { Faults } from './faults.ts'
import { Cable, type WireCallbacks, type Identity, type Wire } from './wire.ts'

const reconnectMs = 1000
const reconnectMaxMs = 15_000
const reorderMs = 200
const resendMs = 60_000

/** Gateway URLs such as ws://127.0.0.1:7016; a charge point tries them in turn. */
export type OcppPlace = { urls: readonly string[] }

/** A queued call. It is built when it is sent, because it may depend on an earlier answer. */
type Pending = {
  make: () => ChargePointCall
  /** Calls of a charge survive a disconnect, as in a real charge point's memory. */
  kept: boolean
  onAnswer?: ((payload: unknown) => void) | undefined
  onError?: (() => void) | undefined
}
type Charge = says.OwnCharge & { orderNo: string; transactionId: number | undefined }

/** A charge point on a WebSocket, with a password. It reconnects automatically, each time to the next known gateway. */
export function ocppWire(
  identity: Identity,
  place: OcppPlace,
  faults: Faults,
  random: () => number,
  callbacks: WireCallbacks,
): Wire {
  const line = new Line(identity, place, faults, random, callbacks)
  return {
    connect: () => line.open(),
    resendAfterMs: () => resendMs,
    send: (event) => line.send(event),
    sendRecord: (key, event, copies = 1) =>
      event.kind === 'settlement' ? line.settle(key, event, copies) : line.send(event),
    sendGarbage: () =>
      line.write(Buffer.from(Array.from({ length: 1 + Math.floor(random() * 300) }, () => random() * 256))),
    cut: (forMs) => line.cut(forMs),
    restart: () => line.leave(),
    end: () => line.end(),
  }
}

class Line {
  readonly #identity: Identity
  readonly #place: OcppPlace
  readonly #faults: Faults
  readonly #random: () => number
  readonly #callbacks: WireCallbacks
  readonly #cable = new Cable()
  #queue: Pending[] = []
  /** The call that awaits its answer. */
  #pending: { id: string; pending: Pending; action: ChargePointCall['action']; timer: NodeJS.Timeout } | undefined
  /** By order number, from the first report of a charge until its end is acknowledged. */
  readonly #charges = new Map<string, Charge>()
  readonly #settling = new Set<string>()
  /** Lifetime total of each port's meter. */
  readonly #meters = new Map<number, number>()
  readonly #reportedStatus = new Map<number, string>()
  #socket: WebSocket | undefined
  #tries = 0
  #ended = false

  constructor(identity: Identity, place: OcppPlace, faults: Faults, random: () => number, callbacks: WireCallbacks) {
    this.#identity = identity
    this.#place = place
    this.#faults = faults
    this.#random = random
    this.#callbacks = callbacks
  }

  open(): void {
    // The device may have been ended while it waited to reconnect.
    if (this.#ended || !this.#cable.isThere(() => this.open())) return
    const { wireId, password = '' } = this.#identity
    const url = this.#place.urls[this.#tries % this.#place.urls.length] ?? ''
    const authorization = `Basic ${Buffer.from(`${wireId}:${password}`).toString('base64')}`
    const own = new WebSocket(`${url}/ocpp/${wireId}`, 'ocpp1.6', {
      headers: { authorization },
      perMessageDeflate: false,
      handshakeTimeout: ocppTiming.replyTimeoutMs,
    })
    this.#socket = own
    own.on('open', () => {
      this.#tries = 0
      this.#reportedStatus.clear()
      this.#callbacks.onUp()
    })
    own.on('message', (data) => this.#handleFrame(data as Buffer))
    own.on('error', () => undefined) // 'close' follows
    own.on('close', () => this.#closed(own))
  }

  cut(forMs = 0): void {
    this.#cable.pull(forMs)
    this.#socket?.terminate()
  }
  /** Closes after the last message has arrived. */
  leave(): void {
    this.#socket?.close(1000)
  }
  end(): void {
    this.#ended = true
    clearTimeout(this.#pending?.timer)
    this.cut()
  }
  write(frame: string | Buffer): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(frame)
  }

  send(event: DeviceEvent): void {
    if (event.kind === 'register') this.#push({ make: () => says.bootCall(event), kept: false }, 'first')
    else if (event.kind === 'alarm') this.#push({ make: () => says.alarmCall(event), kept: false })
    else if (event.kind === 'portReport') this.#report(event)
    else if (event.kind === 'heartbeat') {
      this.#push({ make: () => ({ action: 'Heartbeat', payload: {} }), kept: false })
      for (const [place, status] of event.ports.entries()) {
        if (this.#reportedStatus.get(place + 1) === String(status.raw)) continue
        this.#reportedStatus.set(place + 1, String(status.raw))
        this.#push({ make: () => says.statusCall(place + 1, status), kept: false })
      }
    }
  }

  /** Sends the end of a charge after its start has a transaction number. */
  settle(
    key: string,
    { port, orderNo = key, energyWh, durationS, deviceTimeS = 0, stopReason }: SettlementEvent,
    copies: number,
  ): void {
    if (this.#settling.has(key)) return
    this.#settling.add(key)
    const charge = this.#charges.get(orderNo) ?? this.#begin(port, orderNo, deviceTimeS - durationS)
    const meterStop = charge.meterStart + energyWh
    this.#meters.set(port, meterStop)
    const make = () =>
      says.stopCall({
        transactionId: charge.transactionId ?? -1,
        meterStop,
        endedS: deviceTimeS,
        why: stopReason.name,
      })
    this.#push({
      make,
      kept: true,
      onAnswer: () => {
        this.#settling.delete(key)
        this.#charges.delete(orderNo)
        this.#callbacks.onAcked(key)
      },
      onError: () => this.#settling.delete(key),
    })
    for (let copy = 1; copy < copies; copy++) this.#push({ make, kept: true })
  }

  #report(event: PortReportEvent): void {
    const { port, orderNo = '', durationS, deviceTimeS = 0 } = event
    const charge = this.#charges.get(orderNo) ?? this.#begin(port, orderNo, deviceTimeS - durationS)
    // The start call precedes it in the queue, so the number is set when this call is built.
    this.#push({ make: () => says.meterCall(event, charge.meterStart, charge.transactionId ?? -1), kept: false })
  }

  #begin(port: number, orderNo: string, startedS: number): Charge {
    const meterStart = this.#meters.get(port) ?? 1000
    const charge: Charge = { port, orderNo, idTag: orderNo, meterStart, startedS, transactionId: undefined }
    this.#charges.set(orderNo, charge)
    this.#push({
      make: () => says.startCall(charge),
      kept: true,
      onAnswer: (payload) => {
        const answer = answered('StartTransaction', payload)
        if (answer.ok) charge.transactionId = answer.value.transactionId
      },
    })
    return charge
  }

  #push(pending: Pending, place: 'first' | 'last' = 'last'): void {
    if (this.#socket?.readyState !== WebSocket.OPEN && !pending.kept) return
    if (place === 'first') this.#queue.unshift(pending)
    else this.#queue.push(pending)
    // Runs after the current answer is handled.
    queueMicrotask(() => this.#next())
  }

  #next(): void {
    if (this.#pending !== undefined || this.#socket?.readyState !== WebSocket.OPEN) return
    const pending = this.#queue.shift()
    if (pending === undefined) return
    const { action, payload } = pending.make()
    const id = randomUUID()
    const timer = setTimeout(() => this.cut(), ocppTiming.replyTimeoutMs)
    this.#pending = { id, pending, action, timer }
    this.#send(writeCall(id, action, payload))
  }

  /** A WebSocket never loses a single message, so a drop fault closes the connection. */
  #send(frame: string): void {
    const { drop, duplicate, reorder } = this.#faults
    if (this.#random() < drop) return this.cut()
    if (this.#random() < reorder) setTimeout(() => this.write(frame), reorderMs * this.#random()).unref()
    else this.write(frame)
    if (this.#random() < duplicate) this.write(frame)
  }

  #handleFrame(bytes: Buffer): void {
    const frame = readFrame(bytes)
    if (!frame.ok) return
    if (frame.value.kind === 'call') return this.#obey(frame.value)
    if (frame.value.id !== this.#pending?.id) return
    const { pending, timer } = this.#pending
    clearTimeout(timer)
    this.#pending = undefined
    if (frame.value.kind === 'result') pending.onAnswer?.(frame.value.payload)
    else pending.onError?.()
    this.#next()
  }

  #obey(call: OcppCall): void {
    const platformCall = parsePlatformCall(call)
    if (!platformCall.ok) return this.write(writeError(call.id, platformCall.code, platformCall.reason))
    const command = says.commandOf(platformCall.value, (transactionId) =>
      [...this.#charges.values()].find((charge) => charge.transactionId === transactionId),
    )
    if (command === undefined) return this.write(writeError(call.id, 'NotSupported', call.action))
    const answer = (result: Parameters<typeof says.confirmationFor>[1], of: PlatformCall) =>
      this.write(writeResult(call.id, says.confirmationFor(of, result)))
    if (!command.ok) return answer({ ok: false }, platformCall.value)
    // A requested status is sent even when it is unchanged.
    if (platformCall.value.action === 'TriggerMessage') this.#reportedStatus.clear()
    this.#callbacks.onCommand(command.value, ({ refused, attributes }) =>
      answer({ ok: refused === undefined, attributes }, platformCall.value),
    )
  }

  #closed(own: WebSocket): void {
    if (this.#socket !== own) return
    this.#socket = undefined
    clearTimeout(this.#pending?.timer)
    const pendingCalls = [...(this.#pending === undefined ? [] : [this.#pending.pending]), ...this.#queue]
    this.#pending = undefined
    this.#queue = pendingCalls.filter((pending) => pending.kept)
    this.#callbacks.onDown()
    this.#tries += 1
    if (this.#ended) return
    const wait = Math.min(reconnectMaxMs, reconnectMs * 2 ** Math.min(this.#tries - 1, 4))
    setTimeout(() => this.open(), wait * (0.5 + this.#random())).unref()
  }
}
