import { createServer, type Socket } from 'node:net'
import type { Gauge } from 'prom-client'
import { type AddressGuard, plainAddress } from './address-guard.ts'
import type { ClaimedConnection } from './connection-claims.ts'

export type TcpPlace = {
  port: number
  host: string
  maxSockets: number
  guard: AddressGuard
  /** So long a device has to answer when another line claims it. */
  probeMs: number
}

/** A line that is a socket. */
export type TcpConnection = ClaimedConnection & {
  /** Resolves when the chunk is understood; the next one waits until then. */
  take: (chunk: Uint8Array) => Promise<void>
  /** The socket is gone. Undefined: nobody needs to hear of it. */
  closed: (reason: string | undefined) => void
}

/** Listens for devices, and gives each of them a line of its own. */
export async function startTcpServer(
  { port, host, maxSockets, guard, silenceMs }: Omit<TcpPlace, 'probeMs'> & { silenceMs: number },
  sockets: Gauge,
  makeConnection: (socket: Socket) => TcpConnection,
) {
  const open = new Set<Socket>()
  let draining = false
  const server = createServer((socket) => {
    const address = plainAddress(socket.remoteAddress)
    if (draining || open.size >= maxSockets || !guard.open(address)) {
      socket.destroy()
      return
    }
    open.add(socket)
    sockets.set(open.size)
    socket.setNoDelay(true)
    socket.setTimeout(silenceMs, () => socket.destroy())
    const connection = makeConnection(socket)
    let reason = 'closed'
    void readAll(connection, socket).catch((error: unknown) => {
      reason = error instanceof Error ? error.message : String(error)
    })
    socket.on('close', () => {
      open.delete(socket)
      guard.closed(address)
      sockets.set(open.size)
      // Who is sent away comes back to another copy within seconds.
      connection.closed(draining ? undefined : reason)
    })
    socket.on('error', () => undefined) // 'close' follows
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    port: (server.address() as { port: number }).port,
    /** Takes nothing more; what was read is on its way already. */
    drain() {
      draining = true
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}

/** One chunk after the other: a device that is asked about holds up its own line only. */
async function readAll(connection: TcpConnection, socket: Socket): Promise<void> {
  for await (const chunk of socket) await connection.take(chunk as Uint8Array)
}
