import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { pushState, type TariffDevice, type tariffPush } from '@wattdeck/contract/product/tariff-push.ts'
import { sql } from 'kysely'
import { commandReason } from '../../../core/devices/command-labels.ts'
import type { Db } from '../../../kit/db/db.ts'
import { byId, pageOf } from '../../../kit/db/paging.ts'

export async function tariffExists(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`select from tariff where id = ${id} and deleted_at is null`.execute(db)
  return rows.length > 0
}

const reasonWords = (reason: string | null) => (reason === 'unfit' ? '该桩无法执行此计费标准' : commandReason(reason))

/** Devices that charge by a tariff, their own or that of their site, with what those who count money were told. */
export async function listTariffDevices(db: Db, id: string, filter: QueryOf<typeof tariffPush.list>) {
  const { state } = filter
  const ofSites = sql`(select site.id from site where site.tariff_id = ${id} and site.deleted_at is null)`
  const matching = db
    .selectFrom('device')
    .leftJoin('tariff_push', 'tariff_push.device_id', 'device.id')
    .where('device.deleted_at', 'is', null)
    .where(
      sql<boolean>`(device.tariff_id = ${id} or (device.tariff_id is null and device.site_id = any(array${ofSites})))`,
    )
    .$if(state !== undefined, (query) =>
      query.where('device.adapter', '=', 'ykc').where('tariff_push.state', '=', state ?? 0),
    )
  const found = await pageOf(db, matching, filter, {
    key: byId('device.id'),
    columns: (query) =>
      query
        .select(['device.id', 'device.device_no as deviceNo', 'device.name', 'device.online'])
        .select([
          sql<string | null>`(select site.name from site where site.id = device.site_id)`.as('siteName'),
          sql<boolean>`device.tariff_id is null`.as('ofSite'),
          sql<boolean>`device.adapter = 'ykc'`.as('told'),
          'tariff_push.state',
          sql<number | null>`(select no from tariff_version where id = tariff_push.version_id)`.as('versionNo'),
          'tariff_push.reason',
          'tariff_push.confirmed_at as confirmedAt',
        ]),
  })
  const rows = found.rows.map((row) => ({ ...row, reason: reasonWords(row.reason) }))
  return { ...found, rows: rows as TariffDevice[] }
}

/** How many of these devices are there for the caller. */
export async function countDevices(db: Db, ids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from device
    where id = any(${ids}) and deleted_at is null`.execute(db)
  return rows[0]?.count ?? 0
}

/** What is on its way is left alone. */
export async function sendAgain(db: Db, ids: readonly string[]): Promise<number> {
  const { toSend, sent } = pushState.code
  const { numAffectedRows } =
    await sql`update tariff_push set state = ${toSend}, command_id = null, reason = null, confirmed_at = null,
      updated_at = now()
    where device_id = any(${ids}) and state <> all(${[toSend, sent]}::smallint[])`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
