import { dnyAttributeGroups } from '@wattdeck/device-protocol/dny/attributes.ts'
import type { ChargeLimit, DeviceCommand, StartPortCommand } from '@wattdeck/device-protocol/message.ts'
import type { Obeyed } from './wire.ts'

/** Effects of commands on the device. Ports count from 1. */
export type Hands = {
  portCount: number
  /** The order charging at a port, if any. */
  orderAt: (port: number) => string | undefined
  /** Returns whether the start is reported; a 'lateStart' charge is not. */
  begin: (port: number, orderNo: string, limit: ChargeLimit) => boolean
  finish: (port: number) => void
  change: (port: number, limit: ChargeLimit) => void
  /** Sends registration and port status. */
  introduce: () => void
  restart: () => void
}

/** A refusing device answers with a refusal; a mute one neither answers nor executes. */
export type Temper = { refuses: boolean; mute: boolean }

/** Executes commands or refuses them. It counts restarts, so that a test can detect a duplicate execution. */
export class Obeying {
  readonly #hands: Hands
  readonly #temper: Temper
  readonly #attributes: Map<string, number>
  #stopped = false
  restarts = 0
  /** Called once when the next command arrives. */
  onNextCommand: (() => void) | undefined

  constructor(hands: Hands, temper: Temper) {
    this.#hands = hands
    this.#temper = temper
    const delivered = dnyAttributeGroups.flatMap(({ attributes }) => attributes)
    this.#attributes = new Map(delivered.map(({ identifier, initial, min }) => [identifier, initial ?? min]))
  }

  handleCommand(command: DeviceCommand, answer: (result: Obeyed) => void): void {
    this.onNextCommand?.()
    this.onNextCommand = undefined
    if (this.#temper.mute) return
    const obeyed = this.#obey(command)
    if (obeyed === undefined) return
    answer(obeyed)
    if (command.kind === 'restart' && obeyed.refused === undefined) this.#hands.restart()
  }

  #obey(command: DeviceCommand): Obeyed | undefined {
    if (this.#temper.refuses) return { refused: 'portFault' }
    switch (command.kind) {
      case 'restart':
        this.restarts += 1
        return {}
      case 'stop':
      case 'restore':
        this.#stopped = command.kind === 'stop'
        return {}
      case 'startPort':
        return this.#start(command)
      case 'stopPort': {
        const { port, orderNo } = command
        const running = this.#hands.orderAt(port)
        if (running === undefined) return { refused: 'notCharging', port, orderNo }
        if (running !== orderNo) return { refused: 'otherOrder', port, orderNo }
        this.#hands.finish(port)
        return { port, orderNo }
      }
      case 'changePort': {
        if (this.#hands.orderAt(command.port) === undefined) return { refused: 'notCharging' }
        this.#hands.change(command.port, command.limit)
        return { port: command.port }
      }
      case 'query':
        this.#hands.introduce()
        return {}
      case 'readAttributes': {
        const readable = command.identifiers.filter((name) => this.#attributes.has(name))
        return { attributes: Object.fromEntries(readable.map((name) => [name, this.#attributes.get(name) ?? 0])) }
      }
      case 'writeAttributes':
        for (const [name, value] of Object.entries(command.values)) this.#attributes.set(name, value)
        return {}
      case 'setClock':
      case 'setTariff':
      default:
        return {}
    }
  }

  #start({ port: requestedPort, orderNo, limit }: StartPortCommand): Obeyed | undefined {
    const port = requestedPort === 'auto' ? 1 : requestedPort
    if (port > this.#hands.portCount) return { refused: 'noPort', port, orderNo }
    if (this.#stopped) return { refused: 'stopped', port, orderNo }
    if (this.#hands.orderAt(port) !== undefined) return { refused: 'sameState', port, orderNo }
    return this.#hands.begin(port, orderNo, limit) ? { port, orderNo } : undefined
  }
}
