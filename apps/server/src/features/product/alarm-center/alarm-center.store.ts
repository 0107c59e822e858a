import { type alarmCenter, alarmList, type IncidentSite } from '@wattdeck/contract/product/alarm-center.ts'
import { alarmFlow, alarmSeverity, alarmStatus } from '@wattdeck/contract/product/alarm-codes.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { matchingRows, type Source } from '../../../kit/db/list-query.ts'
import { withinOrganise } from '../../../kit/db/ownership.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { alarmSource } from '../../_shared/alarm-source.ts'

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

/** A device belongs to one site, so the sites of the devices that still fail are the smallest set to visit. */
export async function incidentSites(db: Db, id: string): Promise<IncidentSite[]> {
  const { rows } = await sql<IncidentSite>`
    select a.site_id as "siteId", site.name as "siteName", site.address, count(distinct a.device_id)::int as devices
    from alarm a left join site on site.id = a.site_id where a.incident_id = ${id} and a.status < 3
    group by 1, 2, 3 order by 4 desc, 1 limit 500`.execute(db)
  return rows
}
