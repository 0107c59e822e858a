import { alarmSeverity, alarmStatus } from '@wattdeck/contract/product/alarm-codes.ts'
import { repairStatus } from '@wattdeck/contract/product/repair-ticket.ts'
import { siteList } from '@wattdeck/contract/system/site.ts'
import { type SiteDay, type SiteDetail, siteTrendDays } from '@wattdeck/contract/system/site-detail.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { sql } from 'kysely'
import { revenueFigures, revenueOf } from '../../../core/statistics/revenue.rules.ts'
import { sitesNow } from '../../../core/statistics/stat-now.store.ts'
import { statPage } from '../../../core/statistics/stat-page.store.ts'
import { plusDays } from '../../../core/statistics/stat-periods.rules.ts'
import type { Db } from '../../../kit/db/db.ts'
import { readRow } from '../../../kit/db/list-query.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { siteSource } from '../_shared/site-source.ts'

export const readSite = (db: Db, scope: Scope, id: string) => readRow(db, scope, siteList, siteSource, id)

export const findSite = (db: Db, id: string) =>
  db.selectFrom('site').select('id').where('id', '=', id).where('deleted_at', 'is', null).executeTakeFirst()

/** The same counts as in lists of sites and on the work table. */
export async function countDevices(db: Db, id: string): Promise<NonNullable<SiteDetail['devices']>> {
  const figures = ['devices', 'online', 'ports', 'online_ports', 'free_ports', 'working_ports', 'fault_ports'] as const
  const sums = (await sitesNow(db, [id], figures)).get(id)
  const of = (name: (typeof figures)[number]) => Number(sums?.[name] ?? 0n)
  const [ports, free, working, fault] = [of('ports'), of('free_ports'), of('working_ports'), of('fault_ports')]
  return {
    total: of('devices'),
    online: of('online'),
    ports,
    offlinePorts: ports - of('online_ports'),
    free,
    working,
    fault,
    other: ports - free - working - fault,
  }
}

/** Each unfinished order has one open charge: both end in one transaction. */
export async function sumCharging(db: Db, id: string): Promise<NonNullable<SiteDetail['charging']>> {
  const { rows } = await sql<{ orders: number; powerDw: number }>`
    select count(*)::int as orders, coalesce(sum(power_dw), 0)::int as "powerDw"
    from open_charge where site_id = ${id}`.execute(db)
  return rows[0] ?? { orders: 0, powerDw: 0 }
}

export async function countAlarms(db: Db, id: string): Promise<NonNullable<SiteDetail['alarms']>> {
  const { rows } = await sql<{ severity: number; count: number }>`
    select severity, count(*)::int as count
    from alarm where site_id = ${id} and status < ${sql.lit(alarmStatus.code.closed)} group by severity`.execute(db)
  const of = (severity: number) => rows.find((row) => row.severity === severity)?.count ?? 0
  const { critical, major, minor } = alarmSeverity.code
  return { critical: of(critical), major: of(major), minor: of(minor) }
}

export async function countTickets(db: Db, id: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
    from repair_ticket where site_id = ${id} and status = ${sql.lit(repairStatus.code.waiting)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** The last days from the tables of the order statistics, oldest first. */
export async function readTrend(db: Db, scope: Scope, siteId: string): Promise<SiteDay[]> {
  const today = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)
  const days = { from: plusDays(today, 1 - siteTrendDays), to: today }
  const paging = { pageNum: 1, pageSize: siteTrendDays, skipCount: true }
  const figures = [...revenueFigures, 'orders', 'released', 'energy_dwh'] as const
  const { cells } = await statPage(db, scope, { siteId, ...days, ...paging }, figures)
  return cells
    .map(({ period, sums }) => ({
      period: period.name,
      revenue: yuanText(revenueOf(sums)),
      orders: Number(sums.orders + sums.released),
      energyDwh: Number(sums.energy_dwh),
    }))
    .toReversed()
}
