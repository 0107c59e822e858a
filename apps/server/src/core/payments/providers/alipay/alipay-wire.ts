import { z } from 'zod'
import { Outbound } from '../../outbound.ts'
import type { Answer } from '../../provider.ts'
import { chinaTime } from '../../wire-values.ts'
import { AlipayKeys, type AlipaySetting } from './alipay-keys.ts'
import { signedPart } from './signed-part.ts'

const Outer = z.object({ sign: z.string().min(1) })
const Verdict = z.object({
  code: z.string(),
  sub_code: z
    .string()
    .regex(/^[\w.-]{1,64}$/)
    .optional(),
  sub_msg: z.string().optional(),
})
/** Codes of signed but temporary failures: a retry may succeed. */
const passing = /(^|\.)(SYSTEM_ERROR|unknow-error|unknown-error|call-limited|app-call-limited)$/i
const absent = 'ACQ.TRADE_NOT_EXIST'
const billHosts = ['dwbillcenter.alipay.com']
const billLimit = 64 * 1024 * 1024

/** Alipay's open gateway for one application: signs requests and verifies the signature of every answer. */
export class AlipayWire {
  readonly keys: AlipayKeys
  readonly #setting: AlipaySetting
  readonly #outbound: Outbound

  constructor(setting: AlipaySetting) {
    this.#setting = setting
    this.keys = new AlipayKeys(setting)
    const hosts = [new URL(setting.gateway).host, ...(setting.billHosts ?? billHosts)]
    this.#outbound = new Outbound({ hosts, timeoutMs: setting.timeoutMs ?? 8000 })
  }

  async send(method: string, biz: object, notifyUrl?: string): Promise<Answer<{ body: unknown }>> {
    const { biz_content, ...fields } = this.#fields(method, biz, notifyUrl)
    const url = new URL(this.#setting.gateway)
    url.search = new URLSearchParams(fields).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded;charset=utf-8', 'user-agent': 'wattdeck' }
    const body = new URLSearchParams({ biz_content: biz_content ?? '' }).toString()
    const reply = await this.#outbound.send({ method: 'POST', url, headers, body })
    if ('lost' in reply) return { result: 'unknown', why: reply.lost }
    const content = this.#verified(reply.body.toString('utf8'), `${method.replaceAll('.', '_')}_response`)
    return content === undefined
      ? { result: 'unknown', why: `an answer ${reply.status} that is not proven to be the provider's` }
      : judged(content)
  }

  /** The file itself is neither signed nor hashed. Its address comes from a signed answer and must be on a listed host. */
  async file(address: string): Promise<Answer<{ bytes: Buffer }>> {
    const url = URL.parse(address)
    if (url === null) return { result: 'unknown', why: 'an address that is none' }
    const reply = await this.#outbound.send({ method: 'GET', url, headers: {}, limit: billLimit })
    if ('lost' in reply) return { result: 'unknown', why: reply.lost }
    return reply.status === 200
      ? { result: 'done', bytes: reply.body }
      : { result: 'unknown', why: `an answer ${reply.status} instead of the file` }
  }

  #fields(method: string, biz: object, notifyUrl: string | undefined) {
    const common = { app_id: this.#setting.appId, method, format: 'JSON', charset: 'utf-8', sign_type: 'RSA2' }
    return this.keys.sign({
      ...common,
      timestamp: chinaTime(new Date()),
      version: '1.0',
      biz_content: JSON.stringify(biz),
      ...(notifyUrl === undefined ? {} : { notify_url: notifyUrl }),
    })
  }

  /** Returns only the signed part. Refusals of the gateway itself are under 'error_response'. */
  #verified(answer: string, name: string): unknown {
    try {
      const { sign } = Outer.parse(JSON.parse(answer))
      const part = signedPart(answer, name) ?? signedPart(answer, 'error_response')
      if (part === undefined || !this.keys.isTheProviders(part, sign)) return undefined
      return JSON.parse(part) as unknown
    } catch {
      return undefined
    }
  }
}

function judged(content: unknown): Answer<{ body: unknown }> {
  const verdict = Verdict.safeParse(content).data
  if (verdict?.code === '10000') return { result: 'done', body: content }
  const { sub_code: code, sub_msg: words = '' } = verdict ?? {}
  // 20000 is a failure of the gateway, 10003 an unfinished operation.
  if (verdict === undefined || code === undefined || !verdict.code.startsWith('400') || passing.test(code))
    return { result: 'unknown', why: `an answer ${verdict?.code ?? 'without a code'} ${code ?? ''}`.trim() }
  return {
    result: 'refused',
    code,
    words: words.slice(0, 200),
    ...(code === absent ? { absent: true as const } : {}),
  }
}
