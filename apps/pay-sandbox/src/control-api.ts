import type { Plant } from './bills.ts'
import type { Controls, Handle } from './controls.ts'
import type { Faults } from './faults.ts'
import type { NewMerchant } from './merchants.ts'
import { simulatorPage } from './pay-simulator-page.ts'
import type { ProviderName, Refund } from './pay-simulator.ts'
import type { Reply, Request, SandboxState } from './sandbox-state.ts'

type Body = Partial<{
  provider: ProviderName
  merchantNo: string
  faults: Partial<Faults>
  codeUrl: string
  handOver: Record<string, string>
  payer: string
  at: string
  refundNo: string
  state: Exclude<Refund['state'], 'PROCESSING'>
  plant: Plant
}>

const json = (status: number, content: unknown): Reply => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify(content ?? {}),
})

/** The control API for tests; it listens on the loopback interface only. */
export function answerControl(sandbox: SandboxState, controls: Controls, request: Request): Reply {
  if (request.url.pathname === '/') return page(sandbox)
  if (request.url.pathname === '/health') return json(200, { alive: true })
  try {
    const content = request.method === 'GET' ? read(sandbox, request) : act(controls, request)
    // A form post redirects back to the list.
    return isForm(request) ? { status: 303, headers: { location: '/' }, body: '' } : json(200, content)
  } catch (error) {
    return json(409, { why: error instanceof Error ? error.message : 'no' })
  }
}

const isForm = ({ headers }: Request) =>
  headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true

const page = ({ simulator }: SandboxState): Reply => ({
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: simulatorPage(simulator.trades),
})

function read({ simulator, notices, keys }: SandboxState, { url }: Request): unknown {
  if (url.pathname === '/sandbox/trades') return simulator.trades
  if (url.pathname === '/sandbox/notices') return notices.sent
  if (url.pathname === '/sandbox/keys') return { wechat: keys.publicKeys('wechat'), alipay: keys.publicKeys('alipay') }
  throw new Error('unknown query')
}

function act(controls: Controls, request: Request): unknown {
  const { url, body: text } = request
  const body = (isForm(request) ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text || '{}')) as Body
  const { provider = 'wechat', merchantNo = '', codeUrl, handOver = {} } = body
  const handle: Handle = codeUrl === undefined ? { handOver } : { codeUrl }
  const payer = { payer: body.payer, at: body.at === undefined ? undefined : new Date(body.at) }
  const acts: Record<string, () => unknown> = {
    '/sandbox/merchants': () => controls.register(provider, body as Partial<NewMerchant>),
    '/sandbox/behave': () => controls.behave(body.faults ?? {}, body.merchantNo),
    '/sandbox/pay': () => controls.pay(handle, payer),
    '/sandbox/scan': () => controls.scan(handle),
    '/sandbox/refunds/settle': () => controls.settleRefund(body.refundNo ?? '', body.state ?? 'SUCCESS'),
    '/sandbox/rotate': () => controls.rotate(provider),
    '/sandbox/plant': () => (body.plant ? controls.plant(merchantNo, body.plant) : controls.clearPlants(merchantNo)),
  }
  const chosen = acts[url.pathname]
  if (chosen === undefined) throw new Error('unknown action')
  return chosen()
}
