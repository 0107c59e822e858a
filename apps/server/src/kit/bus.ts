import { jetstream, jetstreamManager, type JetStreamClient } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'

/** The conveyor between processes. Never the record: whatever travels here can be made again from PostgreSQL. */
export async function connectBus(url: string): Promise<NatsConnection> {
  return connect({ servers: url, maxReconnectAttempts: -1, reconnectTimeWait: 500, waitOnFirstConnect: true })
}

/** What consoles are told lives for a minute: whoever was away reads the list instead. */
export async function openLiveStream(connection: NatsConnection, prefix: string): Promise<JetStreamClient> {
  const manager = await jetstreamManager(connection)
  const name = `${prefix}_live`.replaceAll(/\W/g, '_')
  const config = {
    name,
    subjects: [`${prefix}.live.>`],
    max_age: 60 * 1e9,
    max_bytes: 64 * 1024 * 1024,
    storage: 'memory' as const,
  }
  await manager.streams.add(config).catch(() => manager.streams.update(name, config))
  return jetstream(connection)
}
