import {
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  createSign,
  createVerify,
  type KeyObject,
} from 'node:crypto'

export type WechatSetting = {
  /** Where the provider answers, 'https://api.mch.weixin.qq.com'. */
  url: string
  merchantNo: string
  appId: string
  /** Where we act for a merchant of ours (partner mode). */
  subMerchantNo?: string | undefined
  subAppId?: string | undefined
  /** Of our certificate, whose private key signs what we ask. */
  certSerial: string
  privateKey: string
  /** The newest first. Older ones still open what was closed before a change. */
  apiV3Keys: readonly string[]
  /** PEM by id: the serial of a platform certificate, or PUB_KEY_ID_…. Two are alive while the provider changes. */
  providerKeys: Readonly<Record<string, string>>
  timeoutMs?: number | undefined
}

type Sealed = { ciphertext: string; nonce: string; associated_data?: string | undefined }
const tagLength = 16
const oldestMs = 5 * 60_000

/** Everything secret of one merchant. Broken keys are found when it is made, not at the first payment. */
export class WechatKeys {
  readonly #privateKey: KeyObject
  readonly #providerKeys: ReadonlyMap<string, KeyObject>
  readonly #apiV3Keys: readonly Buffer[]

  constructor({ privateKey, providerKeys, apiV3Keys }: WechatSetting) {
    this.#privateKey = createPrivateKey(privateKey)
    this.#providerKeys = new Map(Object.entries(providerKeys).map(([id, pem]) => [id, createPublicKey(pem)]))
    this.#apiV3Keys = apiV3Keys.map((key) => Buffer.from(key, 'utf8'))
    if (this.#providerKeys.size === 0) throw new Error('no public key of the provider is known')
    if (this.#apiV3Keys.length === 0 || this.#apiV3Keys.some((key) => key.length !== 32))
      throw new Error('an APIv3 key has 32 bytes')
  }

  sign(...lines: string[]): string {
    const text = lines.map((line) => `${line}\n`).join('')
    return createSign('RSA-SHA256').update(text).sign(this.#privateKey, 'base64')
  }

  /** The bytes as they came, fresh, and signed by a key of the provider that we know. */
  isTheProviders(head: (name: string) => string | undefined, body: Buffer): boolean {
    const at = head('wechatpay-timestamp') ?? ''
    const key = this.#providerKeys.get(head('wechatpay-serial') ?? '')
    if (key === undefined || !/^\d{1,12}$/.test(at) || Math.abs(Date.now() - Number(at) * 1000) > oldestMs) return false
    const verify = createVerify('RSA-SHA256')
      .update(`${at}\n${head('wechatpay-nonce') ?? ''}\n`)
      .update(body)
      .update('\n')
    return verify.verify(key, head('wechatpay-signature') ?? '', 'base64')
  }

  /** What a notice holds, or undefined where none of our keys opens it. */
  open({ ciphertext, nonce, associated_data = '' }: Sealed): string | undefined {
    const sealed = Buffer.from(ciphertext, 'base64')
    if (sealed.length < tagLength || Buffer.byteLength(nonce) !== 12) return undefined
    for (const key of this.#apiV3Keys) {
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength })
        decipher.setAuthTag(sealed.subarray(-tagLength)).setAAD(Buffer.from(associated_data))
        const opened = decipher.update(sealed.subarray(0, -tagLength))
        return Buffer.concat([opened, decipher.final()]).toString('utf8')
      } catch {
        // closed with another of our keys, or forged
      }
    }
    return undefined
  }
}
