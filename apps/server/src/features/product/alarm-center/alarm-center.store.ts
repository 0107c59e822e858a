import type { Alarm, alarmCenter, Incident, IncidentSite } from '@wattdeck/contract/product/alarm-center.ts'
import { alarmFlow, alarmSeverity, alarmStatus } from '@wattdeck/contract/product/alarm-codes.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { beginsWith } from '../../../kit/db/keyword.ts'
import { ownedBy, ownerNames } from '../../../kit/db/ownership.ts'
import { byId, pageOf, type Paging, planByValues } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'

export type AlarmFilter = Omit<QueryOf<typeof alarmCenter.list>, keyof Paging> & { deviceId?: string }

const same = (column: string, value: string | number | undefined): RawBuilder<boolean>[] =>
  value === undefined ? [] : [sql<boolean>`${sql.ref(`alarm.${column}`)} = ${value}`]

/** The region is that of the device, where it stands now. */
function regionOf({ provinceCode, cityCode, districtCode }: AlarmFilter): RawBuilder<boolean>[] {
  const codes = { province_code: provinceCode, city_code: cityCode, district_code: districtCode }
  const given = Object.entries(codes).filter(([, code]) => code !== undefined)
  if (given.length === 0) return []
  const conditions = given.map(([column, code]) => sql`${sql.ref(`place.${column}`)} = ${code}`)
  return [
    sql<boolean>`exists (select from device place where place.id = alarm.device_id and ${sql.join(conditions, sql` and `)})`,
  ]
}

function alarmsMatching(db: Db, scope: Scope, filter: AlarmFilter) {
  const { keyword, from, to } = filter
  const conditions = [
    ...(scope.level > 0 ? same('organise_id', scope.organiseId) : []),
    ...same('device_id', filter.deviceId),
    ...same('kind', filter.kind),
    ...same('severity', filter.severity),
    ...same('status', filter.status),
    ...same('incident_id', filter.incidentId),
    ...same('id', filter.alarmId),
    ...(filter.unclosed === true ? [sql<boolean>`alarm.status < 3`] : []),
    ...(keyword === undefined ? [] : [beginsWith('alarm.device_no', keyword)]),
    ...(from === undefined ? [] : [sql<boolean>`alarm.last_at >= ${from}::date::timestamptz`]),
    ...(to === undefined ? [] : [sql<boolean>`alarm.last_at < (${to}::date + 1)::timestamptz`]),
    ...regionOf(filter),
  ]
  return db
    .selectFrom('alarm')
    .where(ownedBy('alarm', filter))
    .where(conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(conditions, sql` and `)}`)
}

export async function listAlarms(db: Db, scope: Scope, filter: AlarmFilter & Paging) {
  const [, found] = await Promise.all([
    planByValues(db),
    pageOf(db, alarmsMatching(db, scope, filter), filter, {
      key: byId('alarm.id'),
      columns: (query) =>
        query
          .select([
            'alarm.id',
            'alarm.device_id as deviceId',
            'alarm.device_no as deviceNo',
            sql<string | null>`(select name from device where device.id = alarm.device_id)`.as('deviceName'),
            sql<number | null>`nullif(alarm.port_no, 0)`.as('portNo'),
            'alarm.kind',
            'alarm.severity',
            'alarm.status',
            'alarm.count',
            'alarm.first_at as firstAt',
            'alarm.last_at as lastAt',
            'alarm.healthy_since as healthySince',
            'alarm.detail',
            ...ownerNames('alarm'),
            'alarm.incident_id as incidentId',
            sql<string | null>`ticket.id`.as('ticketId'),
            sql<string | null>`ticket.ticket_no`.as('ticketNo'),
            sql<number>`(select count(*)::int from alarm_attempt where alarm_attempt.alarm_id = alarm.id)`.as(
              'attempts',
            ),
            'alarm.acknowledged_by as acknowledgedBy',
            'alarm.acknowledged_at as acknowledgedAt',
            'alarm.closed_by as closedBy',
            'alarm.closed_at as closedAt',
            'alarm.close_reason as closeReason',
          ])
          .leftJoinLateral(
            // The newest: one that was closed without a repair may be followed by another.
            sql<{ id: string; ticket_no: string }>`(select id, ticket_no from repair_ticket
            where repair_ticket.alarm_id = alarm.id order by id desc limit 1)`.as('ticket'),
            (join) => join.onTrue(),
          ),
    }),
  ])
  return { ...found, rows: found.rows as Alarm[] }
}

export async function alarmTotals(db: Db, scope: Scope, filter: AlarmFilter) {
  const { count, ...sums } = await alarmsMatching(db, scope, filter)
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

export async function isDevice(db: Db, id: string): Promise<boolean> {
  const found = await db
    .selectFrom('device')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return found !== undefined
}

export async function listIncidents(db: Db, scope: Scope, filter: QueryOf<typeof alarmCenter.incidents>) {
  const matching = db
    .selectFrom('incident')
    .$if(scope.level > 0, (query) => query.where('incident.organise_id', '=', scope.organiseId))
    .$if(filter.status !== undefined, (query) => query.where('incident.status', '=', filter.status ?? 1))
    .$if(filter.kind !== undefined, (query) => query.where('incident.kind', '=', filter.kind ?? 1))
  const [organiseName] = ownerNames('incident')
  const found = await pageOf(db, matching, filter, {
    key: byId('incident.id'),
    columns: (query) =>
      query.select([
        'incident.id',
        'incident.kind',
        'incident.dimension',
        'incident.label',
        'incident.status',
        'incident.devices',
        'incident.fleet',
        'incident.lost_fen_hour as lostFen',
        'incident.started_at as startedAt',
        'incident.ended_at as endedAt',
        ...(organiseName === undefined ? [] : [organiseName]),
      ]),
  })
  const rows = found.rows.map(({ lostFen, ...row }) => ({
    ...row,
    lostPerHour: lostFen === null ? null : yuanText(BigInt(lostFen)),
  }))
  return { ...found, rows: rows as Incident[] }
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
