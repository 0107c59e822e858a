import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import type { Source } from '../../../kit/db/list-query.ts'
import type { Place } from '../../_shared/place.store.ts'

const version = (column: string) => sql`${sql.ref(`monthly_plan_version.${column}`)}`
const today = sql`(now() at time zone 'Asia/Shanghai')::date`
/** Names outside the caller's scope are left out, as in other lists. */
const namesOf = (siteIds: ReturnType<typeof version>) => sql`case when ${siteIds} is not null then coalesce(
  (select array_agg(site.name order by site.id) from site where site.id = any(${siteIds})), '{}') end`
const isPaid = sql.raw('status = 2')

/** Each plan with its version on sale. */
export const planSource: Source = {
  table: 'monthly_plan',
  joins: [
    {
      table: 'monthly_plan_version',
      on: sql<boolean>`monthly_plan_version.id = monthly_plan.version_id`,
      kind: 'inner',
    },
  ],
  computed: {
    name: version('name'),
    price: version('price_fen'),
    days: version('days'),
    no: version('no'),
    useMinutes: version('use_minutes'),
    useDwh: version('use_dwh'),
    dayTimes: version('day_times'),
    monthTimes: version('month_times'),
    siteIds: sql`${version('site_ids')}::text[]`,
    siteNames: namesOf(version('site_ids')),
    sold: sql`(select count(*)::int from plan_order sale where sale.plan_id = monthly_plan.id and sale.${isPaid})`,
    valid: sql`(
      select count(*)::int
      from monthly_plan_version sold_version
      join member_plan pass on pass.version_id = sold_version.id
      where sold_version.plan_id = monthly_plan.id and ${today} between pass.from_on and pass.to_on
    )`,
    used: sql`exists (select from plan_order asked where asked.plan_id = monthly_plan.id)`,
  },
}

export type Terms = {
  name: string
  price_fen: string
  days: number
  use_minutes: number | null
  use_dwh: number | null
  day_times: number
  month_times: number | null
  site_ids: string[] | null
}

export async function addPlan(db: Db, place: Place, values: { remark: string | null; by: string }): Promise<string> {
  const { id } = await db
    .insertInto('monthly_plan')
    .values({ ...place, remark: values.remark, created_by: values.by, updated_by: values.by })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** A plan in scope, locked for the change that follows. */
export const findPlan = (db: Db, id: string) =>
  db
    .selectFrom('monthly_plan')
    .select(['id', 'organise_id', 'agent_id', 'site_id', 'status', 'version_id'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

/** The terms on sale, to see whether a change needs a new version. */
export async function readTerms(db: Db, planId: string): Promise<Terms | undefined> {
  const { rows } = await sql<Terms>`
    select version.name, version.price_fen, version.days, version.use_minutes, version.use_dwh, version.day_times,
      version.month_times, version.site_ids::text[] as site_ids
    from monthly_plan plan
    join monthly_plan_version version on version.id = plan.version_id
    where plan.id = ${planId}`.execute(db)
  return rows[0]
}

type Plan = Place & { id: string }
/** Adds the next version of a plan and puts it on sale. The plan is locked. */
export async function addVersion(db: Db, plan: Plan, terms: Terms, by: string): Promise<void> {
  const { id, organise_id, agent_id, site_id } = plan
  await sql`
    with added as (
      insert into monthly_plan_version (plan_id, organise_id, agent_id, site_id, no, name, price_fen, days, use_minutes, use_dwh,
        day_times, month_times, site_ids, created_by)
      select ${id}, ${organise_id}, ${agent_id}, ${site_id}, coalesce(max(no), 0) + 1, ${terms.name}, ${terms.price_fen}::bigint,
        ${terms.days}::smallint, ${terms.use_minutes}::smallint, ${terms.use_dwh}::int, ${terms.day_times}::smallint,
        ${terms.month_times}::smallint, ${terms.site_ids}::bigint[], ${by}
      from monthly_plan_version
      where plan_id = ${id}
      returning id
    )
    update monthly_plan set version_id = (select id from added), updated_by = ${by} where id = ${id}`.execute(db)
}

export async function changeRemark(db: Db, id: string, remark: string | null, by: string): Promise<void> {
  await db.updateTable('monthly_plan').set({ remark, updated_by: by }).where('id', '=', id).execute()
}

/** Returns whether the plan had the other status. */
export async function switchPlan(db: Db, id: string, status: number, by: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('monthly_plan')
    .set({ status, updated_by: by })
    .where('id', '=', id)
    .where('status', '<>', status)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Removes a locked plan without purchases, with its versions. Returns whether it was removed. */
export async function removePlan(db: Db, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from monthly_plan
    where id = ${id} and not exists (select from plan_order where plan_order.plan_id = ${id})`.execute(db)
  return numAffectedRows === 1n
}

/** How many of these sites exist below the owner of the plan, within the caller's scope. */
export async function countSites(db: Db, place: Place, ids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
    from site
    where id = any(${ids}::bigint[])
      and organise_id = ${place.organise_id}
      and deleted_at is null
      and (${place.site_id}::bigint is null or id = ${place.site_id})
      and (${place.agent_id}::bigint is null or agent_id = any (app.agents_below(${place.agent_id})))`.execute(db)
  return rows[0]?.count ?? 0
}

type Version = {
  id: string
  no: number
  name: string
  priceFen: string
  days: number
  useMinutes: number | null
  useDwh: number | null
  dayTimes: number
  monthTimes: number | null
  siteNames: string[] | null
  sold: number
  createdBy: string | null
  createdAt: string
}
export async function listVersions(db: Db, planId: string): Promise<Version[]> {
  const { rows } = await sql<Version>`
    select
      monthly_plan_version.id,
      no,
      name,
      price_fen as "priceFen",
      days,
      use_minutes as "useMinutes",
      use_dwh as "useDwh",
      day_times as "dayTimes",
      month_times as "monthTimes",
      ${namesOf(version('site_ids'))} as "siteNames",
      (select count(*)::int from plan_order sale where sale.version_id = monthly_plan_version.id and sale.${isPaid}) as sold,
      created_by as "createdBy",
      created_at as "createdAt"
    from monthly_plan_version
    where plan_id = ${planId}
    order by no desc
    limit 100`.execute(db)
  return rows
}
