import { rankingSize } from '@wattdeck/contract/dashboard/big-screen-fields.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { screenDays } from './big-screen.rules.ts'
import { isDay, readAsked, type ScreenFilter, sumsBy, sumsOf } from './big-screen.store.ts'
import { describeAreas, sumsByArea } from './screen-areas.store.ts'
import { ownerNamesOf, ownersOf, shownSpans, spansOf } from './screen-orders.store.ts'

/** Rows of members are of no device type: those of devices need not be read. */
const members = { from: 'stat_now_live', figures: ['members'], when: sql<boolean>`device_type_id = 0` } as const

/** A member belongs to no class of devices, whatever else is asked for at the same time. */
const ofAnyClass = (wish: ScreenFilter): ScreenFilter => ({ ...wish, deviceFirstClass: undefined })

export async function memberAreas(db: Db, scope: Scope, wish: ScreenFilter) {
  const asked = await readAsked(db, ofAnyClass(wish))
  const found = await sumsByArea(db, scope, asked, members)
  const ranked = [...found]
    .map(([code, sums]) => ({ code, count: Number(sums.members) }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1))
  const totalCount = ranked.reduce((sum, { count }) => sum + count, 0)
  const first = ranked.slice(0, rankingSize)
  const described = await describeAreas(
    db,
    asked.level,
    first.map(({ code }) => code).filter((code) => code !== ''),
  )
  return {
    level: asked.level,
    ranking: first.map(({ code, count }) => ({ ...described(code), countNum: count, totalCount })),
  }
}

export async function memberOrganises(db: Db, scope: Scope, wish: ScreenFilter) {
  const asked = await readAsked(db, ofAnyClass(wish))
  const owners = ownersOf(scope, asked)
  const { today } = screenDays(Date.now())
  const [found, all, registered] = await Promise.all([
    sumsBy(db, scope, asked, members, {
      key: owners.key,
      by: owners.statBy,
      limit: { order: sql`sum(members)`, count: rankingSize },
    }),
    sumsOf(db, scope, asked, members),
    sumsOf(db, scope, asked, { from: 'stat_day_live', figures: ['members'], when: isDay(today) }),
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
export async function memberPc(db: Db, scope: Scope, wish: ScreenFilter) {
  const asked = await readAsked(db, ofAnyClass(wish))
  const [now, spans] = await Promise.all([sumsOf(db, scope, asked, members), spansOf(db, scope, asked, figures)])
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
