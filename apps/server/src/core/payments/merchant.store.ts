import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'

/** The merchant that receives an organisation's payments at a provider: the default one, else the oldest usable one. */
export async function findReceivingMerchant(db: Db, organiseId: string, provider: number) {
  const { rows } = await sql<{ id: string; provider: number }>`
    select id, provider from pay_merchant
    where organise_id = ${organiseId} and provider = ${provider} and status = 1 and deleted_at is null
      and (authorised_until is null or authorised_until >= (now() at time zone 'Asia/Shanghai')::date)
    order by is_default desc, id limit 1`.execute(db)
  return rows[0]
}

type MerchantKey = {
  id: string
  /** Null for a candidate key. */
  liveMs: number | null
  serial: string
  sealed: string
  providerKeyId: string
  providerKey: string
}
export type MerchantRow = {
  id: string
  organiseId: string
  provider: number
  name: string
  appId: string
  merchantNo: string
  subMerchantNo: string | null
  feeE5: number
  version: string
  /** The newest first. */
  keys: MerchantKey[]
}

const isLive = sql<boolean>`key.live_at is not null and key.retired_at is null`

/** Merchants with their live keys. Removed merchants are included, because their open payments must still be completed. */
export const readMerchants = (db: Db, ids: readonly string[]): Promise<MerchantRow[]> => readWithKeys(db, ids, isLive)

/** The merchant of an approved key with only that key, to try it at the provider. */
export async function readCandidate(db: Db, key: { id: string; merchantId: string }) {
  const candidate = sql<boolean>`key.id = ${key.id} and key.approved_at is not null and key.retired_at is null`
  const [merchant] = await readWithKeys(db, [key.merchantId], candidate)
  return merchant
}

async function readWithKeys(db: Db, ids: readonly string[], condition: RawBuilder<boolean>): Promise<MerchantRow[]> {
  const { rows } = await sql<MerchantRow>`
    select merchant.id, merchant.organise_id as "organiseId", provider, name, app_id as "appId", merchant_no as "merchantNo",
      sub_merchant_no as "subMerchantNo", fee_e5 as "feeE5",
      concat_ws('/', extract(epoch from merchant.updated_at), string_agg(key.id::text, ',' order by key.live_at desc, key.id desc)) as version,
      coalesce(jsonb_agg(jsonb_build_object('id', key.id::text, 'serial', serial, 'sealed', secret_sealed, 'providerKeyId', provider_key_id,
        'providerKey', provider_key, 'liveMs', (extract(epoch from key.live_at) * 1000)::float8) order by key.live_at desc, key.id desc) filter (where key.id is not null), '[]') as keys
    from pay_merchant merchant left join pay_key key on key.merchant_id = merchant.id and ${condition}
    where merchant.id = any(${ids}::bigint[]) group by merchant.id`.execute(db)
  return rows
}

export async function writeTested(db: Db, merchantId: string): Promise<void> {
  await sql`update pay_merchant set tested_at = now() where id = ${merchantId}`.execute(db)
}
