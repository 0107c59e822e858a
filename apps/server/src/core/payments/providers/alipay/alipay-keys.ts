import { createPrivateKey, createPublicKey, createSign, createVerify, type KeyObject } from 'node:crypto'

export type AlipaySetting = {
  /** 'https://openapi.alipay.com/gateway.do'. */
  gateway: string
  appId: string
  /** The receiving account, 2088…: the provider's seller_id. */
  merchantNo: string
  /** PEM, or base64 in the format of the provider's tool (PKCS #8). */
  privateKey: string
  /** PEM or base64. Signatures name no key, so each is tried; two keys are live during a change. */
  providerKeys: readonly string[]
  /** Hosts for bill downloads, besides the gateway's host. */
  billHosts?: readonly string[] | undefined
  timeoutMs?: number | undefined
}
export type Fields = Record<string, string>

const isPem = (key: string) => key.includes('-----BEGIN')
const der = (key: string) => Buffer.from(key, 'base64')
const privateOf = (key: string) => createPrivateKey(isPem(key) ? key : { key: der(key), format: 'der', type: 'pkcs8' })
const publicOf = (key: string) => createPublicKey(isPem(key) ? key : { key: der(key), format: 'der', type: 'spki' })

/** The text to sign: decoded fields sorted by name, without empty ones. */
const signedText = (fields: Fields) =>
  Object.keys(fields)
    .filter((name) => fields[name] !== '')
    .toSorted()
    .map((name) => `${name}=${fields[name]}`)
    .join('&')

/** RSA2 signatures of one merchant. The constructor throws for a broken key, so it does not fail at the first payment. */
export class AlipayKeys {
  readonly #privateKey: KeyObject
  readonly #providerKeys: readonly KeyObject[]

  constructor({ privateKey, providerKeys }: AlipaySetting) {
    this.#privateKey = privateOf(privateKey)
    this.#providerKeys = providerKeys.map(publicOf)
    if (this.#providerKeys.length === 0) throw new Error('no public key of the provider is known')
  }

  sign(fields: Fields): Fields {
    const sign = createSign('RSA-SHA256').update(signedText(fields)).sign(this.#privateKey, 'base64')
    return { ...fields, sign }
  }

  isTheProviders(text: string, sign: string): boolean {
    return this.#providerKeys.some((key) => createVerify('RSA-SHA256').update(text).verify(key, sign, 'base64'))
  }

  /** Verifies the fields of a notice; its signature does not cover `sign_type`. */
  isTheProvidersForm({ sign = '', sign_type, ...fields }: Fields): boolean {
    return sign_type === 'RSA2' && this.isTheProviders(signedText(fields), sign)
  }
}
