import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { accountKind, channel, postingKind } from '@wattdeck/contract/accounting/ledger-codes.ts'
import { messageEpochMs } from '@wattdeck/contract/events/device-bus.ts'
import type pg from 'pg'
import { newMerchant, type NewMerchant } from '../../apps/pay-sandbox/src/merchants.ts'
import { type KeySeed, ProviderKeys } from '../../apps/pay-sandbox/src/provider-keys.ts'
import type { Vault } from '../../apps/server/src/kit/crypto/vault.ts'

/** The seed of the payment sandbox of `npm run dev`: its own keys, and the demo merchants with theirs. */
export const paySandboxFile = process.env['PAY_SANDBOX_FILE'] ?? '.cache/pay-sandbox.json'
type Seed = { keys: KeySeed; merchants: NewMerchant[] }

const merchants = [
  { id: 1, organise: 2, provider: 'wechat', name: '绿行充电' },
  { id: 2, organise: 2, provider: 'alipay', name: '绿行充电' },
  { id: 3, organise: 3, provider: 'wechat', name: '快电出行' },
  { id: 4, organise: 4, provider: 'wechat', name: '安驰能源' },
  { id: 5, organise: 5, provider: 'wechat', name: '深充出行' },
] as const
const feeE5 = 600

function sandboxSeed(): Seed {
  try {
    const seed = JSON.parse(readFileSync(paySandboxFile, 'utf8')) as Seed
    if (seed.merchants.length >= merchants.length && seed.merchants.every(({ privateKey }) => privateKey)) return seed
  } catch {
    // The file does not exist yet.
  }
  const seed = { keys: new ProviderKeys().seed, merchants: merchants.map(({ provider }) => newMerchant(provider)) }
  mkdirSync(dirname(paySandboxFile), { recursive: true })
  writeFileSync(paySandboxFile, JSON.stringify(seed), { mode: 0o600 })
  return seed
}

/** Demo merchants at the sandbox. They never receive real payments. */
export async function addDemoMerchants(client: pg.Client, vault: Vault): Promise<void> {
  const seed = sandboxSeed()
  const { rows } = await client.query<{ id: number }>(
    'select id::int from organise where id between 2 and 5 order by id',
  )
  const organises = new Set(rows.map((row) => row.id))
  for (const [place, { id, organise, provider, name }] of merchants.entries()) {
    const merchant = seed.merchants[place]
    if (merchant === undefined || !organises.has(organise)) continue
    const code = provider === 'wechat' ? channel.code.wechat : channel.code.alipay
    await client.query(
      `insert into pay_merchant (id, organise_id, provider, mode, name, app_id, merchant_no, fee_e5, is_default, status, tested_at, authorised_by, authorised_at, created_by)
       values ($1, $2, $3, 1, $4, $5, $6, $7, true, 1, now(), '沈知行', now(), '沈知行')
       on conflict (id) do update set app_id = excluded.app_id, merchant_no = excluded.merchant_no`,
      [id, organise, code, `${name}（沙箱）`, merchant.appId, merchant.merchantNo, feeE5],
    )
    const theirs = seed.keys[provider].at(-1)
    const secret = {
      privateKey: merchant.privateKey,
      ...(provider === 'wechat' ? { apiV3Key: merchant.apiV3Key } : {}),
    }
    await client.query(
      `insert into pay_key (organise_id, merchant_id, serial, secret_sealed, provider_key_id, provider_key, created_by, approved_by, approved_at, live_at)
       values ($1, $2, $3, $4, $5, $6, '沈知行', '周启明', now(), now()) on conflict do nothing`,
      [organise, id, merchant.certSerial, vault.seal(JSON.stringify(secret)), theirs?.id, theirs?.publicKey],
    )
    await client.query(
      'update pay_key set retired_at = now() where merchant_id = $1 and serial <> $2 and retired_at is null',
      [id, merchant.certSerial],
    )
  }
}

export type Payer = {
  id: number
  organise: number
  agentId: string | null
  siteId: string | null
  /** No recharge was paid before. */
  sinceHours?: number | undefined
}
type Recharge = { fen: number; giftFen: number; hoursAgo: number; no: number }

/** An id as the database generates it: the time, then a counter. */
const idAt = (ms: number, counter: number) => ((BigInt(ms - messageEpochMs) << 22n) | BigInt(counter)).toString()

/** Recharges of a member, the oldest first: as recharges, payments and ledger postings, all consistent. */
export async function addDemoRecharges(client: pg.Client, payer: Payer, fens: readonly number[]): Promise<void> {
  const recharges = fens
    .map((fen, no) => ({
      fen,
      no,
      giftFen: fen < 5000 ? 0 : fen / 10,
      hoursAgo: (2 + ((payer.id * 29 + no * 197) % 560)) % Math.floor(payer.sinceHours ?? 1000),
    }))
    .toSorted((a, b) => b.hoursAgo - a.hoursAgo)
  let balance = 0
  for (const recharge of recharges) {
    await addRecharge(client, payer, recharge, balance)
    balance += recharge.fen + recharge.giftFen
  }
  // Some cancel their recharge.
  if (payer.id % 7 === 3) await addCalledOff(client, payer)
}

const organiseMerchant = (organise: number) =>
  merchants.find((one) => one.organise === organise && one.provider === 'wechat')?.id

async function addRecharge(client: pg.Client, payer: Payer, recharge: Recharge, before: number): Promise<void> {
  const { fen, giftFen, no } = recharge
  const at = Date.now() - recharge.hoursAgo * 3_600_000
  const [payId, rechargeId] = [idAt(at, payer.id * 20 + no * 2), idAt(at, payer.id * 20 + no * 2 + 1)]
  const place = [payer.organise, payer.agentId, payer.siteId]
  const fee = Math.round((fen * feeE5) / 100_000)
  await client.query(
    `insert into recharge_order (id, organise_id, agent_id, site_id, target, member_id, pay_order_id, provider, amount_fen, gift_fen, status, before_fen, after_fen, created_at, paid_at)
     values ($1, $2, $3, $4, 1, $5, $6, 1, $7, $8, 2, $9, $10, to_timestamp($11::float8), to_timestamp($11::float8 + 20))`,
    [rechargeId, ...place, payer.id, payId, fen, giftFen, before, before + fen + giftFen, at / 1000],
  )
  await client.query(
    `insert into pay_order (id, organise_id, agent_id, site_id, merchant_id, provider, way, purpose, ref_id, member_id, amount_fen, fee_fen, profit_sharing, status,
       transaction_id, expires_at, created_at, sent_at, paid_at)
     values ($1, $2, $3, $4, $5, 1, 1, 2, $6, $7, $8, $9, false, 2, $10, to_timestamp($11::float8 + 900), to_timestamp($11::float8), to_timestamp($11::float8 + 1), to_timestamp($11::float8 + 20))`,
    [payId, ...place, organiseMerchant(payer.organise), rechargeId, payer.id, fen, fee, `4200${payId}`, at / 1000],
  )
  await client.query('select app.post($1::jsonb)', [JSON.stringify(postingsOf(payer, payId, at, fen, giftFen, fee))])
}

function postingsOf(payer: Payer, payId: string, at: number, fen: number, giftFen: number, fee: number) {
  const { memberPaid, memberGift, giftCost, channel: through, channelFee } = accountKind.code
  const [member, wechat] = [String(payer.id), String(channel.code.wechat)]
  const posting = (what: string, kind: number, lines: [number, string, number][]) => ({
    key: `pay/${payId}/${what}`,
    keyAt: new Date(at).toISOString(),
    organiseId: String(payer.organise),
    agentId: payer.agentId,
    siteId: payer.siteId,
    kind,
    ref: `P${payId}`,
    memo: null,
    by: null,
    lines: lines.map(([account, owner, amount]) => [account, owner, String(amount)]),
  })
  return [
    posting('paid', postingKind.code.recharge, [
      [memberPaid, member, fen],
      [through, wechat, -fen],
    ]),
    ...(giftFen === 0
      ? []
      : [
          posting('gift', postingKind.code.gift, [
            [memberGift, member, giftFen],
            [giftCost, '0', -giftFen],
          ]),
        ]),
    ...(fee === 0
      ? []
      : [
          posting('fee', postingKind.code.channelFee, [
            [through, wechat, fee],
            [channelFee, wechat, -fee],
          ]),
        ]),
  ]
}

/** Requested and never paid. */
async function addCalledOff(client: pg.Client, payer: Payer): Promise<void> {
  const at = Date.now() - (3 + payer.id) * 3_600_000
  const [payId, rechargeId] = [idAt(at, payer.id * 20 + 18), idAt(at, payer.id * 20 + 19)]
  const place = [payer.organise, payer.agentId, payer.siteId]
  await client.query(
    `insert into recharge_order (id, organise_id, agent_id, site_id, target, member_id, pay_order_id, provider, amount_fen, status, created_at, cancelled_at)
     values ($1, $2, $3, $4, 1, $5, $6, 1, 3000, 3, to_timestamp($7::float8), to_timestamp($7::float8 + 905))`,
    [rechargeId, ...place, payer.id, payId, at / 1000],
  )
  await client.query(
    `insert into pay_order (id, organise_id, agent_id, site_id, merchant_id, provider, way, purpose, ref_id, member_id, amount_fen, profit_sharing, status,
       expires_at, created_at, sent_at, closed_at)
     values ($1, $2, $3, $4, $5, 1, 1, 2, $6, $7, 3000, false, 3, to_timestamp($8::float8 + 900), to_timestamp($8::float8), to_timestamp($8::float8 + 1), to_timestamp($8::float8 + 905))`,
    [payId, ...place, organiseMerchant(payer.organise), rechargeId, payer.id, at / 1000],
  )
}
