import {
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  createSign,
  createVerify,
  type KeyObject,
} from 'node:crypto'

export type WechatSetting = {
  /** Base address of the provider, 'https://api.mch.weixin.qq.com'. */
  url: string
  merchantNo: string
  appId: string
  /** The sub-merchant in partner mode. */
  subMerchantNo?: string | undefined
  subAppId?: string | undefined
  /** Serial of the merchant certificate, whose private key signs requests. */
  certSerial: string
  privateKey: string
  /** The newest first. Older keys decrypt notices from before a key change. */
  apiV3Keys: readonly string[]
  /** PEM by id: the serial of a platform certificate, or PUB_KEY_ID_…. Two are live during a key change. */
  providerKeys: Readonly<Record<string, string>>
  timeoutMs?: number | undefined
}

type EncryptedResource = { ciphertext: string; nonce: string; associated_data?: string | undefined }
const tagLength = 16
const oldestMs = 5 * 60_000

/** Secrets of one merchant. The constructor throws for a broken key, so it does not fail at the first payment. */
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
      throw new Error('an APIv3 key must have 32 bytes')
  }

  sign(...lines: string[]): string {
    const text = lines.map((line) => `${line}\n`).join('')
    return createSign('RSA-SHA256').update(text).sign(this.#privateKey, 'base64')
  }

  /** Verifies that the raw bytes are fresh and signed with a stored key of the provider. */
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

  /** Decrypts the content of a notice; undefined if no APIv3 key fits. */
  open({ ciphertext, nonce, associated_data = '' }: EncryptedResource): string | undefined {
    const encrypted = Buffer.from(ciphertext, 'base64')
    if (encrypted.length < tagLength || Buffer.byteLength(nonce) !== 12) return undefined
    for (const key of this.#apiV3Keys) {
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength })
        decipher.setAuthTag(encrypted.subarray(-tagLength)).setAAD(Buffer.from(associated_data))
        const opened = decipher.update(encrypted.subarray(0, -tagLength))
        return Buffer.concat([opened, decipher.final()]).toString('utf8')
      } catch {
        // Encrypted with another APIv3 key, or forged.
      }
    }
    return undefined
  }
}
