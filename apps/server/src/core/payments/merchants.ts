import { channel } from '@wattdeck/contract/accounting/ledger-codes.ts'
import type { Db } from '../../kit/db/db.ts'
import type { Vault } from '../../kit/crypto/vault.ts'
import { AlipayProvider } from './providers/alipay/alipay-provider.ts'
import { type Breaker, Breakers, guarded } from './breaker.ts'
import { type MerchantRow, readCandidate, readMerchants } from './merchant.store.ts'
import type { Provider } from './provider.ts'
import type { MerchantView } from './settle-payment.ts'
import { WechatProvider } from './providers/wechat/wechat-provider.ts'

/** Where providers are, and where they reach us. */
export type PaySetting = { wechatUrl: string; alipayUrl: string; notifyUrl: string; timeoutMs: number }

/** What is sealed of a key: ours, and WeChat's APIv3 key. */
export type KeySecret = { privateKey: string; apiV3Key?: string }

/** A merchant whose keys are at hand. */
export type OpenMerchant = MerchantView & {
  organiseId: string
  name: string
  channel: number
  /** None where no key is alive or one cannot be read: nothing can be asked or believed. */
  provider: Provider | undefined
  notifyUrl: string
}

/**
 * Merchants as they are now. Their rows are read each time, in the caller's transaction, so that a key that was added or
 * retired counts at once; only the unsealed keys and the state of the breaker are kept from one time to the next.
 */
export class Merchants {
  readonly #vault: Vault | undefined
  readonly #setting: PaySetting
  /** They outlive the change of a key. */
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

  /** A provider that knows one candidate key only. Without a breaker: a wrong key must not stop payments by the live ones. */
  async openCandidate(db: Db, key: { id: string; merchantId: string }) {
    const row = await readCandidate(db, key)
    return row === undefined ? undefined : this.#readable(row, (provider) => provider)
  }

  /** Where the provider tells us what was paid. */
  noticeUrl({ id, provider }: { id: string; provider: number }): string {
    const name = provider === channel.code.wechat ? 'wechat' : 'alipay'
    return `${this.#setting.notifyUrl}/open/api/pay/notice/${name}/${id}`
  }

  #openOne(row: MerchantRow): OpenMerchant {
    const known = this.#known.get(row.id)
    if (known?.version === row.version) return known.merchant
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

  /** A key that cannot be read is no key; what is wrong with it is not said, as it might quote it. */
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

  /** Those whose provider nobody asks now: until then nothing that waits for it can move on. */
  resting(): string[] {
    return [...this.#known].filter(([, { breaker }]) => breaker.isOpen()).map(([id]) => id)
  }

  hasOpenBreaker(id: string): boolean {
    return this.#known.get(id)?.breaker.isOpen() ?? false
  }

  /** How many merchants' providers are left alone for a while, because they did not answer. */
  brokenCount(): number {
    return [...this.#breakers.standings().values()].filter(({ state }) => state !== 'closed').length
  }
}
