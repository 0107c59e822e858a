import { credentialFlow, credentialState } from '@wattdeck/contract/product/device-auth.ts'
import { sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'
import type { Revoked } from '../../kit/crypto/x509/crl.ts'

const noteEvery = sql.lit('10 minutes')

/**
 * Records that devices connected with one of their certificates. The broker does not report which one. While a device has
 * two valid ones, the new one does not count as used. Otherwise the old one could be revoked too early.
 */
export async function recordCertificateUse(db: Db, deviceIds: readonly string[]): Promise<void> {
  await sql`update device_credential seen set state = ${credentialFlow.to('see')}::smallint,
      first_seen_at = coalesce(seen.first_seen_at, now()), last_seen_at = now()
    where seen.device_id = any(${deviceIds}::bigint[]) and seen.kind = 'cert' and seen.valid_until > now()
      and seen.state = any(${credentialFlow.from('see')})
      and (seen.last_seen_at is null or seen.last_seen_at < now() - ${noteEvery}::interval)
      and (seen.state = ${credentialState.code.authenticated} or not exists (
        select from device_credential other where other.device_id = seen.device_id and other.kind = 'cert'
          and other.id <> seen.id and other.state = any(${credentialFlow.from('see')}) and other.valid_until > now()))`.execute(
    db,
  )
}

/** Certificates that are revoked or past `valid_until`, and have not expired yet. */
export async function revokedCertificates(db: Db): Promise<Revoked[]> {
  const { rows } = await sql<Revoked>`
    select serial, (extract(epoch from coalesce(revoked_at, valid_until)) * 1000)::float8 as "atMs" from device_credential
    where kind = 'cert' and expires_at > now() and (state = ${credentialState.code.revoked} or valid_until < now())
    order by id`.execute(db)
  return rows
}

/** Limit of barred devices that a broker guard gets at its start. */
const mostBarred = 10_000

/** Wire ids of barred devices (without a valid credential) of a protocol, latest first. */
export async function barredWireIds(db: Db, adapter: string): Promise<string[]> {
  const { rows } = await sql<{ wireId: string }>`
    select device.wire_id as "wireId" from device where device.adapter = ${adapter} and device.barred
      -- The number of a removed device may be that of another one now.
      and not exists (select from device other where other.adapter = device.adapter and other.wire_id = device.wire_id
        and other.deleted_at is null and not other.barred)
    order by device.updated_at desc limit ${mostBarred}`.execute(db)
  return rows.map(({ wireId }) => wireId)
}

export const wiresOf = (db: Db, deviceIds: readonly string[]) =>
  db
    .selectFrom('device')
    .select(['id as deviceId', 'adapter', 'wire_id as wireId'])
    .where('id', '=', sql<string>`any(${deviceIds})`)
    .execute()
