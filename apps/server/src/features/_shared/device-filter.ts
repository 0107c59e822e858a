import { lineStatus, onlineStatus, plugStatus } from '@wattdeck/contract/product/device-codes.ts'
import type { deviceManage } from '@wattdeck/contract/product/device-manage.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'
import { beginsWith, beyondAll, type Search, searchKeyword } from '../../kit/db/keyword.ts'
import { ownedBy } from '../../kit/db/ownership.ts'
import type { Paging } from '../../kit/db/paging.ts'
import type { Scope } from '../../kit/db/scope.ts'

export type DeviceFilter = Omit<QueryOf<typeof deviceManage.list>, keyof Paging>
type Condition = RawBuilder<boolean>
/** Results of lookups that run before the list query and narrow it. */
type Lookups = { search?: Search | undefined; organises?: string[] | undefined }

const same = (column: string, value: string | number | boolean | undefined): Condition[] =>
  value === undefined ? [] : [sql<boolean>`${sql.ref(`device.${column}`)} = ${value}`]

const lineOf = (status: DeviceFilter['lineStatus']): Condition[] =>
  status === undefined
    ? []
    : [
        status === lineStatus.code.waiting
          ? sql<boolean>`device.line_confirmed_at is null`
          : sql<boolean>`device.line_confirmed_at is not null`,
      ]

/** Literal conditions: each matches a partial index. */
const withPort: Record<NonNullable<DeviceFilter['plugStatus']>, Condition> = {
  [plugStatus.code.free]: sql<boolean>`device.free_ports > 0`,
  [plugStatus.code.working]: sql<boolean>`device.working_ports > 0`,
  [plugStatus.code.fault]: sql<boolean>`device.fault_ports > 0`,
  [plugStatus.code.appointed]: sql<boolean>`device.appointed_ports > 0`,
  [plugStatus.code.connected]: sql<boolean>`device.connected_ports > 0`,
  [plugStatus.code.washerWarning]: sql<boolean>`device.warning_ports > 0`,
  [plugStatus.code.washerDown]: sql<boolean>`device.down_ports > 0`,
}

/**
 * The devices that match a filter. Repeats the conditions of row-level security so that the planner can use an index.
 */
export function devicesMatching(db: Db, scope: Scope, filter: DeviceFilter, { search, organises }: Lookups = {}) {
  const { keyword, online, plugStatus: port } = filter
  const conditions = [
    ...scopeOf(scope),
    ...(organises === undefined ? [] : [sql<boolean>`device.organise_id = any(${organises})`]),
    ...same('category_id', filter.categoryId),
    ...same('small_category_id', filter.smallCategoryId),
    ...same('device_type_id', filter.deviceTypeId),
    ...same('online', online === undefined ? undefined : online === onlineStatus.code.online),
    ...(port === undefined ? [] : [withPort[port]]),
    ...same('software_version', filter.softwareVersion),
    ...same('install_status', filter.installStatus),
    ...lineOf(filter.lineStatus),
    ...same('service_status', filter.serviceStatus),
    ...same('status', filter.status),
    ...same('province_code', filter.provinceCode),
    ...same('city_code', filter.cityCode),
    ...same('district_code', filter.districtCode),
    ...serviceDays(filter),
    ...createdDays(scope, filter),
    ...(keyword === undefined ? [] : [begins(keyword)]),
    ...(search === undefined || search.ids === null ? [] : [sql<boolean>`device.id = any(${search.ids})`]),
  ]
  return db
    .selectFrom('device')
    .where('device.deleted_at', 'is', null)
    .where(ownedBy('device', filter))
    .where(conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(conditions, sql` and `)}`)
}

const scopeOf = (scope: Scope): Condition[] => [
  ...(scope.level > 0 ? [sql<boolean>`device.organise_id = ${scope.organiseId}`] : []),
  ...(scope.level === 2 ? [sql<boolean>`device.agent_id = any(${scope.agentIds})`] : []),
  ...(scope.level === 3 ? [sql<boolean>`device.site_id = any(${scope.siteIds})`] : []),
]

const serviceDays = ({ serviceFrom, serviceTo }: DeviceFilter): Condition[] => [
  ...(serviceFrom === undefined ? [] : [sql<boolean>`device.service_until >= ${serviceFrom}::date`]),
  ...(serviceTo === undefined ? [] : [sql<boolean>`device.service_until <= ${serviceTo}::date`]),
]

/**
 * Filters by days of creation. The list is sorted by id, and ids grow with time, except for rows created at the same
 * moment. The nearest devices at least an hour outside the days bound the id range. Without these bounds, a query for
 * an old month would scan from the newest device.
 */
function createdDays(scope: Scope, { organiseId, createdFrom, createdTo }: DeviceFilter): Condition[] {
  const organise = scope.level === 0 ? organiseId : scope.level === 1 ? scope.organiseId : undefined
  const start = sql`${createdFrom}::date::timestamptz`
  const end = sql`(${createdTo}::date + 1)::timestamptz`
  const neighbour = (side: 'before' | 'after') => sql`(select made.id from device made
    where made.organise_id = ${organise} and made.deleted_at is null and ${
      side === 'before'
        ? sql`made.created_at < ${start} - interval '1 hour' order by made.created_at desc`
        : sql`made.created_at > ${end} + interval '1 hour' order by made.created_at`
    } limit 1)`
  return [
    ...(createdFrom === undefined ? [] : [sql<boolean>`device.created_at >= ${start}`]),
    ...(createdTo === undefined ? [] : [sql<boolean>`device.created_at < ${end}`]),
    ...(createdFrom === undefined || organise === undefined
      ? []
      : [sql<boolean>`device.id > (select coalesce(${neighbour('before')}, 0))`]),
    ...(createdTo === undefined || organise === undefined
      ? []
      : [sql<boolean>`device.id < (select coalesce(${neighbour('after')}, 9223372036854775807))`]),
  ]
}

const numbers = ['device_no', 'imei', 'iccid'] as const
const startOf = (column: (typeof numbers)[number], keyword: string) =>
  column === 'iccid' ? keyword.toUpperCase() : keyword
const isNamed = (keyword: string): Condition =>
  sql<boolean>`(device.name collate "C" >= ${keyword} and device.name collate "C" < ${keyword + beyondAll})`
const begins = (keyword: string): Condition =>
  sql<boolean>`(${sql.join(
    [...numbers.map((column) => beginsWith(`device.${column}`, startOf(column, keyword))), isNamed(keyword)],
    sql` or `,
  )})`

/** Above this number of organisations the query does not list them, and the platform finds devices by number only. */
const mostOrganises = 2000

/**
 * For platform users, who see all organisations. Listing all ids does not change the result. It lets the planner use
 * indexes for rare values, because these begin with the organisation.
 */
export async function everyOrganise(
  db: Db,
  scope: Scope,
  filter: { organiseId?: string | undefined },
): Promise<string[] | undefined> {
  if (scope.level > 0 || filter.organiseId !== undefined) return undefined
  const rows = await db
    .selectFrom('organise')
    .select('id')
    .limit(mostOrganises + 1)
    .execute()
  return rows.length > mostOrganises ? undefined : rows.map(({ id }) => id)
}

/**
 * Runs before the list query. A keyword looks up numbers and names separately: each has its own index, and one combined
 * condition would use none. Without a keyword it looks up the end days of the service. They correlate with device age,
 * so a scan by age could reach the matches last.
 */
export async function searchFirst(db: Db, scope: Scope, filter: DeviceFilter): Promise<Search | undefined> {
  const { keyword } = filter
  const days = serviceDays(filter)
  if (keyword === undefined && days.length === 0) return undefined
  const within = scope.level > 0 ? scope.organiseId : filter.organiseId
  const where = (condition: Condition) =>
    sql`(select id from device where deleted_at is null ${within === undefined ? sql`` : sql`and organise_id = ${within}`}
      and ${condition})`
  if (keyword === undefined) {
    const hits = where(sql<boolean>`${sql.join(days, sql` and `)}`)
    return searchKeyword(db, sql<{ id: string }>`${hits}`)
  }
  // The name index begins with the organisation.
  const organises = within === undefined ? await everyOrganise(db, scope, filter) : [within]
  const hits = [
    ...numbers.map((column) => where(beginsWith(column, startOf(column, keyword)))),
    ...(organises === undefined
      ? []
      : [where(sql<boolean>`device.organise_id = any(${organises}::bigint[]) and ${isNamed(keyword)}`)]),
  ]
  return searchKeyword(db, sql<{ id: string }>`${sql.join(hits, sql` union all `)}`)
}
