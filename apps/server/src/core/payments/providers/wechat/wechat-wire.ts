import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { Outbound, type ProviderResponse } from '../../outbound.ts'
import type { Answer } from '../../provider.ts'
import { WechatKeys, type WechatSetting } from './wechat-keys.ts'

const Refusal = z.object({ code: z.string().regex(/^[\w.-]{1,64}$/), message: z.string() })
/** Codes of signed but temporary failures: a retry may succeed. WeChat spells them with and without underscores. */
const passing = new Set([
  'SYSTEMERROR',
  'FREQUENCYLIMITED',
  'FREQUENCYLIMIT',
  'RATELIMITEXCEEDED',
  'RATELIMIT',
  'BANKERROR',
])
const billLimit = 64 * 1024 * 1024

export const spelled = (code: string) => code.replaceAll('_', '').toUpperCase()
const absent = new Set(['ORDERNOTEXIST', 'RESOURCENOTEXISTS', 'REFUNDNOTEXISTS'])

/** Signs requests and verifies the signature of every answer. */
export class WechatWire {
  readonly keys: WechatKeys
  readonly #setting: WechatSetting
  readonly #outbound: Outbound

  constructor(setting: WechatSetting) {
    this.#setting = setting
    this.keys = new WechatKeys(setting)
    this.#outbound = new Outbound({ hosts: [new URL(setting.url).host], timeoutMs: setting.timeoutMs ?? 8000 })
  }

  async send(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer<{ body: unknown }>> {
    const reply = await this.#send(method, new URL(path, this.#setting.url), body)
    if ('lost' in reply) return { result: 'unknown', why: reply.lost }
    if (!this.keys.isTheProviders((name) => reply.head.get(name) ?? undefined, reply.body))
      return { result: 'unknown', why: `an answer ${reply.status} that is not proven to be the provider's` }
    return readAnswer(reply)
  }

  /** A file is not signed; the caller compares it with the hash from the signed answer that contained its address. */
  async file(address: string): Promise<Answer<{ bytes: Buffer }>> {
    const url = URL.parse(address)
    if (url === null) return { result: 'unknown', why: 'an address that is none' }
    const reply = await this.#send('GET', url, undefined, billLimit)
    if ('lost' in reply) return { result: 'unknown', why: reply.lost }
    return reply.status === 200
      ? { result: 'done', bytes: reply.body }
      : { result: 'unknown', why: `an answer ${reply.status} instead of the file` }
  }

  #send(method: 'GET' | 'POST', url: URL, payload: object | undefined, limit?: number) {
    const body = payload === undefined ? '' : JSON.stringify(payload)
    const headers = {
      accept: 'application/json',
      'user-agent': 'wattdeck',
      'content-type': 'application/json',
      authorization: this.#authorization(method, url, body),
    }
    return this.#outbound.send({
      method,
      url,
      headers,
      ...(method === 'POST' ? { body } : {}),
      ...(limit === undefined ? {} : { limit }),
    })
  }

  #authorization(method: string, url: URL, body: string): string {
    const at = String(Math.floor(Date.now() / 1000))
    const nonce = randomBytes(16).toString('hex')
    const fields = {
      mchid: this.#setting.merchantNo,
      nonce_str: nonce,
      signature: this.keys.sign(method, url.pathname + url.search, at, nonce, body),
      timestamp: at,
      serial_no: this.#setting.certSerial,
    }
    const listed = Object.entries(fields).map(([name, value]) => `${name}="${value}"`)
    return `WECHATPAY2-SHA256-RSA2048 ${listed.join(',')}`
  }
}

function readAnswer({ status, body }: ProviderResponse): Answer<{ body: unknown }> {
  const content = parsed(body)
  if (status >= 200 && status < 300 && content !== undefined) return { result: 'done', body: content }
  const no = Refusal.safeParse(content)
  if (status < 400 || status >= 500 || !no.success || passing.has(spelled(no.data.code)))
    return { result: 'unknown', why: `an answer ${status} ${no.data?.code ?? 'without a code'}` }
  const { code, message } = no.data
  return {
    result: 'refused',
    code,
    words: message.slice(0, 200),
    ...(absent.has(spelled(code)) ? { absent: true as const } : {}),
  }
}

function parsed(body: Buffer): unknown {
  if (body.length === 0) return {}
  try {
    return JSON.parse(body.toString('utf8')) as unknown
  } catch {
    return undefined
  }
}
