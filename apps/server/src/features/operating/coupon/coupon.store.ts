import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { couponFlow } from '@wattdeck/contract/operating/coupon-codes.ts'
import type { coupon } from '@wattdeck/contract/operating/coupon.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { ifGiven, type Source } from '../../../kit/db/list-query.ts'
import { withinOrganise } from '../../../kit/db/ownership.ts'
import type { Place } from '../../_shared/place.store.ts'

/** `readerId` is the reader, who must not decide on their own requests. Exports do not need it. */
export const couponSource = (readerId = '0'): Source => ({
  table: 'coupon',
  computed: {
    no: sql`coupon.id::text`,
    used: sql`(select count(*)::int from coupon_grant held where held.coupon_id = coupon.id and held.status = 3)`,
    own: sql`coupon.created_by_id = ${readerId}`,
  },
  own: ({ keyword }: QueryOf<typeof coupon.list>, { scope }) => [
    ...withinOrganise('coupon', scope),
    ...ifGiven(keyword, (text) => sql<boolean>`starts_with(coupon.name, ${text})`),
  ],
})

export type NewCoupon = {
  name: string
  kind: number
  off_fen: number | null
  from_fen: number | null
  off_bp: number | null
  max_fen: number | null
  free_minutes: number | null
  free_dwh: number | null
  scope: number
  funder: number
  total: number
  per_member: number
  claimable: boolean
  stacks: boolean
  starts_on: string
  ends_on: string
  valid_days: number | null
  remark: string | null
  created_by_id: string
  created_by: string
}
export async function addCoupon(db: Db, place: Place, coupon: NewCoupon): Promise<string> {
  const row = await db
    .insertInto('coupon')
    .values({ ...place, ...coupon })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** A coupon in scope, locked until the transaction ends. */
export const findCoupon = (db: Db, id: string) =>
  db
    .selectFrom('coupon')
    .select(['id', 'organise_id as organiseId', 'agent_id as agentId', 'site_id as siteId', 'name', 'kind'])
    .select('created_by_id as createdById')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

type Decision = { as: 'approve' | 'turnDown'; byId: string; by: string; reason: string | null }
export async function decide(db: Db, id: string, decision: Decision): Promise<boolean> {
  const changed = await db
    .updateTable('coupon')
    .set({
      status: couponFlow.to(decision.as),
      decided_by_id: decision.byId,
      decided_by: decision.by,
      decided_at: sql<string>`now()`,
      decision: decision.reason,
    })
    .where('id', '=', id)
    .where('created_by_id', '<>', decision.byId)
    .where('status', '=', sql<number>`any(${couponFlow.from(decision.as)})`)
    .executeTakeFirst()
  return changed.numUpdatedRows === 1n
}

export async function stop(db: Db, ids: readonly string[]): Promise<number> {
  const { numAffectedRows } = await sql`
    update coupon
    set status = ${couponFlow.to('stop')}
    where id = any(${ids}::bigint[]) and status = any(${couponFlow.from('stop')}::smallint[])`.execute(db)
  return Number(numAffectedRows)
}

/** Coupons given and used on each of the last 30 days in Shanghai, days without any included. */
export async function readDays(db: Db, id: string) {
  const { rows } = await sql<{ day: string; given: number; used: number; offFen: string }>`
    with days as (
      select day::date from generate_series((now() at time zone 'Asia/Shanghai')::date - 29, (now() at time zone 'Asia/Shanghai')::date, interval '1 day') day
    ), given as (
      select (granted_at at time zone 'Asia/Shanghai')::date as day, count(*)::int as n from coupon_grant
      where coupon_id = ${id} group by 1
    ), used as (
      select (used_at at time zone 'Asia/Shanghai')::date as day, count(*)::int as n, sum(off_fen) as fen from coupon_grant
      where coupon_id = ${id} and status = 3 group by 1
    )
    select to_char(days.day, 'YYYY-MM-DD') as day, coalesce(given.n, 0) as given, coalesce(used.n, 0) as used,
      coalesce(used.fen, 0)::text as "offFen"
    from days left join given using (day) left join used using (day) order by 1`.execute(db)
  return rows.map(({ offFen, ...row }) => ({ ...row, off: yuanText(BigInt(offFen)) }))
}
