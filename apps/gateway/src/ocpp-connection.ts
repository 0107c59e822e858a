import {
  type DownItem,
  type Identity,
  startRecord,
  stopRecord,
  type UpItem,
} from '@wattdeck/contract/events/device-bus.ts'
import { type AccountStatusName, accountLabel } from '@wattdeck/device-protocol/account-status.ts'
import type { DeviceCommand, DeviceEvent, StartPortCommand } from '@wattdeck/device-protocol/message.ts'
import { type ChargePointCall, askedBy } from '@wattdeck/device-protocol/ocpp16/calls.ts'
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

const unreadable = new Counter({ name: 'gateway_ocpp_unreadable_total', help: 'OCPP messages that were refused' })

/** A charge point waits for each answer; one that does not is held back at so many. */
const maxQueued = 20
const maxBadInARow = 20
const maxRemembered = 50
const maxUnread = 1024 ** 2
const closing = { replaced: 4000, tryAgain: 1013, badData: 1002 } as const
/** So long a charge point has to agree to the end of its line. */
const closeMs = 2000

/** One charge point on its WebSocket. Its calls are answered one after the other, in the order they came. */
export class OcppConnection implements DeviceConnection {
  readonly #intake: MessageIntake
  readonly #charges: OcppCharges
  readonly #socket: WebSocket
  readonly #identity: Identity
  readonly #commands: OcppCommands
  readonly #live = new LiveCharges()
  /** What was said last of each port, and what it complained of. */
  readonly #statuses = new Map<number, PlugReading>()
  readonly #complaints = new Map<number, string>()
  /** Starts that were sent on this line: their orders come back as if they were cards. */
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
      taking: intake,
      identity,
      write: (frame) => this.#write(frame),
      transactionOf: (orderNo) => this.#transactionOf(orderNo),
    })
    this.#session = intake.send(identity, { kind: 'connected', address })
    intake.hold(identity, this)
  }

  heard(bytes: Uint8Array, isBinary: boolean): void {
    if (this.#ended) return
    this.#alive = true
    const frame = isBinary ? ({ ok: false, reason: 'not a text' } as const) : readFrame(bytes)
    if (!frame.ok) {
      this.#refuse(bytes, frame.reason)
      const { answer } = 'answer' in frame ? frame : {}
      if (answer !== undefined) this.#write(writeError(answer.id, answer.code, frame.reason))
      return
    }
    // An answer must not wait behind a call that waits for the database.
    if (frame.value.kind !== 'call') return this.#commands.heard(frame.value, bytes)
    this.#queue.push({ call: frame.value, bytes })
    if (this.#queue.length >= maxQueued) this.#socket.pause()
    void this.#answerAll()
  }

  tell(item: DownItem): void {
    const command = item.c as DeviceCommand
    if (command.kind === 'startPort') {
      const [oldest] = this.#ordered.keys()
      if (this.#ordered.size >= maxRemembered && oldest !== undefined) this.#ordered.delete(oldest)
      this.#ordered.set(command.orderNo, command)
    }
    this.#commands.tell(item, command)
  }

  cut(reason: string): void {
    this.#close(closing.replaced, reason)
  }

  /** Called every half minute: false when it has been silent since the last time. Also ends what has gone on for long enough. */
  beat(): boolean {
    const alive = this.#alive
    this.#alive = false
    this.#endDue()
    return alive
  }
  ponged(): void {
    this.#alive = true
  }

  /** Undefined: nobody needs to hear of it. */
  closed(reason: string | undefined): void {
    this.#ended = true
    this.#intake.release(this.#identity, this)
    this.#commands.lost()
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
      // An error as the answer would count as an attempt, and a charge point gives up after some; a lost line does not.
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
    const read = askedBy(call)
    if (!read.ok) {
      this.#refuse(bytes, `${read.code}: ${read.reason}`)
      return this.#write(writeError(call.id, read.code, read.reason))
    }
    this.#bad = 0
    const asked = read.value
    const known = await this.#known(asked)
    const event = eventOf(asked, known)
    const record = recordOf(event, asked)
    const messageId = await this.#taken(event, { bytes, record })
    this.#follow(asked, event, known, bytes)
    const account = await this.#account(event, messageId, record?.key ?? messageId)
    this.#write(writeResult(call.id, answerTo(asked, account, known.transactionId ?? 0, new Date())))
  }

  /** What the platform ordered is good; of a card a worker decides, also once it has begun a charge. */
  async #account(event: DeviceEvent, id: string, key: string): Promise<AccountStatusName> {
    const { deviceId } = this.#identity
    const begins = event.kind === 'started' && event.card !== undefined
    if (event.kind !== 'swipe' && !begins) return 'good'
    const { card = '', port } = event
    const ask = { id, deviceId, key, swipe: { kind: 'swipe', card, port } }
    const { account } = await this.#intake.decideSwipe(begins ? { ...ask, begun: event.orderNo } : ask)
    return accountLabel('ocpp16', account as AccountStatusName).name
  }

  /** What the call means depends on these; some of it only a worker knows. */
  async #known(asked: ChargePointCall): Promise<Known> {
    const { deviceId, portCount } = this.#identity
    switch (asked.action) {
      case 'Authorize':
        return { portCount, ordered: await this.#orderOf(asked.payload.idTag) }
      case 'StartTransaction': {
        const { transactionId, found } = await this.#charges.numberFor(deviceId, asked.payload)
        if (found.started === undefined)
          return { portCount, transactionId, ordered: await this.#orderOf(asked.payload.idTag) }
        if (this.#live.get(transactionId) === undefined && !found.ended) this.#live.add(found.started, found.startedMs)
        return { portCount, transactionId, charge: found.started }
      }
      case 'MeterValues': {
        const { connectorId, transactionId } = asked.payload
        const status = this.#statuses.get(connectorId)
        if (transactionId === undefined) return { portCount, status, charge: this.#live.atPort(connectorId)?.started }
        return { portCount, status, charge: await this.#charge(transactionId) }
      }
      case 'StopTransaction': {
        const { transactionId } = asked.payload
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

  /** The number of the message, once it is committed, or for what no bill rests on, once it is on its way. */
  #taken(event: DeviceEvent, wire: OnWire): Promise<string> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${event.kind} was not committed in time`)), ocppTiming.commitMs)
      this.#intake.take(this.#identity, event, wire, (messageId) => {
        clearTimeout(timer)
        resolve(messageId)
      })
    })
  }

  /** What this line remembers of what was said. */
  #follow(asked: ChargePointCall, event: DeviceEvent, known: Known, bytes: Uint8Array): void {
    if (event.kind === 'started' && this.#live.get(event.transactionId) === undefined) this.#live.add(event, Date.now())
    if (asked.action === 'StopTransaction') this.#live.end(asked.payload.transactionId)
    if (asked.action === 'StatusNotification') {
      const { connectorId, errorCode } = asked.payload
      if (event.kind === 'portStatus') this.#statuses.set(connectorId, event.status)
      const alarm = alarmOf(asked.payload)
      // A status is repeated at each connection; the alarm is new only when the complaint is.
      if (alarm !== undefined && this.#complaints.get(connectorId) !== errorCode)
        this.#intake.send(this.#identity, alarm, { bytes })
      this.#complaints.set(connectorId, errorCode)
    }
    if (event.kind === 'portReport' && known.charge !== undefined)
      this.#live.measured(known.charge.transactionId, event.energyWh, event.powerDw)
    this.#endDue()
  }

  #endDue(): void {
    for (const { port, orderNo } of this.#live.due(Date.now()))
      this.#commands.tell(undefined, { kind: 'stopPort', port, orderNo })
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
    // It asks and asks, and does not read what it is answered.
    if (this.#socket.bufferedAmount > maxUnread) this.#socket.terminate()
  }

  #close(code: number, reason: string): void {
    this.#ended = true
    this.#socket.close(code, reason)
    setTimeout(() => this.#socket.terminate(), closeMs).unref()
  }
}

/** A record is known by what it says, so that it is the same however often it is sent. */
function recordOf(event: DeviceEvent, asked: ChargePointCall): UpItem['r'] {
  const at = event.deviceTimeS ?? 0
  if (event.kind === 'started') return { key: startRecord(event.transactionId), at }
  if (asked.action === 'StopTransaction') return { key: stopRecord(asked.payload.transactionId), at }
  // A card has neither time nor number: each time it is held to the reader is one of its own.
  if (event.kind === 'swipe') return { key: `card:${event.card}:${Date.now()}`, at: Math.floor(Date.now() / 1000) }
  return undefined
}
