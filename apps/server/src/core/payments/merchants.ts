import { channel } from '@wattdeck/contract/accounting/ledger-codes.ts'
import type { Db } from '../../kit/db/db.ts'
import type { Vault } from '../../kit/crypto/vault.ts'
import { AlipayProvider } from './providers/alipay/alipay-provider.ts'
import { type Breaker, Breakers, guarded } from './breaker.ts'
import { type MerchantRow, readCandidate, readMerchants } from './merchant.store.ts'
import type { Provider } from './provider.ts'
import type { MerchantView } from './settle-payment.ts'
import { WechatProvider } from './providers/wechat/wechat-provider.ts'

/** Addresses of the providers, and the address for their notices. */
export type PaySetting = { wechatUrl: string; alipayUrl: string; notifyUrl: string; timeoutMs: number }

/** The encrypted part of a key: the merchant's private key and WeChat's APIv3 key. */
export type KeySecret = { privateKey: string; apiV3Key?: string }

/** A merchant with its decrypted keys. */
export type OpenMerchant = MerchantView & {
  organiseId: string
  name: string
  channel: number
  /** Undefined if no key is live or a key cannot be read: no request can be sent and no notice verified. */
  provider: Provider | undefined
  notifyUrl: string
}

/**
 * Current merchants. Rows are read each time in the caller's transaction, so that an added or retired key takes effect at
 * once. Only the decrypted keys and the breaker state are cached.
 */
export class Merchants {
  readonly #vault: Vault | undefined
  readonly #setting: PaySetting
  /** A key change does not reset the breakers. */
  readonly #breakers = new Breakers()
  readonly #known = new Map<string, { version: string; merchant: OpenMerchant; breaker: Breaker }>()
  /** Without a vault, as in the api, no key is opened and every provider is undefined. */
  constructor(vault: Vault | undefined, setting: PaySetting) {
    this.#vault = vault
    this.#setting = setting
  }

  async open(db: Db, ids: readonly string[]): Promise<Map<string, OpenMerchant>> {
    const rows = await readMerchants(db, [...new Set(ids)])
    return new Map(rows.map((row) => [row.id, this.#openOne(row)]))
  }

  /** A provider with one candidate key only. It has no breaker: a wrong key must not stop payments with the live keys. */
  async openCandidate(db: Db, key: { id: string; merchantId: string }) {
    const row = await readCandidate(db, key)
    return row === undefined ? undefined : this.#readable(row, (provider) => provider)
  }

  /** The address to which the provider sends notices. */
  noticeUrl({ id, provider }: { id: string; provider: number }): string {
    const name = provider === channel.code.wechat ? 'wechat' : 'alipay'
    return `${this.#setting.notifyUrl}/open/api/pay/notice/${name}/${id}`
  }

  #openOne(row: MerchantRow): OpenMerchant {
    const cached = this.#known.get(row.id)
    if (cached?.version === row.version) return cached.merchant
    const breaker = this.#breakers.of(String(row.provider), row.merchantNo)
    const merchant: OpenMerchant = {
      id: row.id,
      organiseId: row.organiseId,
      name: row.name,
      channel: row.provider,
      ownNo: row.subMerchantNo ?? row.merchantNo,
      appId: row.appId,
      feeE5: row.feeE5,
      keySinceMs: row.keys[0]?.liveMs ?? Number.POSITIVE_INFINITY,
      provider: this.#readable(row, (provider) => guarded(provider, breaker)),
      notifyUrl: this.noticeUrl(row),
    }
    this.#known.set(row.id, { version: row.version, merchant, breaker })
    return merchant
  }

  /** An unreadable key counts as missing. The error is dropped, because it might quote the key. */
  #readable(row: MerchantRow, guard: (provider: Provider) => Provider): Provider | undefined {
    try {
      const provider = this.#providerOf(row)
      return provider && guard(provider)
    } catch {
      return undefined
    }
  }

  #providerOf(row: MerchantRow): Provider | undefined {
    const vault = this.#vault
    if (vault === undefined) return undefined
    const secrets = row.keys.map(({ sealed }) => JSON.parse(vault.open(sealed)) as KeySecret)
    const [newest] = row.keys
    const [secret] = secrets
    if (newest === undefined || secret === undefined) return undefined
    const providerKeys = Object.fromEntries(
      row.keys.map(({ providerKeyId, providerKey }) => [providerKeyId, providerKey]),
    )
    const { timeoutMs } = this.#setting
    if (row.provider === channel.code.alipay)
      return new AlipayProvider({
        gateway: this.#setting.alipayUrl,
        appId: row.appId,
        merchantNo: row.subMerchantNo ?? row.merchantNo,
        privateKey: secret.privateKey,
        providerKeys: row.keys.map(({ providerKey }) => providerKey),
        timeoutMs,
      })
    return new WechatProvider({
      url: this.#setting.wechatUrl,
      merchantNo: row.merchantNo,
      appId: row.appId,
      subMerchantNo: row.subMerchantNo ?? undefined,
      certSerial: newest.serial,
      privateKey: secret.privateKey,
      apiV3Keys: secrets.flatMap(({ apiV3Key }) => apiV3Key ?? []),
      providerKeys,
      timeoutMs,
    })
  }

  /** Ids of merchants with an open breaker, whose payments cannot advance now. */
  resting(): string[] {
    return [...this.#known].filter(([, { breaker }]) => breaker.isOpen()).map(([id]) => id)
  }

  hasOpenBreaker(id: string): boolean {
    return this.#known.get(id)?.breaker.isOpen() ?? false
  }

  /** Number of merchants whose breaker is not closed. */
  brokenCount(): number {
    return [...this.#breakers.standings().values()].filter(({ state }) => state !== 'closed').length
  }
}
