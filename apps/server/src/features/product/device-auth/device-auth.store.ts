import { enabledStatus } from '@wattdeck/contract/common.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { authWay, credentialFlow, type deviceAuth } from '@wattdeck/contract/product/device-auth.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { beginsWith } from '../../../kit/db/keyword.ts'
import type { Source } from '../../../kit/db/list-query.ts'
import { withinOrganise } from '../../../kit/db/ownership.ts'

const live = sql<number>`any(${credentialFlow.from('revoke')})`

export const credentialSource: Source = {
  table: 'device_credential',
  joins: [{ table: 'device', on: sql`device.id = device_credential.device_id` }],
  computed: {
    deviceNo: sql`device.device_no`,
    imei: sql`device.imei`,
    ended: sql`coalesce(device_credential.valid_until < now(), false)`,
    checksPassword: sql`device.adapter is not distinct from 'ocpp16'`,
    keyText: sql`coalesce(left(fingerprint, 8) || '…' || right(fingerprint, 4), '********')`,
    typeName: sql`(select name from device_type where id = device.device_type_id)`,
    address: sql`(select address from device_state where device_id = device.id)`,
  },
  own: ({ deviceNo, deviceTypeId, batchNo }: QueryOf<typeof deviceAuth.list>, { scope }) => [
    ...withinOrganise('device_credential', scope),
    ...(deviceNo === undefined ? [] : [beginsWith('device.device_no', deviceNo)]),
    ...(deviceTypeId === undefined ? [] : [sql<boolean>`device.device_type_id = ${deviceTypeId}`]),
    ...(batchNo === undefined ? [] : [sql<boolean>`device_credential.batch_no = ${batchNo}`]),
  ],
}

/** Device models for the filter. */
export const listTypes = (db: Db) =>
  db.selectFrom('device_type').select(['id', 'name', 'code']).orderBy('code').execute()

/** Devices in scope by number. The lock prevents two users from issuing for the same device at once. */
export const lockDevices = (db: Db, deviceNos: readonly string[]) =>
  db
    .selectFrom('device')
    .select(['id', 'device_no', 'wire_id', 'adapter', 'organise_id', 'agent_id', 'site_id'])
    .select(['device_type_id', 'ocpp_profile'])
    .where('device_no', '=', sql<string>`any(${deviceNos})`)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()

/** Devices in scope by number, and whether each has a valid password. */
export const keyHolders = (db: Db, deviceNos: readonly string[]) =>
  db
    .selectFrom('device')
    .select(['id', 'device_no', 'adapter', 'ocpp_profile'])
    .select(
      sql<boolean>`exists (select from device_credential had where had.device_id = device.id and had.kind = 'password'
        and had.state = ${live})`.as('has_password'),
    )
    .where('device_no', '=', sql<string>`any(${deviceNos})`)
    .where('deleted_at', 'is', null)
    .execute()
export type KeyHolder = Awaited<ReturnType<typeof keyHolders>>[number]

export type Device = Awaited<ReturnType<typeof lockDevices>>[number]
type Common = { device: Device; batchNo: string; by: string; way: number }
type NewCertificate = Common & { fingerprint: string; serial: string; notAfterMs: number }

export async function addCertificate(db: Db, certificate: NewCertificate): Promise<string> {
  const until = sql<string>`to_timestamp(${certificate.notAfterMs / 1000}::float8)`
  const { id } = await db
    .insertInto('device_credential')
    .values({
      ...common(certificate),
      kind: 'cert',
      fingerprint: certificate.fingerprint,
      serial: certificate.serial,
      expires_at: until,
      valid_until: until,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const common = ({ device, batchNo, by, way }: Common) => ({
  organise_id: device.organise_id,
  agent_id: device.agent_id,
  site_id: device.site_id,
  device_id: device.id,
  batch_no: batchNo,
  way,
  created_by: by,
})

/** Existing certificates end after the overlap, in which their successors can be installed. */
export async function endCertificates(db: Db, deviceIds: readonly string[], days: number) {
  await sql`update device_credential set valid_until = now() + make_interval(days => ${days})
    where device_id = any(${deviceIds}::bigint[]) and kind = 'cert' and state = ${live}
      and valid_until > now() + make_interval(days => ${days})`.execute(db)
}

export async function addPassword(db: Db, credential: Common & { hash: string }): Promise<string> {
  const { id } = await db
    .insertInto('device_credential')
    .values({ ...common(credential), kind: 'password', password_hash: credential.hash, valid_until: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** A charge point with a certificate (profile 3) keeps it. Profile 2 requires TLS; profile 1 is for a device without TLS. */
export async function setOcppAccess(db: Db, id: string, hash: string, profile: 1 | 2): Promise<void> {
  await sql`update device set password_hash = ${hash}, ocpp_profile = case when ocpp_profile = 3 then 3 else ${profile}::smallint end
    where id = ${id}`.execute(db)
}

type Revoking = { by: string; reason: string }
const revoked = ({ by, reason }: Revoking) => ({
  state: credentialFlow.to('revoke'),
  revoked_by: by,
  revoked_at: sql<string>`now()`,
  revoke_reason: reason,
})

/** Revokes the current password of a device. */
export async function revokePassword(db: Db, deviceId: string, why: Revoking): Promise<void> {
  await db
    .updateTable('device_credential')
    .set(revoked(why))
    .where('device_id', '=', deviceId)
    .where('kind', '=', 'password')
    .where('state', '=', live)
    .execute()
}

export async function countCredentials(db: Db, ids: readonly string[]): Promise<number> {
  const { count } = await db
    .selectFrom('device_credential')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('id', '=', sql<string>`any(${ids})`)
    .executeTakeFirstOrThrow()
  return count
}

/** Returns the device of each credential that was valid until now. */
export async function revoke(db: Db, ids: readonly string[], why: Revoking): Promise<string[]> {
  const rows = await db
    .updateTable('device_credential')
    .set(revoked(why))
    .where('id', '=', sql<string>`any(${ids})`)
    .where('state', '=', live)
    .returning('device_id')
    .execute()
  return rows.map((row) => row.device_id)
}

export async function setTypeKey(db: Db, deviceTypeId: string, hash: string, by: string) {
  const values = { token_hash: hash, created_by: by }
  await db
    .insertInto('device_type_key')
    .values({ device_type_id: deviceTypeId, ...values })
    .onConflict((conflict) => conflict.column('device_type_id').doUpdateSet(values))
    .execute()
}

const neverCertified = sql<boolean>`not exists (
  select from device_credential had where had.device_id = device.id and had.kind = 'cert'
)`

/** Returns the devices that may now fetch their first certificate, without those that ever had one. */
export async function allowEnrol(db: Db, deviceIds: readonly string[], hours: number) {
  const rows = await db
    .updateTable('device')
    .set({
      enrol_until: sql<string>`now() + make_interval(hours => ${hours})`,
      enrol_organise_id: sql<string>`organise_id`,
    })
    .where('id', '=', sql<string>`any(${deviceIds})`)
    .where(neverCertified)
    .returning('device_no')
    .execute()
  return rows.map((row) => row.device_no)
}

/** Closes enrolment after the device has received its certificate. */
export async function endEnrol(db: Db, deviceId: string): Promise<void> {
  await db
    .updateTable('device')
    .set({ enrol_until: null, enrol_organise_id: null })
    .where('id', '=', deviceId)
    .execute()
}

/** Number of devices of a model that fetched their first certificate within the last hour. */
export async function countEnrolled(db: Db, deviceTypeId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
    from device_credential made
    join device on device.id = made.device_id
    where device.device_type_id = ${deviceTypeId}
      and made.way = ${authWay.code.type}
      and made.created_at > now() - interval '1 hour'`.execute(db)
  return rows[0]?.count ?? 0
}

/** The key of a device's model, while its owner allows the device to enrol. */
export async function firstKeyOf(db: Db, device: Device): Promise<string | undefined> {
  const { rows } = await sql<{ hash: string }>`
    select key.token_hash as hash from device join device_type_key key on key.device_type_id = device.device_type_id
    where device.id = ${device.id} and device.status = ${enabledStatus.code.enabled} and ${neverCertified}
      and device.enrol_until > now() and device.enrol_organise_id = device.organise_id`.execute(db)
  return rows[0]?.hash
}
