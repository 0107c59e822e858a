import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, randomInt } from 'node:crypto'
import type { ProviderName } from './pay-simulator.ts'

export type MerchantSeed = {
  provider: ProviderName
  merchantNo: string
  appId: string
  /** The merchant's public key in PEM; its requests are signed with the private key. */
  publicKey: string
  /** WeChat only. */
  certSerial: string
  apiV3Key: string
  subMerchantNo?: string | undefined
  /** The provider's fee rate, in 1/10000. */
  rateE4: number
}
export type Merchant = MerchantSeed & { key: KeyObject; seed: MerchantSeed }
/** A merchant with its private key, which the sandbox does not keep. */
export type NewMerchant = MerchantSeed & { privateKey: string }

export function newPair() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return {
    privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    publicKey: publicKey.export({ format: 'pem', type: 'spki' }).toString(),
  }
}

const number = (start: string, length: number) =>
  start + Array.from({ length: length - start.length }, () => randomInt(10)).join('')

/** Creates a merchant with all its credentials; `overrides` take precedence. */
export function newMerchant(provider: ProviderName, overrides: Partial<NewMerchant> = {}): NewMerchant {
  const pair = overrides.publicKey === undefined ? newPair() : { privateKey: '', publicKey: overrides.publicKey }
  return {
    provider,
    merchantNo: number(provider === 'wechat' ? '16' : '2088', provider === 'wechat' ? 10 : 16),
    appId: provider === 'wechat' ? `wx${randomBytes(8).toString('hex')}` : number('2021', 16),
    certSerial: randomBytes(20).toString('hex').toUpperCase(),
    apiV3Key: randomBytes(16).toString('hex'),
    rateE4: 60,
    ...pair,
    ...overrides,
  }
}

export class MerchantBook {
  readonly #all: Merchant[] = []

  /** Registering a merchant again replaces it, which changes its keys. */
  add(seed: MerchantSeed): void {
    const at = this.#all.findIndex(
      ({ provider, merchantNo, appId }) =>
        provider === seed.provider && merchantNo === seed.merchantNo && appId === seed.appId,
    )
    this.#all.splice(at < 0 ? this.#all.length : at, 1, { ...seed, seed, key: createPublicKey(seed.publicKey) })
  }

  wechat(merchantNo: string): Merchant | undefined {
    return this.#all.find((merchant) => merchant.provider === 'wechat' && merchant.merchantNo === merchantNo)
  }
  alipay(appId: string): Merchant | undefined {
    return this.#all.find((merchant) => merchant.provider === 'alipay' && merchant.appId === appId)
  }
  byNo(provider: ProviderName, merchantNo: string): Merchant | undefined {
    return this.#all.find((merchant) => merchant.provider === provider && merchant.merchantNo === merchantNo)
  }
  seeds(): MerchantSeed[] {
    return this.#all.map(({ seed }) => seed)
  }
}
