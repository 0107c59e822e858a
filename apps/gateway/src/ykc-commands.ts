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
  /** Frames that are still to be sent, after the one that is waited for. */
  left: YkcFrame[]
  timer: NodeJS.Timeout
}
/** Commands to one gun, or to the pile as a whole. */
type Lane = { waiting: DownItem[]; running: Running | undefined }
/** How long a pile that has asked for its prices waits for them. */
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
 * Commands to one pile: one after the other to each gun and to the pile itself. Nothing is sent twice, because a pile
 * does not remember what it has done: a restart or a start that is not answered may have been carried out.
 */
export class YkcCommands {
  readonly #intake: MessageIntake
  readonly #identity: Identity
  readonly #pileNo: string
  readonly #write: (bytes: Uint8Array) => void
  readonly #lanes = new Map<number, Lane>()
  /** The order that each gun charges, as its last report says; undefined: none. */
  readonly #orders = new Map<number, string | undefined>()
  #tariffAsked: { frame: YkcFrame; atMs: number } | undefined
  #seq = 0

  constructor(intake: MessageIntake, identity: Identity, pileNo: string, write: (bytes: Uint8Array) => void) {
    this.#intake = intake
    this.#identity = identity
    this.#pileNo = pileNo
    this.#write = write
  }

  tell(item: DownItem): void {
    const at = laneOf(item.c as DeviceCommand)
    const lane = this.#lanes.get(at) ?? { waiting: [], running: undefined }
    this.#lanes.set(at, lane)
    lane.waiting.push(item)
    this.#next(lane)
  }

  /** A frame that the pile answers by a report of its first gun. */
  question(): Uint8Array {
    const frames = this.#encode({ kind: 'query', port: 1 })
    return frames.ok ? (frames.value[0]?.bytes ?? new Uint8Array()) : new Uint8Array()
  }

  /** Prices hold by the pile's clock, so it is set without anybody's asking. */
  setClock(): void {
    const frames = this.#encode({ kind: 'setClock', atS: Math.floor(Date.now() / 1000) })
    if (frames.ok) for (const { bytes } of frames.value) this.#write(bytes)
  }

  /** Whether it was the answer to a command. */
  heard(event: DeviceEvent, frame: YkcFrame, wire: OnWire): boolean {
    if (frame.type === ykcType.tariffWanted) this.#tariffAsked = { frame, atMs: Date.now() }
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
      // The person may still plug in, and then it is started after all: not refused before that is over.
      running.timer = setTimeout(() => this.#end(lane, running, event, wire), ykcTiming.plugInMs)
    else this.#end(lane, running, event, wire)
    return true
  }

  /** The line is gone: what was sent may have been done, the rest was not. */
  lost(): void {
    for (const { running, waiting } of this.#lanes.values()) {
      if (running !== undefined) {
        clearTimeout(running.timer)
        this.#intake.givenUp(this.#identity, running.item.id, hasLeft(running) ? 'lineLost' : 'absent')
      }
      for (const { id } of waiting) this.#intake.givenUp(this.#identity, id, 'absent')
    }
    this.#lanes.clear()
  }

  /** A report answers the question for it, and whatever waited for that goes on. */
  #reported(lane: Lane, port: number, wire: OnWire): void {
    const { running } = lane
    if (running?.frame.type !== ykcType.askReport || gunOf(running.frame) !== port) return
    clearTimeout(running.timer)
    const [next, ...left] = running.left
    if (next === undefined) this.#end(lane, running, { kind: 'commandResult', ok: true, carriedOut: true }, wire)
    else this.#send(lane, { ...running, frame: next, left })
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
    const [frame, ...left] = frames.value
    if (frame === undefined) return this.#giveUp(lane, item, 'unsupported')
    if (command.kind === 'setTariff') this.#answerTariff(command)
    this.#send(lane, { item, command, frame, left, timer: setTimeout(() => undefined, 0) })
  }

  /** A stop names the gun only. Where no report has told which order runs there, the pile is asked first. */
  #framesOf(command: DeviceCommand) {
    const frames = this.#encode(command)
    if (!frames.ok || command.kind !== 'stopPort' || this.#orders.has(command.port)) return frames
    const ask = this.#encode({ kind: 'query', port: command.port })
    return ask.ok ? { ok: true as const, value: [...ask.value, ...frames.value] } : ask
  }

  #encode(command: DeviceCommand) {
    const to = { pileNo: this.#pileNo, portCount: this.#identity.portCount, seq: this.#seq }
    const frames = encodeCommand(to, command)
    for (let sent = 0; frames.ok && sent < frames.value.length; sent++) this.#seq = nextSeq(this.#seq)
    return frames
  }

  /** A pile that has asked takes no other frame for an answer; only the one behind it is acknowledged. */
  #answerTariff(command: Extract<DeviceCommand, { kind: 'setTariff' }>): void {
    const asked = this.#tariffAsked
    this.#tariffAsked = undefined
    if (asked === undefined || Date.now() - asked.atMs > tariffWaitMs) return
    const answer = encodeTariffAnswer(this.#pileNo, asked.frame, command)
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
    if (hasLeft(running)) this.#intake.told(this.#identity, item, frame.bytes)
    const waitMs = command.kind === 'startPort' ? ykcTiming.startTimeoutMs : ykcTiming.replyTimeoutMs
    running.timer = setTimeout(() => this.#giveUp(lane, item, 'noAnswer'), waitMs)
  }

  #end(lane: Lane, { item, timer }: Running, result: CommandResultEvent, wire: OnWire): void {
    clearTimeout(timer)
    this.#intake.answered(this.#identity, item, result, wire)
    this.#done(lane)
  }
  #refuse(lane: Lane, item: DownItem, refusal: CommandResultEvent['refusal']): void {
    this.#intake.answered(this.#identity, item, refusedHere(refusal))
    this.#done(lane)
  }
  #giveUp(lane: Lane, { id }: DownItem, reason: CommandFailure): void {
    this.#intake.givenUp(this.#identity, id, reason)
    this.#done(lane)
  }
  #done(lane: Lane): void {
    lane.running = undefined
    this.#next(lane)
  }
}

/** The question before a stop is not yet the stop. */
const hasLeft = ({ command, frame }: Running) => command.kind !== 'stopPort' || frame.type === ykcType.stop

/** The gun that a question of ours is about: the last byte of its body, in decimal digits. */
const gunOf = ({ body }: YkcFrame) => {
  const digits = body.at(-1) ?? 0
  return (digits >> 4) * 10 + (digits % 16)
}
