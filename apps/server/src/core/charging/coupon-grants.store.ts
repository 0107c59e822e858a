import { couponKind, couponStatus, type grantSource } from '@wattdeck/contract/operating/coupon-codes.ts'
import { whitelistScope } from '@wattdeck/contract/member/whitelist-codes.ts'
import { sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'
import { conflict, orNotFound } from '../../kit/http/refusal.ts'
import type { CouponTerms } from './coupon.store.ts'

type Coupon = {
  id: string
  organiseId: string
  agentId: string | null
  siteId: string | null
  name: string
  kind: number
  offFen: number | null
  fromFen: number | null
  offBp: number | null
  maxFen: number | null
  freeMinutes: number | null
  freeDwh: number | null
  scope: number
  funder: number
  left: number
  perMember: number
  claimable: boolean
  stacks: boolean
  status: number
  isOpen: boolean
  validFrom: string
  validUntil: string
}

/** A coupon in scope, locked until the transaction ends: simultaneous grants share one budget. */
export async function lockCoupon(db: Db, id: string): Promise<Coupon> {
  const { rows } = await sql<Coupon>`
    with today as (select (now() at time zone 'Asia/Shanghai')::date as day)
    select
      id,
      organise_id as "organiseId",
      agent_id as "agentId",
      site_id as "siteId",
      name,
      kind,
      off_fen as "offFen",
      from_fen as "fromFen",
      off_bp as "offBp",
      max_fen as "maxFen",
      free_minutes as "freeMinutes",
      free_dwh as "freeDwh",
      scope,
      funder,
      total - granted as left,
      per_member as "perMember",
      claimable,
      stacks,
      status,
      today.day between starts_on and ends_on as "isOpen",
      to_char(today.day, 'YYYY-MM-DD') as "validFrom",
      to_char(least(ends_on, today.day + coalesce(valid_days, 36500) - 1), 'YYYY-MM-DD') as "validUntil"
    from coupon, today
    where id = ${id}
    for update of coupon`.execute(db)
  return orNotFound(rows[0])
}

/** Refuses a coupon that is not given out today. */
export function assertOpen({ status, isOpen, left }: Coupon): void {
  if (status !== couponStatus.code.giving) throw conflict('该优惠券不在发放中')
  if (!isOpen) throw conflict('不在优惠券的发放日期内')
  if (left <= 0) throw conflict('优惠券已领完')
}

type By = { source: (typeof grantSource.code)[keyof typeof grantSource.code]; id: string | null; name: string | null }

/** Gives one coupon to a member. Undefined if the member has as many as allowed. The caller has locked the coupon. */
export async function grantCoupon(db: Db, coupon: Coupon, memberId: string, by: By): Promise<string | undefined> {
  const { rows: had } = await sql<{ n: number }>`
    select count(*)::int as n from coupon_grant
    where coupon_id = ${coupon.id} and status <> 4
      and member_id = ${memberId}`.execute(db)
  if ((had[0]?.n ?? 0) >= coupon.perMember) return undefined
  const { rows: spent } = await sql`
    update coupon set granted = granted + 1 where id = ${coupon.id} and granted < total returning 1`.execute(db)
  if (spent.length === 0) throw conflict('优惠券已领完')
  const { organiseId, agentId, siteId, id, name, funder, validFrom, validUntil } = coupon
  const { rows } = await sql<{ id: string }>`
    insert into coupon_grant (organise_id, agent_id, site_id, coupon_id, member_id, name, terms, funder, valid_from, valid_until, source,
      granted_by_id, granted_by)
    values (${organiseId}, ${agentId}, ${siteId}, ${id}, ${memberId}, ${name}, ${JSON.stringify(termsOf(coupon))}::jsonb, ${funder},
      ${validFrom}, ${validUntil}, ${by.source}, ${by.id}, ${by.name})
    returning id`.execute(db)
  return rows[0]?.id
}

function termsOf({ stacks, kind, offFen, fromFen, offBp, maxFen, freeMinutes, freeDwh, scope }: Coupon): CouponTerms {
  const { reduction, discount, minutes, energy } = couponKind.code
  const off = (): CouponTerms['off'] => {
    if (kind === reduction) return { by: 'amount', offFen: offFen ?? 0, fromFen: fromFen ?? 0 }
    if (kind === discount) return { by: 'percent', offBp: offBp ?? 0, maxFen }
    if (kind === minutes) return { by: 'minutes', freeMinutes: freeMinutes ?? 0 }
    if (kind === energy) return { by: 'energy', freeDwh: freeDwh ?? 0 }
    return { by: 'percent', offBp: 10_000, maxFen }
  }
  return {
    scope: scope === whitelistScope.code.service ? 'service' : 'charge',
    off: off(),
    ...(stacks ? {} : { alone: true as const }),
  }
}
