import type { Benefit } from '@wattdeck/domain/tariff/benefit.ts'
import { shortUseS } from '@wattdeck/domain/monthly-pass.ts'
import { sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'
import type { Payer } from './payer.ts'

type Place = { organiseId: string; agentId: string | null; siteId: string | null }
type Pass = {
  id: string
  name: string
  useMinutes: number | null
  useDwh: number | null
  dayTimes: number
  monthTimes: number | null
}
const today = sql`(now() at time zone 'Asia/Shanghai')::date`

/**
 * The passes of a member that cover a charge at this place which begins now: within their days, with a use left today and
 * this month, and not in use. A start locks them, so that of two simultaneous starts only one finds the pass free.
 */
export async function passBenefitsFor(db: Db, place: Place, payer: Payer, how: 'lock' | 'look'): Promise<Benefit[]> {
  if (payer.kind !== 'member') return []
  const passes = await readPasses(db, place, payer.id, how)
  if (passes.length === 0) return []
  const uses = await countUses(
    db,
    passes.map(({ id }) => id),
  )
  return passes
    .filter(({ id, dayTimes, monthTimes }) => {
      const { open, day, month } = uses.get(id) ?? { open: false, day: 0, month: 0 }
      return !open && day < dayTimes && (monthTimes === null || month < monthTimes)
    })
    .map(benefitOf)
}

/** The pass that ends first comes first. Locked rows stay locked until the transaction ends. */
async function readPasses(
  db: Db,
  { organiseId, agentId, siteId }: Place,
  memberId: string,
  how: 'lock' | 'look',
): Promise<Pass[]> {
  const { rows } = await sql<Pass>`
    select
      pass.id,
      version.name,
      version.use_minutes as "useMinutes",
      version.use_dwh as "useDwh",
      version.day_times as "dayTimes",
      version.month_times as "monthTimes"
    from member_plan pass
    join monthly_plan_version version on version.id = pass.version_id
    where pass.member_id = ${memberId}
      and pass.organise_id = ${organiseId}
      and ${today} between pass.from_on and pass.to_on
      and case
        when version.site_ids is not null then ${siteId}::bigint = any(version.site_ids)
        when version.site_id is not null then version.site_id = ${siteId}
        when version.agent_id is not null then version.agent_id in (
          with recursive line (id) as (
            select ${agentId}::bigint
            union all
            select agent.parent_agent_id from agent join line on line.id = agent.id
          )
          select id from line
        )
        else true
      end
    order by pass.to_on, pass.id
    limit 20
    ${how === 'lock' ? sql`for update of pass` : sql``}`.execute(db)
  return rows
}

/** A statement of its own: it sees the use of a start that held the lock before. */
async function countUses(db: Db, ids: readonly string[]) {
  const { rows } = await sql<{ id: string; open: boolean; day: number; month: number }>`
    select
      pass_id as id,
      bool_or(ended_at is null) as open,
      (count(*) filter (where used_on = ${today} and returned_at is null))::int as day,
      (count(*) filter (where used_on >= date_trunc('month', ${today}) and returned_at is null))::int as month
    from plan_use
    where pass_id = any(${ids}::bigint[])
      and (used_on >= date_trunc('month', ${today}) or ended_at is null)
    group by 1`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

const benefitOf = ({ id, name, useMinutes, useDwh }: Pass): Benefit => ({
  kind: 'pass',
  ref: `pass/${id}`,
  name,
  scope: 'charge',
  // A constraint of the table requires exactly one of the two.
  off: useMinutes === null ? { by: 'energy', freeDwh: useDwh ?? 0 } : { by: 'minutes', freeMinutes: useMinutes },
  funders: [{ who: 'pass', id, weight: 1 }],
})

type Order = { id: string; benefits: readonly Benefit[] }

const passIdOf = (benefits: readonly Benefit[]): string | undefined =>
  benefits.map(({ ref }) => /^pass\/(\d+)$/.exec(ref)?.[1]).find((id) => id !== undefined)

/** Takes one use of the chosen pass, in the transaction of the start. The day of the start is the day of the use. */
export async function takePass(db: Db, { id, benefits }: Order): Promise<void> {
  const passId = passIdOf(benefits)
  if (passId === undefined) return
  await sql`
    insert into plan_use (order_id, pass_id, organise_id, site_id, used_on)
    select id, ${passId}, organise_id, site_id, ${today}
    from charging_order
    where id = ${id}`.execute(db)
}

/** The charge is over and its bill waits for a review: the pass is free for the next charge. */
export async function endPassUse(db: Db, { id, benefits }: Order): Promise<void> {
  if (passIdOf(benefits) === undefined) return
  await sql`update plan_use set ended_at = coalesce(ended_at, now()) where order_id = ${id}`.execute(db)
}

/**
 * Closes the use of a billed or released order: what the pass covered decides which site earns the day. The use is given
 * back if nothing was covered, or the charge was too short to be one.
 */
export async function closePass(db: Db, { id, benefits }: Order): Promise<void> {
  if (passIdOf(benefits) === undefined) return
  await sql`
    update plan_use
    set
      ended_at = coalesce(plan_use.ended_at, now()),
      closed_at = now(),
      off_fen = charged.pass_fen,
      returned_at = case
        when charged.pass_fen = 0 or coalesce(charged.duration_s, 0) < ${shortUseS} then now()
      end
    from charging_order charged
    where plan_use.order_id = ${id} and charged.id = ${id}`.execute(db)
}
