import { randomUUID } from 'node:crypto'
import type { DownItem, Identity } from '@wattdeck/contract/events/device-bus.ts'
import type { DeviceCommand } from '@wattdeck/device-protocol/message.ts'
import type { PlatformCall } from '@wattdeck/device-protocol/ocpp16/calls.ts'
import { type CallResult, callsFor, refusedBy, resultOf } from '@wattdeck/device-protocol/ocpp16/down.ts'
import { type OcppError, type OcppResult, writeCall } from '@wattdeck/device-protocol/ocpp16/frame.ts'
import { ocppTiming } from '@wattdeck/device-protocol/ocpp16/timing.ts'
import type { MessageIntake } from './message-intake.ts'

/** What is to be told. Without an item it is the gateway's own wish, of which nobody waits to hear. */
type Job = { item: DownItem | undefined; command: DeviceCommand }
type Running = Job & { calls: PlatformCall[]; id: string; result: CallResult; timer: NodeJS.Timeout }

type Hands = {
  taking: MessageIntake
  identity: Identity
  write: (frame: string) => void
  /** The transaction of an order, if it runs. */
  transactionOf: (orderNo: string) => Promise<number | undefined>
}

/**
 * Commands to one charge point: one call at a time, as the standard wants it. A call that is not answered is never sent
 * again, because a charge point does not know that it has done it already.
 */
export class OcppCommands {
  readonly #hands: Hands
  readonly #waiting: Job[] = []
  #running: Running | undefined
  /** While a transaction is looked up. */
  #preparing = false
  #lost = false

  constructor(hands: Hands) {
    this.#hands = hands
  }

  tell(item: DownItem | undefined, command: DeviceCommand): void {
    this.#waiting.push({ item, command })
    void this.#next()
  }

  /** The charge point answered a call, or said why not. */
  heard(frame: OcppResult | OcppError, bytes: Uint8Array): void {
    const running = this.#running
    const [call, ...left] = running?.calls ?? []
    // What comes too late is of a call that was given up.
    if (running === undefined || call === undefined || frame.id !== running.id) return
    clearTimeout(running.timer)
    const part = frame.kind === 'result' ? resultOf(call, frame.payload) : refusedBy(frame.code)
    const result = joined(running.result, part)
    if (part.ok && left.length > 0) return this.#send({ ...running, calls: left, result })
    const { taking: intake, identity } = this.#hands
    if (running.item !== undefined)
      intake.answered(
        identity,
        running.item,
        { kind: 'commandResult', ...result, ...whereOf(running.command) },
        { bytes },
      )
    this.#done()
  }

  /** The line is gone: what was sent may have been done, the rest was not. */
  lost(): void {
    this.#lost = true
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
    const { transactionOf, taking: intake, identity } = this.#hands
    // When nobody can tell, the charge is not known here: nothing was sent.
    const transactionId =
      command.kind === 'stopPort' ? await transactionOf(command.orderNo).catch(() => undefined) : undefined
    if (this.#lost) return this.#giveUp(job, 'absent')
    if (item !== undefined && Date.now() / 1000 >= item.exp) return this.#giveUp(job, 'expired')
    if (command.kind === 'stopPort' && transactionId === undefined && item !== undefined) {
      intake.send(identity, { ...notCharging, commandId: item.id, ...whereOf(command) })
      return
    }
    const calls = callsFor(command, transactionId)
    if (!calls.ok || calls.value.length === 0) return this.#giveUp(job, 'unsupported')
    this.#send({ ...job, calls: calls.value, id: '', result: nothingYet, timer: setTimeout(() => undefined, 0) })
  }

  #send(running: Running): void {
    const [call] = running.calls
    if (call === undefined) return
    const { taking: intake, identity, write } = this.#hands
    const id = randomUUID()
    const frame = writeCall(id, call.action, call.payload)
    const timer = setTimeout(() => {
      this.#giveUp(running, 'noAnswer')
      this.#done()
    }, ocppTiming.replyTimeoutMs)
    this.#running = { ...running, id, timer }
    write(frame)
    const bytes = Buffer.from(frame)
    if (running.item !== undefined) intake.told(identity, running.item, bytes)
    else intake.send(identity, { kind: 'remark', about: call.action, text: '达到充电限额' }, { bytes })
  }

  #giveUp(job: Job | undefined, reason: Parameters<MessageIntake['givenUp']>[2]): void {
    if (job?.item !== undefined) this.#hands.taking.givenUp(this.#hands.identity, job.item.id, reason)
  }

  #done(): void {
    this.#running = undefined
    void this.#next()
  }
}

const nothingYet: CallResult = { ok: true, carriedOut: true }
const notCharging = {
  kind: 'commandResult',
  ok: false,
  carriedOut: false,
  refusal: { name: 'notCharging', raw: '' },
} as const

/** Several calls are one command: all attributes together, and one that needs a start makes all of it need one. */
const joined = (before: CallResult, part: CallResult): CallResult => ({
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
