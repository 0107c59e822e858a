import { createVerify } from 'node:crypto'
import type { Faults } from './faults.ts'
import type { Merchant, MerchantBook } from './merchants.ts'
import type { ProviderKeys } from './provider-keys.ts'
import type { Reply } from './sandbox-state.ts'

export type Fields = Record<string, string>

const sorted = (fields: Fields) =>
  Object.keys(fields)
    .filter((name) => fields[name] !== '')
    .toSorted()
    .map((name) => `${name}=${fields[name]}`)
    .join('&')

/** Returns the merchant that signed the request, or an error code. */
export function signerOf({ sign = '', ...fields }: Fields, merchants: MerchantBook): Merchant | string {
  const merchant = merchants.alipay(fields['app_id'] ?? '')
  if (merchant === undefined) return 'isv.invalid-app-id'
  if (fields['sign_type'] !== 'RSA2') return 'isv.invalid-signature-type'
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(fields['timestamp'] ?? '')) return 'isv.invalid-timestamp'
  const good = createVerify('RSA-SHA256').update(sorted(fields)).verify(merchant.key, sign, 'base64')
  return good ? merchant : 'isv.invalid-signature'
}

/** `{"x_response":{…},"sign":"…"}`, signed over the text of the inner object, in which Alipay escapes slashes. */
export function replyWith(keys: ProviderKeys, faults: Faults, name: string, content: object): Reply {
  const inner = JSON.stringify(content).replaceAll('/', String.raw`\/`)
  const sign = faults.unsigned ? '' : `,"sign":"${keys.sign('alipay', inner, faults.forgeReply)}"`
  const headers = { 'content-type': 'text/html;charset=utf-8' }
  return { status: 200, headers, body: `{"${name}":${inner}${sign}}` }
}

/** Unlike a request, a notice excludes sign_type from the signed text. */
export function signedForm(keys: ProviderKeys, fields: Fields, forged: boolean): string {
  const sign = keys.sign('alipay', sorted(fields), forged)
  return new URLSearchParams({ ...fields, sign_type: 'RSA2', sign }).toString()
}
