import { rankingSize } from '@wattdeck/contract/dashboard/big-screen-fields.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { screenDays } from './big-screen.rules.ts'
import { isDay, resolveScreenParams, type ScreenFilter, sumsBy, sumsOf } from './big-screen.store.ts'
import { describeAreas, sumsByArea } from './screen-areas.store.ts'
import { ownerNamesOf, ownersOf, shownSpans, spansOf } from './screen-orders.store.ts'

/** Members have no device type, so the query excludes the rows of device types. */
const members = { from: 'stat_now_live', figures: ['members'], when: sql<boolean>`device_type_id = 0` } as const

/** Members have no device class, so this filter is ignored. */
const ofAnyClass = (request: ScreenFilter): ScreenFilter => ({ ...request, deviceFirstClass: undefined })

export async function memberAreas(db: Db, scope: Scope, request: ScreenFilter) {
  const params = await resolveScreenParams(db, ofAnyClass(request))
  const found = await sumsByArea(db, scope, params, members)
  const ranked = [...found]
    .map(([code, sums]) => ({ code, count: Number(sums.members) }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1))
  const totalCount = ranked.reduce((sum, { count }) => sum + count, 0)
  const first = ranked.slice(0, rankingSize)
  const described = await describeAreas(
    db,
    params.level,
    first.map(({ code }) => code).filter((code) => code !== ''),
  )
  return {
    level: params.level,
    ranking: first.map(({ code, count }) => ({ ...described(code), countNum: count, totalCount })),
  }
}

export async function memberOrganises(db: Db, scope: Scope, request: ScreenFilter) {
  const params = await resolveScreenParams(db, ofAnyClass(request))
  const owners = ownersOf(scope, params)
  const { today } = screenDays(Date.now())
  const [found, all, registered] = await Promise.all([
    sumsBy(db, scope, params, members, {
      key: owners.key,
      by: owners.statBy,
      limit: { order: sql`sum(members)`, count: rankingSize },
    }),
    sumsOf(db, scope, params, members),
    sumsOf(db, scope, params, { from: 'stat_day_live', figures: ['members'], when: isDay(today) }),
  ])
  const nameOf = await ownerNamesOf(db, owners.table, [...found.keys()])
  return {
    by: owners.by,
    ranking: [...found].map(([id, sums]) => ({ id, name: nameOf(id), countNum: Number(sums.members) })),
    totalCount: Number(all.members),
    todayCount: Number(registered.members),
  }
}

const figures = ['members', 'recharges', 'recharged_fen', 'recharge_refunded_fen'] as const
export async function memberPc(db: Db, scope: Scope, request: ScreenFilter) {
  const params = await resolveScreenParams(db, ofAnyClass(request))
  const [now, spans] = await Promise.all([sumsOf(db, scope, params, members), spansOf(db, scope, params, figures)])
  return {
    memberCount: Number(now.members),
    ...shownSpans(spans, (sums) => ({
      registered: Number(sums.members),
      rechargeCount: Number(sums.recharges),
      recharged: yuanText(sums.recharged_fen),
      rechargeRefunded: yuanText(sums.recharge_refunded_fen),
    })),
  }
}
