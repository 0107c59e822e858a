import type { DownItem, Identity } from '@wattdeck/contract/events/device-bus.ts'
import { encodeCommand } from '@wattdeck/device-protocol/dny/down.ts'
import { type DnyFrame, nextMessageId } from '@wattdeck/device-protocol/dny/frame.ts'
import { dnyTiming } from '@wattdeck/device-protocol/dny/timing.ts'
import type {
  AttributeValues,
  CommandResultEvent,
  DeviceCommand,
  DeviceEvent,
} from '@wattdeck/device-protocol/message.ts'
import type { OnWire, MessageIntake } from './message-intake.ts'

/** First message id of the platform's commands. A device counts its own messages from 1, and answers repeat our id. */
const firstMessageId = 0x8000
/**
 * A device detects repeats by command and message id, even across connections, and does not execute them. Each
 * connection therefore starts with an id derived from the time. Ids repeat after about four and a half hours.
 */
const messageIdNow = () =>
  firstMessageId + (Math.floor(Date.now() / dnyTiming.commandGapMs) % (0xffff - firstMessageId))

/** A command with at least one frame sent. */
type Running = {
  item: DownItem
  /** Frames to send after the one that awaits its answer. */
  left: DnyFrame[]
  frame: DnyFrame
  retries: number
  attributes: AttributeValues
  timer: NodeJS.Timeout
}

/**
 * Command queue of one DNY device. Commands run one at a time, at least half a second apart, because the device drops
 * faster frames. An unanswered frame is retried once with its message id, by which the device detects the repeat.
 */
export class DnyCommands {
  readonly #intake: MessageIntake
  readonly #identity: Identity
  readonly #physicalId: number
  readonly #write: (bytes: Uint8Array) => void
  readonly #waiting: DownItem[] = []
  #running: Running | undefined
  #messageId = messageIdNow()
  #freeAtMs = 0
  #timer: NodeJS.Timeout | undefined

  constructor(intake: MessageIntake, identity: Identity, physicalId: number, write: (bytes: Uint8Array) => void) {
    this.#intake = intake
    this.#identity = identity
    this.#physicalId = physicalId
    this.#write = write
  }

  /** A query frame, which the device answers with a heartbeat or registration. Commands keep their gap after it. */
  question(): Uint8Array {
    const to = { physicalId: this.#physicalId, messageId: this.#messageId }
    this.#messageId = nextOwn(this.#messageId)
    this.#freeAtMs = Math.max(this.#freeAtMs, Date.now() + dnyTiming.commandGapMs)
    const frames = encodeCommand(to, { kind: 'query' })
    return frames.ok ? (frames.value[0]?.bytes ?? new Uint8Array()) : new Uint8Array()
  }

  enqueue(item: DownItem): void {
    this.#waiting.push(item)
    this.#next()
  }

  /** Returns whether the event answered a command. */
  handleEvent(event: DeviceEvent, frame: DnyFrame, wire: OnWire): boolean {
    const running = this.#running
    if (running === undefined) return false
    // A query has no answer of its own; the next heartbeat or registration completes it.
    if (running.item.c.kind === 'query' && (event.kind === 'heartbeat' || event.kind === 'register')) {
      this.#end(running, { kind: 'commandResult', ok: true, carriedOut: true }, wire)
      return false
    }
    if (event.kind !== 'commandResult' || frame.messageId !== running.frame.messageId) return false
    if (isOfAnother(running.item.c as DeviceCommand, event)) return false
    clearTimeout(running.timer)
    running.attributes = { ...running.attributes, ...event.attributes }
    const [next, ...remaining] = running.left
    if (event.ok && next !== undefined)
      this.#after(() => this.#send({ ...running, frame: next, left: remaining, retries: 0 }))
    else this.#end(running, { ...event, attributes: running.attributes }, wire)
    return true
  }

  /** The connection is lost: frames already sent may have been executed, queued commands were not. */
  abandonAll(): void {
    clearTimeout(this.#timer)
    if (this.#running !== undefined) {
      clearTimeout(this.#running.timer)
      this.#intake.publishFailure(this.#identity, this.#running.item.id, 'lineLost')
    }
    for (const { id } of this.#waiting) this.#intake.publishFailure(this.#identity, id, 'absent')
    this.#waiting.length = 0
    this.#running = undefined
  }

  #next(): void {
    if (this.#running !== undefined || this.#timer !== undefined) return
    // The command stays queued until the gap is over, so a lost connection reports it as unsent.
    if (this.#waiting.length > 0 && this.#freeAtMs > Date.now()) return this.#after(() => this.#next())
    const item = this.#waiting.shift()
    if (item === undefined) return
    if (Date.now() / 1000 >= item.exp) return this.#refuse(item, 'expired')
    const frames = encodeCommand({ physicalId: this.#physicalId, messageId: this.#messageId }, item.c as DeviceCommand)
    const [frame, ...remaining] = frames.ok ? frames.value : []
    if (frame === undefined) return this.#refuse(item, 'unsupported')
    for (let count = 0; count <= remaining.length; count++) this.#messageId = nextOwn(this.#messageId)
    this.#send({ item, frame, left: remaining, retries: 0, attributes: {}, timer: setTimeout(() => undefined, 0) })
  }

  #refuse({ id }: DownItem, reason: 'expired' | 'unsupported'): void {
    this.#intake.publishFailure(this.#identity, id, reason)
    this.#next()
  }

  /** Runs `act` at once, or when the command gap is over. */
  #after(act: () => void): void {
    const waitMs = this.#freeAtMs - Date.now()
    if (waitMs <= 0) return act()
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      act()
    }, waitMs)
  }

  #send(running: Running): void {
    this.#running = running
    this.#freeAtMs = Date.now() + dnyTiming.commandGapMs
    this.#write(running.frame.bytes)
    this.#intake.publishSent(this.#identity, running.item, running.frame.bytes)
    running.timer = setTimeout(() => this.#unanswered(running), dnyTiming.replyTimeoutMs)
  }

  #unanswered(running: Running): void {
    if (running.retries < dnyTiming.retries) return this.#send({ ...running, retries: running.retries + 1 })
    this.#intake.publishFailure(this.#identity, running.item.id, 'noAnswer')
    this.#done()
  }

  #end(running: Running, result: CommandResultEvent, wire: OnWire): void {
    clearTimeout(running.timer)
    this.#intake.publishResult(this.#identity, running.item, result, wire)
    this.#done()
  }

  #done(): void {
    this.#running = undefined
    this.#next()
  }
}

/** An answer that names another order does not belong to this command. */
const isOfAnother = (command: DeviceCommand, { orderNo }: CommandResultEvent): boolean =>
  (command.kind === 'startPort' || command.kind === 'stopPort') && orderNo !== undefined && orderNo !== command.orderNo

const nextOwn = (messageId: number): number => {
  const next = nextMessageId(messageId)
  return next < firstMessageId ? firstMessageId : next
}
