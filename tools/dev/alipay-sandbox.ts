import { createSign, createVerify, generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { consentPage } from './alipay-consent-page.ts'

/**
 * Implements Alipay's open gateway (RSA2, `alipay.system.oauth.token`, `alipay.user.info.share`) and its consent page,
 * for development and tests. It shares no code with the client, so it detects a mistake in signing. As a program it
 * reads the keys from the environment; `POST /behave/{how}` injects a fault.
 */
export type SandboxKeys = {
  appId: string
  appPrivateKey: string
  appPublicKey: string
  privateKey: string
  publicKey: string
}
type Behaviour = 'ok' | 'tamper' | 'forgedRefusal' | 'refuse' | 'busy' | 'silent' | 'loseAnswer'
type Fields = Record<string, string>
type Person = { userId: string; nickName: string }

const base64Pair = () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return {
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
  }
}

/** Both pairs: the application's, which signs requests, and the provider's, which signs replies. */
export function newSandboxKeys(): SandboxKeys {
  const app = base64Pair()
  return { appId: '2021000000000001', appPrivateKey: app.privateKey, appPublicKey: app.publicKey, ...base64Pair() }
}

/** The environment of api and worker for a sandbox at an address. */
export const sandboxEnv = (keys: SandboxKeys, url: string) => ({
  ALIPAY_GATEWAY: `${url}/gateway.do`,
  ALIPAY_AUTHORISE_URL: `${url}/oauth2/publicAppAuthorize.htm`,
  ALIPAY_APP_ID: keys.appId,
  ALIPAY_PRIVATE_KEY: keys.appPrivateKey,
  ALIPAY_PUBLIC_KEY: keys.publicKey,
})

const pem = (kind: string, base64: string) => `-----BEGIN ${kind}-----\n${base64}\n-----END ${kind}-----`
const person: Person = { userId: '2088102175794899', nickName: '沙箱用户' }

export async function startAlipaySandbox(keys: SandboxKeys, port = 0) {
  const codes = new Map<string, Person>()
  const tokens = new Map<string, Person>()
  const calls: string[] = []
  let behaviour: Behaviour = 'ok'

  const refuse = (code: string, sub_code: string, sub_msg: string) => ({ error_response: { code, sub_code, sub_msg } })

  function token({ code = '', grant_type }: Fields) {
    if (grant_type !== 'authorization_code') return refuse('40002', 'isv.grant-type-invalid', 'grant_type参数不正确')
    const who = codes.get(code)
    // Valid once, as at the provider.
    codes.delete(code)
    if (who === undefined) return refuse('40002', 'isv.code-invalid', '授权码code无效')
    const access_token = `authbse${randomBytes(16).toString('hex')}`
    tokens.set(access_token, who)
    const times = { expires_in: 1_296_000, re_expires_in: 2_592_000 }
    return {
      alipay_system_oauth_token_response: {
        user_id: who.userId,
        access_token,
        refresh_token: `authbse${randomBytes(16).toString('hex')}`,
        ...times,
      },
    }
  }

  function share({ auth_token = '' }: Fields) {
    const who = tokens.get(auth_token)
    if (who === undefined) return refuse('20001', 'aop.invalid-auth-token', '无效的访问令牌')
    return {
      alipay_user_info_share_response: { code: '10000', msg: 'Success', user_id: who.userId, nick_name: who.nickName },
    }
  }

  function answerTo(fields: Fields): object {
    if (!isSigned(fields, keys)) return refuse('40002', 'isv.invalid-signature', '无效签名')
    if (behaviour === 'refuse') return refuse('40002', 'isv.code-invalid', '授权码code无效')
    if (behaviour === 'busy') return refuse('20000', 'isp.unknow-error', '服务暂不可用')
    if (fields['method'] === 'alipay.system.oauth.token') return token(fields)
    if (fields['method'] === 'alipay.user.info.share') return share(fields)
    return refuse('40001', 'isv.invalid-method', '不存在的方法名')
  }

  async function gateway(request: IncomingMessage, reply: ServerResponse, url: URL) {
    const fields = { ...Object.fromEntries(url.searchParams), ...(await formOf(request)) }
    calls.push(fields['method'] ?? '')
    if (behaviour === 'silent') return
    const answer = answerTo(fields)
    // The provider has executed the request, but the reply is lost.
    if (behaviour === 'loseAnswer') {
      request.socket.destroy()
      return
    }
    const signed = signedAnswer(behaviour === 'forgedRefusal' ? refuse('40002', 'isv.code-invalid', 'x') : answer, keys)
    const sent = behaviour === 'tamper' ? signed.replace(/"user_id":"\d+"/, '"user_id":"2088000000000000"') : signed
    reply.setHeader('content-type', 'application/json;charset=utf-8')
    reply.end(behaviour === 'forgedRefusal' ? sent.replace('"x"', '"y"') : sent)
  }

  function consent(reply: ServerResponse, { searchParams }: URL) {
    const back = new URL(searchParams.get('redirect_uri') ?? 'about:blank')
    const isValid = searchParams.get('app_id') === keys.appId && back.protocol.startsWith('http')
    const code = randomBytes(16).toString('hex')
    if (isValid) codes.set(code, person)
    const fields = { app_id: keys.appId, source: 'alipay_wallet', scope: 'auth_user', auth_code: code }
    for (const [name, value] of Object.entries({ ...fields, state: searchParams.get('state') ?? '' }))
      back.searchParams.set(name, value)
    reply.setHeader('content-type', 'text/html;charset=utf-8')
    reply.statusCode = isValid ? 200 : 400
    reply.end(consentPage(isValid ? { nickName: person.nickName, back: back.href } : undefined))
  }

  const server = createServer((request, reply) => {
    const url = new URL(request.url ?? '/', 'http://sandbox')
    if (url.pathname === '/gateway.do') return void gateway(request, reply, url)
    if (url.pathname === '/oauth2/publicAppAuthorize.htm') return consent(reply, url)
    const how = /^\/behave\/(\w+)$/.exec(url.pathname)?.[1]
    if (how !== undefined) behaviour = how as Behaviour
    return void reply.end(JSON.stringify({ behaviour }))
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : port}`,
    /** Called methods, in order. */
    calls,
    behave: (how: Behaviour) => (behaviour = how),
    /** Issues a code as the consent page does. */
    issueCode: (who: Person = person) => {
      const code = randomBytes(16).toString('hex')
      codes.set(code, who)
      return code
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function formOf(request: IncomingMessage): Promise<Fields> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return Object.fromEntries(new URLSearchParams(text))
}

/** All fields except the signature, sorted, as the protocol requires. */
function isSigned({ sign = '', ...fields }: Fields, keys: SandboxKeys): boolean {
  if (fields['app_id'] !== keys.appId || fields['sign_type'] !== 'RSA2') return false
  const text = Object.keys(fields)
    .toSorted()
    .map((name) => `${name}=${fields[name]}`)
    .join('&')
  return createVerify('RSA-SHA256').update(text).verify(pem('PUBLIC KEY', keys.appPublicKey), sign, 'base64')
}

/** `{"x_response":{…},"sign":"…"}`, signed over the text of the inner object. */
function signedAnswer(answer: object, keys: SandboxKeys): string {
  const text = JSON.stringify(answer)
  const inner = text.slice(text.indexOf(':') + 1, -1)
  const sign = createSign('RSA-SHA256').update(inner).sign(pem('PRIVATE KEY', keys.privateKey), 'base64')
  return `${text.slice(0, -1)},"sign":"${sign}"}`
}

if (import.meta.main) {
  const keys = JSON.parse(process.env['ALIPAY_SANDBOX_KEYS'] ?? 'null') as SandboxKeys | null
  await startAlipaySandbox(keys ?? newSandboxKeys(), Number(process.env['ALIPAY_SANDBOX_PORT'] ?? '3011'))
}
