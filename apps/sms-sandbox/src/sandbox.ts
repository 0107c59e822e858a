import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import Fastify from 'fastify'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { inboxPage, type Message } from './inbox-page.ts'

type Behaviour = 'ok' | 'refuse' | 'throttle' | 'fail'

const keep = 200
const nonceMinutes = 15

/** Speaks Aliyun's SMS protocol (SendSms 2017-05-25, signature version 3) with test keys, and shows what it was sent. */
export function buildSandbox(
  keys: Record<string, string>,
  extras: () => { label: string; value: string }[] = () => [],
) {
  const app = Fastify()
  const metrics = new Registry()
  collectDefaultMetrics({ register: metrics })
  const messages: Message[] = []
  const nonces = new Map<string, number>()
  let behaviour: Behaviour = 'ok'

  app.post('/', (request, reply) => {
    const refuse = (status: number, Code: string, Message: string) =>
      reply.status(status).send({ RequestId: randomUUID(), Code, Message })
    const problem = signatureProblem(request.headers, request.url, keys, nonces)
    if (problem !== undefined) return refuse(400, problem, 'Specified signature is not matched with our calculation.')
    if (request.headers['x-acs-action'] !== 'SendSms')
      return refuse(404, 'InvalidAction.NotFound', 'Specified api is not found.')
    if (behaviour === 'throttle') return refuse(400, 'Throttling.User', 'Request was denied due to user flow control.')
    if (behaviour === 'fail')
      return refuse(503, 'ServiceUnavailable', 'The request has failed due to a temporary failure of the server.')
    // What the service does not like it says with status 200 and a code of its own.
    if (behaviour === 'refuse') return refuse(200, 'isv.BUSINESS_LIMIT_CONTROL', '触发号码天级流控')
    const {
      PhoneNumbers = '',
      SignName = '',
      TemplateCode = '',
      TemplateParam = '{}',
    } = request.query as Record<string, string>
    if (!/^1[3-9]\d{9}$/.test(PhoneNumbers)) return refuse(200, 'isv.MOBILE_NUMBER_ILLEGAL', '非法手机号')
    messages.unshift({
      at: new Date().toISOString(),
      phone: PhoneNumbers,
      signName: SignName,
      template: TemplateCode,
      params: JSON.parse(TemplateParam) as Record<string, string>,
    })
    messages.length = Math.min(messages.length, keep)
    return { RequestId: randomUUID(), Code: 'OK', Message: 'OK', BizId: `${Date.now()}^0` }
  })
  app.get('/inbox', (_, reply) => reply.type('text/html; charset=utf-8').send(inboxPage(messages, extras())))
  app.get('/inbox.json', () => messages)
  app.post('/behave/:how', (request) => {
    behaviour = (request.params as { how: Behaviour }).how
    return { behaviour }
  })
  app.get('/health', () => ({ alive: true }))
  app.get('/ready', () => ({ ready: true }))
  app.get('/metrics', async (_, reply) => reply.type(metrics.contentType).send(await metrics.metrics()))
  return app
}

type Headers = Record<string, string | string[] | undefined>

/** Undefined when the request is signed as the protocol asks, fresh, and seen for the first time. */
function signatureProblem(
  headers: Headers,
  url: string,
  keys: Record<string, string>,
  nonces: Map<string, number>,
): string | undefined {
  const parts = /^ACS3-HMAC-SHA256 Credential=([^,]+),SignedHeaders=([^,]+),Signature=([\da-f]{64})$/.exec(
    String(headers['authorization']),
  )
  const [, keyId = '', signedHeaders = '', signature = ''] = parts ?? []
  const secret = keys[keyId]
  if (secret === undefined) return 'InvalidAccessKeyId.NotFound'
  const names = signedHeaders.split(';')
  for (const needed of [
    'host',
    'x-acs-action',
    'x-acs-version',
    'x-acs-date',
    'x-acs-signature-nonce',
    'x-acs-content-sha256',
  ]) {
    if (!names.includes(needed)) return 'IncompleteSignature'
  }
  const at = Date.parse(String(headers['x-acs-date']))
  if (!(Math.abs(Date.now() - at) < nonceMinutes * 60_000)) return 'InvalidTimeStamp.Expired'
  const empty = createHash('sha256').update('').digest('hex')
  const canonicalHeaders = names.map((name) => `${name}:${String(headers[name]).trim()}\n`).join('')
  const canonical = ['POST', '/', url.split('?')[1] ?? '', canonicalHeaders, signedHeaders, empty].join('\n')
  const expected = createHmac('sha256', secret)
    .update(`ACS3-HMAC-SHA256\n${createHash('sha256').update(canonical).digest('hex')}`)
    .digest()
  if (!timingSafeEqual(expected, Buffer.from(signature, 'hex'))) return 'SignatureDoesNotMatch'
  const nonce = String(headers['x-acs-signature-nonce'])
  for (const [seen, when] of nonces) if (Date.now() - when > nonceMinutes * 60_000) nonces.delete(seen)
  if (nonces.has(nonce)) return 'SignatureNonceUsed'
  nonces.set(nonce, Date.now())
  return undefined
}
