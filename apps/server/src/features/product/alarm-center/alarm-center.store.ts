import { type alarmCenter, alarmList, type IncidentSite } from '@wattdeck/contract/product/alarm-center.ts'
import { alarmFlow, alarmSeverity, alarmStatus } from '@wattdeck/contract/product/alarm-codes.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { beginsWith } from '../../../kit/db/keyword.ts'
import { type Condition, matchingRows, type Source } from '../../../kit/db/list-query.ts'
import { withinOrganise } from '../../../kit/db/ownership.ts'
import type { Scope } from '../../../kit/db/scope.ts'

type AlarmFilter = Partial<QueryOf<typeof alarmCenter.list>> & { deviceId?: string }

const same = (column: string, value: string | undefined): Condition[] =>
  value === undefined ? [] : [sql<boolean>`${sql.ref(`alarm.${column}`)} = ${value}`]

/** The region is that of the device, where it stands now. */
function regionOf({ provinceCode, cityCode, districtCode }: AlarmFilter): Condition[] {
  const codes = { province_code: provinceCode, city_code: cityCode, district_code: districtCode }
  const given = Object.entries(codes).filter(([, code]) => code !== undefined)
  if (given.length === 0) return []
  const conditions = given.map(([column, code]) => sql`${sql.ref(`place.${column}`)} = ${code}`)
  return [
    sql<boolean>`exists (select from device place where place.id = alarm.device_id and ${sql.join(conditions, sql` and `)})`,
  ]
}

/** Of the newest ticket: one that was closed without a repair may be followed by another. */
const ofTicket = (column: string) =>
  sql`(select ${sql.ref(column)} from repair_ticket where repair_ticket.alarm_id = alarm.id order by id desc limit 1)`

/**
 * Open alarms first, the most severe and among them the oldest before the others; then closed ones, the newest first.
 * Written as in the indexes alarm_worst and alarm_worst_of_all.
 */
const worstFirst = [
  sql`(case when alarm.status < 3 then 4 - alarm.severity else 0 end)`,
  sql`(case when alarm.status < 3 then 999999999999999999 - alarm.id else alarm.id end)`,
]

export const alarmSource: Source = {
  table: 'alarm',
  rank: worstFirst,
  plansByValues: true,
  computed: {
    deviceName: sql`(select name from device where device.id = alarm.device_id)`,
    portNo: sql`nullif(alarm.port_no, 0)`,
    ticketId: ofTicket('id'),
    ticketNo: ofTicket('ticket_no'),
    attempts: sql`(select count(*)::int from alarm_attempt where alarm_attempt.alarm_id = alarm.id)`,
  },
  own: (filter: AlarmFilter, { scope }) => [
    ...withinOrganise('alarm', scope),
    ...same('device_id', filter.deviceId),
    ...same('incident_id', filter.incidentId),
    ...same('id', filter.alarmId),
    ...(filter.unclosed === undefined ? [] : [sql<boolean>`alarm.status < 3`]),
    ...(filter.keyword === undefined ? [] : [beginsWith('alarm.device_no', filter.keyword)]),
    ...regionOf(filter),
  ],
}

export const incidentSource: Source = {
  table: 'incident',
  computed: { lostPerHour: sql`incident.lost_fen_hour` },
  own: (_filter, { scope }) => withinOrganise('incident', scope),
}

export async function alarmTotals(db: Db, scope: Scope, filter: QueryOf<typeof alarmCenter.totals>) {
  const matching = await matchingRows(db, scope, alarmList, alarmSource, filter)
  const { count, ...sums } = await matching
    .select([
      sql<number>`count(*)::int`.as('count'),
      sql<string>`(count(*) filter (where status = ${alarmStatus.code.open}::smallint))::text`.as('open'),
      sql<string>`(count(*) filter (where status = ${alarmStatus.code.acknowledged}::smallint))::text`.as(
        'acknowledged',
      ),
      sql<string>`(count(*) filter (where severity = ${alarmSeverity.code.critical}::smallint and status < 3))::text`.as(
        'critical',
      ),
    ])
    .executeTakeFirstOrThrow()
  return { count, sums }
}

/** Alarms in scope, locked for the change that follows. */
export const findAlarms = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('alarm')
    .select(['id', 'organise_id'])
    .where('id', '=', sql<string>`any(${ids})`)
    .orderBy('id')
    .forUpdate()
    .execute()

export async function acknowledge(db: Db, ids: readonly string[], by: string): Promise<number> {
  const changed = await db
    .updateTable('alarm')
    .set({ status: alarmFlow.to('acknowledge'), acknowledged_by: by, acknowledged_at: sql<string>`now()` })
    .where('id', '=', sql<string>`any(${ids})`)
    .where('status', '=', sql<number>`any(${alarmFlow.from('acknowledge')})`)
    .executeTakeFirst()
  return Number(changed.numUpdatedRows)
}

type Closing = { by: string; reason: string }
export async function close(db: Db, ids: readonly string[], { by, reason }: Closing): Promise<number> {
  const changed = await db
    .updateTable('alarm')
    .set({ status: alarmFlow.to('close'), closed_by: by, closed_at: sql<string>`now()`, close_reason: reason })
    .where('id', '=', sql<string>`any(${ids})`)
    .where('status', '=', sql<number>`any(${alarmFlow.from('close')})`)
    .executeTakeFirst()
  return Number(changed.numUpdatedRows)
}

export const findIncident = (db: Db, id: string) =>
  db.selectFrom('incident').select('id').where('id', '=', id).executeTakeFirst()

/** Each device stands in one place, so the fewest places are those of the devices that still fail. */
export async function incidentSites(db: Db, id: string): Promise<IncidentSite[]> {
  const { rows } = await sql<IncidentSite>`
    select a.site_id as "siteId", site.name as "siteName", site.address, count(distinct a.device_id)::int as devices
    from alarm a left join site on site.id = a.site_id where a.incident_id = ${id} and a.status < 3
    group by 1, 2, 3 order by 4 desc, 1 limit 500`.execute(db)
  return rows
}
