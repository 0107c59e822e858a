import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { cardBuyList, type CardBuyDetail, type memberCardBuy } from '@wattdeck/contract/order/member-card-buy.ts'
import { cardBuyStatus, passPhase, passUseState } from '@wattdeck/contract/order/member-card-codes.ts'
import { quotaText, reachText, timesText } from '@wattdeck/contract/system/monthly-plan.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { ifGiven, matchingRows, readRow, type Source } from '../../../kit/db/list-query.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { payerColumns, phoneConditions, plannedPlaceConditions, same } from '../_shared/money-filter.ts'
import { paidTotals } from '../_shared/order-totals.ts'

type Filter = QueryOf<typeof memberCardBuy.list>
const table = 'plan_order'
const isPaid = sql`plan_order.status = ${sql.lit(cardBuyStatus.code.paid)}`
const today = sql`(now() at time zone 'Asia/Shanghai')::date`
const { ahead, current, over } = passPhase.code

export const cardBuySource: Source = {
  table,
  joins: [
    { table: 'monthly_plan_version', on: sql<boolean>`monthly_plan_version.id = plan_order.version_id`, kind: 'inner' },
    { table: 'member_plan', on: sql<boolean>`member_plan.order_id = plan_order.id`, kind: 'left' },
  ],
  computed: {
    ...payerColumns(table),
    planName: sql`monthly_plan_version.name`,
    paid: sql`case when ${isPaid} then plan_order.amount_fen else 0 end`,
    cardNo: sql`member_plan.id`,
    phase: sql`case
      when member_plan.from_on > ${today} then ${sql.lit(ahead)}
      when member_plan.to_on < ${today} then ${sql.lit(over)}
      when member_plan.id is not null then ${sql.lit(current)}
    end`,
    fromOn: sql`member_plan.from_on::text`,
    toOn: sql`member_plan.to_on::text`,
    uses: sql`(
      select count(*)::int from plan_use where plan_use.pass_id = member_plan.id and plan_use.returned_at is null
    )`,
    payNo: sql`'P' || plan_order.pay_order_id`,
  },
  place: (filter: Filter, { db, scope }) => plannedPlaceConditions(db, scope, table, filter),
  own: async (filter: Filter, { db, scope }) => [
    ...same(table, 'id', filter.orderNo),
    ...same(table, 'member_id', filter.memberId),
    ...same(table, 'plan_id', filter.planId),
    ...ifGiven(filter.planName, (name) => sql<boolean>`starts_with(monthly_plan_version.name, ${name})`),
    ...(await phoneConditions(db, scope, table, filter)),
  ],
}

/** Totals of the paid rows of a filter. The caller checks that it spans at most a month. */
export async function cardBuyTotals(db: Db, scope: Scope, filter: QueryOf<typeof memberCardBuy.totals>) {
  const rows = await matchingRows(db, scope, cardBuyList, cardBuySource, filter)
  return paidTotals(rows, isPaid, { paid: 'amount_fen' })
}

/** A purchase with the terms that were bought, the income so far, and the newest uses. */
export async function readCardBuy(db: Db, scope: Scope, id: string): Promise<CardBuyDetail | undefined> {
  const row = await readRow(db, scope, cardBuyList, cardBuySource, id)
  if (row === undefined) return undefined
  const [terms, uses] = await Promise.all([readTerms(db, id), readUses(db, row.cardNo)])
  return terms === undefined ? undefined : { ...row, ...terms, usesOfPass: uses }
}

type Terms = {
  days: number
  versionNo: number
  useMinutes: number | null
  useDwh: number | null
  dayTimes: number
  monthTimes: number | null
  siteNames: string[] | null
  earnedFen: string
  deferredFen: string
}
async function readTerms(db: Db, id: string) {
  const { rows } = await sql<Terms>`
    select
      version.days,
      version.no as "versionNo",
      version.use_minutes as "useMinutes",
      version.use_dwh as "useDwh",
      version.day_times as "dayTimes",
      version.month_times as "monthTimes",
      case when version.site_ids is not null then coalesce(
        (select array_agg(site.name order by site.id) from site where site.id = any(version.site_ids)), '{}') end as "siteNames",
      coalesce(pass.income_fen, 0)::text as "earnedFen",
      coalesce(pass.price_fen - pass.income_fen, 0)::text as "deferredFen"
    from plan_order sale
    join monthly_plan_version version on version.id = sale.version_id
    left join member_plan pass on pass.order_id = sale.id
    where sale.id = ${id}`.execute(db)
  const [row] = rows
  if (row === undefined) return undefined
  return {
    days: row.days,
    versionNo: row.versionNo,
    use: quotaText(row),
    times: timesText(row),
    reach: reachText(row),
    earned: yuanText(BigInt(row.earnedFen)),
    deferred: yuanText(BigInt(row.deferredFen)),
  }
}

const { charging, unbilled, counted, returned } = passUseState.code

async function readUses(db: Db, passId: string | null): Promise<CardBuyDetail['usesOfPass']> {
  const { rows } = await sql<Omit<CardBuyDetail['usesOfPass'][number], 'off'> & { offFen: string }>`
    select
      plan_use.order_id as "orderId",
      plan_use.used_on::text as "usedOn",
      site.id as "siteId",
      site.name as "siteName",
      plan_use.off_fen as "offFen",
      case
        when plan_use.ended_at is null then ${sql.lit(charging)}
        when plan_use.closed_at is null then ${sql.lit(unbilled)}
        when plan_use.returned_at is null then ${sql.lit(counted)}
        else ${sql.lit(returned)}
      end as state,
      plan_use.ended_at as "endedAt"
    from plan_use
    left join site on site.id = plan_use.site_id
    where plan_use.pass_id = ${passId}
    order by plan_use.order_id desc
    limit 100`.execute(db)
  return rows.map(({ offFen, ...use }) => ({ ...use, off: yuanText(BigInt(offFen)) }))
}
