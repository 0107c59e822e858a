import { areaPoints } from '@wattdeck/contract/dashboard/big-screen-fields.ts'
import { defaultOrganiseId } from '@wattdeck/domain/roles.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { screenDays } from './big-screen.rules.ts'
import { isDay, resolveScreenParams, type ScreenFilter } from './big-screen.store.ts'
import { describeAreas, sumsByArea } from './screen-areas.store.ts'
import { bills, turnoverOf } from './screen-orders.store.ts'

/** The centre of the country, used until the organisation has an address. */
const capital = '110000'

/** Flylines from the areas of today's charges to the centre of the filter. */
export async function flylines(db: Db, scope: Scope, request: ScreenFilter) {
  const params = await resolveScreenParams(db, request)
  const { today } = screenDays(Date.now())
  const figures = [...bills, 'orders'] as const
  const [found, to] = await Promise.all([
    sumsByArea(db, scope, params, { from: 'stat_day_live', figures, when: isDay(today) }),
    middleOf(db, scope, params.filter),
  ])
  const ranked = [...found]
    .filter(([code, sums]) => code !== '' && sums.orders > 0n)
    .toSorted(([a, x], [b, y]) => Number(y.orders - x.orders) || (a < b ? -1 : 1))
  const described = await describeAreas(
    db,
    params.level,
    ranked.map(([code]) => code),
  )
  const lines = ranked.flatMap(([code, sums]) => {
    const { name, centre } = described(code)
    if (centre === null) return []
    const [positionX, positionY] = centre
    return [{ code, name, positionX, positionY, countNum: Number(sums.orders), turnover: turnoverOf(sums) }]
  })
  return { level: params.level, to, lines: lines.slice(0, areaPoints) }
}

async function middleOf(
  db: Db,
  scope: Scope,
  { region, organiseId }: { region?: string | undefined; organiseId?: string | undefined },
) {
  const owner = scope.level > 0 ? scope.organiseId : (organiseId ?? defaultOrganiseId)
  const home =
    region === undefined
      ? await db
          .selectFrom('organise')
          .select(['name', sql<string | null>`coalesce(district_code, city_code, province_code)`.as('code')])
          .where('id', '=', owner)
          .executeTakeFirst()
      : undefined
  const middle = await db
    .selectFrom('region')
    .select(['name', 'lng', 'lat'])
    .where('adcode', '=', sql<string>`any(${[region ?? home?.code ?? capital, capital]})`)
    .orderBy(sql`adcode = ${capital}`)
    .limit(1)
    .executeTakeFirstOrThrow()
  return { name: home?.name ?? middle.name, positionX: middle.lng, positionY: middle.lat }
}
