import { payPurpose, payRefundStatus } from '@wattdeck/contract/accounting/pay-codes.ts'
import {
  keyState,
  type Merchant,
  type MerchantKey,
  type paySetting,
} from '@wattdeck/contract/accounting/pay-setting.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { byId, pageOf } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { storedPay } from '../../../core/payments/stored-status.ts'

type Filter = QueryOf<typeof paySetting.list>
type MerchantListed = Omit<Merchant, 'rate' | 'notifyUrl'> & { feeE5: number }

/** `readerId` is the reader, who must not decide on their own requests. */
export async function listMerchants(db: Db, scope: Scope, filter: Filter, readerId: string) {
  let query = db.selectFrom('pay_merchant').where('pay_merchant.deleted_at', 'is', null)
  // Every level can read merchants, because every site accepts payments through them. The list shows them to the
  // organisation only.
  if (scope.level > 1) query = query.where(sql<boolean>`false`)
  if (filter.organiseId !== undefined) query = query.where('pay_merchant.organise_id', '=', filter.organiseId)
  if (filter.provider !== undefined) query = query.where('pay_merchant.provider', '=', filter.provider)
  if (filter.status !== undefined) query = query.where('pay_merchant.status', '=', filter.status)
  const found = await pageOf(db, query, filter, {
    key: byId('pay_merchant.id'),
    columns: (rows) =>
      rows.select([
        'pay_merchant.id',
        'pay_merchant.organise_id as organiseId',
        sql<string>`(select name from organise where organise.id = pay_merchant.organise_id)`.as('organiseName'),
        'pay_merchant.provider',
        'pay_merchant.mode',
        'pay_merchant.name',
        'pay_merchant.app_id as appId',
        'pay_merchant.merchant_no as merchantNo',
        'pay_merchant.sub_merchant_no as subMerchantNo',
        'pay_merchant.fee_e5 as feeE5',
        'pay_merchant.is_default as isDefault',
        'pay_merchant.status',
        'pay_merchant.tested_at as testedAt',
        sql<boolean>`pay_merchant.authorised_at is not null`.as('authorised'),
        'pay_merchant.created_at as createdAt',
      ]),
  })
  const keys = await keysOf(
    db,
    found.rows.map(({ id }) => id),
    readerId,
  )
  const rows = found.rows.map((row) => ({ ...row, keys: keys.get(row.id) ?? [] }) as unknown as MerchantListed)
  return { ...found, rows }
}

type KeyListed = MerchantKey & { merchantId: string }

/** Active and pending keys in the order in which they sign. The query never selects the sealed secret. */
async function keysOf(db: Db, merchantIds: readonly string[], readerId: string): Promise<Map<string, MerchantKey[]>> {
  const { waiting, trying, live } = keyState.code
  // `providerPrint` contains the key here; the loop below replaces it with the fingerprint.
  const { rows } = await sql<KeyListed>`
    select merchant_id as "merchantId", id, serial, provider_key_id as "providerKeyId", provider_key as "providerPrint", words,
      case when live_at is not null then ${live}::int when approved_at is not null then ${trying}::int else ${waiting}::int end as state,
      coalesce(asked_by = ${readerId}, false) as own, created_by as "createdBy", created_at as "createdAt",
      approved_by as "approvedBy", approved_at as "approvedAt", live_at as "liveAt"
    from pay_key where merchant_id = any(${merchantIds}::bigint[]) and retired_at is null
    order by live_at desc nulls first, id desc`.execute(db)
  const byMerchant = new Map<string, MerchantKey[]>()
  for (const { merchantId, ...key } of rows) {
    const own = byMerchant.get(merchantId) ?? []
    byMerchant.set(merchantId, [...own, { ...key, providerPrint: printOf(key.providerPrint) }])
  }
  return byMerchant
}

/** SHA-256 of the DER key, as the provider's own console shows it. */
const printOf = (pem: string) =>
  createHash('sha256')
    .update(Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64'))
    .digest('hex')

/** Locked until the transaction ends. */
export async function lockMerchant(db: Db, id: string) {
  const { rows } = await sql<{
    id: string
    organiseId: string
    provider: number
    mode: number
    name: string
    appId: string
    merchantNo: string
    subMerchantNo: string | null
    status: number
    tested: boolean
    authorised: boolean
    keys: { id: string; serial: string; live: boolean; askedBy: string | null }[]
  }>`
    select id, organise_id as "organiseId", provider, mode, name, app_id as "appId", merchant_no as "merchantNo", sub_merchant_no as "subMerchantNo",
      status, tested_at is not null as tested, authorised_at is not null as authorised,
      (select coalesce(jsonb_agg(jsonb_build_object('id', key.id::text, 'serial', serial, 'live', live_at is not null, 'askedBy', asked_by::text)), '[]')
        from pay_key key where key.merchant_id = pay_merchant.id and retired_at is null) as keys
    from pay_merchant where id = ${id} and deleted_at is null for update`.execute(db)
  return rows[0]
}

type Fields = {
  mode: number
  name: string
  appId: string
  merchantNo: string
  subMerchantNo: string | null
  feeE5: number
}
type NewMerchant = Fields & { organiseId: string; provider: number; createdBy: string }
export async function addMerchant(db: Db, row: NewMerchant): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into pay_merchant (organise_id, provider, mode, name, app_id, merchant_no, sub_merchant_no, fee_e5, created_by)
    values (${row.organiseId}, ${row.provider}, ${row.mode}, ${row.name}, ${row.appId}, ${row.merchantNo}, ${row.subMerchantNo}, ${row.feeE5},
      ${row.createdBy}) returning id`.execute(db)
  return rows[0]?.id ?? ''
}

/** `anew`: the identity of the merchant changed, so its test and authorisation are void. */
export async function editMerchant(db: Db, id: string, to: Fields, anew: boolean): Promise<void> {
  await sql`update pay_merchant set mode = ${to.mode}, name = ${to.name}, app_id = ${to.appId}, merchant_no = ${to.merchantNo},
      sub_merchant_no = ${to.subMerchantNo}, fee_e5 = ${to.feeE5} where id = ${id}`.execute(db)
  if (anew)
    await sql`update pay_merchant set status = 0, tested_at = null, authorised_by = null, authorised_at = null, authorised_until = null
      where id = ${id}`.execute(db)
}

/** One default merchant per provider; the previous one loses the flag. */
export async function setDefault(db: Db, id: string, isDefault: boolean): Promise<void> {
  if (isDefault)
    await sql`update pay_merchant other set is_default = false from pay_merchant own where own.id = ${id} and other.id <> own.id
      and other.organise_id = own.organise_id and other.provider = own.provider and other.is_default`.execute(db)
  await sql`update pay_merchant set is_default = ${isDefault} where id = ${id} and is_default <> ${isDefault}`.execute(
    db,
  )
}

export async function removeMerchant(db: Db, id: string): Promise<void> {
  await sql`update pay_merchant set deleted_at = now(), status = 0, is_default = false where id = ${id}`.execute(db)
}

export async function setStatus(db: Db, id: string, status: number): Promise<void> {
  await sql`update pay_merchant set status = ${status} where id = ${id}`.execute(db)
}

/** Payments that can still be paid, and refunds in progress. Their notices refer to the current merchant data. */
export async function hasOpen(db: Db, id: string): Promise<boolean> {
  const { unpaid: waiting } = storedPay.number
  const { toSend, processing } = payRefundStatus.code
  const { rows } = await sql<{ open: boolean }>`
    select exists (select from pay_order where merchant_id = ${id} and look_at is not null and status = ${waiting})
      or exists (select from pay_refund where merchant_id = ${id} and look_at is not null and status in (${toSend}, ${processing})) as open`.execute(
    db,
  )
  return rows[0]?.open ?? false
}

type NewKey = {
  organiseId: string
  merchantId: string
  serial: string
  sealed: string
  providerKeyId: string
  providerKey: string
  by: string
  askedBy: string
}
export async function addKey(db: Db, key: NewKey): Promise<void> {
  await sql`insert into pay_key (organise_id, merchant_id, serial, secret_sealed, provider_key_id, provider_key, created_by, asked_by)
    values (${key.organiseId}, ${key.merchantId}, ${key.serial}, ${key.sealed}, ${key.providerKeyId}, ${key.providerKey}, ${key.by}, ${key.askedBy})`.execute(
    db,
  )
}

export async function retireKey(db: Db, keyId: string): Promise<void> {
  await sql`update pay_key set retired_at = now(), try_at = null where id = ${keyId} and retired_at is null`.execute(db)
}

/** Returns false if the key no longer waits for approval. A worker tests the key at the provider after the commit. */
export async function approveKey(db: Db, keyId: string, by: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update pay_key set approved_by = ${by}, approved_at = now(), try_at = now()
    where id = ${keyId} and approved_at is null and retired_at is null`.execute(db)
  await sql`select pg_notify('pay_work', '')`.execute(db)
  return numAffectedRows === 1n
}

/** Returns false if the key no longer waits for a decision. */
export async function declineKey(db: Db, keyId: string, reason: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update pay_key set retired_at = now(), words = ${reason}
    where id = ${keyId} and approved_at is null and retired_at is null`.execute(db)
  return numAffectedRows === 1n
}

/** A test whose payment code is still valid. */
export async function openTest(db: Db, merchantId: string): Promise<string | undefined> {
  const { rows } = await sql<{
    id: string
  }>`select id from pay_order where merchant_id = ${merchantId} and purpose = ${payPurpose.code.test}
    and status = ${storedPay.number.unpaid} and expires_at > now() + interval '1 minute' and look_at is not null limit 1`.execute(
    db,
  )
  return rows[0]?.id
}

export async function readTest(db: Db, id: string) {
  const { rows } = await sql<{
    status: number
    codeUrl: string | null
    failure: string | null
    expired: boolean
    refundStatus: number | null
    words: string | null
  }>`
    select pay.status, pay.handle ->> 'codeUrl' as "codeUrl", pay.failure, pay.expires_at <= now() as expired, refund.status as "refundStatus", refund.words
    from pay_order pay left join pay_refund refund on refund.pay_order_id = pay.id
    where pay.id = ${id} and pay.purpose = ${payPurpose.code.test} order by refund.id desc limit 1`.execute(db)
  return rows[0]
}
