import { latestOrders, rankingSize, screenSpan, unknownRegion } from '@wattdeck/contract/dashboard/big-screen-fields.ts'
import type { LatestOrder } from '@wattdeck/contract/dashboard/big-screen-orders.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { inRegion } from '../../../core/statistics/stat-place.store.ts'
import { screenDays } from './big-screen.rules.ts'
import { type ScreenParams, resolveScreenParams, type ScreenFilter } from './big-screen.store.ts'
import type { Spanned } from './screen-orders.store.ts'

type Raw = RawBuilder<unknown>
/** Index scans: one for each key, and the conditions on its rows. */
type Walks = { keys: Raw; match: readonly Raw[] }

const all = (conditions: readonly Raw[]) => sql.join([sql`true`, ...conditions], sql` and `)

/**
 * The index scans that cover the filter, for rows `own`. Each starts at the best rows of a class and stops at the
 * number of rows shown. A class is scanned as a whole, or by district, organisation, agent or site.
 */
function walksOf(scope: Scope, { filter }: ScreenParams): Walks {
  const { region, categoryId } = filter
  const organiseId = scope.level > 0 ? scope.organiseId : filter.organiseId
  const classes = sql`(select id as category_id from device_category where level = 1 and ${categoryId === undefined ? sql`true` : sql`id = ${categoryId}`}) classes`
  const match = [
    sql`own.category_id = key.category_id`,
    ...(organiseId === undefined ? [] : [sql`own.organise_id = ${organiseId}`]),
    // A filter on an organisation other than the caller's own matches nothing.
    ...(filter.organiseId === undefined ? [] : [sql`own.organise_id = ${filter.organiseId}`]),
  ]
  const owned = scope.level === 2 ? ['agent_id', scope.agentIds] : scope.level === 3 ? ['site_id', scope.siteIds] : []
  const [column, ids] = owned as [string?, (readonly string[])?]
  if (column !== undefined)
    return {
      keys: sql`${classes} cross join unnest(${ids}::bigint[]) owner`,
      match: [
        ...match,
        sql`${sql.ref(`own.${column}`)} = key.owner`,
        ...(region === undefined ? [] : [inRegion('own.district', region)]),
      ],
    }
  if (region === undefined) return { keys: classes, match }
  const districts = sql`(select adcode as district from region where ${inRegion('adcode', region)}) districts`
  return { keys: sql`${classes} cross join ${districts}`, match: [...match, sql`own.district = key.district`] }
}

/** The devices with the highest revenue, including the last second, which is not aggregated yet. */
export async function deviceTurnover(db: Db, scope: Scope, request: ScreenFilter & Spanned) {
  const params = await resolveScreenParams(db, request)
  const { today, month } = screenDays(Date.now())
  const span = request.span ?? screenSpan.code.today
  const period = span === screenSpan.code.today ? today : month
  const { keys, match } = walksOf(scope, params)
  const { rows } = await sql<Row>`
    with best as (
      select own.* from (select * from ${keys}) key cross join lateral (
        select device_id, organise_id, agent_id, site_id, category_id, turnover_fen from stat_device own
        where span = ${span} and period = ${period} and ${all(match)} order by turnover_fen desc, device_id limit ${rankingSize}
      ) own order by own.turnover_fen desc, own.device_id limit ${rankingSize}
    ), late as (
      select device_id, organise_id, agent_id, site_id, category_id, sum(orders) as orders, sum(turnover_fen) as turnover_fen
      from (select delta.*, coalesce(site.district_code, '') as district from stat_device_delta delta left join site on site.id = delta.site_id) own
      where ${span === screenSpan.code.today ? sql`day = ${period}` : sql`day >= ${period} and day < ${period}::date + interval '1 month'`}
        and ${all(lateConditions(scope, params))}
      group by 1, 2, 3, 4, 5
    ), found as (
      select device_id, organise_id, agent_id, site_id, category_id from best union select device_id, organise_id, agent_id, site_id, category_id from late
    )
    select ranked.device_id::text as "deviceId", device.device_no as "deviceNo", device.name as "deviceName", site.name as "siteName",
      coalesce(device.lng, site.lng)::float8 as "positionX", coalesce(device.lat, site.lat)::float8 as "positionY",
      ranked.orders::int as "orderCount", ranked.fen::text as fen
    from (
      select device_id, site_id, coalesce(kept.orders, 0) + coalesce(late.orders, 0) as orders, coalesce(kept.turnover_fen, 0) + coalesce(late.turnover_fen, 0) as fen
      from found left join late using (device_id, organise_id, agent_id, site_id, category_id)
        left join (select * from stat_device where span = ${span} and period = ${period}) kept using (device_id, organise_id, agent_id, site_id, category_id)
      order by fen desc, device_id, site_id limit ${rankingSize}
    ) ranked left join device on device.id = ranked.device_id left join site on site.id = ranked.site_id
    order by ranked.fen desc, ranked.device_id, ranked.site_id`.execute(db)
  return rows.map(({ fen, ...row }) => ({ ...row, turnover: yuanText(BigInt(fen)) }))
}

type Row = {
  deviceId: string
  deviceNo: string | null
  deviceName: string | null
  siteName: string | null
  positionX: number | null
  positionY: number | null
  orderCount: number
  fen: string
}

/** Rows that are not aggregated yet are few, so they are scanned. Row-level security restricts agents and sites. */
const lateConditions = (scope: Scope, { filter }: ScreenParams): Raw[] => [
  ...(scope.level > 0 ? [sql`organise_id = ${scope.organiseId}`] : []),
  ...(filter.organiseId === undefined ? [] : [sql`organise_id = ${filter.organiseId}`]),
  ...(filter.categoryId === undefined ? [] : [sql`category_id = ${filter.categoryId}`]),
  ...(filter.region === undefined ? [] : [inRegion('district', filter.region)]),
]

/** The latest bills, with no more than a masked phone of the payer. */
export async function latest(db: Db, scope: Scope, request: ScreenFilter) {
  const params = await resolveScreenParams(db, request)
  const { keys, match } = walksOf(scope, params)
  const { rows: found } = await sql<{ id: string }>`
    select own.order_id::text as id from (select * from ${keys}) key cross join lateral (
      select order_id, settled_at from stat_latest own where ${all(match)} order by settled_at desc, order_id desc limit ${latestOrders}
    ) own order by own.settled_at desc, own.order_id desc limit ${latestOrders}`.execute(db)
  const { rows } = await sql<Omit<LatestOrder, 'turnover'> & { fen: string }>`
    select o.id::text as id, o.status, coalesce(o.ended_at, o.settled_at) as "endedAt", organise.name as "organiseName", site.name as "siteName",
      coalesce(nullif(concat_ws(' ', city.name, district.name), ''), ${unknownRegion}) as "regionName", o.device_no as "deviceNo",
      (select name from device where device.id = o.device_id) as "deviceName", (app.order_payer(o.member_id)).phone as "memberPhone",
      coalesce(o.duration_s, 0) as "durationS", coalesce(o.energy_dwh, 0) as "energyDwh", o.total_fen::text as fen
    from charging_order o join organise on organise.id = o.organise_id left join site on site.id = o.site_id
      left join region city on city.adcode = site.city_code left join region district on district.adcode = site.district_code
    where o.id = any(${found.map(({ id }) => id)}::bigint[]) order by o.settled_at desc, o.id desc`.execute(db)
  return rows.map(({ fen, ...row }) => ({ ...row, turnover: yuanText(BigInt(fen)) }))
}
