import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { grantFlow } from '@wattdeck/contract/operating/coupon-codes.ts'
import type { couponGrant } from '@wattdeck/contract/operating/coupon-grant.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { ifGiven, type Source } from '../../../kit/db/list-query.ts'

const today = sql`(now() at time zone 'Asia/Shanghai')::date`

export const grantSource: Source = {
  table: 'coupon_grant',
  computed: {
    nickname: sql`(select nickname from app.order_payer(coupon_grant.member_id))`,
    phone: sql`(select phone from app.order_payer(coupon_grant.member_id))`,
    status: sql`case when coupon_grant.status = 1 and coupon_grant.valid_until < ${today} then 5 else coupon_grant.status end`,
  },
  own: ({ keyword, couponId, memberId }: QueryOf<typeof couponGrant.list>) => [
    ...ifGiven(keyword, (phone) => sql<boolean>`coupon_grant.member_id = any(app.members_of_phone(${phone}, null))`),
    ...ifGiven(couponId, (id) => sql<boolean>`coupon_grant.coupon_id = ${id}`),
    ...ifGiven(memberId, (id) => sql<boolean>`coupon_grant.member_id = ${id}`),
  ],
}

/** The newest enabled member of the organisation with each phone, as far as the caller sees members. */
export async function findMembers(db: Db, organiseId: string, phones: readonly string[]) {
  const { rows } = await sql<{ id: string; phone: string }>`
    select distinct on (phone) id, phone from member
    where organise_id = ${organiseId} and phone = any(${phones}::text[]) and status = 1
    order by phone, id desc`.execute(db)
  return new Map(rows.map(({ id, phone }) => [phone, id]))
}

export async function takeBack(db: Db, ids: readonly string[], by: string, reason: string): Promise<number> {
  const { numAffectedRows } = await sql`
    update coupon_grant
    set status = ${grantFlow.to('void')}, voided_by = ${by}, void_reason = ${reason}
    where id = any(${ids}::bigint[]) and status = any(${grantFlow.from('void')}::smallint[])`.execute(db)
  return Number(numAffectedRows)
}
