import { createCipheriv, createVerify, randomBytes } from 'node:crypto'
import type { Faults } from './faults.ts'
import type { Merchant, MerchantBook } from './merchants.ts'
import type { ProviderKeys } from './provider-keys.ts'
import type { Reply, Request } from './sandbox-state.ts'

const oldestSeconds = 300

/** Returns the merchant that signed the request, or an error code. */
export function signerOf({ method, url, headers, body }: Request, merchants: MerchantBook): Merchant | string {
  if (headers.accept === undefined || headers['user-agent'] === undefined) return 'PARAM_ERROR'
  const [scheme, listed = ''] = (headers.authorization ?? '').split(/ (.*)/s)
  if (scheme !== 'WECHATPAY2-SHA256-RSA2048') return 'SIGN_ERROR'
  const fields = new Map([...listed.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]))
  const field = (name: string) => fields.get(name) ?? ''
  const [timestamp, nonce] = [field('timestamp'), field('nonce_str')]
  const merchant = merchants.wechat(field('mchid'))
  if (merchant === undefined) return 'NO_AUTH'
  if (merchant.certSerial !== field('serial_no') || !(Math.abs(Date.now() / 1000 - Number(timestamp)) <= oldestSeconds))
    return 'SIGN_ERROR'
  const text = `${method}\n${url.pathname}${url.search}\n${timestamp}\n${nonce}\n${body}\n`
  return createVerify('RSA-SHA256').update(text).verify(merchant.key, field('signature'), 'base64')
    ? merchant
    : 'SIGN_ERROR'
}

export function signedHeaders(
  keys: ProviderKeys,
  body: string,
  forged: boolean,
  at = Date.now(),
): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000))
  const nonce = randomBytes(16).toString('hex')
  return {
    'content-type': 'application/json; charset=utf-8',
    'wechatpay-serial': keys.idOf('wechat'),
    'wechatpay-timestamp': timestamp,
    'wechatpay-nonce': nonce,
    'wechatpay-signature': keys.sign('wechat', `${timestamp}\n${nonce}\n${body}\n`, forged),
    'wechatpay-signature-type': 'WECHATPAY2-SHA256-RSA2048',
  }
}

export function replyWith(keys: ProviderKeys, faults: Faults, status: number, content?: object): Reply {
  const body = content === undefined ? '' : JSON.stringify(content)
  const headers = faults.unsigned
    ? { 'content-type': 'application/json' }
    : signedHeaders(keys, body, faults.forgeReply)
  return { status, headers, body }
}

/** AEAD_AES_256_GCM with the merchant's APIv3 key; the tag follows the ciphertext. */
export function sealed(apiV3Key: string, content: object, original_type: string) {
  const nonce = randomBytes(6).toString('hex')
  const cipher = createCipheriv('aes-256-gcm', apiV3Key, nonce, { authTagLength: 16 })
  cipher.setAAD(Buffer.from(original_type))
  const text = Buffer.concat([cipher.update(JSON.stringify(content)), cipher.final(), cipher.getAuthTag()])
  const ciphertext = text.toString('base64')
  return { original_type, algorithm: 'AEAD_AES_256_GCM', ciphertext, nonce, associated_data: original_type }
}
