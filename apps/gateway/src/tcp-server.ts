import { createServer, type Socket } from 'node:net'
import type { Gauge } from 'prom-client'
import { type AddressGuard, plainAddress } from './address-guard.ts'
import type { ClaimedConnection } from './connection-claims.ts'

export type TcpPlace = {
  port: number
  host: string
  maxSockets: number
  guard: AddressGuard
  /** How long a device may take to respond when another connection claims it. */
  probeMs: number
}

/** A device connection on a TCP socket. */
export type TcpConnection = ClaimedConnection & {
  /** Resolves when the chunk is processed; the next chunk waits for it. */
  take: (chunk: Uint8Array) => Promise<void>
  /** The socket closed. An undefined reason publishes no event. */
  handleClose: (reason: string | undefined) => void
}

/** Listens for devices and creates one connection per socket. */
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
      // During a drain the device reconnects to another gateway within seconds, so no event is published.
      connection.handleClose(draining ? undefined : reason)
    })
    socket.on('error', () => undefined) // 'close' follows
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    port: (server.address() as { port: number }).port,
    /** Closes the port and all sockets; messages already read are on their way. */
    drain() {
      draining = true
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}

/** Processes one chunk at a time: an identity lookup delays only its own connection. */
async function readAll(connection: TcpConnection, socket: Socket): Promise<void> {
  for await (const chunk of socket) await connection.take(chunk as Uint8Array)
}
