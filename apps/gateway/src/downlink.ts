import type { NatsConnection } from '@nats-io/transport-node'
import { answerTo } from '@wattdeck/bus/bus.ts'
import {
  type Cut,
  deviceBus,
  type DownAnswer,
  type DownEnvelope,
  type DownItem,
} from '@wattdeck/contract/events/device-bus.ts'
import { Counter } from 'prom-client'
import { busCallback } from './bus-callback.ts'

const accepted = new Counter({ name: 'gateway_commands_total', help: 'Commands accepted for a device' })
const absent = new Counter({
  name: 'gateway_commands_absent_total',
  help: 'Commands to devices without a connection at this gateway',
})

/** A connection that accepts commands for a device. */
export type DeviceConnection = {
  /**
   * Sends the command as soon as the protocol allows. `publishSent`, `publishResult` and `publishFailure`
   * report its progress.
   */
  sendCommand: (item: DownItem) => void
  /** Ends the connection: the device is revoked, or uses another connection. */
  cut: (reason: string) => void
}

/**
 * Delivers commands to connections. A worker sends each command to the gateway that served the device last; the reply
 * lists absent devices, whose commands were never sent. Any gateway may deliver to devices behind the broker.
 */
export class Downlink {
  readonly #lines = new Map<string, DeviceConnection>()
  readonly #broker: { adapter: string; line: DeviceConnection }[] = []
  readonly #forget: (cut: Cut) => void
  readonly #mayTake: () => boolean

  constructor(forget: (cut: Cut) => void, mayTake: () => boolean = () => true) {
    this.#forget = forget
    this.#mayTake = mayTake
  }

  attach(deviceId: string, connection: DeviceConnection): void {
    const before = this.#lines.get(deviceId)
    this.#lines.set(deviceId, connection)
    if (before !== undefined && before !== connection) before.cut('replaced')
  }

  detach(deviceId: string, connection: DeviceConnection): void {
    if (this.#lines.get(deviceId) === connection) this.#lines.delete(deviceId)
  }

  /** One connection serves all devices of this adapter. */
  attachAdapter(adapter: string, connection: DeviceConnection): void {
    this.#broker.push({ adapter, line: connection })
  }

  listen(bus: NatsConnection, prefix: string, gateway: number): void {
    const own = { subject: deviceBus.down(prefix, gateway), queue: undefined }
    const shared = { subject: deviceBus.down(prefix, 'any'), queue: 'gateways' }
    for (const { subject, queue } of this.#broker.length > 0 ? [own, shared] : [own])
      bus.subscribe(subject, {
        ...(queue === undefined ? {} : { queue }),
        callback: busCallback((message) => {
          const answer: DownAnswer = { absent: this.#take(message.json<DownEnvelope>().items) }
          answerTo(message, answer)
        }),
      })
    bus.subscribe(deviceBus.cut(prefix), {
      callback: busCallback((message) => this.#cut(message.json<Cut>())),
    })
  }

  /** Ends every connection that belongs to a single device. */
  cutAll(reason: string): void {
    for (const connection of new Set(this.#lines.values())) connection.cut(reason)
  }

  #take(items: readonly DownItem[]): string[] {
    if (!this.#mayTake()) return items.map(({ id }) => id)
    const missing: string[] = []
    for (const item of items) {
      const connection = this.#lines.get(item.d) ?? this.#broker.find(({ adapter }) => adapter === item.a)?.line
      if (connection === undefined) missing.push(item.id)
      else connection.sendCommand(item)
    }
    accepted.inc(items.length - missing.length)
    absent.inc(missing.length)
    return missing
  }

  #cut(cut: Cut): void {
    this.#forget(cut)
    this.#lines.get(cut.deviceId)?.cut('revoked')
    this.#lines.delete(cut.deviceId)
  }
}
