import { createHash, createHmac, randomUUID } from 'node:crypto'

export type SmsSetting = { endpoint: string; accessKeyId: string; accessKeySecret: string; signName: string }
export type SmsOutcome = { sent: true; providerId: string } | { sent: false; error: string; mayRetry: boolean }

const apiVersion = '2017-05-25'
const action = 'SendSms'

/** Aliyun's SMS service over its own protocol: one signed call (ACS3-HMAC-SHA256), no redirects, eight seconds. */
export class AliyunSms {
  readonly #setting: SmsSetting
  constructor(setting: SmsSetting) {
    this.#setting = setting
  }

  async send(phone: string, templateCode: string, params: Record<string, string>): Promise<SmsOutcome> {
    const fields = {
      PhoneNumbers: phone,
      SignName: this.#setting.signName,
      TemplateCode: templateCode,
      TemplateParam: JSON.stringify(params),
    }
    const response = await this.#call(fields)
    const reply = (await response.json().catch(() => ({}))) as { Code?: string; Message?: string; BizId?: string }
    if (response.ok && reply.Code === 'OK') return { sent: true, providerId: reply.BizId ?? '' }
    const error = `${reply.Code ?? response.status}: ${reply.Message ?? ''}`.slice(0, 200)
    return { sent: false, error, mayRetry: response.status >= 500 || reply.Code === 'Throttling.User' }
  }

  #call(fields: Record<string, string>): Promise<Response> {
    const { endpoint, accessKeyId, accessKeySecret } = this.#setting
    const url = new URL(endpoint)
    const query = canonicalQuery(fields)
    const headers: Record<string, string> = {
      host: url.host,
      'x-acs-action': action,
      'x-acs-content-sha256': hex(''),
      'x-acs-date': new Date().toISOString().replace(/\.\d{3}Z$/, 'Z'),
      'x-acs-signature-nonce': randomUUID(),
      'x-acs-version': apiVersion,
    }
    const signature = signRequest({ method: 'POST', path: '/', query, headers }, accessKeySecret)
    const signed = Object.keys(headers).toSorted().join(';')
    const authorization = `ACS3-HMAC-SHA256 Credential=${accessKeyId},SignedHeaders=${signed},Signature=${signature}`
    return fetch(`${url.origin}/?${query}`, {
      method: 'POST',
      headers: { ...headers, authorization },
      redirect: 'error',
      signal: AbortSignal.timeout(8000),
    })
  }
}

const hex = (text: string) => createHash('sha256').update(text).digest('hex')
// RFC 3986: what encodeURIComponent leaves alone but the signature does not.
const encode = (text: string) =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
const canonicalQuery = (fields: Record<string, string>) =>
  Object.entries(fields)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .join('&')

type Signable = { method: string; path: string; query: string; headers: Record<string, string> }

/** The signature of a request without a body, as Aliyun's signature version 3 prescribes. */
function signRequest({ method, path, query, headers }: Signable, secret: string): string {
  const names = Object.keys(headers).toSorted()
  const canonicalHeaders = names.map((name) => `${name}:${headers[name]?.trim() ?? ''}\n`).join('')
  const canonical = [method, path, query, canonicalHeaders, names.join(';'), hex('')].join('\n')
  return createHmac('sha256', secret)
    .update(`ACS3-HMAC-SHA256\n${hex(canonical)}`)
    .digest('hex')
}
