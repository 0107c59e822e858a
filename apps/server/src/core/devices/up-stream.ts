import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  type JetStreamManager,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { deviceBus, gatewayBucket, upPartitions } from '@wattdeck/contract/events/device-bus.ts'

/**
 * What a worker held when it died is offered to another after this long: a device waits for the answer, and what it said
 * later is taken in meanwhile. A worker that lives says more often than this that it still has what it holds.
 */
export const ackWaitMs = 6000

/**
 * The conveyor of what devices say: a message stays until a worker has committed it. When it is full it refuses new
 * ones instead of forgetting old ones; the gateway then keeps what it must and tells.
 */
export async function openUpStream(bus: NatsConnection, prefix: string, maxBytes: number): Promise<void> {
  const manager = await jetstreamManager(bus)
  const name = deviceBus.stream(prefix)
  const config = {
    name,
    subjects: [deviceBus.allUp(prefix)],
    retention: RetentionPolicy.Workqueue,
    storage: StorageType.File,
    discard: DiscardPolicy.New,
    max_bytes: maxBytes,
    max_age: 24 * 3600 * 1e9,
    duplicate_window: 120 * 1e9,
  }
  await putStream(manager, name, config)
  // It is there already, or a gateway has made it with settings of its own.
  await manager.streams.add(gatewayBucket.config(prefix)).catch(() => undefined)
  for (let partition = 0; partition < upPartitions; partition++) {
    const durable = deviceBus.consumer(partition)
    const consumer = {
      durable_name: durable,
      filter_subject: deviceBus.up(prefix, partition),
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ack_wait: ackWaitMs * 1e6,
      max_ack_pending: 256,
    }
    // Adding one that is there with the same settings changes nothing; with others it is refused, and updated.
    await manager.consumers.add(name, consumer).catch(async (error: unknown) => {
      await manager.consumers.info(name, durable).catch(() => Promise.reject(error))
      await manager.consumers.update(name, durable, consumer)
    })
  }
}

/** The error that counts is why it could not be made, unless it is there already. */
async function putStream(manager: JetStreamManager, name: string, config: StreamConfigOf): Promise<void> {
  await manager.streams.add(config).catch(async (error: unknown) => {
    await manager.streams.info(name).catch(() => Promise.reject(error))
    await manager.streams.update(name, config)
  })
}
type StreamConfigOf = Parameters<JetStreamManager['streams']['add']>[0]
