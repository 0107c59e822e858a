import type { CommandFailure, DownItem, Identity } from '@wattdeck/contract/events/device-bus.ts'
import type { CommandResultEvent, DeviceCommand, DeviceEvent } from '@wattdeck/device-protocol/message.ts'
import { canSay, encodeCommand, encodeTariffAnswer } from '@wattdeck/device-protocol/ykc/down.ts'
import { nextSeq, type YkcFrame } from '@wattdeck/device-protocol/ykc/frame.ts'
import { ykcTiming } from '@wattdeck/device-protocol/ykc/timing.ts'
import { answerTypeOf, ykcType } from '@wattdeck/device-protocol/ykc/types.ts'
import type { OnWire, MessageIntake } from './message-intake.ts'

type Running = {
  item: DownItem
  command: DeviceCommand
  frame: YkcFrame
  /** Frames to send after the one that awaits its answer. */
  left: YkcFrame[]
  timer: NodeJS.Timeout
}
/** Queue of one gun, or of the pile as a whole. */
type Lane = { waiting: DownItem[]; running: Running | undefined }
/** How long a pile waits for the tariff that it requested. */
const tariffWaitMs = 30_000
const wholePile = 0

const laneOf = (command: DeviceCommand) =>
  command.kind === 'startPort' || command.kind === 'stopPort' ? Number(command.port) || wholePile : wholePile
const refusedHere = (refusal: CommandResultEvent['refusal']): CommandResultEvent => ({
  kind: 'commandResult',
  ok: false,
  carriedOut: false,
  refusal,
})

/**
 * Command queues of one pile: one per gun and one for the pile. Nothing is retried, because a pile does not detect
 * repeats: an unanswered restart or start may have been executed.
 */
export class YkcCommands {
  readonly #intake: MessageIntake
  readonly #identity: Identity
  readonly #pileNo: string
  readonly #write: (bytes: Uint8Array) => void
  readonly #lanes = new Map<number, Lane>()
  /** The order charging at each gun, by its last report; undefined: none. */
  readonly #orders = new Map<number, string | undefined>()
  #tariffRequest: { frame: YkcFrame; atMs: number } | undefined
  #seq = 0

  constructor(intake: MessageIntake, identity: Identity, pileNo: string, write: (bytes: Uint8Array) => void) {
    this.#intake = intake
    this.#identity = identity
    this.#pileNo = pileNo
    this.#write = write
  }

  enqueue(item: DownItem): void {
    const at = laneOf(item.c as DeviceCommand)
    const lane = this.#lanes.get(at) ?? { waiting: [], running: undefined }
    this.#lanes.set(at, lane)
    lane.waiting.push(item)
    this.#next(lane)
  }

  /** A query frame, which the pile answers with a report of its first gun. */
  question(): Uint8Array {
    const frames = this.#encode({ kind: 'query', port: 1 })
    return frames.ok ? (frames.value[0]?.bytes ?? new Uint8Array()) : new Uint8Array()
  }

  /** Sets the pile's clock, because its tariff periods follow that clock. */
  setClock(): void {
    const frames = this.#encode({ kind: 'setClock', atS: Math.floor(Date.now() / 1000) })
    if (frames.ok) for (const { bytes } of frames.value) this.#write(bytes)
  }

  /** Returns whether the event answered a command. */
  handleEvent(event: DeviceEvent, frame: YkcFrame, wire: OnWire): boolean {
    if (frame.type === ykcType.tariffWanted) this.#tariffRequest = { frame, atMs: Date.now() }
    if (event.kind === 'portReport') {
      this.#orders.set(event.port, event.status.name === 'working' ? event.orderNo : undefined)
      for (const lane of this.#lanes.values()) this.#reported(lane, event.port, wire)
      return false
    }
    if (event.kind !== 'commandResult') return false
    const lane = this.#lanes.get(event.port ?? wholePile)
    const running = lane?.running
    if (lane === undefined || running === undefined || answerTypeOf(running.frame.type) !== frame.type) return false
    const { command } = running
    if (command.kind === 'startPort' && event.orderNo !== command.orderNo) return false
    clearTimeout(running.timer)
    if (event.refusal?.name === 'unplugged')
      // The member may still plug in, and the pile then starts after all; the refusal waits for that time.
      running.timer = setTimeout(() => this.#end(lane, running, event, wire), ykcTiming.plugInMs)
    else this.#end(lane, running, event, wire)
    return true
  }

  /** The connection is lost: frames already sent may have been executed, queued commands were not. */
  abandonAll(): void {
    for (const { running, waiting } of this.#lanes.values()) {
      if (running !== undefined) {
        clearTimeout(running.timer)
        this.#intake.publishFailure(this.#identity, running.item.id, hasLeft(running) ? 'lineLost' : 'absent')
      }
      for (const { id } of waiting) this.#intake.publishFailure(this.#identity, id, 'absent')
    }
    this.#lanes.clear()
  }

  /** A report completes its query, and the command that waited for it continues. */
  #reported(lane: Lane, port: number, wire: OnWire): void {
    const { running } = lane
    if (running?.frame.type !== ykcType.askReport || gunOf(running.frame) !== port) return
    clearTimeout(running.timer)
    const [next, ...remaining] = running.left
    if (next === undefined) this.#end(lane, running, { kind: 'commandResult', ok: true, carriedOut: true }, wire)
    else this.#send(lane, { ...running, frame: next, left: remaining })
  }

  #next(lane: Lane): void {
    if (lane.running !== undefined) return
    const item = lane.waiting.shift()
    if (item === undefined) return
    const command = item.c as DeviceCommand
    if (!canSay(command)) return this.#giveUp(lane, item, 'unsupported')
    if (Date.now() / 1000 >= item.exp) return this.#giveUp(lane, item, 'expired')
    const frames = this.#framesOf(command)
    if (!frames.ok) return this.#refuse(lane, item, { name: 'badValue', raw: frames.reason })
    const [frame, ...remaining] = frames.value
    if (frame === undefined) return this.#giveUp(lane, item, 'unsupported')
    if (command.kind === 'setTariff') this.#answerTariff(command)
    this.#send(lane, { item, command, frame, left: remaining, timer: setTimeout(() => undefined, 0) })
  }

  /** A stop frame names only the gun. Without a report of its order, a query goes first. */
  #framesOf(command: DeviceCommand) {
    const frames = this.#encode(command)
    if (!frames.ok || command.kind !== 'stopPort' || this.#orders.has(command.port)) return frames
    const query = this.#encode({ kind: 'query', port: command.port })
    return query.ok ? { ok: true as const, value: [...query.value, ...frames.value] } : query
  }

  #encode(command: DeviceCommand) {
    const to = { pileNo: this.#pileNo, portCount: this.#identity.portCount, seq: this.#seq }
    const frames = encodeCommand(to, command)
    for (let count = 0; frames.ok && count < frames.value.length; count++) this.#seq = nextSeq(this.#seq)
    return frames
  }

  /**
   * A pile that requested its tariff accepts only the answer frame; the pile acknowledges only the setTariff frame that
   * follows.
   */
  #answerTariff(command: Extract<DeviceCommand, { kind: 'setTariff' }>): void {
    const request = this.#tariffRequest
    this.#tariffRequest = undefined
    if (request === undefined || Date.now() - request.atMs > tariffWaitMs) return
    const answer = encodeTariffAnswer(this.#pileNo, request.frame, command)
    if (answer.ok) this.#write(answer.value.bytes)
  }

  #send(lane: Lane, running: Running): void {
    lane.running = running
    const { command, item, frame } = running
    if (frame.type === ykcType.stop && command.kind === 'stopPort') {
      const order = this.#orders.get(command.port)
      if (order !== command.orderNo)
        return this.#refuse(lane, item, { name: order === undefined ? 'notCharging' : 'otherOrder', raw: order ?? '' })
    }
    this.#write(frame.bytes)
    if (hasLeft(running)) this.#intake.publishSent(this.#identity, item, frame.bytes)
    const waitMs = command.kind === 'startPort' ? ykcTiming.startTimeoutMs : ykcTiming.replyTimeoutMs
    running.timer = setTimeout(() => this.#giveUp(lane, item, 'noAnswer'), waitMs)
  }

  #end(lane: Lane, { item, timer }: Running, result: CommandResultEvent, wire: OnWire): void {
    clearTimeout(timer)
    this.#intake.publishResult(this.#identity, item, result, wire)
    this.#done(lane)
  }
  #refuse(lane: Lane, item: DownItem, refusal: CommandResultEvent['refusal']): void {
    this.#intake.publishResult(this.#identity, item, refusedHere(refusal))
    this.#done(lane)
  }
  #giveUp(lane: Lane, { id }: DownItem, reason: CommandFailure): void {
    this.#intake.publishFailure(this.#identity, id, reason)
    this.#done(lane)
  }
  #done(lane: Lane): void {
    lane.running = undefined
    this.#next(lane)
  }
}

/** The query before a stop does not count as sent. */
const hasLeft = ({ command, frame }: Running) => command.kind !== 'stopPort' || frame.type === ykcType.stop

/** The gun that our query names: the last byte of its body, in BCD. */
const gunOf = ({ body }: YkcFrame) => {
  const digits = body.at(-1) ?? 0
  return (digits >> 4) * 10 + (digits % 16)
}
