import { randomBytes } from 'node:crypto'
import { openRecharge } from '@wattdeck/contract/open/open-recharge.ts'
import type { OpenClient } from '@wattdeck/open-client/open-client.ts'
import type { NewMerchant } from '../../pay-sandbox/src/merchants.ts'
import { startPaySandbox } from '../../pay-sandbox/src/sandbox.ts'
import type { ProviderName } from '../../pay-sandbox/src/till.ts'
import { running, startApi, type TestApi } from './api.ts'
import { startWorkerProcess } from './process.ts'
import { until } from './until.ts'

export type PaySandbox = Awaited<ReturnType<typeof startPaySandbox>>
export type PayWorld = Awaited<ReturnType<typeof startPayWorld>>
/** What arranging merchants needs, wherever the api runs. */
type Till = {
  api: Pick<TestApi, 'sql'> & { deps: Pick<TestApi['deps'], 'vault'> }
  sandbox: {
    register: (provider: ProviderName) => Awaitable<NewMerchant>
    publicKeys: (provider: ProviderName) => Awaitable<Record<string, string>>
  }
}
type Awaitable<T> = T | Promise<T>
export type Trader = ReturnType<PaySandbox['register']> & { id: string }

/** An api, a provider that tells it what was paid, and no worker yet. */
export async function startPayWorld() {
  const sandbox = await startPaySandbox({ retryMs: [200, 500, 1000, 2000] })
  running.push(() => sandbox.stop())
  const pay = { wechatUrl: sandbox.url, alipayUrl: sandbox.gateway, notifyUrl: '', timeoutMs: 8000 }
  const api = await startApi({ pay })
  pay.notifyUrl = api.url
  const env = { WECHAT_PAY_URL: sandbox.url, ALIPAY_PAY_GATEWAY: sandbox.gateway, PAY_NOTIFY_URL: api.url }
  const startWorker = () => startWorkerProcess(api.config, env)
  return { sandbox, api, startWorker }
}

/** A merchant that takes money, known at the provider, with one key. */
export async function makeTrader(
  { api, sandbox }: Till,
  organiseId: string,
  provider: 'wechat' | 'alipay' = 'wechat',
): Promise<Trader> {
  const made = await sandbox.register(provider)
  const [row] = await api.sql<{ id: string }>(
    `insert into pay_merchant (organise_id, provider, mode, name, app_id, merchant_no, fee_e5, is_default, status, tested_at, authorised_by, authorised_at, created_by)
     values ($1, $2, 1, '测试商户', $3, $4, 600, true, 1, now(), '测试', now(), '测试') returning id`,
    [organiseId, provider === 'wechat' ? 1 : 2, made.appId, made.merchantNo],
  )
  const trader = { ...made, id: row?.id ?? '' }
  await addTraderKey({ api, sandbox }, organiseId, trader)
  return trader
}

/** What the merchant signs with now, and the newest key of the provider. */
export async function addTraderKey({ api, sandbox }: Till, organiseId: string, trader: Trader): Promise<void> {
  const [providerKeyId, providerKey] = Object.entries(await sandbox.publicKeys(trader.provider)).at(-1) ?? []
  const secret = {
    privateKey: trader.privateKey,
    ...(trader.provider === 'wechat' ? { apiV3Key: trader.apiV3Key } : {}),
  }
  await api.sql(
    `insert into pay_key (organise_id, merchant_id, serial, secret_sealed, provider_key_id, provider_key, created_by) values ($1, $2, $3, $4, $5, $6, '测试')`,
    [
      organiseId,
      trader.id,
      trader.provider === 'wechat' ? trader.certSerial : randomBytes(10).toString('hex'),
      api.deps.vault.seal(JSON.stringify(secret)),
      providerKeyId,
      providerKey,
    ],
  )
}

/** A recharge as a mini program asks for it. */
export const askRecharge = async (client: OpenClient, memberId: string, amount: string, provider = '1') =>
  (await client.call(openRecharge.add, { body: { memberId, amount, provider, way: '1' } as never })).rechargeNo

export const readRecharge = (client: OpenClient, rechargeNo: string) =>
  client.call(openRecharge.read, { query: { rechargeNo } })

/** The code that the payer scans, once the provider has given it. */
export const codeOf = (client: OpenClient, rechargeNo: string) =>
  until(async () => (await readRecharge(client, rechargeNo)).codeUrl ?? undefined)

export const rechargeIn = (client: OpenClient, rechargeNo: string, status: number) =>
  until(async () => {
    const found = await readRecharge(client, rechargeNo)
    return found.status === status ? found : undefined
  })

/** What accounts of an organisation hold, by kind. */
export async function accountSum(api: TestApi, organiseId: string, kind: number, owner?: string): Promise<bigint> {
  const [row] = await api.sql<{ fen: string }>(
    `select coalesce(sum(app.account_balance(id)), 0)::text as fen from account where organise_id = $1 and kind = $2 and ($3::bigint is null or owner_id = $3)`,
    [organiseId, kind, owner ?? null],
  )
  return BigInt(row?.fen ?? '0')
}

/** Nothing in the ledger contradicts anything. */
export const ledgerBreaks = (api: TestApi) => api.sql('select * from app.ledger_breaks()')

/** Where ledger, orders and figures do not say the same; for tests whose orders were all made by the product. */
export const everyBreak = (api: TestApi) =>
  api.sql(`select what, ref from app.ledger_breaks() union all select what, ref from app.order_breaks()
    union all select what, place from app.stat_breaks('2020-01-01', '2100-01-01')
    union all select what, place from app.analysis_breaks('2020-01-01', '2100-01-01')`)
