import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, randomInt } from 'node:crypto'
import type { ProviderName } from './pay-simulator.ts'

export type MerchantSeed = {
  provider: ProviderName
  merchantNo: string
  appId: string
  /** Of the merchant, PEM: what it asks is signed with the other half. */
  publicKey: string
  /** WeChat only. */
  certSerial: string
  apiV3Key: string
  subMerchantNo?: string | undefined
  /** What the provider keeps, in 1/10000. */
  rateE4: number
}
export type Merchant = MerchantSeed & { key: KeyObject; seed: MerchantSeed }
/** A merchant with the half of the pair that only its owner has. */
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

/** Somebody who has signed a contract, with all that belongs to it; what is given stays. */
export function newMerchant(provider: ProviderName, given: Partial<NewMerchant> = {}): NewMerchant {
  const pair = given.publicKey === undefined ? newPair() : { privateKey: '', publicKey: given.publicKey }
  return {
    provider,
    merchantNo: number(provider === 'wechat' ? '16' : '2088', provider === 'wechat' ? 10 : 16),
    appId: provider === 'wechat' ? `wx${randomBytes(8).toString('hex')}` : number('2021', 16),
    certSerial: randomBytes(20).toString('hex').toUpperCase(),
    apiV3Key: randomBytes(16).toString('hex'),
    rateE4: 60,
    ...pair,
    ...given,
  }
}

export class MerchantBook {
  readonly #all: Merchant[] = []

  /** Registering a merchant again changes it: that is how its keys are changed. */
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
