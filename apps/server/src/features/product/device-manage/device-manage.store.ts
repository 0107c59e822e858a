import type { Device, DeviceClass } from '@wattdeck/contract/product/device-manage.ts'
import { canAuthenticate } from '@wattdeck/domain/device-number.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { knownTotal } from '../../../kit/db/keyword.ts'
import { byId, pageOf, type Paging, planByValues, sortKey, type Sorts } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import type { Place } from '../../_shared/place.store.ts'
import { deviceColumns } from '../_shared/device-columns.ts'
import { type DeviceFilter, devicesMatching, everyOrganise, searchFirst } from '../../_shared/device-filter.ts'

const deviceSorts: Sorts = {
  serviceUntil: [['device.service_until', 'moment']],
  createdAt: [],
}

export async function listDevices(db: Db, scope: Scope, filter: DeviceFilter & Paging & { sort?: string | undefined }) {
  const [, search, organises] = await Promise.all([
    planByValues(db),
    searchFirst(db, scope, filter),
    everyOrganise(db, scope, filter),
  ])
  return pageOf(db, devicesMatching(db, scope, filter, { search, organises }), filter, {
    key: sortKey(deviceSorts, filter.sort, 'device.id') ?? byId('device.id'),
    found: knownTotal(search, filter, ...(filter.keyword === undefined ? ['serviceFrom', 'serviceTo'] : ['keyword'])),
    columns: (query) =>
      query.select(deviceColumns).select(
        sql<
          Device['ports']
        >`(select coalesce(jsonb_agg(jsonb_build_object('portNo', port_no, 'status', status) order by port_no), '[]')
            from port where port.device_id = device.id and port_no <= device.port_count)`.as('ports'),
      ),
  })
}

/** Totals of the whole filter, however long the list. */
export async function deviceTotals(db: Db, scope: Scope, filter: DeviceFilter) {
  const { count, ...sums } = await devicesMatching(db, scope, filter)
    .select([
      sql<number>`count(*)::int`.as('count'),
      sql<string>`coalesce(sum(device.port_count), 0)::text`.as('ports'),
      sql<string>`(count(*) filter (where device.online))::text`.as('online'),
      sql<string>`coalesce(sum(device.free_ports), 0)::text`.as('free'),
      sql<string>`coalesce(sum(device.working_ports), 0)::text`.as('working'),
      sql<string>`coalesce(sum(device.fault_ports), 0)::text`.as('fault'),
    ])
    .executeTakeFirstOrThrow()
  return { count, sums }
}

/** The catalogue as a tree, in its own order. Disabled entries are included, because they still have devices to find. */
export async function deviceClasses(db: Db): Promise<DeviceClass[]> {
  const [categories, types] = await Promise.all([
    db
      .selectFrom('device_category')
      .select(['id', 'parent_id', 'code', 'name', 'disabled'])
      .orderBy('sort')
      .orderBy('code')
      .execute(),
    db
      .selectFrom('device_type')
      .innerJoin('dtu_protocol', 'dtu_protocol.id', 'device_type.protocol_id')
      .select(['device_type.id', 'device_type.code', 'device_type.name', 'small_category_id as small'])
      .select([
        'port_count as portCount',
        sql<boolean>`device_type.status = 1 and dtu_protocol.status = 1 and adapter is not null`.as('usable'),
      ])
      .orderBy('device_type.code')
      .execute(),
  ])
  const disabled = new Set(categories.filter((one) => one.disabled).map((one) => one.id))
  return categories
    .filter((one) => one.parent_id === null)
    .map(({ id, code, name }) => ({
      id,
      code,
      name,
      children: categories
        .filter((one) => one.parent_id === id)
        .map((one) => ({
          id: one.id,
          code: one.code,
          name: one.name,
          types: types
            .filter(({ small }) => small === one.id)
            .map(({ small: _small, ...type }) => ({
              ...type,
              usable: type.usable && !disabled.has(one.id) && !disabled.has(id),
            })),
        })),
    }))
}

/** The model of a device. Without an adapter its protocol is not supported. */
export const findType = (db: Db, id: string) =>
  db
    .selectFrom('device_type')
    .innerJoin('dtu_protocol', 'dtu_protocol.id', 'device_type.protocol_id')
    .select(['device_type.id', 'device_type.code', 'device_type.status', 'port_count', 'category_id'])
    .select(['small_category_id', 'adapter'])
    .where('device_type.id', '=', id)
    .executeTakeFirst()

type DeviceValues = {
  name: string
  device_type_id: string
  category_id: string
  small_category_id: string
  adapter: string
  wire_id: string
  port_count: number
  imei: string | null
  iccid: string | null
  hardware_version: string | null
  lng: number | null
  lat: number | null
  remark: string | null
}

export async function addDevice(
  db: Db,
  values: DeviceValues & Place & { device_no: string; created_by: string; service_until?: string },
): Promise<string> {
  const free = { free_ports: values.port_count }
  const line = canAuthenticate(values.adapter) ? {} : { line_confirmed_at: null }
  const row = await db
    .insertInto('device')
    .values({ ...values, ...free, ...line })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Another model may have another number of ports, so the counters of visible ports are recomputed. */
export async function changeDevice(db: Db, id: string, values: DeviceValues): Promise<void> {
  await unconfirmLine(db, id, values)
  await db.updateTable('device').set(values).where('id', '=', id).execute()
  await sql`update device set free_ports = now.free, working_ports = now.working, fault_ports = now.fault,
      appointed_ports = now.appointed, connected_ports = now.connected, warning_ports = now.warning, down_ports = now.down
    from (select count(*) filter (where status = 1) as free, count(*) filter (where status = 2) as working,
        count(*) filter (where status = 3) as fault, count(*) filter (where status = 4) as appointed,
        count(*) filter (where status = 5) as connected, count(*) filter (where status = 6) as warning,
        count(*) filter (where status = 7) as down
      from port where device_id = ${id} and port_no <= ${values.port_count}) now
    where id = ${id} and free_ports + working_ports + fault_ports + appointed_ports + connected_ports + warning_ports
      + down_ports <> ${values.port_count}`.execute(db)
}

/** Another wire id means another device, so the connection must be confirmed again. */
async function unconfirmLine(db: Db, id: string, { adapter, wire_id }: DeviceValues): Promise<void> {
  const confirmed = canAuthenticate(adapter) ? sql<string>`now()` : null
  await db
    .updateTable('device')
    .set({ line_confirmed_at: confirmed, line_confirmed_by: null })
    .where('id', '=', id)
    .where((row) => row.or([row('adapter', '<>', adapter), row('wire_id', '<>', wire_id)]))
    .execute()
}

/** Returns false where the device is already confirmed, or offline, so that there is nothing to check. */
export async function confirmLine(db: Db, id: string, by: string): Promise<boolean> {
  const changed = await db
    .updateTable('device')
    .set({ line_confirmed_at: sql<string>`now()`, line_confirmed_by: by })
    .where('id', '=', id)
    .where('online', '=', true)
    .where('line_confirmed_at', 'is', null)
    .executeTakeFirst()
  return changed.numUpdatedRows === 1n
}

/** Null where the site has no tariff. */
export async function findSiteTariff(db: Db, siteId: string): Promise<string | null> {
  const site = await db.selectFrom('site').select('tariff_id').where('id', '=', siteId).executeTakeFirst()
  return site?.tariff_id ?? null
}

/** A device without its own tariff charges by that of its site. A tariff is valid only in its organisation. */
export async function moveDevice(
  db: Db,
  id: string,
  place: Place,
  { keepsTariff }: { keepsTariff: boolean },
): Promise<void> {
  const tariff_id = keepsTariff
    ? sql<string | null>`case when organise_id = ${place.organise_id} then tariff_id end`
    : null
  await db
    .updateTable('device')
    .set({ ...place, tariff_id })
    .where('id', '=', id)
    .execute()
}

export async function setServiceUntil(db: Db, id: string, day: string): Promise<void> {
  await db.updateTable('device').set({ service_until: day }).where('id', '=', id).execute()
}

/** Soft delete, because orders and records refer to the device; its numbers become available again. */
export async function removeDevice(db: Db, id: string): Promise<void> {
  await sql`update device set deleted_at = now(), status = 0, online = false where id = ${id}`.execute(db)
}

/** Number of chosen devices by organisation. */
export async function chosenOwners(db: Db, chosen: ReturnType<typeof devicesMatching>) {
  return db
    .selectFrom(chosen.select(['device.id', 'device.organise_id']).as('chosen'))
    .select(['organise_id', sql<number>`count(*)::int`.as('count')])
    .groupBy('organise_id')
    .execute()
}

/** The service terms of an organisation, and its number of devices. */
export const serviceTerms = (db: Db, organiseId: string) =>
  db
    .selectFrom('organise')
    .leftJoin('organise_base_service as terms', 'terms.organise_id', 'organise.id')
    .select(['organise.name', 'terms.unit_price_fen', 'terms.free_devices', 'terms.cycle'])
    .select(
      sql<number>`(select count(*)::int from device where device.organise_id = organise.id and device.deleted_at is null)`.as(
        'devices',
      ),
    )
    .where('organise.id', '=', organiseId)
    .executeTakeFirst()

type Named = { id: string; organise_id: string; name: string }

/** Resolves the texts of a sheet: models by code, owners by name. */
export async function sheetWords(db: Db, words: Record<'types' | 'organises' | 'agents' | 'sites', string[]>) {
  const [types, organises, agents, sites] = await Promise.all([
    db
      .selectFrom('device_type')
      .select(['id', 'code'])
      .where('code', '=', sql<string>`any(${words.types})`)
      .execute(),
    db
      .selectFrom('organise')
      .select(['id', 'name'])
      .where('name', '=', sql<string>`any(${words.organises})`)
      .where('deleted_at', 'is', null)
      .execute(),
    db
      .selectFrom('agent')
      .select(['id', 'organise_id', 'name'])
      .where('name', '=', sql<string>`any(${words.agents})`)
      .where('deleted_at', 'is', null)
      .execute(),
    db
      .selectFrom('site')
      .select(['id', 'organise_id', 'name'])
      .where('name', '=', sql<string>`any(${words.sites})`)
      .where('deleted_at', 'is', null)
      .execute(),
  ])
  const byName = (rows: readonly Named[]) => new Map(rows.map((row) => [`${row.organise_id} ${row.name}`, row.id]))
  return {
    types: new Map(types.map((type) => [type.code, type.id])),
    organises: new Map(organises.map((organise) => [organise.name, organise.id])),
    agents: byName(agents),
    sites: byName(sites),
  }
}

type Numbers<T> = Record<'deviceNo' | 'imei' | 'iccid', T>

/** The given numbers that a visible device already has. Other conflicts are refused on insert. */
export async function findExistingNumbers(db: Db, numbers: Numbers<string[]>): Promise<Numbers<Set<string>>> {
  const existingValues = async (column: 'device_no' | 'imei' | 'iccid', values: readonly string[]) => {
    const rows = await db
      .selectFrom('device')
      .select(`${column} as value`)
      .where(column, '=', sql<string>`any(${values})`)
      .where('deleted_at', 'is', null)
      .execute()
    return new Set(rows.flatMap(({ value }) => value?.toUpperCase() ?? []))
  }
  const [deviceNo, imei, iccid] = await Promise.all([
    existingValues('device_no', numbers.deviceNo),
    existingValues('imei', numbers.imei),
    existingValues(
      'iccid',
      numbers.iccid.map((digits) => digits.toUpperCase()),
    ),
  ])
  return { deviceNo, imei, iccid }
}
