import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerAlipay, answerAlipayBill, formOf } from './alipay-api.ts'
import { Bills } from './bills.ts'
import { answerControl } from './control-api.ts'
import { type Controls, controlsOf } from './controls.ts'
import { FaultBook } from './faults.ts'
import { MerchantBook, type MerchantSeed } from './merchants.ts'
import { Notices } from './notices.ts'
import { type KeySeed, ProviderKeys } from './provider-keys.ts'
import { PaySimulator } from './pay-simulator.ts'
import { answerWechat } from './wechat-api.ts'
import type { Reply, Request, SandboxState } from './sandbox-state.ts'

export type SandboxOptions = {
  port?: number
  /** The provider's keys and the registered merchants; missing ones are generated. */
  keys?: KeySeed
  merchants?: readonly MerchantSeed[]
  /** Delays between retries of an unacknowledged notice. */
  retryMs?: readonly number[]
}

/**
 * Implements WeChat Pay's API v3 and Alipay's open gateway with its own keys. It verifies merchant signatures, keeps
 * trades in memory, sends notices, and injects faults on request. It shares no code with the clients, so that tests
 * detect signing errors.
 */
export async function startPaySandbox(options: SandboxOptions = {}) {
  const { port = 0, retryMs = [500, 2000, 10_000] } = options
  const simulator = new PaySimulator()
  const sandbox: SandboxState = {
    simulator,
    merchants: new MerchantBook(),
    keys: new ProviderKeys(options.keys),
    faults: new FaultBook(),
    notices: new Notices(retryMs),
    bills: new Bills(simulator),
    url: '',
  }
  for (const merchant of options.merchants ?? []) sandbox.merchants.add(merchant)
  const controls = controlsOf(sandbox)
  const server = createServer((request, reply) => void serve(sandbox, controls, request, reply))
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.address()
  sandbox.url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : port}`
  return {
    url: sandbox.url,
    gateway: `${sandbox.url}/gateway.do`,
    ...controls,
    trades: simulator.trades,
    notices: sandbox.notices.sent,
    /** Options that restart it with the same keys and merchants. */
    seed: () => ({ keys: sandbox.keys.seed, merchants: sandbox.merchants.seeds() }),
    stop: async () => {
      sandbox.notices.stop()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function serve(sandbox: SandboxState, controls: Controls, incoming: IncomingMessage, outgoing: ServerResponse) {
  const request = await read(incoming, sandbox.url)
  const answer = answerer(request)
  if (answer === undefined) return send(outgoing, answerControl(sandbox, controls, request))
  const faults = sandbox.faults.of(merchantNoOf(sandbox, request))
  if (faults.slowMs > 0) await sleep(faults.slowMs)
  if (faults.vanish) return incoming.socket.destroy()
  if (faults.busy) return send(outgoing, { status: 503, headers: {}, body: 'busy' })
  const reply = answer(sandbox, request)
  return faults.loseReply ? incoming.socket.destroy() : send(outgoing, reply)
}

function answerer({ url: { pathname } }: Request): ((sandbox: SandboxState, request: Request) => Reply) | undefined {
  if (pathname.startsWith('/v3/')) return answerWechat
  if (pathname === '/gateway.do') return answerAlipay
  return pathname === '/alipay-bill.zip' ? answerAlipayBill : undefined
}

function merchantNoOf({ merchants }: SandboxState, request: Request): string | undefined {
  const mchid = /mchid="(\d+)"/.exec(request.headers.authorization ?? '')?.[1]
  return mchid ?? merchants.alipay(formOf(request)['app_id'] ?? '')?.merchantNo
}

async function read(incoming: IncomingMessage, base: string): Promise<Request> {
  const pieces: Buffer[] = []
  for await (const piece of incoming) pieces.push(piece as Buffer)
  const { method = 'GET', headers } = incoming
  return { method, headers, url: new URL(incoming.url ?? '/', base), body: Buffer.concat(pieces).toString('utf8') }
}

function send(outgoing: ServerResponse, { status, headers, body }: Reply): void {
  outgoing.writeHead(status, headers).end(body)
}
