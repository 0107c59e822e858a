import { createSign, randomBytes } from 'node:crypto'
import { newPair } from './merchants.ts'

type Pair = { id: string; privateKey: string; publicKey: string }
export type KeySeed = { wechat: Pair[]; alipay: Pair[] }

const freshPair = (id: string): Pair => ({ id, ...newPair() })

/** The provider's signing keys. The last of each list is active. */
export class ProviderKeys {
  readonly seed: KeySeed
  #forger: Pair | undefined

  constructor(seed?: KeySeed) {
    this.seed = seed ?? { wechat: [freshPair('PUB_KEY_ID_0116000000002026')], alipay: [freshPair('1')] }
  }

  /** Activates a new key. A WeChat key id is a certificate serial. */
  rotate(provider: keyof KeySeed): void {
    const id = provider === 'wechat' ? randomBytes(20).toString('hex').toUpperCase() : `${this.seed.alipay.length + 1}`
    this.seed[provider].push(freshPair(id))
  }

  publicKeys(provider: keyof KeySeed): Record<string, string> {
    return Object.fromEntries(this.seed[provider].map(({ id, publicKey }) => [id, publicKey]))
  }

  idOf(provider: keyof KeySeed): string {
    return this.seed[provider].at(-1)?.id ?? ''
  }

  sign(provider: keyof KeySeed, text: string, forged: boolean): string {
    const pair = forged ? (this.#forger ??= freshPair('forger')) : this.seed[provider].at(-1)
    return createSign('RSA-SHA256')
      .update(text)
      .sign(pair?.privateKey ?? '', 'base64')
  }
}
