import { createRequire } from 'node:module'
import type { RPCClient } from 'ocpp-rpc'
import { type ClientOptions, WebSocket } from 'ws'

/** A third-party charge point: the client of `ocpp-rpc`, which also validates each message by the published schemas. */
const { RPCClient: Client } = createRequire(import.meta.url)('ocpp-rpc') as {
  RPCClient: new (options: object) => RPCClient
}

export type Reply = Record<string, unknown>
type Handler = (payload: Reply) => Reply | Promise<Reply>

export async function chargePoint(
  port: number,
  identity: string,
  password: string,
  handlers: Record<string, Handler> = {},
) {
  const client = new Client({
    endpoint: `ws://127.0.0.1:${port}/ocpp`,
    identity,
    password,
    protocols: ['ocpp1.6'],
    strictMode: true,
    reconnect: false,
  })
  for (const [action, handle] of Object.entries(handlers))
    client.handle(action, ({ params }) => Promise.resolve(handle(params ?? {})))
  await client.connect()
  return {
    call: (action: string, payload: object) => client.call(action, payload) as Promise<Reply>,
    boot: () =>
      client.call('BootNotification', { chargePointVendor: 'Other', chargePointModel: 'AC-7', firmwareVersion: '3.1' }),
    close: () => client.close({ code: 1000, reason: 'the test is over', force: true }),
  }
}

/** Returns the result of a handshake: 'open', or the status of the refusal. Closes the connection. */
export function attemptHandshake(
  url: string,
  options: { protocol?: string; authorization?: string } & ClientOptions,
): Promise<string> {
  const { protocol = 'ocpp1.6', authorization, ...more } = options
  const headers = authorization === undefined ? {} : { authorization }
  const socket = new WebSocket(url, protocol, { headers, ...more })
  return new Promise((resolve) => {
    socket.on('open', () => {
      socket.terminate()
      resolve('open')
    })
    socket.on('unexpected-response', (_, response) => {
      socket.terminate()
      resolve(String(response.statusCode))
    })
    socket.on('error', (error) => resolve(error.message))
  })
}
export const basic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

/** A socket for raw frames. */
export async function rawConnection(port: number, id: string, password: string) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ocpp/${id}`, 'ocpp1.6', {
    headers: { authorization: basic(id, password) },
  })
  let closed: number | undefined
  socket.on('close', (code) => {
    closed = code
  })
  await new Promise((resolve, reject) => {
    socket.on('open', resolve)
    socket.on('error', reject)
  })
  return {
    socket,
    closed: () => closed,
    /** Sends a frame and returns the next message. */
    ask: (frame: string): Promise<unknown[]> =>
      new Promise((resolve) => {
        socket.once('message', (data) => resolve(JSON.parse((data as Buffer).toString()) as unknown[]))
        socket.send(frame)
      }),
  }
}
