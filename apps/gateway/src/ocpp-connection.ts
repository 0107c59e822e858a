import {
  type DownItem,
  type Identity,
  startRecord,
  stopRecord,
  type UpItem,
} from '@wattdeck/contract/events/device-bus.ts'
import { type AccountStatusName, accountLabel } from '@wattdeck/device-protocol/account-status.ts'
import type { DeviceCommand, DeviceEvent, StartPortCommand } from '@wattdeck/device-protocol/message.ts'
import { type ChargePointCall, parseChargePointCall } from '@wattdeck/device-protocol/ocpp16/calls.ts'
import type { StartedEvent } from '@wattdeck/device-protocol/ocpp16/events.ts'
import { type OcppCall, readFrame, writeError, writeResult } from '@wattdeck/device-protocol/ocpp16/frame.ts'
import { ocppTiming } from '@wattdeck/device-protocol/ocpp16/timing.ts'
import { alarmOf, answerTo, eventOf, type Known } from '@wattdeck/device-protocol/ocpp16/up.ts'
import type { PlugReading } from '@wattdeck/device-protocol/plug-status.ts'
import { Counter } from 'prom-client'
import type { WebSocket } from 'ws'
import type { DeviceConnection } from './downlink.ts'
import { LiveCharges, type OcppCharges } from './ocpp-charges.ts'
import { OcppCommands } from './ocpp-commands.ts'
import type { OnWire, MessageIntake } from './message-intake.ts'

const unreadable = new Counter({ name: 'gateway_ocpp_unreadable_total', help: 'OCPP messages refused' })

/** High-water mark: a charge point that does not wait for answers is paused at this many calls. */
const maxQueued = 20
const maxBadInARow = 20
const maxRemembered = 50
const maxUnread = 1024 ** 2
const closing = { replaced: 4000, tryAgain: 1013, badData: 1002 } as const
/** How long a charge point may take to confirm the close. */
const closeMs = 2000

/** The WebSocket of one charge point. Its calls are answered in order of arrival, one at a time. */
export class OcppConnection implements DeviceConnection {
  readonly #intake: MessageIntake
  readonly #charges: OcppCharges
  readonly #socket: WebSocket
  readonly #identity: Identity
  readonly #commands: OcppCommands
  readonly #live = new LiveCharges()
  /** The last status and the last error code of each port. */
  readonly #statuses = new Map<number, PlugReading>()
  readonly #complaints = new Map<number, string>()
  /** Start commands sent on this connection: their order numbers come back as id tags. */
  readonly #ordered = new Map<string, StartPortCommand>()
  readonly #queue: { call: OcppCall; bytes: Uint8Array }[] = []
  readonly #session: string | undefined
  #answering = false
  #alive = true
  #ended = false
  #bad = 0

  constructor(intake: MessageIntake, charges: OcppCharges, socket: WebSocket, identity: Identity, address: string) {
    this.#intake = intake
    this.#charges = charges
    this.#socket = socket
    this.#identity = identity
    this.#commands = new OcppCommands({
      intake,
      identity,
      write: (frame) => this.#write(frame),
      transactionOf: (orderNo) => this.#transactionOf(orderNo),
    })
    this.#session = intake.send(identity, { kind: 'connected', address })
    intake.attach(identity, this)
  }

  handleFrame(bytes: Uint8Array, isBinary: boolean): void {
    if (this.#ended) return
    this.#alive = true
    const frame = isBinary ? ({ ok: false, reason: 'not a text' } as const) : readFrame(bytes)
    if (!frame.ok) {
      this.#refuse(bytes, frame.reason)
      const { answer } = 'answer' in frame ? frame : {}
      if (answer !== undefined) this.#write(writeError(answer.id, answer.code, frame.reason))
      return
    }
    // Results bypass the queue, because a queued call may wait for the database.
    if (frame.value.kind !== 'call') return this.#commands.handleAnswer(frame.value, bytes)
    this.#queue.push({ call: frame.value, bytes })
    if (this.#queue.length >= maxQueued) this.#socket.pause()
    void this.#answerAll()
  }

  sendCommand(item: DownItem): void {
    const command = item.c as DeviceCommand
    if (command.kind === 'startPort') {
      const [oldest] = this.#ordered.keys()
      if (this.#ordered.size >= maxRemembered && oldest !== undefined) this.#ordered.delete(oldest)
      this.#ordered.set(command.orderNo, command)
    }
    this.#commands.enqueue(item, command)
  }

  cut(reason: string): void {
    this.#close(closing.replaced, reason)
  }

  /**
   * Called every 30 seconds. Returns false when the connection was silent since the last call. Also stops charges that
   * reached their limit.
   */
  beat(): boolean {
    const alive = this.#alive
    this.#alive = false
    this.#endDue()
    return alive
  }
  handlePong(): void {
    this.#alive = true
  }

  /** An undefined reason publishes no event. */
  handleClose(reason: string | undefined): void {
    this.#ended = true
    this.#intake.detach(this.#identity, this)
    this.#commands.abandonAll()
    if (reason !== undefined && this.#session !== undefined)
      this.#intake.send(this.#identity, { kind: 'disconnected', session: this.#session, reason })
  }

  async #answerAll(): Promise<void> {
    if (this.#answering) return
    this.#answering = true
    try {
      for (let next = this.#queue.shift(); next !== undefined && !this.#ended; next = this.#queue.shift()) {
        await this.#answer(next.call, next.bytes)
        if (this.#socket.isPaused && this.#queue.length < maxQueued / 2) this.#socket.resume()
      }
    } catch (error) {
      // A charge point gives up after several error answers, but it retries after a lost connection.
      this.#intake.log.warn(
        { err: error, deviceNo: this.#identity.deviceNo },
        'charge point reply failed; connection closed',
      )
      this.#close(closing.tryAgain, 'try again later')
    } finally {
      this.#answering = false
    }
  }

  async #answer(call: OcppCall, bytes: Uint8Array): Promise<void> {
    const read = parseChargePointCall(call)
    if (!read.ok) {
      this.#refuse(bytes, `${read.code}: ${read.reason}`)
      return this.#write(writeError(call.id, read.code, read.reason))
    }
    this.#bad = 0
    const checkedCall = read.value
    const context = await this.#known(checkedCall)
    const event = eventOf(checkedCall, context)
    const record = recordOf(event, checkedCall)
    const messageId = await this.#publish(event, { bytes, record })
    this.#follow(checkedCall, event, context, bytes)
    const account = await this.#account(event, messageId, record?.key ?? messageId)
    this.#write(writeResult(call.id, answerTo(checkedCall, account, context.transactionId ?? 0, new Date())))
  }

  /** A charge of a platform order is authorised. A worker decides on a card, even after it has started a charge. */
  async #account(event: DeviceEvent, id: string, key: string): Promise<AccountStatusName> {
    const { deviceId } = this.#identity
    const begins = event.kind === 'started' && event.card !== undefined
    if (event.kind !== 'swipe' && !begins) return 'good'
    const { card = '', port } = event
    const request = { id, deviceId, key, swipe: { kind: 'swipe', card, port } }
    const { account } = await this.#intake.decideSwipe(begins ? { ...request, begun: event.orderNo } : request)
    return accountLabel('ocpp16', account as AccountStatusName).name
  }

  /** Context needed to interpret the call; a worker provides part of it. */
  async #known(checkedCall: ChargePointCall): Promise<Known> {
    const { deviceId, portCount } = this.#identity
    switch (checkedCall.action) {
      case 'Authorize':
        return { portCount, ordered: await this.#orderOf(checkedCall.payload.idTag) }
      case 'StartTransaction': {
        const { transactionId, found } = await this.#charges.numberFor(deviceId, checkedCall.payload)
        if (found.started === undefined)
          return { portCount, transactionId, ordered: await this.#orderOf(checkedCall.payload.idTag) }
        if (this.#live.get(transactionId) === undefined && !found.ended) this.#live.add(found.started, found.startedMs)
        return { portCount, transactionId, charge: found.started }
      }
      case 'MeterValues': {
        const { connectorId, transactionId } = checkedCall.payload
        const status = this.#statuses.get(connectorId)
        if (transactionId === undefined) return { portCount, status, charge: this.#live.atPort(connectorId)?.started }
        return { portCount, status, charge: await this.#charge(transactionId) }
      }
      case 'StopTransaction': {
        const { transactionId } = checkedCall.payload
        const charge = await this.#charge(transactionId)
        return { portCount, charge, peakDw: this.#live.get(transactionId)?.peakDw }
      }
      case 'BootNotification':
      case 'DataTransfer':
      case 'DiagnosticsStatusNotification':
      case 'FirmwareStatusNotification':
      case 'Heartbeat':
      case 'SecurityEventNotification':
      case 'StatusNotification':
      default:
        return { portCount }
    }
  }

  async #orderOf(idTag: string): Promise<StartPortCommand | undefined> {
    const { deviceId } = this.#identity
    return this.#ordered.get(idTag) ?? (await this.#charges.find({ deviceId, orderNo: idTag })).ordered
  }
  async #charge(transactionId: number): Promise<StartedEvent | undefined> {
    const live = this.#live.get(transactionId)?.started
    if (live !== undefined) return live
    const { started, startedMs, ended } = await this.#charges.find({ deviceId: this.#identity.deviceId, transactionId })
    if (started !== undefined && !ended) this.#live.add(started, startedMs)
    return started
  }
  async #transactionOf(orderNo: string): Promise<number | undefined> {
    const live = this.#live.ofOrder(orderNo)?.started
    const { deviceId } = this.#identity
    return (live ?? (await this.#charges.find({ deviceId, orderNo })).started)?.transactionId
  }

  /** Returns the message number: after the commit when a bill depends on the event, otherwise once it is queued. */
  #publish(event: DeviceEvent, wire: OnWire): Promise<string> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${event.kind} was not committed in time`)), ocppTiming.commitMs)
      this.#intake.take(this.#identity, event, wire, (messageId) => {
        clearTimeout(timer)
        resolve(messageId)
      })
    })
  }

  /** Updates the state of this connection from a call. */
  #follow(checkedCall: ChargePointCall, event: DeviceEvent, context: Known, bytes: Uint8Array): void {
    if (event.kind === 'started' && this.#live.get(event.transactionId) === undefined) this.#live.add(event, Date.now())
    if (checkedCall.action === 'StopTransaction') this.#live.end(checkedCall.payload.transactionId)
    if (checkedCall.action === 'StatusNotification') {
      const { connectorId, errorCode } = checkedCall.payload
      if (event.kind === 'portStatus') this.#statuses.set(connectorId, event.status)
      const alarm = alarmOf(checkedCall.payload)
      // Each connection repeats the status; only a changed error code raises an alarm.
      if (alarm !== undefined && this.#complaints.get(connectorId) !== errorCode)
        this.#intake.send(this.#identity, alarm, { bytes })
      this.#complaints.set(connectorId, errorCode)
    }
    if (event.kind === 'portReport' && context.charge !== undefined)
      this.#live.recordMeasurement(context.charge.transactionId, event.energyWh, event.powerDw)
    this.#endDue()
  }

  #endDue(): void {
    for (const { port, orderNo } of this.#live.due(Date.now()))
      this.#commands.enqueue(undefined, { kind: 'stopPort', port, orderNo })
  }

  #refuse(bytes: Uint8Array, reason: string): void {
    unreadable.inc()
    this.#intake.send(this.#identity, { kind: 'unreadable', reason }, { bytes })
    this.#bad += 1
    if (this.#bad > maxBadInARow) this.#close(closing.badData, 'too many messages that are not valid')
  }

  #write(frame: string): void {
    if (this.#ended || this.#socket.readyState !== this.#socket.OPEN) return
    this.#socket.send(frame)
    // The peer keeps sending calls without reading the answers.
    if (this.#socket.bufferedAmount > maxUnread) this.#socket.terminate()
  }

  #close(code: number, reason: string): void {
    this.#ended = true
    this.#socket.close(code, reason)
    setTimeout(() => this.#socket.terminate(), closeMs).unref()
  }
}

/** Idempotency key of a record, derived from its content: identical for each resend. */
function recordOf(event: DeviceEvent, checkedCall: ChargePointCall): UpItem['r'] {
  const at = event.deviceTimeS ?? 0
  if (event.kind === 'started') return { key: startRecord(event.transactionId), at }
  if (checkedCall.action === 'StopTransaction') return { key: stopRecord(checkedCall.payload.transactionId), at }
  // An Authorize call has neither time nor number, so each one gets its own key.
  if (event.kind === 'swipe') return { key: `card:${event.card}:${Date.now()}`, at: Math.floor(Date.now() / 1000) }
  return undefined
}
