import type { AreaItem, AreaRanking } from '@wattdeck/contract/dashboard/big-screen-devices.ts'
import { areaLevel, rankingSize } from '@wattdeck/contract/dashboard/big-screen-fields.ts'
import { statSpan } from '@wattdeck/contract/order/statistics.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { periodsOf } from '../../../core/statistics/stat-periods.rules.ts'
import { bigs, type Sums } from '../../../core/statistics/stat-page.store.ts'
import { screenDays } from './big-screen.rules.ts'
import {
  byHour,
  type Figure,
  isDay,
  isMonth,
  resolveScreenParams,
  type ScreenParams,
  type ScreenFilter,
  sumsBy,
  sumsOf,
} from './big-screen.store.ts'
import { describeAreas, sumsByArea } from './screen-areas.store.ts'

export type Online = { isOnline?: 0 | 1 | undefined }
const standing = ['devices', 'online', 'ports', 'online_ports'] as const
type Standing = Sums<(typeof standing)[number]>

/** Counts only online or only offline devices if the filter requires it. */
function countsByState({ devices, online, ports, online_ports: onlinePorts }: Standing, { isOnline }: Online) {
  const [on, off] = [isOnline !== 0, isOnline !== 1]
  return {
    onLineDeviceNum: on ? Number(online) : 0,
    offLineDeviceNum: off ? Number(devices - online) : 0,
    onLinePortNum: on ? Number(onlinePorts) : 0,
    offLinePortNum: off ? Number(ports - onlinePorts) : 0,
  }
}

export async function deviceBase(db: Db, scope: Scope, request: ScreenFilter & Online) {
  const params = await resolveScreenParams(db, request)
  const sums = await sumsOf(db, scope, params, { from: 'stat_now_live', figures: standing })
  const shown = countsByState(sums, request)
  return {
    allDeviceCount: shown.onLineDeviceNum + shown.offLineDeviceNum,
    totalPortCount: shown.onLinePortNum + shown.offLinePortNum,
    ...shown,
  }
}

export async function deviceTodayAdd(db: Db, scope: Scope, request: ScreenFilter) {
  const params = await resolveScreenParams(db, request)
  const { today, yesterday } = screenDays(Date.now())
  const added = (day: string) =>
    sumsOf(db, scope, params, { from: 'stat_day_live', figures: ['devices'], when: isDay(day) })
  const [now, before, hours] = await Promise.all([
    added(today),
    added(yesterday),
    byHour(db, scope, params, today, ['devices']),
  ])
  return {
    todayCount: Number(now.devices),
    yesterdayCount: Number(before.devices),
    hours: hours.map(({ hour, sums }) => ({ hour, countNum: Number(sums.devices) })),
  }
}

const happening = ['devices', 'faults', 'orders', 'seconds', 'energy_dwh'] as const
export async function deviceTodayMonth(db: Db, scope: Scope, request: ScreenFilter) {
  const params = await resolveScreenParams(db, request)
  const { today, month } = screenDays(Date.now())
  const shown = (sums: Sums<(typeof happening)[number]>) => ({
    addCount: Number(sums.devices),
    faultCount: Number(sums.faults),
    orderCount: Number(sums.orders),
    seconds: Number(sums.seconds),
    energyDwh: Number(sums.energy_dwh),
  })
  const [day, whole] = await Promise.all([
    sumsOf(db, scope, params, { from: 'stat_day_live', figures: happening, when: isDay(today) }),
    sumsOf(db, scope, params, { from: 'stat_month_live', figures: happening, when: isMonth(month) }),
  ])
  return { today: shown(day), month: shown(whole) }
}

export async function deviceService(db: Db, scope: Scope, request: ScreenFilter) {
  const params = await resolveScreenParams(db, request)
  const figures = ['devices', 'expiring', 'expired'] as const
  const sums = await sumsOf(db, scope, params, { from: 'stat_now_live', figures })
  return {
    allDeviceCount: Number(sums.devices),
    normalCount: Number(sums.devices - sums.expiring - sums.expired),
    expiringCount: Number(sums.expiring),
    expiredCount: Number(sums.expired),
  }
}

export type Trend = { span?: 1 | 2 | undefined }
/** Each day or month up to now, oldest first, including periods without events. */
export async function trendOf<F extends Figure>(
  db: Db,
  scope: Scope,
  params: ScreenParams,
  { span }: Trend,
  figures: readonly F[],
) {
  const periods = periodsOf({ span }, Date.now()).toReversed()
  const first = periods[0]?.from ?? ''
  const found =
    span === statSpan.code.month
      ? await sumsBy(
          db,
          scope,
          params,
          { from: 'stat_month_live', figures, when: sql<boolean>`month >= ${first}` },
          { key: sql`to_char(month, 'YYYY-MM')` },
        )
      : await sumsBy(
          db,
          scope,
          params,
          { from: 'stat_day_live', figures, when: sql<boolean>`day >= ${first}` },
          { key: sql`day` },
        )
  return periods.map(({ name }) => ({ period: name, sums: found.get(name) ?? bigs(figures, undefined) }))
}

export async function deviceAdd(db: Db, scope: Scope, request: ScreenFilter & Trend) {
  const params = await resolveScreenParams(db, request)
  const trend = await trendOf(db, scope, params, request, ['devices'])
  return trend.map(({ period, sums }) => ({ period, countNum: Number(sums.devices) }))
}

/** Areas ranked by their number of devices or ports. */
export async function areaRanking(
  db: Db,
  scope: Scope,
  request: ScreenFilter & Online,
  by: 'devices' | 'ports',
): Promise<AreaRanking> {
  const params = await resolveScreenParams(db, request)
  const found = await sumsByArea(db, scope, params, { from: 'stat_now_live', figures: standing })
  const ranked = [...found]
    .map(([code, sums]) => {
      const of = countsByState(sums, request)
      const count = by === 'devices' ? of.onLineDeviceNum + of.offLineDeviceNum : of.onLinePortNum + of.offLinePortNum
      return { code, sums, count }
    })
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1))
  const totalCount = ranked.reduce((sum, { count }) => sum + count, 0)
  const described = await describeAreas(
    db,
    params.level,
    ranked.map(({ code }) => code).filter((code) => code !== ''),
  )
  const item = ({ code, sums, count }: (typeof ranked)[number]): AreaItem => ({
    ...described(code),
    allDeviceCount: Number(sums.devices),
    totalPortCount: Number(sums.ports),
    onLinePortNum: Number(sums.online_ports),
    offLinePortNum: Number(sums.ports - sums.online_ports),
    countNum: count,
    totalCount,
  })
  return {
    level: params.level,
    ranking: ranked.slice(0, rankingSize).map(item),
    areas:
      params.level === areaLevel.code.site
        ? []
        : ranked.filter(({ code }) => code !== '').map(({ code, count }) => ({ ...described(code), countNum: count })),
  }
}

const portFigures = [
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
export async function portSum(db: Db, scope: Scope, request: ScreenFilter) {
  const params = await resolveScreenParams(db, request)
  const sums = await sumsOf(db, scope, params, { from: 'stat_now_live', figures: portFigures })
  return {
    totalPortCount: Number(sums.ports),
    onLinePortNum: Number(sums.online_ports),
    offLinePortNum: Number(sums.ports - sums.online_ports),
    freeNum: Number(sums.free_ports),
    workingNum: Number(sums.working_ports),
    faultNum: Number(sums.fault_ports),
    appointedNum: Number(sums.appointed_ports),
    connectedNum: Number(sums.connected_ports),
    washerWarningNum: Number(sums.warning_ports),
    washerDownNum: Number(sums.down_ports),
  }
}
