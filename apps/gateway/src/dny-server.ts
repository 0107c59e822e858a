import type { Socket } from 'node:net'
import type { DownItem, Identity } from '@wattdeck/contract/events/device-bus.ts'
import { hexOf } from '@wattdeck/device-protocol/bytes.ts'
import { encodeAnswer, wantsAnswer } from '@wattdeck/device-protocol/dny/down.ts'
import { type DnyFrame, physicalIdText } from '@wattdeck/device-protocol/dny/frame.ts'
import { type DnyItem, frames, newStream } from '@wattdeck/device-protocol/dny/stream.ts'
import { dnyTiming } from '@wattdeck/device-protocol/dny/timing.ts'
import { decodeUp } from '@wattdeck/device-protocol/dny/up.ts'
import type { DeviceAnswer, DeviceEvent, SwipeEvent } from '@wattdeck/device-protocol/message.ts'
import { Counter, Gauge } from 'prom-client'
import { plainAddress } from './address-guard.ts'
import { DnyCommands } from './dny-commands.ts'
import { dnyRecord } from './dny-record.ts'
import { ConnectionProbe } from './connection-probe.ts'
import { swipeAnswer } from './swipe-answer.ts'
import type { OnWire, MessageIntake } from './message-intake.ts'
import { startTcpServer, type TcpConnection, type TcpPlace } from './tcp-server.ts'

const sockets = new Gauge({ name: 'gateway_dny_sockets', help: 'Open connections of DNY modems' })
const strangers = new Counter({ name: 'gateway_dny_strangers_total', help: 'DNY identifications without a device' })
const noise = new Counter({ name: 'gateway_dny_skipped_bytes_total', help: 'Bytes outside any DNY frame' })
const unreadable = new Counter({ name: 'gateway_dny_unreadable_total', help: 'DNY frames that could not be decoded' })

/** A modem sends a frame every 30 seconds, a device every 180. After two missed heartbeats the connection is dead. */
const silenceMs = 2 * dnyTiming.heartbeatMs + dnyTiming.linkMs
const firstFrameMs = 60_000
const maxSkippedBytes = 64 * 1024
const maxDevices = 51

type Device = { identity: Identity; session: string; commands: DnyCommands; probe: ConnectionProbe }
type Door = Pick<TcpPlace, 'guard' | 'probeMs'>

/** One modem connection. It carries one device, or a host with several. */
class DnyConnection implements TcpConnection {
  readonly #intake: MessageIntake
  readonly #socket: Socket
  readonly #door: Door
  readonly #stream = newStream()
  readonly #address: string
  /** Key: physical id. The session is the number of the `connected` message. */
  readonly #devices = new Map<number, Device>()
  readonly #deadline: NodeJS.Timeout
  #iccid: Extract<DnyItem, { kind: 'iccid' }> | undefined
  #skipped = 0

  constructor(intake: MessageIntake, socket: Socket, door: Door) {
    this.#intake = intake
    this.#socket = socket
    this.#door = door
    this.#address = `${socket.remoteAddress ?? ''}:${socket.remotePort ?? 0}`
    this.#deadline = setTimeout(() => socket.destroy(), firstFrameMs)
  }

  async take(chunk: Uint8Array): Promise<void> {
    const items = frames(this.#stream, chunk)
    const skipped = this.#stream.skippedBytes - this.#skipped
    this.#skipped = this.#stream.skippedBytes
    if (skipped > 0) noise.inc(skipped)
    if (this.#skipped > maxSkippedBytes) this.#socket.destroy()
    // Answers to frames of one chunk leave in one write.
    this.#socket.cork()
    for (const item of items) {
      if (item.kind === 'frame') await this.#frame(item.frame)
      else if (item.kind === 'iccid') this.#iccid = item
      // A link frame proves the modem alive, not the devices behind it.
    }
    this.#socket.uncork()
  }

  /**
   * Reports the devices of this connection as disconnected. The session shows whether a newer connection replaced it.
   */
  handleClose(reason: string | undefined): void {
    clearTimeout(this.#deadline)
    for (const device of this.#devices.values()) this.#part(device, reason)
    this.#devices.clear()
  }

  #part({ identity, session, commands, probe }: Device, reason: string | undefined): void {
    probe.fail()
    this.#intake.detach(identity, this)
    commands.abandonAll()
    if (reason !== undefined) this.#intake.send(identity, { kind: 'disconnected', session, reason })
  }

  async isAlive(deviceId: string): Promise<boolean> {
    const device = this.#find(deviceId)
    if (device === undefined || this.#socket.destroyed) return false
    return device.probe.probe(() => this.#socket.write(device.commands.question()))
  }
  /** Other devices behind the same modem stay connected. */
  lose(deviceId: string, why: 'replaced' | 'contested'): void {
    for (const [physicalId, device] of this.#devices) {
      if (device.identity.deviceId !== deviceId) continue
      this.#devices.delete(physicalId)
      if (why === 'contested') this.#intake.reportContested(device.identity, this.#address)
      this.#part(device, why)
    }
    if (this.#devices.size === 0) this.cut(why)
  }
  #find(deviceId: string): Device | undefined {
    return [...this.#devices.values()].find(({ identity }) => identity.deviceId === deviceId)
  }

  sendCommand(item: DownItem): void {
    const device = this.#find(item.d)
    if (device === undefined) this.#intake.publishFailure({ deviceId: item.d }, item.id, 'absent')
    else device.commands.enqueue(item)
  }
  cut(reason: string): void {
    this.#intake.log.info({ address: this.#address, reason }, 'device connection closed')
    this.#socket.destroy()
  }

  async #frame(frame: DnyFrame): Promise<void> {
    const device = this.#devices.get(frame.physicalId) ?? (await this.#greet(frame.physicalId))
    if (device === null) return
    const { identity, commands, session, probe } = device
    probe.confirm()
    const decoded = decodeUp(frame)
    if (!decoded.ok) {
      unreadable.inc()
      this.#intake.send(identity, { kind: 'unreadable', reason: decoded.reason }, { bytes: frame.bytes })
      return
    }
    const event = decoded.value
    const wire = onWire(event, frame)
    if (commands.handleEvent(event, frame, wire)) return
    if (event.kind === 'swipe')
      return this.#intake.swipe(identity, event, { ...wire, key: swipeKey(event, wire, session) }, (decided) =>
        this.#sendAnswer(frame, swipeAnswer('dny', event, decided)),
      )
    const answer = () => this.#sendAnswer(frame, answerTo(event))
    this.#intake.take(identity, event, wire, wantsAnswer(frame.command) ? answer : undefined)
  }

  async #greet(physicalId: number): Promise<Device | null> {
    const identity = await this.#identify(physicalId)
    if (identity === null || !(await this.#intake.claim(identity, this, this.#address))) return this.#sendAway()
    // The socket may have closed during the lookup.
    const session = this.#socket.destroyed
      ? undefined
      : this.#intake.send(identity, { kind: 'connected', address: this.#address })
    if (session === undefined) {
      this.#intake.detach(identity, this)
      return null
    }
    clearTimeout(this.#deadline)
    const first = this.#devices.size === 0
    const commands = new DnyCommands(this.#intake, identity, physicalId, (bytes) => this.#socket.write(bytes))
    const device = { identity, session, commands, probe: new ConnectionProbe(this.#door.probeMs) }
    this.#devices.set(physicalId, device)
    // The modem holds the SIM card; of several devices only the first reports it.
    if (first && this.#iccid !== undefined) this.#intake.send(identity, this.#iccid)
    return device
  }

  async #identify(physicalId: number): Promise<Identity | null> {
    const { guard } = this.#door
    const address = plainAddress(this.#socket.remoteAddress)
    if (this.#devices.size >= maxDevices || guard.isBlocked(address)) return null
    const wireId = physicalIdText(physicalId)
    const result = await this.#intake.lookUp('dny', wireId, true)
    const identity = result.known ? result.identity : null
    if (identity === null) strangers.inc()
    if (result.known && identity === null) guard.countStranger(address, wireId)
    return identity
  }

  /** An unknown device and a refused second connection get the same response. */
  #sendAway(): null {
    if (this.#devices.size === 0) this.#socket.destroy()
    return null
  }

  #sendAnswer(request: DnyFrame, answer: DeviceAnswer): void {
    const frame = encodeAnswer(request, answer)
    if (!frame.ok)
      this.#intake.log.error({ reason: frame.reason, frame: hexOf(request.bytes) }, 'device reply could not be encoded')
    else if (this.#socket.writable) this.#socket.write(frame.value.bytes)
  }
}

const answerTo = (event: DeviceEvent): DeviceAnswer =>
  event.kind === 'clockAsked' ? { kind: 'setClock', atS: Math.floor(Date.now() / 1000) } : { kind: 'ack' }

/** A device without a clock restarts its message count on each connection. */
const swipeKey = (event: SwipeEvent, { record }: OnWire, session: string): string =>
  event.deviceTimeS === undefined ? `${session}:${record?.key ?? ''}` : (record?.key ?? session)

const onWire = (event: DeviceEvent, frame: DnyFrame): OnWire => ({
  bytes: frame.bytes,
  record: dnyRecord(event, frame),
})

export const startDnyServer = (intake: MessageIntake, place: TcpPlace) =>
  startTcpServer({ ...place, silenceMs }, sockets, (socket) => new DnyConnection(intake, socket, place))
