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

/** Numbers of our own commands begin here: a device counts its messages from 1, and answers repeat our number. */
const firstMessageId = 0x8000
/**
 * A device takes a number that it has just had for the same command once more, also on another line: it answers and does
 * nothing. So a line begins with a number of the present moment. Commands are a gap apart, so no line has come so far,
 * until the numbers are used up after four hours and a half.
 */
const messageIdNow = () =>
  firstMessageId + (Math.floor(Date.now() / dnyTiming.commandGapMs) % (0xffff - firstMessageId))

/** A command of which at least one frame has left. */
type Running = {
  item: DownItem
  /** Frames that are still to be sent, after the one that is waited for. */
  left: DnyFrame[]
  frame: DnyFrame
  retries: number
  attributes: AttributeValues
  timer: NodeJS.Timeout
}

/**
 * Commands to one DNY device: one after the other and at least half a second apart, because it loses what comes faster.
 * A frame that is not answered is sent once more with its number, by which the device knows whether it has done it.
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

  /** A frame that the device answers by what it says of itself. Commands wait their gap after it. */
  question(): Uint8Array {
    const to = { physicalId: this.#physicalId, messageId: this.#messageId }
    this.#messageId = nextOwn(this.#messageId)
    this.#freeAtMs = Math.max(this.#freeAtMs, Date.now() + dnyTiming.commandGapMs)
    const frames = encodeCommand(to, { kind: 'query' })
    return frames.ok ? (frames.value[0]?.bytes ?? new Uint8Array()) : new Uint8Array()
  }

  tell(item: DownItem): void {
    this.#waiting.push(item)
    this.#next()
  }

  /** Whether it was the answer to a command. */
  heard(event: DeviceEvent, frame: DnyFrame, wire: OnWire): boolean {
    const running = this.#running
    if (running === undefined) return false
    // Nothing answers a query but what the device then says of itself.
    if (running.item.c.kind === 'query' && (event.kind === 'heartbeat' || event.kind === 'register')) {
      this.#end(running, { kind: 'commandResult', ok: true, carriedOut: true }, wire)
      return false
    }
    if (event.kind !== 'commandResult' || frame.messageId !== running.frame.messageId) return false
    if (isOfAnother(running.item.c as DeviceCommand, event)) return false
    clearTimeout(running.timer)
    running.attributes = { ...running.attributes, ...event.attributes }
    const [next, ...left] = running.left
    if (event.ok && next !== undefined) this.#after(() => this.#send({ ...running, frame: next, left, retries: 0 }))
    else this.#end(running, { ...event, attributes: running.attributes }, wire)
    return true
  }

  /** The line is gone: what was sent may have been done, the rest was not. */
  lost(): void {
    clearTimeout(this.#timer)
    if (this.#running !== undefined) {
      clearTimeout(this.#running.timer)
      this.#intake.givenUp(this.#identity, this.#running.item.id, 'lineLost')
    }
    for (const { id } of this.#waiting) this.#intake.givenUp(this.#identity, id, 'absent')
    this.#waiting.length = 0
    this.#running = undefined
  }

  #next(): void {
    if (this.#running !== undefined || this.#timer !== undefined) return
    // Until it may be sent it waits with the others, so that one whose line is lost meanwhile is known to be unsent.
    if (this.#waiting.length > 0 && this.#freeAtMs > Date.now()) return this.#after(() => this.#next())
    const item = this.#waiting.shift()
    if (item === undefined) return
    if (Date.now() / 1000 >= item.exp) return this.#refuse(item, 'expired')
    const frames = encodeCommand({ physicalId: this.#physicalId, messageId: this.#messageId }, item.c as DeviceCommand)
    const [frame, ...left] = frames.ok ? frames.value : []
    if (frame === undefined) return this.#refuse(item, 'unsupported')
    for (let sent = 0; sent <= left.length; sent++) this.#messageId = nextOwn(this.#messageId)
    this.#send({ item, frame, left, retries: 0, attributes: {}, timer: setTimeout(() => undefined, 0) })
  }

  #refuse({ id }: DownItem, reason: 'expired' | 'unsupported'): void {
    this.#intake.givenUp(this.#identity, id, reason)
    this.#next()
  }

  /** At once, or as soon as the device can hear again. */
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
    this.#intake.told(this.#identity, running.item, running.frame.bytes)
    running.timer = setTimeout(() => this.#unanswered(running), dnyTiming.replyTimeoutMs)
  }

  #unanswered(running: Running): void {
    if (running.retries < dnyTiming.retries) return this.#send({ ...running, retries: running.retries + 1 })
    this.#intake.givenUp(this.#identity, running.item.id, 'noAnswer')
    this.#done()
  }

  #end(running: Running, result: CommandResultEvent, wire: OnWire): void {
    clearTimeout(running.timer)
    this.#intake.answered(this.#identity, running.item, result, wire)
    this.#done()
  }

  #done(): void {
    this.#running = undefined
    this.#next()
  }
}

/** What a device says of another order says nothing of this one. */
const isOfAnother = (command: DeviceCommand, { orderNo }: CommandResultEvent): boolean =>
  (command.kind === 'startPort' || command.kind === 'stopPort') && orderNo !== undefined && orderNo !== command.orderNo

const nextOwn = (messageId: number): number => {
  const next = nextMessageId(messageId)
  return next < firstMessageId ? firstMessageId : next
}
