import type {
  Figure,
  FigureName,
  PlugCounts,
  TrendPoint,
  TypeCount,
  workTable,
} from '@wattdeck/contract/dashboard/work-table.ts'
import { taggedTypes, trendPeriods, typesShown } from '@wattdeck/contract/dashboard/work-table.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { statSpan } from '@wattdeck/contract/order/statistics.ts'
import { plugStatus } from '@wattdeck/contract/product/device-codes.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { nothingElse } from '../../../core/statistics/period-figures.store.ts'
import { revenueFigures, revenueOf } from '../../../core/statistics/revenue.rules.ts'
import { statNow, statPage } from '../../../core/statistics/stat-page.store.ts'
import { type StatFilter, statPlace } from '../../../core/statistics/stat-place.store.ts'
import { plusDays } from '../../../core/statistics/stat-periods.rules.ts'

export const readOrganise = (db: Db, id: string) =>
  db
    .selectFrom('organise')
    .select(['name as organiseName', sql<1 | 2 | 3>`basic_service_status`.as('basicServiceStatus')])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

export const findOrganise = (db: Db, id: string) =>
  db.selectFrom('organise').select('name').where('id', '=', id).executeTakeFirst()

/** The log is partitioned by month, so 31 days read two partitions at most. */
export const recentLogins = (db: Db, userId: string) =>
  db
    .selectFrom('audit_log')
    .select(['at', 'content as does'])
    .select([sql<string | null>`host(ip)`.as('ip'), sql<boolean>`result = 1`.as('success')])
    .where('user_id', '=', userId)
    .where('kind', '=', 'login')
    .where('at', '>=', sql<string>`now() - interval '31 days'`)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(5)
    .execute()

type Params = QueryOf<typeof workTable.figure>
/** Current figures. Their values of yesterday are not stored, so nothing is compared. */
export async function standing(
  db: Db,
  scope: Scope,
  name: Extract<FigureName, 'online' | 'faults'>,
  owner: StatFilter,
): Promise<Figure> {
  const sums = (await statNow(db, scope, owner, ['devices', 'online', 'ports', 'fault_ports'])).get('')
  const { devices = 0n, online = 0n, ports = 0n, fault_ports = 0n } = sums ?? {}
  return name === 'online'
    ? {
        ...nothingElse,
        value: String(online),
        of: String(devices),
        parts: [{ label: '离线', value: String(devices - online) }],
      }
    : { ...nothingElse, value: String(fault_ports), of: String(ports) }
}

/** The oldest first. */
export async function trend(db: Db, scope: Scope, { span, ...owner }: Params): Promise<TrendPoint[]> {
  const today = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)
  const days = span === statSpan.code.month ? {} : { from: plusDays(today, 1 - trendPeriods[1]), to: today }
  const paging = { pageNum: 1, pageSize: Math.max(...Object.values(trendPeriods)), skipCount: true }
  const { cells } = await statPage(db, scope, { span, ...owner, ...days, ...paging }, [
    ...revenueFigures,
    'orders',
    'released',
  ])
  return cells
    .map(({ period, sums }) => ({
      period: period.name,
      revenue: yuanText(revenueOf(sums)),
      orders: Number(sums.orders + sums.released),
    }))
    .toReversed()
}

const plugFigures = [
  'ports',
  'online_ports',
  'free_ports',
  'working_ports',
  'fault_ports',
  'appointed_ports',
  'connected_ports',
  'warning_ports',
  'down_ports',
] as const
const { free, working, fault, appointed, connected, washerWarning, washerDown } = plugStatus.code
const plugColumns = [
  [free, 'free_ports'],
  [working, 'working_ports'],
  [fault, 'fault_ports'],
  [appointed, 'appointed_ports'],
  [connected, 'connected_ports'],
  [washerWarning, 'warning_ports'],
  [washerDown, 'down_ports'],
] as const

export async function plugs(db: Db, scope: Scope, owner: StatFilter): Promise<PlugCounts> {
  const sums = (await statNow(db, scope, owner, plugFigures)).get('')
  const of = (name: (typeof plugFigures)[number]) => Number(sums?.[name] ?? 0n)
  return {
    ports: of('ports'),
    offline: of('ports') - of('online_ports'),
    byStatus: plugColumns.map(([status, name]) => ({ status, count: of(name) })),
  }
}

type Types = { tags: TypeCount[]; rows: TypeCount[]; others: number }
export async function types(db: Db, scope: Scope, owner: StatFilter): Promise<Types> {
  const place = await statPlace(db, scope, owner)
  const { rows } = await sql<TypeCount & { all: number }>`
    with counted as (
      select device_type_id, sum(devices)::int as devices, sum(online)::int as online from stat_now_live
      where ${place} and device_type_id <> 0 group by device_type_id having sum(devices) > 0
    )
    select device_type.id::text as id, device_type.code, device_type.name, counted.devices, counted.online,
      (select sum(devices) from counted)::int as all
    from counted join device_type on device_type.id = counted.device_type_id
    order by counted.devices desc, device_type.code limit ${typesShown}`.execute(db)
  const tags = await sql<TypeCount>`
    select device_type.id::text as id, device_type.code, device_type.name, coalesce(sum(counted.devices), 0)::int as devices,
      coalesce(sum(counted.online), 0)::int as online
    from device_type left join (select device_type_id, devices, online from stat_now_live where ${place}) counted
      on counted.device_type_id = device_type.id
    where device_type.code = any(${taggedTypes}) group by device_type.id order by device_type.code`.execute(db)
  const all = rows[0]?.all ?? 0
  return {
    tags: tags.rows,
    rows: rows.map(({ id, code, name, devices, online }) => ({ id, code, name, devices, online })),
    others: all - rows.reduce((sum, { devices }) => sum + devices, 0),
  }
}
