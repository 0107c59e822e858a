import { ownerKind, rankingSize, screenSpan, unknownRegion } from '@wattdeck/contract/dashboard/big-screen-fields.ts'
import { statBy } from '@wattdeck/contract/order/statistics.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { bigs, type Sums } from '../../../core/statistics/stat-page.store.ts'
import { screenDays } from './big-screen.rules.ts'
import {
  type ScreenParams,
  byHour,
  type Figure,
  hoursOf,
  isDay,
  isMonth,
  resolveScreenParams,
  type Reading,
  type ScreenFilter,
  sumsBy,
  sumsOf,
} from './big-screen.store.ts'
import { type Trend, trendOf } from './screen-devices.store.ts'

export const bills = ['electricity_fen', 'service_fen', 'occupancy_fen'] as const
export const turnoverOf = (sums: Sums<(typeof bills)[number]>) =>
  yuanText(sums.electricity_fen + sums.service_fen + sums.occupancy_fen)
const billed = sql`sum(electricity_fen + service_fen + occupancy_fen)`

const moneyFigures = [...bills, 'paid_fen', 'gift_fen', 'refunded_fen', 'orders', 'energy_dwh'] as const
type MoneySums = Sums<(typeof moneyFigures)[number]>
const shownMoney = (sums: MoneySums) => ({
  turnover: turnoverOf(sums),
  paid: yuanText(sums.paid_fen),
  gift: yuanText(sums.gift_fen),
  refunded: yuanText(sums.refunded_fen),
  orderCount: Number(sums.orders),
})

/** Sums for today, yesterday, this month, this year and in total, read from few rows. */
export async function spansOf<F extends Figure>(db: Db, scope: Scope, params: ScreenParams, figures: readonly F[]) {
  const { today, yesterday, month, year } = screenDays(Date.now())
  const [days, months] = await Promise.all([
    sumsBy(
      db,
      scope,
      params,
      { from: 'stat_day_live', figures, when: sql<boolean>`day in (${today}::date, ${yesterday}::date)` },
      { key: sql`day` },
    ),
    sumsBy(
      db,
      scope,
      params,
      { from: 'stat_month_live', figures },
      { key: sql`case when month = ${month} then 'month' when month >= ${year} then 'year' else 'before' end` },
    ),
  ])
  const none = bigs(figures, undefined)
  const plus = (a: Sums<F>, b: Sums<F>) =>
    Object.fromEntries(figures.map((name) => [name, a[name] + b[name]])) as Sums<F>
  const thisMonth = months.get('month') ?? none
  const thisYear = plus(thisMonth, months.get('year') ?? none)
  return {
    today: days.get(today) ?? none,
    yesterday: days.get(yesterday) ?? none,
    month: thisMonth,
    year: thisYear,
    total: plus(thisYear, months.get('before') ?? none),
  }
}
type Spans<T> = Record<'today' | 'yesterday' | 'month' | 'year' | 'total', T>
export const shownSpans = <S, T>(spans: Spans<S>, show: (sums: S) => T): Spans<T> => ({
  today: show(spans.today),
  yesterday: show(spans.yesterday),
  month: show(spans.month),
  year: show(spans.year),
  total: show(spans.total),
})

export async function transaction(db: Db, scope: Scope, request: ScreenFilter) {
  const params = await resolveScreenParams(db, request)
  const { today, yesterday, hour } = screenDays(Date.now())
  const soFar = (day: string) =>
    sumsOf(db, scope, params, { from: 'stat_hour_live', figures: moneyFigures, when: hoursOf(day, hour) })
  const [spans, now, before] = await Promise.all([
    spansOf(db, scope, params, moneyFigures),
    soFar(today),
    soFar(yesterday),
  ])
  return {
    ...shownSpans(spans, shownMoney),
    soFarUpto: `${today} ${String(hour).padStart(2, '0')}:00:00`,
    todaySoFar: shownMoney(now),
    yesterdaySoFar: shownMoney(before),
  }
}

export async function orderPc(db: Db, scope: Scope, request: ScreenFilter) {
  const spans = await spansOf(db, scope, await resolveScreenParams(db, request), moneyFigures)
  return shownSpans(spans, (sums) => ({ ...shownMoney(sums), energyDwh: Number(sums.energy_dwh) }))
}

export async function orderAnalysis(db: Db, scope: Scope, request: ScreenFilter & Trend) {
  const params = await resolveScreenParams(db, request)
  const trend = await trendOf(db, scope, params, request, [
    ...bills,
    'orders',
    'released',
    'refunded_fen',
    'energy_dwh',
  ])
  return trend.map(({ period, sums }) => ({
    period,
    orderCount: Number(sums.orders),
    releasedCount: Number(sums.released),
    turnover: turnoverOf(sums),
    refunded: yuanText(sums.refunded_fen),
    energyDwh: Number(sums.energy_dwh),
  }))
}

export async function orderNumbers(db: Db, scope: Scope, request: ScreenFilter) {
  const params = await resolveScreenParams(db, request)
  const { today, yesterday } = screenDays(Date.now())
  const figures = ['orders', 'released', 'refunds'] as const
  const of = (day: string) => sumsOf(db, scope, params, { from: 'stat_day_live', figures, when: isDay(day) })
  const [now, before, hours, hoursBefore] = await Promise.all([
    of(today),
    of(yesterday),
    byHour(db, scope, params, today, ['orders']),
    byHour(db, scope, params, yesterday, ['orders']),
  ])
  return {
    todayCount: Number(now.orders),
    yesterdayCount: Number(before.orders),
    releasedCount: Number(now.released),
    refundCount: Number(now.refunds),
    hours: hours.map(({ hour, sums }) => ({
      hour,
      today: Number(sums.orders),
      yesterday: Number(hoursBefore[hour]?.sums.orders ?? 0n),
    })),
  }
}

const charging = ['orders', 'seconds', 'energy_dwh'] as const
function shownCharging({ orders, seconds, energy_dwh: energy }: Sums<(typeof charging)[number]>) {
  const average = (sum: bigint) => (orders === 0n ? null : Number((2n * sum + orders) / (2n * orders)))
  return {
    orderCount: Number(orders),
    seconds: Number(seconds),
    energyDwh: Number(energy),
    averageSeconds: average(seconds),
    averageEnergyDwh: average(energy),
  }
}
export async function chargingAnalysis(db: Db, scope: Scope, request: ScreenFilter) {
  const params = await resolveScreenParams(db, request)
  const { today, month } = screenDays(Date.now())
  const [now, day, whole, hours] = await Promise.all([
    sumsOf(db, scope, params, { from: 'stat_now_live', figures: ['ports', 'working_ports'] }),
    sumsOf(db, scope, params, { from: 'stat_day_live', figures: charging, when: isDay(today) }),
    sumsOf(db, scope, params, { from: 'stat_month_live', figures: charging, when: isMonth(month) }),
    byHour(db, scope, params, today, ['seconds', 'energy_dwh']),
  ])
  return {
    workingPortNum: Number(now.working_ports),
    totalPortCount: Number(now.ports),
    today: shownCharging(day),
    month: shownCharging(whole),
    hours: hours.map(({ hour, sums }) => ({
      hour,
      seconds: Number(sums.seconds),
      energyDwh: Number(sums.energy_dwh),
    })),
  }
}

export type Spanned = { span?: 1 | 2 | undefined }
const spanReading = <F extends Figure>({ span }: Spanned, figures: readonly F[]): Reading<F> => {
  const { today, month } = screenDays(Date.now())
  return span === screenSpan.code.month
    ? { from: 'stat_month_live', figures, when: isMonth(month) }
    : { from: 'stat_day_live', figures, when: isDay(today) }
}

/** Callers who see several organisations compare them; all others compare sites. */
export const ownersOf = (scope: Scope, { filter }: ScreenParams) =>
  scope.level === 0 && filter.organiseId === undefined
    ? ({ by: ownerKind.code.organise, statBy: statBy.code.organise, table: 'organise', key: sql`organise_id` } as const)
    : ({ by: ownerKind.code.site, statBy: statBy.code.site, table: 'site', key: sql`site_id` } as const)

export async function ownerNamesOf(db: Db, table: 'organise' | 'site', ids: readonly string[]) {
  const rows = await db
    .selectFrom(table)
    .select(['id', 'name'])
    .where('id', '=', sql<string>`any(${ids}::bigint[])`)
    .execute()
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return (id: string) => names.get(id) ?? unknownRegion
}

export async function turnoverRanking(db: Db, scope: Scope, request: ScreenFilter & Spanned) {
  const params = await resolveScreenParams(db, request)
  const owners = ownersOf(scope, params)
  const reading = spanReading(request, [...bills, 'orders', 'energy_dwh'])
  const [found, all] = await Promise.all([
    sumsBy(db, scope, params, reading, {
      key: owners.key,
      by: owners.statBy,
      limit: { order: billed, count: rankingSize },
    }),
    sumsOf(db, scope, params, spanReading(request, bills)),
  ])
  const nameOf = await ownerNamesOf(db, owners.table, [...found.keys()])
  return {
    by: owners.by,
    ranking: [...found].map(([id, sums]) => ({
      id,
      name: nameOf(id),
      orderCount: Number(sums.orders),
      turnover: turnoverOf(sums),
      energyDwh: Number(sums.energy_dwh),
    })),
    turnover: turnoverOf(all),
  }
}

const typeFigures = [...bills, 'orders'] as const
type TypeSums = Sums<(typeof typeFigures)[number]>
const addedUp = (all: readonly TypeSums[]): TypeSums =>
  Object.fromEntries(typeFigures.map((name) => [name, all.reduce((sum, sums) => sum + sums[name], 0n)])) as TypeSums

/** The types with the highest revenue, and all others as one item. */
export async function typeShare(db: Db, scope: Scope, request: ScreenFilter & Spanned) {
  const params = await resolveScreenParams(db, request)
  const found = await sumsBy(db, scope, params, spanReading(request, typeFigures), { key: sql`device_type_id` })
  const fenOf = (sums: TypeSums) => sums.electricity_fen + sums.service_fen + sums.occupancy_fen
  const ranked = [...found]
    .filter(([, sums]) => sums.orders !== 0n)
    .toSorted(([a, x], [b, y]) => Number(fenOf(y) - fenOf(x)) || Number(a) - Number(b))
  const first = ranked.slice(0, rankingSize)
  const types = await db
    .selectFrom('device_type')
    .select(['id', 'name'])
    .where('id', '=', sql<string>`any(${first.map(([id]) => id)}::bigint[])`)
    .execute()
  const names = new Map(types.map(({ id, name }) => [id, name]))
  const shown = (sums: TypeSums) => ({ orderCount: Number(sums.orders), turnover: turnoverOf(sums) })
  const others = ranked.slice(rankingSize).map(([, sums]) => sums)
  return {
    items: [
      ...first.map(([id, sums]) => ({ deviceTypeId: id, name: names.get(id) ?? unknownRegion, ...shown(sums) })),
      ...(others.length === 0 ? [] : [{ deviceTypeId: null, name: '其他', ...shown(addedUp(others)) }]),
    ],
    ...shown(addedUp(ranked.map(([, sums]) => sums))),
  }
}
