import type { Discount } from '@wattdeck/domain/tariff/bill.ts'
import { type Benefit, discountFen } from '@wattdeck/domain/tariff/benefit.ts'
import { sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'
import { orNotFound } from '../../kit/http/refusal.ts'
import { funderOf } from './discount-funder.ts'

type Place = { organiseId: string; agentId: string | null; siteId: string | null }
/** The id of the coupon that the payer chose, '0' for none; undefined leaves the choice to the price. */
export type CouponChoice = string | undefined
/** What a coupon of a member is worth, as it was when it was given. */
export type CouponTerms = Pick<Benefit, 'scope' | 'off' | 'alone'>
type Offer = { id: string; name: string; terms: CouponTerms; funder: number; agentId: string | null }

/**
 * The unused coupons of a member that apply at this place, those that expire first before the others. A chosen coupon that
 * does not apply is not found.
 */
export async function couponBenefits(
  db: Db,
  place: Place,
  memberId: string,
  { how, choice }: { how: 'lock' | 'look'; choice: CouponChoice },
): Promise<Benefit[]> {
  if (choice === '0') return []
  const { rows } = await sql<Offer>`
    select id, name, terms, funder, agent_id as "agentId"
    from app.coupon_offers(${place.organiseId}, ${place.agentId}, ${place.siteId}, ${memberId}, ${how === 'lock'})`.execute(
    db,
  )
  const offers = choice === undefined ? rows : [orNotFound(rows.find(({ id }) => id === choice))]
  return offers.map(({ id, name, terms, funder, agentId }) => ({
    kind: 'coupon',
    ref: `coupon/${id}`,
    name,
    ...terms,
    funders: [funderOf({ funder, agentId }, place.siteId)],
  }))
}

const grantIdOf = (benefits: readonly Benefit[]): string | undefined =>
  benefits.map(({ ref }) => /^coupon\/(\d+)$/.exec(ref)?.[1]).find((id) => id !== undefined)

type Order = { id: string; organiseId: string; benefits: readonly Benefit[] }

/** Holds the chosen coupon for the order, in the transaction of the start. */
export async function holdCoupon(db: Db, { id, organiseId, benefits }: Order): Promise<void> {
  const grantId = grantIdOf(benefits)
  if (grantId === undefined) return
  const { rows } = await sql<{ held: boolean }>`
    select app.hold_coupon(${grantId}, ${organiseId}, ${id}) as held`.execute(db)
  if (rows[0]?.held !== true) throw new Error(`coupon ${grantId} of order ${id} was locked and is not free`)
}

/** Uses the coupon up if it lowered the bill, or gives it back. */
export async function closeCoupon(
  db: Db,
  { id, organiseId, benefits }: Order,
  discounts: readonly Discount[],
): Promise<void> {
  if (grantIdOf(benefits) === undefined) return
  await sql`select app.close_coupon(${id}, ${organiseId}, ${discountFen(discounts, 'coupon').toString()})`.execute(db)
}
