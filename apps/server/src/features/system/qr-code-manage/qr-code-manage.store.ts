import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { qrCodeFlow, type qrCodeManage, qrCodeStatus, qrCodeType } from '@wattdeck/contract/system/qr-code-manage.ts'
import { sql } from 'kysely'
import { newBatchNo } from '../../../kit/bulk/batch-no.ts'
import type { Db } from '../../../kit/db/db.ts'
import { beginsWith } from '../../../kit/db/keyword.ts'
import { ifGiven, organisePlace, type Source } from '../../../kit/db/list-query.ts'
import type { Place } from '../../_shared/place.store.ts'

type CodeFilter = QueryOf<typeof qrCodeManage.list>

export const codeSource: Source = {
  table: 'qr_code',
  place: organisePlace('qr_code'),
  computed: { deviceNo: sql`(select device_no from device where id = qr_code.device_id)` },
  own: ({ codeNo, batchNo, deviceNo, ids, deviceIds }: CodeFilter) => [
    ...ifGiven(codeNo, (start) => beginsWith('qr_code.code_no', start.toUpperCase())),
    ...ifGiven(batchNo, (no) => sql<boolean>`qr_code.batch_no = ${no}`),
    ...ifGiven(ids, (chosen) => sql<boolean>`qr_code.id = any(${chosen})`),
    ...ifGiven(deviceIds, (chosen) => sql<boolean>`qr_code.device_id = any(${chosen})`),
    ...ifGiven(
      deviceNo,
      (start) =>
        sql<boolean>`qr_code.device_id in (select id from device where ${beginsWith('device.device_no', start)})`,
    ),
  ],
}

export const batchSource: Source = { table: 'qr_batch', place: organisePlace('qr_batch') }

type Order = { place: Place; kind: number; units: number; ports: number; prefix: string }

export async function addBatch(db: Db, order: Order, maker: { userId: string; userName: string }) {
  const { place, ports, ...params } = order
  return db
    .insertInto('qr_batch')
    .values({
      ...place,
      ...params,
      ports,
      batch_no: newBatchNo('B'),
      type: ports > 0 ? qrCodeType.code.port : qrCodeType.code.device,
      total: params.units * Math.max(ports, 1),
      user_id: maker.userId,
      created_by: maker.userName,
    })
    .returning(['id', 'batch_no as batchNo'])
    .executeTakeFirstOrThrow()
}

/** Number of these codes that the caller sees. */
export async function countCodes(db: Db, ids: readonly string[], kind?: number): Promise<number> {
  const { count } = await db
    .selectFrom('qr_code')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('id', '=', sql<string>`any(${ids})`)
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? 0))
    .executeTakeFirstOrThrow()
  return count
}

export async function markUsed(db: Db, ids: readonly string[], by: string): Promise<number> {
  const changed = await db
    .updateTable('qr_code')
    .set({ status: qrCodeFlow.to('use'), used_at: sql<string>`now()`, used_by: by })
    .where('id', '=', sql<string>`any(${ids})`)
    .where('status', '=', sql<number>`any(${qrCodeFlow.from('use')})`)
    .executeTakeFirst()
  return Number(changed.numUpdatedRows)
}

/** A code in scope, locked for the change that follows. */
export const findCode = (db: Db, id: string) =>
  db
    .selectFrom('qr_code')
    .select(['id', 'code_no', 'set_no', 'kind', 'port_no', 'status', 'device_id', 'organise_id'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export const deviceByNumber = (db: Db, deviceNo: string) =>
  db
    .selectFrom('device')
    .select(['id', 'device_no', 'organise_id', 'agent_id', 'site_id', 'port_count'])
    .where('device_no', '=', deviceNo)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

type Device = NonNullable<Awaited<ReturnType<typeof deviceByNumber>>>
type Code = NonNullable<Awaited<ReturnType<typeof findCode>>>

/**
 * Binds a code to a device. Codes of its set in the same state are bound as well, where their ports have none of this kind. Returns the
 * number of bound codes. The unique index refuses a second code for the same port.
 */
export async function bindCodes(db: Db, code: Code, device: Device, by: string): Promise<number> {
  const changed = await sql`
    update qr_code set device_id = ${device.id}, organise_id = ${device.organise_id}, agent_id = ${device.agent_id}::bigint,
      site_id = ${device.site_id}::bigint, status = ${qrCodeFlow.to('bind')}::smallint, used_at = coalesce(used_at, now()),
      used_by = coalesce(used_by, ${by}), bound_at = now(), bound_by = ${by}
    where status = any(${qrCodeFlow.from('bind')}) and (id = ${code.id} or (
      set_no = ${code.set_no} and device_id is not distinct from ${code.device_id}::bigint and status = ${code.status}
      and port_no <= ${device.port_count}
      and not exists (select from qr_code taken where taken.device_id = ${device.id} and taken.kind = qr_code.kind
        and taken.port_no is not distinct from qr_code.port_no)))`.execute(db)
  return Number(changed.numAffectedRows ?? 0)
}

export async function unbindCodes(db: Db, ids: readonly string[]): Promise<number> {
  const changed = await db
    .updateTable('qr_code')
    .set({ status: qrCodeFlow.to('unbind'), device_id: null, bound_at: null, bound_by: null })
    .where('id', '=', sql<string>`any(${ids})`)
    .where('status', '=', sql<number>`any(${qrCodeFlow.from('unbind')})`)
    .where('device_id', 'is not', null)
    .executeTakeFirst()
  return Number(changed.numUpdatedRows)
}

/** Organisations of the changed codes, whose open lists are refreshed. */
export const organisesOf = async (db: Db, ids: readonly string[]): Promise<string[]> => {
  const rows = await db
    .selectFrom('qr_code')
    .select('organise_id')
    .distinct()
    .where('id', '=', sql<string>`any(${ids})`)
    .execute()
  return rows.map((row) => row.organise_id)
}

export const isUsed = (code: Code) => code.status === qrCodeStatus.code.used
