import { connect, type NatsConnection } from '@nats-io/transport-node'

/**
 * The conveyor between processes. Never the record: whatever travels here can be made again from PostgreSQL.
 * A line on which nothing comes back is given up after eight to twelve seconds and made anew.
 */
export async function connectBus(url: string): Promise<NatsConnection> {
  return connect({
    servers: url,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 500,
    waitOnFirstConnect: true,
    timeout: 5000,
    pingInterval: 4000,
    maxPingOut: 2,
  })
}

/** Whether the line to the bus stands, by what the connection says of itself; ends with the connection. */
export function watchBus(bus: NatsConnection, onReconnect: () => void = () => undefined): () => boolean {
  let connected = true
  void (async () => {
    for await (const { type } of bus.status()) {
      if (type === 'disconnect' || type === 'close') connected = false
      if (type !== 'reconnect') continue
      connected = true
      onReconnect()
    }
  })()
  return () => connected && !bus.isClosed()
}
