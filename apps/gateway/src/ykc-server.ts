import type { Socket } from 'node:net'
import type { DownItem, Identity, UpItem } from '@wattdeck/contract/events/device-bus.ts'
import type { DeviceAnswer, DeviceEvent, SettlementEvent } from '@wattdeck/device-protocol/message.ts'
import { encodeAnswer, wantsAnswer } from '@wattdeck/device-protocol/ykc/down.ts'
import { withoutPassword, type YkcFrame } from '@wattdeck/device-protocol/ykc/frame.ts'
import { frames, newStream } from '@wattdeck/device-protocol/ykc/stream.ts'
import { ykcTiming } from '@wattdeck/device-protocol/ykc/timing.ts'
import { ykcType } from '@wattdeck/device-protocol/ykc/types.ts'
import { decodeUp } from '@wattdeck/device-protocol/ykc/up.ts'
import { Counter, Gauge } from 'prom-client'
import { plainAddress } from './address-guard.ts'
import { ConnectionProbe } from './connection-probe.ts'
import { swipeAnswer } from './swipe-answer.ts'
import type { OnWire, MessageIntake } from './message-intake.ts'
import { startTcpServer, type TcpConnection, type TcpPlace } from './tcp-server.ts'
import { YkcAlarms } from './ykc-alarms.ts'
import { YkcCommands } from './ykc-commands.ts'

const sockets = new Gauge({ name: 'gateway_ykc_sockets', help: 'Open connections of YKC piles' })
const strangers = new Counter({
  name: 'gateway_ykc_strangers_total',
  help: 'Unknown YKC piles, and piles that sent the number of another',
})
const noise = new Counter({ name: 'gateway_ykc_skipped_bytes_total', help: 'Bytes outside any YKC frame' })
const unreadable = new Counter({ name: 'gateway_ykc_unreadable_total', help: 'YKC frames that could not be decoded' })

const graceMs = 10_000
const silenceMs = ykcTiming.heartbeatsMissed * ykcTiming.heartbeatMs + graceMs
const loginMs = 30_000
const maxSkippedBytes = 64 * 1024
/** Heartbeats of several guns within this time count as one. */
const oneBeatMs = ykcTiming.heartbeatMs - 1000

type Pile = { no: string; identity: Identity; session: string; commands: YkcCommands; clock: NodeJS.Timeout }

/** The connection of one pile. No frame is accepted before its login, and no other pile may use it. */
class YkcConnection implements TcpConnection {
  readonly #intake: MessageIntake
  readonly #socket: Socket
  readonly #door: Pick<TcpPlace, 'guard'>
  readonly #probe: ConnectionProbe
  readonly #stream = newStream()
  readonly #address: string
  readonly #deadline: NodeJS.Timeout
  readonly #alarms = new YkcAlarms()
  #pile: Pile | undefined
  #skipped = 0
  #beatAtMs = 0

  constructor(intake: MessageIntake, socket: Socket, door: Pick<TcpPlace, 'guard' | 'probeMs'>) {
    this.#intake = intake
    this.#socket = socket
    this.#door = door
    this.#probe = new ConnectionProbe(door.probeMs)
    this.#address = `${socket.remoteAddress ?? ''}:${socket.remotePort ?? 0}`
    this.#deadline = setTimeout(() => socket.destroy(), loginMs)
  }

  async take(chunk: Uint8Array): Promise<void> {
    const received = frames(this.#stream, chunk)
    const skipped = this.#stream.skippedBytes - this.#skipped
    this.#skipped = this.#stream.skippedBytes
    if (skipped > 0) noise.inc(skipped)
    if (this.#skipped > maxSkippedBytes) this.#socket.destroy()
    // Answers to frames of one chunk leave in one write.
    this.#socket.cork()
    for (const frame of received) {
      if (!this.#socket.writable) break
      if (this.#pile === undefined) await this.#login(frame)
      else this.#frame(this.#pile, frame)
    }
    this.#socket.uncork()
  }

  handleClose(reason: string | undefined): void {
    clearTimeout(this.#deadline)
    this.#probe.fail()
    const pile = this.#pile
    if (pile === undefined) return
    clearInterval(pile.clock)
    this.#intake.detach(pile.identity, this)
    pile.commands.abandonAll()
    if (reason !== undefined) this.#intake.send(pile.identity, { kind: 'disconnected', session: pile.session, reason })
  }

  async isAlive(): Promise<boolean> {
    const pile = this.#pile
    if (pile === undefined || this.#socket.destroyed) return false
    return this.#probe.probe(() => this.#socket.write(pile.commands.question()))
  }
  lose(_deviceId: string, why: 'replaced' | 'contested'): void {
    if (why === 'contested' && this.#pile !== undefined)
      this.#intake.reportContested(this.#pile.identity, this.#address)
    this.cut(why)
  }

  sendCommand(item: DownItem): void {
    if (this.#pile === undefined) this.#intake.publishFailure({ deviceId: item.d }, item.id, 'absent')
    else this.#pile.commands.enqueue(item)
  }
  cut(reason: string): void {
    this.#intake.log.info({ address: this.#address, reason }, 'device connection closed')
    this.#socket.destroy()
  }

  async #login(frame: YkcFrame): Promise<void> {
    const read = decodeUp(frame)
    if (!read.ok || read.value.event.kind !== 'register') {
      unreadable.inc()
      return this.cut(read.ok ? 'no login' : read.reason)
    }
    const { pileNo, event } = read.value
    const identity = await this.#identify(pileNo)
    if (identity === null || !(await this.#intake.claim(identity, this, this.#address)))
      return this.#sendAway(frame, 'nobody knows it')
    // The socket may have closed during the lookup.
    const session = this.#socket.writable
      ? this.#intake.send(identity, { kind: 'connected', address: this.#address })
      : undefined
    if (session === undefined) {
      this.#intake.detach(identity, this)
      return this.cut('no room')
    }
    clearTimeout(this.#deadline)
    const commands = new YkcCommands(this.#intake, identity, pileNo, (bytes) => this.#socket.write(bytes))
    const clock = setInterval(() => commands.setClock(), ykcTiming.setClockMs)
    this.#pile = { no: pileNo, identity, session, commands, clock }
    this.#take(this.#pile, event, frame)
    commands.setClock()
  }

  async #identify(pileNo: string): Promise<Identity | null> {
    const address = plainAddress(this.#socket.remoteAddress)
    if (this.#door.guard.isBlocked(address)) return null
    const lookup = await this.#intake.lookUp('ykc', pileNo, true)
    if (lookup.known && lookup.identity === null) {
      strangers.inc()
      this.#door.guard.countStranger(address, pileNo)
    }
    return lookup.known ? lookup.identity : null
  }

  /** An unknown pile and a refused second connection get the same answer. */
  #sendAway(frame: YkcFrame, why: string): void {
    this.#sendAnswer(frame, { kind: 'ack', bad: why })
    this.#socket.end()
  }

  #frame(pile: Pile, frame: YkcFrame): void {
    this.#probe.confirm()
    const read = decodeUp(frame)
    if (!read.ok) {
      unreadable.inc()
      this.#intake.send(
        pile.identity,
        { kind: 'unreadable', reason: read.reason },
        { bytes: frame.bytes, seq: frame.seq },
      )
      return
    }
    const { pileNo, event } = read.value
    if (pileNo !== pile.no) {
      this.#intake.log.warn(
        { address: this.#address, pile: pile.no, borrowed: pileNo },
        'charger sent the number of another charger',
      )
      strangers.inc()
      if (frame.type === ykcType.login) return this.#sendAway(frame, 'another pile')
      return this.cut('another pile')
    }
    if (event.kind === 'portReport') this.#alarms.report(event, frame.bytes)
    for (const { event: alarm, bytes } of this.#alarms.due(Date.now()))
      this.#intake.send(pile.identity, alarm, { bytes })
    if (event.kind === 'heartbeat' && !this.#isNews()) return this.#sendAnswer(frame, { kind: 'ack' })
    this.#take(pile, event, frame)
  }

  #take({ identity, commands, session }: Pile, event: DeviceEvent, frame: YkcFrame): void {
    const wire = onWire(event, frame)
    if (commands.handleEvent(event, frame, wire)) return
    // A pile restarts its frame count on each connection.
    if (event.kind === 'swipe')
      return this.#intake.swipe(identity, event, { ...wire, key: `${session}:${frame.seq}:${event.card}` }, (decided) =>
        this.#sendAnswer(frame, swipeAnswer('ykc', event, decided)),
      )
    const answer = () => {
      if (event.kind === 'tariffAsked') void this.#sendTariffAnswer(identity, event.modelNo, frame)
      else this.#sendAnswer(frame, { kind: 'ack' })
    }
    this.#intake.take(identity, event, wire, wantsAnswer(frame.type) ? answer : undefined)
  }

  /**
   * A pile with a different or unconfirmed tariff is refused. It then requests ours and sells nothing until it receives
   * it.
   */
  async #sendTariffAnswer(identity: Identity, modelNo: number | undefined, frame: YkcFrame): Promise<void> {
    const isCurrent = modelNo !== undefined && (await this.#intake.holdsTariff(identity, modelNo))
    this.#sendAnswer(frame, isCurrent ? { kind: 'ack' } : { kind: 'ack', bad: 'another tariff' })
  }

  #isNews(): boolean {
    const nowMs = Date.now()
    if (nowMs - this.#beatAtMs < oneBeatMs) return false
    this.#beatAtMs = nowMs
    return true
  }

  #sendAnswer(request: YkcFrame, answer: DeviceAnswer): void {
    const frame = encodeAnswer(request, answer)
    if (!frame.ok)
      this.#intake.log.error(
        { reason: frame.reason, type: request.type, pile: this.#pile?.no },
        'device reply could not be encoded',
      )
    else if (this.#socket.writable) this.#socket.write(frame.value.bytes)
  }
}

const ykcBillKey = ({ orderNo, startedAtS, port, energyDwh, amountYuanE4 }: SettlementEvent) =>
  `${orderNo ?? startedAtS ?? ''}:${port}:${energyDwh ?? ''}:${amountYuanE4 ?? ''}`

/** Idempotency key of a settlement: its order, gun, end and figures, identical for each resend. */
function recordOf(event: DeviceEvent, { seq }: YkcFrame): UpItem['r'] {
  if (event.kind === 'settlement') return { key: ykcBillKey(event), at: event.endedAtS ?? 0 }
  // A swipe is not resent, and it has no time of its own.
  if (event.kind === 'swipe')
    return { key: `${event.card}:${event.port ?? 0}:${seq}`, at: Math.floor(Date.now() / 1000) }
  return undefined
}
const onWire = (event: DeviceEvent, frame: YkcFrame): OnWire => ({
  bytes: event.kind === 'swipe' ? withoutPassword(frame).bytes : frame.bytes,
  seq: frame.seq,
  record: recordOf(event, frame),
})

export const startYkcServer = (intake: MessageIntake, place: TcpPlace) =>
  startTcpServer({ ...place, silenceMs }, sockets, (socket) => new YkcConnection(intake, socket, place))
