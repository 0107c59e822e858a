import { orderStatus } from '@wattdeck/contract/order/order-codes.ts'
import { labFlow, type LabRun, labState } from '@wattdeck/contract/product/tariff-lab.ts'
import type { TariffRules } from '@wattdeck/domain/tariff/rules.ts'
import type { Sample } from '@wattdeck/domain/tariff/usage.ts'
import { sql } from 'kysely'
import { maxSamples } from '../../../core/charging/order.store.ts'
import type { Db } from '../../../kit/db/db.ts'
import { byId, pageOf, type Paging } from '../../../kit/db/paging.ts'
import type { PastOrder, StoredResult } from './tariff-lab.rules.ts'

type Tried = {
  organise_id: string
  agent_id: string | null
  site_id: string | null
  no: number
  rules: TariffRules
}

/** A version of a tariff that the caller may simulate, with the place of the tariff. */
export async function findVersion(db: Db, tariffId: string, versionId: string) {
  const { rows } =
    await sql<Tried>`select version.organise_id, version.agent_id, version.site_id, version.no, version.rules
    from tariff_version version join tariff on tariff.id = version.tariff_id and tariff.deleted_at is null
    where version.id = ${versionId} and version.tariff_id = ${tariffId}`.execute(db)
  return rows[0]
}

export async function tariffExists(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`select from tariff where id = ${id} and deleted_at is null`.execute(db)
  return rows.length > 0
}

export async function isRunning(db: Db, tariffId: string): Promise<boolean> {
  const { rows } = await sql`select from tariff_lab where tariff_id = ${tariffId}
    and state in (${labState.code.waiting}, ${labState.code.running})`.execute(db)
  return rows.length > 0
}

/** Number of these sites that the caller sees, in the organisation of the tariff. */
export async function countSites(db: Db, organiseId: string, ids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from site
    where id = any(${ids}) and organise_id = ${organiseId} and deleted_at is null`.execute(db)
  return rows[0]?.count ?? 0
}

type NewRun = {
  place: { organise_id: string; agent_id: string | null; site_id: string | null }
  userId: string
  tariffId: string
  no: number
  rules: TariffRules
  days: number
  siteIds: readonly string[]
  by: string
}

export async function addRun(db: Db, run: NewRun): Promise<string> {
  const { place, userId, tariffId, no, rules, days, siteIds, by } = run
  const { rows } = await sql<{ id: string }>`insert into tariff_lab
      (organise_id, agent_id, site_id, user_id, tariff_id, version_no, rules, days, site_ids, created_by)
    values (${place.organise_id}, ${place.agent_id}, ${place.site_id}, ${userId}, ${tariffId}, ${no}, ${JSON.stringify(rules)}::jsonb, ${days},
      ${siteIds}::bigint[], ${by}) returning id`.execute(db)
  return rows[0]?.id ?? ''
}

const columns = [
  'id',
  'version_no as versionNo',
  'days',
  sql<LabRun['state']>`state`.as('state'),
  'reached',
  'priced',
  'reason',
  'created_by as createdBy',
  'created_at as createdAt',
  'ended_at as endedAt',
] as const

export const listRuns = (db: Db, tariffId: string, paging: Paging) =>
  pageOf(db, db.selectFrom('tariff_lab').where('tariff_id', '=', tariffId), paging, {
    key: byId('tariff_lab.id'),
    columns: (query) => query.select(columns),
  })

export async function readRun(db: Db, id: string) {
  const row = await db
    .selectFrom('tariff_lab')
    .select(columns)
    .select([sql<TariffRules>`rules`.as('rules'), sql<StoredResult | null>`result`.as('result')])
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { rules, result, ...run } = row
  return { run, rules, result }
}

export async function namesOf(db: Db, sites: readonly string[], members: readonly string[]) {
  const [siteNames, memberNames] = await Promise.all([
    sql<{ id: string; name: string }>`select id, name from site where id = any(${sites})`.execute(db),
    sql<{ id: string; name: string }>`select id, nickname as name from member where id = any(${members})`.execute(db),
  ])
  const byKey = (rows: { id: string; name: string }[]) => new Map(rows.map(({ id, name }) => [id, name]))
  return { sites: byKey(siteNames.rows), members: byKey(memberNames.rows) }
}

export type Run = {
  id: string
  userId: string
  organiseId: string
  tariffId: string
  rules: TariffRules
  days: number
  siteIds: string[]
}

/** Starts a run, or restarts one whose worker crashed. */
export async function startRun(db: Db, id: string): Promise<Run | undefined> {
  const { rows } =
    await sql<Run>`update tariff_lab set state = ${labFlow.to('start')}, started_at = now(), reached = 0, priced = 0
    where id = ${id} and state = any(${labFlow.from('start')}::smallint[])
    returning id, user_id as "userId", organise_id as "organiseId", tariff_id as "tariffId", rules, days, site_ids::text[] as "siteIds"`.execute(
      db,
    )
  return rows[0]
}

export async function noteProgress(db: Db, id: string, reached: number, priced: number): Promise<void> {
  await sql`update tariff_lab set reached = ${reached}, priced = ${priced} where id = ${id} and state = ${labState.code.running}`.execute(
    db,
  )
}

export async function finishRun(db: Db, id: string, result: StoredResult): Promise<void> {
  await sql`update tariff_lab set state = ${labFlow.to('finish')}, result = ${JSON.stringify(result)}::jsonb, reached = 1000,
      priced = ${result.count}, ended_at = now()
    where id = ${id} and state = any(${labFlow.from('finish')}::smallint[])`.execute(db)
}

export async function failRun(db: Db, id: string, reason: string): Promise<void> {
  await sql`update tariff_lab set state = ${labFlow.to('fail')}, reason = ${reason}, ended_at = now()
    where id = ${id} and state = any(${labFlow.from('fail')}::smallint[])`.execute(db)
}

/** Devices that charge by the tariff, or would. */
export async function devicesFor(db: Db, { tariffId, organiseId, siteIds }: Run): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from device where tariff_id = ${tariffId} and deleted_at is null
    union select device.id from site join device on device.organise_id = site.organise_id and device.site_id = site.id
      and device.tariff_id is null and device.deleted_at is null
      where site.tariff_id = ${tariffId} and site.deleted_at is null
    union select id from device where organise_id = ${organiseId} and site_id = any(${siteIds}) and deleted_at is null`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** Message ids of the start and of now, and their increase per hour. */
export async function spanOf(db: Db, days: number): Promise<{ from: bigint; to: bigint; hour: bigint }> {
  const { rows } = await sql<{ from: string; to: string; hour: string }>`select
    app.message_id(now() - make_interval(days => ${days})) as from, app.message_id(now()) as to,
    app.message_id(now()) - app.message_id(now() - interval '1 hour') as hour`.execute(db)
  const [{ from, to, hour } = { from: '0', to: '0', hour: '1' }] = rows
  return { from: BigInt(from), to: BigInt(to), hour: BigInt(hour) }
}

type Slice = {
  organiseId: string
  after: bigint
  to: bigint
  devices: readonly string[]
  most: number
  occupancy: boolean
}

/** Billed charges by id, which follows time, so that adjacent rows are read together. */
export async function pastOrders(db: Db, slice: Slice): Promise<PastOrder[]> {
  const { organiseId, after, to, devices, most, occupancy } = slice
  // The settlement is large, so it is read only where the value is stored nowhere else.
  const occupied = occupancy ? sql`(o.settlement ->> 'occupiedMin')::int` : sql`null::int`
  const { rows } = await sql<PastOrder>`select o.id, o.site_id as "siteId", o.member_id as "memberId",
      (extract(epoch from o.started_at) * 1000)::float8 as "startMs", (extract(epoch from o.ended_at) * 1000)::float8 as "endMs",
      o.duration_s as "durationS", o.energy_dwh as "energyDwh", o.peak_power_dw as "peakPowerDw", ${occupied} as "occupiedMin",
      case when o.limit_by = 1 then o.limit_value end as "boughtFen", o.electricity_fen as "electricityFen", o.service_fen as "serviceFen",
      o.occupancy_fen as "occupancyFen", o.total_fen as "totalFen", coalesce(o.benefits, '[]') as benefits
    from charging_order o
    where o.organise_id = ${organiseId} and o.id > ${after} and o.id <= ${to} and o.status = ${orderStatus.code.billed}
      and o.device_id = any(${devices}::bigint[]) and o.started_at is not null and o.ended_at is not null
    order by o.id limit ${most}`.execute(db)
  return rows
}

/** Readings of charges whose price depends on them, in order of time. The limit is that of a settlement, for each charge. */
export async function samplesOf(
  db: Db,
  orderIds: readonly string[],
  most = maxSamples,
): Promise<Map<string, Sample[]>> {
  const samplesByOrder = new Map<string, Sample[]>()
  if (orderIds.length === 0) return samplesByOrder
  const { rows } = await sql<{ orderId: string; atMs: number; energyDwh: number; powerDw: number | null }>`
    select wanted.id as "orderId", (extract(epoch from sample.at) * 1000)::float8 as "atMs",
      sample.energy_dwh as "energyDwh", sample.power_dw as "powerDw"
    from unnest(${orderIds}::bigint[]) as wanted (id)
    cross join lateral (
      select at, energy_dwh, power_dw from charge_sample where order_id = wanted.id order by at limit ${most}
    ) sample
    order by wanted.id, sample.at`.execute(db)
  for (const { orderId, atMs, energyDwh, powerDw } of rows) {
    const sample = { atMs: Math.round(atMs), energyDwh, powerDw: powerDw ?? undefined }
    const samples = samplesByOrder.get(orderId)
    if (samples === undefined) samplesByOrder.set(orderId, [sample])
    else samples.push(sample)
  }
  return samplesByOrder
}

const keptDays = 90
export async function removeOldRuns(db: Db): Promise<void> {
  await sql`delete from tariff_lab where created_at < now() - make_interval(days => ${keptDays})`.execute(db)
}
