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

const taken = new Counter({ name: 'gateway_commands_total', help: 'Commands taken for a device' })
const absent = new Counter({ name: 'gateway_commands_absent_total', help: 'Commands to devices that are not here' })

/** Where a device can be told something. */
export type DeviceConnection = {
  /** Sends it as soon as the protocol lets. What becomes of it goes up as events, by `told`, `answered` and `givenUp`. */
  tell: (item: DownItem) => void
  /** Ends the connection: the device may not speak any more, or speaks on another line. */
  cut: (reason: string) => void
}

/**
 * Commands on their way down. A worker sends each to the gateway that heard the device last, and is told at once which
 * devices are not here: those commands were never sent. Devices behind the broker are everywhere, so any gateway may
 * take theirs.
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

  hold(deviceId: string, connection: DeviceConnection): void {
    const before = this.#lines.get(deviceId)
    this.#lines.set(deviceId, connection)
    if (before !== undefined && before !== connection) before.cut('replaced')
  }

  release(deviceId: string, connection: DeviceConnection): void {
    if (this.#lines.get(deviceId) === connection) this.#lines.delete(deviceId)
  }

  /** All devices of this adapter are reached by one line. */
  holdAll(adapter: string, connection: DeviceConnection): void {
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

  /** Ends the connections of all devices that have one of their own. */
  cutAll(reason: string): void {
    for (const connection of new Set(this.#lines.values())) connection.cut(reason)
  }

  #take(items: readonly DownItem[]): string[] {
    if (!this.#mayTake()) return items.map(({ id }) => id)
    const missing: string[] = []
    for (const item of items) {
      const connection = this.#lines.get(item.d) ?? this.#broker.find(({ adapter }) => adapter === item.a)?.line
      if (connection === undefined) missing.push(item.id)
      else connection.tell(item)
    }
    taken.inc(items.length - missing.length)
    absent.inc(missing.length)
    return missing
  }

  #cut(cut: Cut): void {
    this.#forget(cut)
    this.#lines.get(cut.deviceId)?.cut('revoked')
    this.#lines.delete(cut.deviceId)
  }
}
