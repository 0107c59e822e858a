import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type Msg, type NatsConnection } from '@nats-io/transport-node'
import { type BusAccess, busOptions } from './bus-access.ts'

/** The users that deploy/nats.conf knows. */
type BusUser = 'api' | 'worker' | 'gateway' | 'guard'

/**
 * The conveyor between processes. Never the record: whatever travels here can be made again from PostgreSQL.
 * A line on which nothing comes back is given up after eight to twelve seconds and made anew.
 */
export async function connectBus(url: string, access: BusAccess = {}, name?: BusUser): Promise<NatsConnection> {
  return connect({
    ...busOptions(url, access, name),
    // A server with wrong settings may be repaired; a process that gave up would have to be started again.
    ignoreAuthErrorAbort: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 500,
    waitOnFirstConnect: true,
    timeout: 5000,
    pingInterval: 4000,
    maxPingOut: 2,
  })
}

/**
 * Answers a question, into an inbox only. The server does not check the reply subject of a question, so its sender could
 * name one that only the answering process may publish to.
 */
export function answerTo(message: Msg, answer: unknown): void {
  if (message.reply?.startsWith('_INBOX') === true) message.respond(JSON.stringify(answer))
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

/**
 * Returns a check that sends a ping to the server and returns false when no answer arrives in time. One ping is in
 * flight at a time; it fails when the connection that carried it is replaced.
 */
export function pingBus(bus: NatsConnection, withinMs: number): () => Promise<boolean> {
  let asked: Promise<boolean> | undefined
  return async () => {
    asked ??= bus
      .flush()
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        asked = undefined
      })
    const timer = new AbortController()
    const timedOut = sleep(withinMs, false, { signal: timer.signal }).catch(() => false)
    const isAnswered = await Promise.race([asked, timedOut])
    timer.abort()
    return isAnswered
  }
}
