import { cardBuyStatus, passPhase } from '@wattdeck/contract/order/member-card-codes.ts'
import { sql } from 'kysely'
import { mayHaveBlocks } from '../../../core/charging/member-block.store.ts'
import type { Db } from '../../../kit/db/db.ts'

const today = sql`(now() at time zone 'Asia/Shanghai')::date`
const { waiting } = cardBuyStatus.code
const { ahead, current, over } = passPhase.code

export async function findMember(db: Db, id: string) {
  const { rows } = await sql<{
    id: string
    organiseId: string
    agentId: string | null
    siteId: string | null
    status: number
    hasBlocks: boolean
  }>`
    select id, organise_id as "organiseId", agent_id as "agentId", site_id as "siteId", status,
      ${mayHaveBlocks('member.organise_id')} as "hasBlocks"
    from member
    where id = ${id}`.execute(db)
  return rows[0]
}

type Terms = {
  name: string
  days: number
  minutes: number | null
  energyDwh: number | null
  dayTimes: number
  monthTimes: number | null
}
const terms = sql.raw(`version.name, version.days, version.use_minutes as minutes, version.use_dwh as "energyDwh",
  version.day_times as "dayTimes", version.month_times as "monthTimes"`)

/** The plans on sale in an organisation; with a site, those that apply there. */
export async function plansOnSale(db: Db, organiseId: string, siteId: string | undefined) {
  const { rows } = await sql<Terms & { planId: string; priceFen: string }>`
    select plan.id as "planId", version.price_fen as "priceFen", ${terms}
    from monthly_plan plan
    join monthly_plan_version version on version.id = plan.version_id
    where plan.organise_id = ${organiseId}
      and plan.status = 1
      and (${siteId ?? null}::bigint is null or exists (
        select from site
        where site.id = ${siteId ?? null}
          and site.deleted_at is null
          and case
            when version.site_ids is not null then site.id = any(version.site_ids)
            when version.site_id is not null then site.id = version.site_id
            when version.agent_id is not null then site.agent_id = any(app.agents_below(version.agent_id))
            else true
          end
      ))
    order by version.price_fen, plan.id
    limit 200`.execute(db)
  return rows
}

/** The version on sale of an enabled plan of the organisation. A change of the plan waits until the purchase is stored. */
export async function readOffer(db: Db, organiseId: string, planId: string) {
  const { rows } = await sql<{ status: number; versionId: string; priceFen: string }>`
    select plan.status, plan.version_id as "versionId", version.price_fen as "priceFen"
    from monthly_plan plan
    join monthly_plan_version version on version.id = plan.version_id
    where plan.id = ${planId} and plan.organise_id = ${organiseId}
    for share of plan`.execute(db)
  return rows[0]
}

/** Passes of the plan that have not ended, and purchases that wait for their payment. */
export async function countAhead(db: Db, memberId: string, planId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (
      (select count(*) from member_plan where member_id = ${memberId} and plan_id = ${planId} and to_on >= ${today})
      + (select count(*) from plan_order where member_id = ${memberId} and plan_id = ${planId} and status = ${waiting})
    )::int as count`.execute(db)
  return rows[0]?.count ?? 0
}

type NewOrder = {
  place: { organiseId: string; agentId: string | null; siteId: string | null }
  memberId: string
  planId: string
  versionId: string
  provider: number
  fen: bigint
}
export async function addOrder(db: Db, { place, memberId, planId, versionId, provider, fen }: NewOrder) {
  const { rows } = await sql<{ id: string }>`
    insert into plan_order (organise_id, agent_id, site_id, member_id, plan_id, version_id, amount_fen, provider)
    values (${place.organiseId}, ${place.agentId}, ${place.siteId}, ${memberId}, ${planId}, ${versionId}, ${fen.toString()}, ${provider})
    returning id`.execute(db)
  return rows[0]?.id ?? ''
}

export async function linkPayment(db: Db, id: string, payOrderId: string): Promise<void> {
  await sql`update plan_order set pay_order_id = ${payOrderId} where id = ${id}`.execute(db)
}

type Order = Terms & {
  passOrderNo: string
  memberId: string
  priceFen: string
  provider: 1 | 2
  status: 1 | 2 | 3
  createdAt: string
  paidAt: string | null
  payOrderId: string
  fromOn: string | null
  toOn: string | null
}
type Payment = {
  handle: { codeUrl?: string; handOver?: Record<string, string> } | null
  failure: string | null
  expiresAt: string
}

/** The payment is a second query by id: for a literal id the planner selects one partition. */
export async function readOrder(db: Db, id: string): Promise<(Order & Payment) | undefined> {
  const orders = await sql<Order>`
    select sale.id as "passOrderNo", sale.member_id as "memberId", sale.amount_fen as "priceFen", sale.provider, sale.status,
      sale.created_at as "createdAt", sale.paid_at as "paidAt", sale.pay_order_id as "payOrderId",
      pass.from_on::text as "fromOn", pass.to_on::text as "toOn", ${terms}
    from plan_order sale
    join monthly_plan_version version on version.id = sale.version_id
    left join member_plan pass on pass.order_id = sale.id
    where sale.id = ${id} and sale.pay_order_id is not null`.execute(db)
  const [order] = orders.rows
  if (order === undefined) return undefined
  const payments = await sql<Payment>`
    select handle, failure, expires_at as "expiresAt" from pay_order where id = ${order.payOrderId}`.execute(db)
  const [payment] = payments.rows
  return payment === undefined ? undefined : { ...order, ...payment }
}

type Held = Terms & {
  passId: string
  fromOn: string
  toOn: string
  phase: 1 | 2 | 3
  usedToday: number
  usedThisMonth: number
  inUse: boolean
}
export async function passesOf(db: Db, memberId: string): Promise<Held[]> {
  const { rows } = await sql<Held>`
    select
      pass.id as "passId",
      ${terms},
      pass.from_on::text as "fromOn",
      pass.to_on::text as "toOn",
      case
        when pass.from_on > ${today} then ${sql.lit(ahead)}
        when pass.to_on < ${today} then ${sql.lit(over)}
        else ${sql.lit(current)}
      end as phase,
      used.today as "usedToday",
      used.month as "usedThisMonth",
      used.open as "inUse"
    from member_plan pass
    join monthly_plan_version version on version.id = pass.version_id
    cross join lateral (
      select
        (count(*) filter (where used_on = ${today} and returned_at is null))::int as today,
        (count(*) filter (where used_on >= date_trunc('month', ${today}) and returned_at is null))::int as month,
        coalesce(bool_or(ended_at is null), false) as open
      from plan_use
      where plan_use.pass_id = pass.id
    ) used
    where pass.member_id = ${memberId} and pass.to_on >= ${today} - 90
    order by pass.to_on desc, pass.id desc
    limit 50`.execute(db)
  return rows
}
