import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { pushState, tariffDeviceList, type tariffPush } from '@wattdeck/contract/product/tariff-push.ts'
import { sql } from 'kysely'
import { commandReason } from '../../../core/devices/command-labels.ts'
import type { Db } from '../../../kit/db/db.ts'
import { listQuery, type Source } from '../../../kit/db/list-query.ts'
import type { Scope } from '../../../kit/db/scope.ts'

type Filter = QueryOf<typeof tariffPush.list>

export async function tariffExists(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`select from tariff where id = ${id} and deleted_at is null`.execute(db)
  return rows.length > 0
}

const reasonWords = (reason: string | null) => (reason === 'unfit' ? '该桩无法执行此计费标准' : commandReason(reason))

/** Devices that charge by a tariff, their own or that of their site. Devices that price charges themselves have the state of the push. */
const devicesOf = (tariffId: string): Source => ({
  table: 'device',
  joins: [{ table: 'tariff_push', on: sql`tariff_push.device_id = device.id`, kind: 'left' }],
  where: sql`device.deleted_at is null
    and (device.tariff_id = ${tariffId}
      or (device.tariff_id is null and device.site_id = any(array(
        select site.id from site where site.tariff_id = ${tariffId} and site.deleted_at is null))))`,
  computed: {
    siteName: sql`(select site.name from site where site.id = device.site_id)`,
    ofSite: sql`device.tariff_id is null`,
    needsTariff: sql`device.adapter = 'ykc'`,
    state: sql`tariff_push.state`,
    versionNo: sql`(select no from tariff_version where id = tariff_push.version_id)`,
    reason: sql`tariff_push.reason`,
    confirmedAt: sql`tariff_push.confirmed_at`,
  },
  own: ({ state }: Filter) => (state === undefined ? [] : [sql<boolean>`device.adapter = 'ykc'`]),
})

export async function listTariffDevices(db: Db, scope: Scope, id: string, filter: Filter) {
  const page = await listQuery(db, scope, tariffDeviceList, devicesOf(id), filter)
  return { ...page, rows: page.rows.map((row) => ({ ...row, reason: reasonWords(row.reason) })) }
}

/** Number of these devices that the caller sees. */
export async function countDevices(db: Db, ids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from device
    where id = any(${ids}) and deleted_at is null`.execute(db)
  return rows[0]?.count ?? 0
}

/** Queues the push again, unless one is under way. */
export async function sendAgain(db: Db, ids: readonly string[]): Promise<number> {
  const { toSend, sent } = pushState.code
  const { numAffectedRows } =
    await sql`update tariff_push set state = ${toSend}, command_id = null, reason = null, confirmed_at = null,
      updated_at = now()
    where device_id = any(${ids}) and state <> all(${[toSend, sent]}::smallint[])`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
