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
 * After this time the stream redelivers unacknowledged messages of a crashed worker. It is short, because the device waits
 * for an answer while its later messages are processed. A live worker extends the time for its messages more often.
 */
export const ackWaitMs = 6000

/**
 * Opens the stream of device messages: a message stays until a worker has committed it. A full stream rejects new
 * messages and drops no old ones (backpressure). The gateway then buffers and retries messages up to a limit.
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
  // The bucket may exist already, possibly with the settings of a gateway.
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
    // Adding an existing consumer with equal settings changes nothing; with other settings it fails, so it is updated.
    await manager.consumers.add(name, consumer).catch(async (error: unknown) => {
      await manager.consumers.info(name, durable).catch(() => Promise.reject(error))
      await manager.consumers.update(name, durable, consumer)
    })
  }
}

/** Adds or updates the stream. If neither works because it does not exist, the error of the add is reported. */
async function putStream(manager: JetStreamManager, name: string, config: StreamConfigOf): Promise<void> {
  await manager.streams.add(config).catch(async (error: unknown) => {
    await manager.streams.info(name).catch(() => Promise.reject(error))
    await manager.streams.update(name, config)
  })
}
type StreamConfigOf = Parameters<JetStreamManager['streams']['add']>[0]
