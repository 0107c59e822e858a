import { customerPeriods, customerRank, type CustomerRank } from '@wattdeck/contract/accounting/customer-analysis.ts'
import { statBy, type StatBy, statSpan } from '@wattdeck/contract/order/statistics.ts'
import { type RawBuilder, sql } from 'kysely'
import { invalid } from '../../../kit/http/refusal.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import type { Days } from '../../../core/statistics/stat-compare.rules.ts'
import { todayOf } from '../../../core/statistics/stat-compare.rules.ts'
import { daysIn, periodsOf } from '../../../core/statistics/stat-periods.rules.ts'

type Params = {
  span?: 1 | 2 | undefined
  from?: string | undefined
  to?: string | undefined
  by?: StatBy | undefined
  organiseId?: string | undefined
  siteId?: string | undefined
}

/** Default grouping: by organisation for the platform, by agent within an organisation, by site for a site. */
export function ownersBy(scope: Scope, { by, organiseId, siteId }: Params): StatBy {
  if (by !== undefined) return by
  if (scope.level === 3 || siteId !== undefined) return statBy.code.site
  return scope.level === 0 && organiseId === undefined ? statBy.code.organise : statBy.code.agent
}

/** Defaults to this month, or to today for daily periods. Monthly periods cover whole months. */
export function periodOf({ span = statSpan.code.month, from, to }: Params, nowMs: number): Days & { months: boolean } {
  const first = from ?? to ?? todayOf(nowMs)
  const periods = periodsOf({ span, from: first, to }, nowMs)
  const days = { from: periods.at(-1)?.from ?? '', to: periods[0]?.to ?? '' }
  const months = span === statSpan.code.month
  if (!months && daysIn(days) > customerPeriods.days) throw invalid(`按日最多查询${customerPeriods.days}天`, 'from')
  return { ...days, months }
}

/** Sort expressions. Owners without a value come last. */
export const rankSql: Record<CustomerRank, RawBuilder<unknown>> = {
  [customerRank.code.revenue]: sql`coalesce(revenue, 0)`,
  [customerRank.code.orders]: sql`coalesce(orders, 0)`,
  [customerRank.code.energy]: sql`coalesce(energy, 0)`,
  [customerRank.code.service]: sql`coalesce(service, 0)`,
  [customerRank.code.refundRate]: sql`refunded::numeric / nullif(revenue, 0)`,
  [customerRank.code.devices]: sql`coalesce(devices, 0)`,
  [customerRank.code.onlineRate]: sql`online::numeric / nullif(devices, 0)`,
  [customerRank.code.usage]: sql`coalesce(seconds, 0)::numeric / nullif(ports, 0)`,
  [customerRank.code.active]: sql`active`,
  [customerRank.code.perDevice]: sql`coalesce(revenue, 0)::numeric / nullif(devices, 0)`,
}
