import { createServer, type IncomingMessage, type Server } from 'node:http'
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https'
import type { Duplex } from 'node:stream'
import { maxFrameBytes } from '@wattdeck/device-protocol/ocpp16/frame.ts'
import { ocppTiming } from '@wattdeck/device-protocol/ocpp16/timing.ts'
import { Counter, Gauge } from 'prom-client'
import { type WebSocket, WebSocketServer } from 'ws'
import { Attempts, chargePointId, entranceOf, judge, speaksOcpp, subprotocol } from './ocpp-admission.ts'
import type { OcppCharges } from './ocpp-charges.ts'
import { OcppConnection } from './ocpp-connection.ts'
import type { MessageIntake } from './message-intake.ts'

const sockets = new Gauge({ name: 'gateway_ocpp_sockets', help: 'Open connections of OCPP charge points' })
const turnedAway = new Counter({
  name: 'gateway_ocpp_refused_total',
  help: 'OCPP connections refused',
  labelNames: ['reason'] as const,
})

export type OcppPlace = {
  host: string
  /** Port without TLS, for charge points of profile 1; undefined disables it. */
  port: number | undefined
  /** Port with TLS; `ca` is the authority that signs charge point certificates. */
  tls: { port: number; cert: Buffer; key: Buffer; ca: Buffer | undefined } | undefined
  maxSockets: number
}

const handshakeMs = 10_000
const statuses = {
  badRequest: '400 Bad Request',
  unauthorised: '401 Unauthorized',
  notFound: '404 Not Found',
  tooMany: '429 Too Many Requests',
  unavailable: '503 Service Unavailable',
} as const

/** Rejects before the WebSocket upgrade, so that an unknown client costs one request. */
function refuse(socket: Duplex, status: keyof typeof statuses, reason: string): void {
  turnedAway.inc({ reason })
  const challenge = status === 'unauthorised' ? 'WWW-Authenticate: Basic realm="ocpp"\r\n' : ''
  socket.end(`HTTP/1.1 ${statuses[status]}\r\n${challenge}Connection: close\r\nContent-Length: 0\r\n\r\n`)
}

/** Server for charge points that use OCPP 1.6J. */
export async function startOcppServer(intake: MessageIntake, charges: OcppCharges, place: OcppPlace) {
  const door = new Door(intake, charges, place.maxSockets)
  const plain = place.port === undefined ? undefined : await listen(createServer(), place.port, place.host, door)
  const secure =
    place.tls === undefined
      ? undefined
      : await listen(
          // A client without a certificate may use profile 2; admission decides. Without our own authority Node would
          // accept any public one, so no certificate is requested.
          createTlsServer({
            ...place.tls,
            requestCert: place.tls.ca !== undefined,
            rejectUnauthorized: false,
            minVersion: 'TLSv1.2',
            handshakeTimeout: handshakeMs,
          }),
          place.tls.port,
          place.host,
          door,
        )
  return {
    port: plain?.port,
    tlsPort: secure?.port,
    /** Closes the ports and all connections; messages already read are on their way. */
    drain() {
      plain?.server.close()
      secure?.server.close()
      door.close()
    },
  }
}

async function listen(server: Server | TlsServer, port: number, host: string, door: Door) {
  server.maxConnections = door.maxSockets
  server.headersTimeout = handshakeMs
  server.requestTimeout = handshakeMs
  server.on('request', (_, response) => response.writeHead(426, { upgrade: 'websocket' }).end())
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => undefined) // the socket closes by itself
    door.knock(request, socket, head).catch((error: unknown) => door.failed(socket, error))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return { server, port: (server.address() as { port: number }).port }
}

/** Admits charge points and checks their liveness. */
class Door {
  readonly #intake: MessageIntake
  readonly #charges: OcppCharges
  readonly maxSockets: number
  readonly #webSockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: maxFrameBytes,
    perMessageDeflate: false,
    handleProtocols: () => subprotocol,
  })
  readonly #attempts = new Attempts()
  readonly #inside = new Map<WebSocket, OcppConnection>()
  readonly #beat: NodeJS.Timeout
  #closed = false

  constructor(intake: MessageIntake, charges: OcppCharges, maxSockets: number) {
    this.#intake = intake
    this.#charges = charges
    this.maxSockets = maxSockets
    this.#beat = setInterval(() => this.#ping(), ocppTiming.pingMs)
  }

  async knock(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const id = chargePointId(request.url)
    if (id === undefined) return refuse(socket, 'notFound', 'path')
    if (!speaksOcpp(request.headers['sec-websocket-protocol'])) return refuse(socket, 'badRequest', 'subprotocol')
    if (this.#closed || this.#inside.size >= this.maxSockets) return refuse(socket, 'unavailable', 'full')
    const address = request.socket.remoteAddress ?? ''
    if (this.#attempts.tooMany(address, id, Date.now())) return refuse(socket, 'tooMany', 'attempts')
    const result = await this.#intake.lookUp('ocpp16', id, true)
    if (!result.known) return refuse(socket, 'unavailable', 'unknown')
    const { identity } = result
    const verdict = judge(id, identity, entranceOf(request.socket), request.headers.authorization)
    if (verdict !== 'welcome' || identity === null) {
      this.#attempts.failed(address, id, Date.now())
      this.#intake.log.info({ id, address, verdict }, 'charge point refused')
      return refuse(socket, 'unauthorised', verdict)
    }
    if (this.#closed) return refuse(socket, 'unavailable', 'full')
    this.#webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      const connection = new OcppConnection(
        this.#intake,
        this.#charges,
        webSocket,
        identity,
        `${address}:${request.socket.remotePort ?? 0}`,
      )
      this.#follow(webSocket, connection)
    })
  }

  failed(socket: Duplex, error: unknown): void {
    this.#intake.log.error({ err: error }, 'charge point handshake failed')
    socket.destroy()
  }

  #follow(webSocket: WebSocket, connection: OcppConnection): void {
    this.#inside.set(webSocket, connection)
    sockets.set(this.#inside.size)
    webSocket.on('message', (data, isBinary) => connection.handleFrame(data as Buffer, isBinary))
    webSocket.on('pong', () => connection.handlePong())
    webSocket.on('error', () => undefined) // 'close' follows
    webSocket.on('close', (code) => {
      this.#inside.delete(webSocket)
      sockets.set(this.#inside.size)
      // During a drain the device reconnects to another gateway within seconds, so no event is published.
      connection.handleClose(this.#closed ? undefined : `closed ${code}`)
    })
  }

  #ping(): void {
    for (const [webSocket, connection] of this.#inside) {
      if (connection.beat()) webSocket.ping()
      else webSocket.terminate()
    }
  }

  close(): void {
    this.#closed = true
    clearInterval(this.#beat)
    for (const webSocket of this.#inside.keys()) {
      webSocket.close(1012, 'the gateway restarts')
      webSocket.terminate()
    }
  }
}
