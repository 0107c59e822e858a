import {
  type AlarmSite,
  chargeOrder,
  type LiveAlarm,
  type LiveCharge,
  liveMost,
  type liveOperations,
} from '@wattdeck/contract/dashboard/live-operations.ts'
import type { DataOf, QueryOf } from '@wattdeck/contract/kit/route.ts'
import { alarmList } from '@wattdeck/contract/product/alarm-center.ts'
import { alarmSeverity } from '@wattdeck/contract/product/alarm-codes.ts'
import { wattText } from '@wattdeck/domain/tariff/labels.ts'
import { type RawBuilder, sql } from 'kysely'
import { statNow } from '../../../core/statistics/stat-page.store.ts'
import type { Db } from '../../../kit/db/db.ts'
import { columnsOf, completeRow } from '../../../kit/db/list-query.ts'
import { planByValues } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { alarmSource } from '../../_shared/alarm-source.ts'
import { placeConditionsOf } from '../_shared/placed.ts'
import { amountSoFar, type RunningCharge } from './live-operations.rules.ts'

type Owner = QueryOf<typeof liveOperations.devices>
const all = (conditions: readonly RawBuilder<boolean>[]) => sql`${sql.join(conditions, sql` and `)}`

/** The current device counts, and the devices that went offline within the hour and are still offline. */
export async function readDevices(db: Db, scope: Scope, owner: Owner): Promise<DataOf<typeof liveOperations.devices>> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from device_outage
    where ended_at is null
      and cause = 1
      and began_at > now() - interval '1 hour'
      and ${all(placeConditionsOf('device_outage', scope, owner))}`.execute(db)
  const { devices = 0n, online = 0n } = (await statNow(db, scope, owner, ['devices', 'online'])).get('') ?? {}
  return { devices: Number(devices), online: Number(online), wentOffline: rows[0]?.count ?? 0 }
}

type Site = Pick<AlarmSite, 'siteId' | 'severity' | 'count'> & { organiseId: string | null; siteCount: number }

/** Sites by their unclosed alarms: the highest severity first, then its number of alarms, then its oldest alarm. */
async function worstSites(db: Db, unclosed: RawBuilder<unknown>): Promise<Site[]> {
  const { rows } = await sql<Site>`
    with counted as (
      select organise_id, site_id, severity, count(*)::int as count, min(first_at) as since
      from alarm
      where ${unclosed}
      group by organise_id, site_id, severity
    ), joined as (
      select
        case when site_id is not null then organise_id end as organise_id,
        site_id,
        severity,
        sum(count)::int as count,
        min(since) as since
      from counted
      group by 1, 2, 3
    ), ranked as (
      select
        organise_id,
        site_id,
        min(severity) as severity,
        sum(count)::int as count,
        (array_agg(count order by severity))[1] as worst,
        (array_agg(since order by severity))[1] as since
      from joined
      group by 1, 2
    )
    select
      organise_id::text as "organiseId",
      site_id::text as "siteId",
      severity,
      count,
      (select count(*)::int from ranked) as "siteCount"
    from ranked
    order by ranked.severity, worst desc, since, site_id
    limit ${liveMost.sites}`.execute(db)
  return rows
}

async function countBySeverity(db: Db, unclosed: RawBuilder<unknown>) {
  const { rows } = await sql<{ severity: number; count: number }>`
    select severity, count(*)::int as count from alarm where ${unclosed} group by severity`.execute(db)
  const counts = new Map(rows.map(({ severity, count }) => [severity, count]))
  return alarmSeverity.options.map(({ value }) => ({ severity: value, count: counts.get(value) ?? 0 }))
}

/** The worst alarms of each of these sites, as the alarm centre shows them. */
async function alarmsOf(db: Db, unclosed: RawBuilder<unknown>, sites: readonly Site[]): Promise<LiveAlarm[]> {
  const worst = sql`order by severity, id limit ${liveMost.alarmsOfSite}`
  const named = sites.filter(({ siteId }) => siteId !== null)
  const ids = sql`
    select alarm.id
    from unnest(
      ${named.map(({ organiseId }) => organiseId)}::bigint[],
      ${named.map(({ siteId }) => siteId)}::bigint[]
    ) as place (organise_id, site_id)
    cross join lateral (
      select id from alarm
      where organise_id = place.organise_id and site_id = place.site_id and status < 3
      ${worst}
    ) alarm
    union all
    (select id from alarm where ${unclosed} and site_id is null ${worst})`
  const rows = await db
    .selectFrom('alarm')
    .where(sql<boolean>`alarm.id in (${ids})`)
    .select(columnsOf(alarmList, alarmSource))
    .orderBy('alarm.severity')
    .orderBy('alarm.id')
    .$castTo<LiveAlarm>()
    .execute()
  for (const row of rows) completeRow(alarmList, alarmSource, row)
  return rows
}

export async function readAlarms(db: Db, scope: Scope, owner: Owner): Promise<DataOf<typeof liveOperations.alarms>> {
  await planByValues(db)
  // Literal, because a partial index serves this condition.
  const unclosed = all([sql<boolean>`alarm.status < 3`, ...placeConditionsOf('alarm', scope, owner)])
  const [severities, sites] = await Promise.all([countBySeverity(db, unclosed), worstSites(db, unclosed)])
  const bySite = Map.groupBy(await alarmsOf(db, unclosed, sites), ({ siteId }) => siteId)
  return {
    severities,
    siteCount: sites[0]?.siteCount ?? 0,
    sites: sites.map(({ siteId, severity, count }) => {
      const alarms = bySite.get(siteId) ?? []
      return { siteId, siteName: alarms[0]?.siteName ?? null, severity, count, alarms }
    }),
  }
}

type Charge = Omit<LiveCharge, 'amount'> & RunningCharge

/** Running charges. A charge that waits for its confirmation does not count. */
export async function readCharges(
  db: Db,
  scope: Scope,
  { order = chargeOrder.code.newest, ...owner }: QueryOf<typeof liveOperations.charges>,
): Promise<DataOf<typeof liveOperations.charges>> {
  await planByValues(db)
  const running = all([sql<boolean>`open_charge.confirm_by is null`, ...placeConditionsOf('open_charge', scope, owner)])
  // Order ids increase with time.
  const direction = order === chargeOrder.code.newest ? sql`desc` : sql`asc`
  const ms = (moment: RawBuilder<unknown>) => sql`(extract(epoch from ${moment}) * 1000)::float8`
  const [counted, { rows }] = await Promise.all([
    sql<{ count: number; powerDw: string }>`
      select count(*)::int as count, coalesce(sum(power_dw), 0)::text as "powerDw"
      from open_charge where ${running}`.execute(db),
    sql<Charge>`
      select
        o.id,
        o.device_id as "deviceId",
        o.device_no as "deviceNo",
        o.port_no as "portNo",
        o.site_id as "siteId",
        (select site.name from site where site.id = o.site_id) as "siteName",
        o.member_id as "memberId",
        (app.order_payer(o.member_id)).nickname as "memberName",
        (app.order_payer(o.member_id)).phone as "memberPhone",
        o.card_no as "cardNo",
        coalesce(o.started_at, app.message_time(o.id)) as "startedAt",
        open.reported_at as "reportedAt",
        coalesce((select online from device where device.id = o.device_id), false) as online,
        open.power_dw as "powerDw",
        open.energy_dwh as "energyDwh",
        open.duration_s as "durationS",
        o.limit_by as "limitBy",
        o.limit_value as "limitValue",
        (select version.rules from tariff_version version where version.id = o.tariff_version_id) as rules,
        o.held_paid_fen + o.held_gift_fen as "heldFen",
        coalesce(o.benefits, '[]') as benefits,
        ${ms(sql`o.started_at`)} as "startedMs",
        ${ms(sql`app.message_time(o.id)`)} as "atMs",
        ${ms(sql`open.reported_at`)} as "reportedMs",
        open.duration_s as "reportedS",
        open.energy_dwh as "reportedDwh",
        open.peak_power_dw as "peakPowerDw"
      from (
        select * from open_charge where ${running} order by order_id ${direction} limit ${liveMost.charges}
      ) open
      join charging_order o on o.id = open.order_id
      order by "startedAt" ${direction}, o.id ${direction}`.execute(db),
  ])
  const { count = 0, powerDw = '0' } = counted.rows[0] ?? {}
  return { count, power: wattText(Number(powerDw)), rows: rows.map(shownCharge) }
}

function shownCharge({
  rules,
  heldFen,
  benefits,
  startedMs,
  atMs,
  reportedMs,
  reportedS,
  reportedDwh,
  peakPowerDw,
  ...row
}: Charge): LiveCharge {
  const charge = { rules, heldFen, benefits, startedMs, atMs, reportedMs, reportedS, reportedDwh, peakPowerDw }
  return { ...row, amount: amountSoFar(charge) }
}
