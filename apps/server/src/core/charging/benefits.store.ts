import { whitelistRule, whitelistScope } from '@wattdeck/contract/member/whitelist-codes.ts'
import type { Benefit } from '@wattdeck/domain/tariff/benefit.ts'
import type { Discount } from '@wattdeck/domain/tariff/bill.ts'
import { sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'
import { closeCoupon, type CouponChoice, couponBenefits, holdCoupon } from './coupon.store.ts'
import { funderOf } from './discount-funder.ts'
import { closePass, passBenefitsFor, takePass } from './pass.store.ts'
import type { Payer } from './payer.ts'

type Place = { organiseId: string; agentId: string | null; siteId: string | null }
type Entry = {
  id: string
  rule: number
  offBp: number | null
  offFen: number | null
  payFen: number | null
  freeDwh: number | null
  scope: number
  funder: number
  agentId: string | null
  times: number | null
  dayTimes: number
}

/**
 * The benefits that a payer may use for a charge at this place, now. The start locks them, chooses some and stores them; an
 * estimate only looks. Coupons belong to members: a card pays without.
 */
export async function benefitsFor(
  db: Db,
  place: Place,
  payer: Payer,
  how: 'lock' | 'look',
  choice?: CouponChoice,
): Promise<Benefit[]> {
  const passes = await passBenefitsFor(db, place, payer, how)
  const prices = await whitelistBenefits(db, place, payer, how)
  const coupons = payer.kind === 'member' ? await couponBenefits(db, place, payer.id, { how, choice }) : []
  return [...passes, ...prices, ...coupons]
}

async function whitelistBenefits(db: Db, place: Place, payer: Payer, how: 'lock' | 'look'): Promise<Benefit[]> {
  const entries = await readEntries(db, place, payer, how)
  if (entries.length === 0) return []
  const uses = await countUses(
    db,
    entries.map(({ id }) => id),
  )
  const usable = entries.filter(({ id, times, dayTimes }) => {
    const { all, today } = uses.get(id) ?? { all: 0, today: 0 }
    return today < dayTimes && (times === null || all < times)
  })
  return usable.map((entry) => benefitOf(entry, place))
}

const today = sql`(now() at time zone 'Asia/Shanghai')::date`

/** Locked rows stay locked until the transaction ends, so that two simultaneous starts cannot both take the last use. */
async function readEntries(
  db: Db,
  { organiseId, agentId, siteId }: Place,
  payer: Payer,
  how: 'lock' | 'look',
): Promise<Entry[]> {
  const isPayer =
    payer.kind === 'card'
      ? sql`entry.card_id = ${payer.id}`
      : sql`entry.phone = (select member.phone from member where member.id = ${payer.id})`
  const { rows } = await sql<Entry>`
    select
      id,
      rule,
      off_bp as "offBp",
      off_fen as "offFen",
      pay_fen as "payFen",
      free_dwh as "freeDwh",
      scope,
      funder,
      agent_id as "agentId",
      times,
      day_times as "dayTimes"
    from whitelist_entry entry
    where organise_id = ${organiseId}
      and status = 2
      and ${isPayer}
      and ${today} between starts_on and ends_on
      and case
        when site_id is not null then site_id = ${siteId}
        when agent_id is not null then agent_id in (
          with recursive line (id) as (
            select ${agentId}::bigint
            union all
            select agent.parent_agent_id from agent join line on line.id = agent.id
          )
          select id from line
        )
        else true
      end
    order by id
    limit 20
    ${how === 'lock' ? sql`for update of entry` : sql``}`.execute(db)
  return rows
}

/** A statement of its own: it sees the uses of a start that held the lock before. */
async function countUses(db: Db, ids: readonly string[]) {
  const { rows } = await sql<{ id: string; all: number; today: number }>`
    select entry_id as id, count(*)::int as all, (count(*) filter (where used_on = ${today}))::int as today
    from whitelist_use
    where entry_id = any(${ids}::bigint[]) and returned_at is null
    group by 1`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

const benefitOf = (entry: Entry, { siteId }: Place): Benefit => ({
  kind: 'price',
  ref: `whitelist/${entry.id}`,
  name: `白名单${whitelistRule.show(entry.rule as 0).label}`,
  scope: entry.scope === whitelistScope.code.service ? 'service' : 'charge',
  off: offOf(entry),
  funders: [funderOf(entry, siteId)],
})

/** The columns of a rule are required by a constraint of the table. */
function offOf({ rule, offBp, offFen, payFen, freeDwh }: Entry): Benefit['off'] {
  const { discount, reduction, fixed } = whitelistRule.code
  if (rule === discount) return { by: 'percent', offBp: offBp ?? 0, maxFen: null }
  if (rule === reduction) return { by: 'amount', offFen: offFen ?? 0, fromFen: 0 }
  if (rule === fixed) return { by: 'fixed', payFen: payFen ?? 0 }
  return { by: 'energy', freeDwh: freeDwh ?? 0 }
}

const entryIdOf = (benefits: readonly Benefit[]): string | undefined =>
  benefits.map(({ ref }) => /^whitelist\/(\d+)$/.exec(ref)?.[1]).find((id) => id !== undefined)

type Order = { id: string; organiseId: string; benefits: readonly Benefit[] }

/** Counts the use of the chosen pass and price and holds the chosen coupon, in the transaction of the start. */
export async function takeBenefits(db: Db, order: Order): Promise<void> {
  await takePass(db, order)
  await holdCoupon(db, order)
  const { id, organiseId, benefits } = order
  const entryId = entryIdOf(benefits)
  if (entryId === undefined) return
  await sql`
    insert into whitelist_use (order_id, entry_id, organise_id, used_on)
    values (${id}, ${entryId}, ${organiseId}, ${today})`.execute(db)
}

/** Gives back what lowered nothing. */
export async function closeBenefits(db: Db, order: Order, discounts: readonly Discount[]): Promise<void> {
  await closePass(db, order)
  await closeCoupon(db, order, discounts)
  if (entryIdOf(order.benefits) === undefined) return
  const isUsed = discounts.some(({ kind }) => kind === 'price')
  await sql`
    update whitelist_use set returned_at = case when ${isUsed} then null else now() end
    where order_id = ${order.id}`.execute(db)
}
