import { randomUUID } from 'node:crypto'
import type { DownItem, Identity } from '@wattdeck/contract/events/device-bus.ts'
import type { DeviceCommand } from '@wattdeck/device-protocol/message.ts'
import type { PlatformCall } from '@wattdeck/device-protocol/ocpp16/calls.ts'
import { type CallResult, callsFor, refusedBy, resultOf } from '@wattdeck/device-protocol/ocpp16/down.ts'
import { type OcppError, type OcppResult, writeCall } from '@wattdeck/device-protocol/ocpp16/frame.ts'
import { ocppTiming } from '@wattdeck/device-protocol/ocpp16/timing.ts'
import type { MessageIntake } from './message-intake.ts'

/** A queued command. Without an item the gateway itself issued it, and no result is published. */
type Job = { item: DownItem | undefined; command: DeviceCommand }
type Running = Job & { calls: PlatformCall[]; id: string; result: CallResult; timer: NodeJS.Timeout }

type Connection = {
  intake: MessageIntake
  identity: Identity
  write: (frame: string) => void
  /** The transaction number of an order, if it is running. */
  transactionOf: (orderNo: string) => Promise<number | undefined>
}

/**
 * Command queue of one charge point: one call at a time, as OCPP requires. An unanswered call is not retried, because a
 * charge point does not detect repeats.
 */
export class OcppCommands {
  readonly #connection: Connection
  readonly #waiting: Job[] = []
  #running: Running | undefined
  /** True while the transaction number is being looked up. */
  #preparing = false
  #isClosed = false

  constructor(connection: Connection) {
    this.#connection = connection
  }

  enqueue(item: DownItem | undefined, command: DeviceCommand): void {
    this.#waiting.push({ item, command })
    void this.#next()
  }

  /** Handles the result or error of a call. */
  handleAnswer(frame: OcppResult | OcppError, bytes: Uint8Array): void {
    const running = this.#running
    const [call, ...remaining] = running?.calls ?? []
    // A late answer belongs to a call that was abandoned.
    if (running === undefined || call === undefined || frame.id !== running.id) return
    clearTimeout(running.timer)
    const part = frame.kind === 'result' ? resultOf(call, frame.payload) : refusedBy(frame.code)
    const result = mergeResults(running.result, part)
    if (part.ok && remaining.length > 0) return this.#send({ ...running, calls: remaining, result })
    const { intake, identity } = this.#connection
    if (running.item !== undefined)
      intake.publishResult(
        identity,
        running.item,
        { kind: 'commandResult', ...result, ...whereOf(running.command) },
        { bytes },
      )
    this.#done()
  }

  /** The connection is lost: calls already sent may have been executed, queued commands were not. */
  abandonAll(): void {
    this.#isClosed = true
    clearTimeout(this.#running?.timer)
    this.#giveUp(this.#running, 'lineLost')
    for (const job of this.#waiting) this.#giveUp(job, 'absent')
    this.#waiting.length = 0
    this.#running = undefined
  }

  async #next(): Promise<void> {
    if (this.#running !== undefined || this.#preparing) return
    const job = this.#waiting.shift()
    if (job === undefined) return
    this.#preparing = true
    await this.#begin(job).finally(() => {
      this.#preparing = false
    })
    if (this.#running === undefined) void this.#next()
  }

  async #begin(job: Job): Promise<void> {
    const { item, command } = job
    const { transactionOf, intake, identity } = this.#connection
    // A failed lookup counts as an unknown charge: nothing was sent.
    const transactionId =
      command.kind === 'stopPort' ? await transactionOf(command.orderNo).catch(() => undefined) : undefined
    if (this.#isClosed) return this.#giveUp(job, 'absent')
    if (item !== undefined && Date.now() / 1000 >= item.exp) return this.#giveUp(job, 'expired')
    if (command.kind === 'stopPort' && transactionId === undefined && item !== undefined) {
      intake.send(identity, { ...notCharging, commandId: item.id, ...whereOf(command) })
      return
    }
    const calls = callsFor(command, transactionId)
    if (!calls.ok || calls.value.length === 0) return this.#giveUp(job, 'unsupported')
    this.#send({ ...job, calls: calls.value, id: '', result: initialResult, timer: setTimeout(() => undefined, 0) })
  }

  #send(running: Running): void {
    const [call] = running.calls
    if (call === undefined) return
    const { intake, identity, write } = this.#connection
    const id = randomUUID()
    const frame = writeCall(id, call.action, call.payload)
    const timer = setTimeout(() => {
      this.#giveUp(running, 'noAnswer')
      this.#done()
    }, ocppTiming.replyTimeoutMs)
    this.#running = { ...running, id, timer }
    write(frame)
    const bytes = Buffer.from(frame)
    if (running.item !== undefined) intake.publishSent(identity, running.item, bytes)
    else intake.send(identity, { kind: 'remark', about: call.action, text: '达到充电限额' }, { bytes })
  }

  #giveUp(job: Job | undefined, reason: Parameters<MessageIntake['publishFailure']>[2]): void {
    if (job?.item !== undefined) this.#connection.intake.publishFailure(this.#connection.identity, job.item.id, reason)
  }

  #done(): void {
    this.#running = undefined
    void this.#next()
  }
}

const initialResult: CallResult = { ok: true, carriedOut: true }
const notCharging = {
  kind: 'commandResult',
  ok: false,
  carriedOut: false,
  refusal: { name: 'notCharging', raw: '' },
} as const

/**
 * Merges the results of the calls of one command: attributes are combined, and one call that needs a restart marks the
 * whole.
 */
const mergeResults = (before: CallResult, part: CallResult): CallResult => ({
  ...part,
  attributes:
    before.attributes === undefined && part.attributes === undefined
      ? undefined
      : { ...before.attributes, ...part.attributes },
  restartNeeded: before.restartNeeded ?? part.restartNeeded,
})

const whereOf = (command: DeviceCommand): { port?: number | undefined; orderNo?: string | undefined } =>
  command.kind === 'startPort' || command.kind === 'stopPort'
    ? { port: command.port === 'auto' ? undefined : command.port, orderNo: command.orderNo }
    : {}
