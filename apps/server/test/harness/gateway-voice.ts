import { jetstream } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import {
  deviceBus,
  type Envelope,
  messageEpochMs,
  partitionOf,
  type UpItem,
} from '@wattdeck/contract/events/device-bus.ts'
import type { PlugStatusName } from '@wattdeck/device-protocol/plug-status.ts'
import { plugStatus } from '@wattdeck/device-protocol/plug-status.ts'

let counter = 0

/** Publishes device messages to the stream of the workers as a gateway does, with the current or an earlier time. */
export function gatewayPublisher(bus: NatsConnection, prefix: string, gateway = 9) {
  const item = (d: string, e: object, { atMs = Date.now(), ...more }: Partial<UpItem> & { atMs?: number } = {}) => {
    const id = String((BigInt(atMs - messageEpochMs) << 22n) | BigInt(++counter % 1024))
    return { id, d, o: id, e, ...more } as UpItem
  }
  const publish = async (items: UpItem[]) => {
    for (const [partition, own] of Map.groupBy(items, ({ d }) => partitionOf(d))) {
      const envelope: Envelope = { gateway, items: own }
      await jetstream(bus).publish(deviceBus.up(prefix, partition), JSON.stringify(envelope), {
        msgID: crypto.randomUUID(),
      })
    }
  }
  return { item, publish }
}

export const heartbeat = (...ports: Extract<PlugStatusName, 'free' | 'working' | 'fault'>[]) => ({
  kind: 'heartbeat',
  ports: ports.map((name) => plugStatus.say('dny', name)),
})
