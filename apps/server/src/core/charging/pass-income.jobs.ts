import { billWaitDays, dayFen } from '@wattdeck/domain/monthly-pass.ts'
import { shareByRemainder } from '@wattdeck/domain/refund.ts'
import { sql } from 'kysely'
import type pg from 'pg'
import { commit, type Db, inScope } from '../../kit/db/db.ts'
import { systemScope } from '../../kit/db/system-scope.ts'
import { type Line, post, type Posting } from '../ledger/ledger.ts'
import { orderTime } from './order-time.ts'

const slice = 200
/** Days of one pass in one transaction. */
const mostDays = 50
/** Time limit of a run; the next run continues. */
const longestRunMs = 1_800_000

/**
 * Posts the income of the days of passes that have ended, and returns the number of passes whose income changed. Each
 * pass is a transaction of its own that locks it; the counter of days and the key of each posting refuse a second time,
 * also when several workers run or a run was missed.
 */
export async function earnPasses(pool: pg.Pool): Promise<number> {
  const endMs = Date.now() + longestRunMs
  let after = '0'
  let changed = 0
  while (Date.now() < endMs) {
    const due = await duePasses(pool, after)
    for (const id of due) if (await earnPass(pool, id, endMs)) changed++
    const last = due.at(-1)
    if (last === undefined || due.length < slice) break
    after = last
  }
  return changed
}

const today = sql`(now() at time zone 'Asia/Shanghai')::date`

const duePasses = (pool: pg.Pool, after: string): Promise<string[]> =>
  inScope(pool, systemScope, 'read', async ({ db }) => {
    const { rows } = await sql<{ id: string }>`
      select id
      from member_plan
      where income_fen < price_fen
        and income_days < least(to_on - from_on + 1, ${today} - from_on)
        and id > ${after}
      order by id
      limit ${slice}`.execute(db)
    return commit(rows.map(({ id }) => id))
  })

/** Whether the income of the pass changed. */
async function earnPass(pool: pg.Pool, id: string, endMs: number): Promise<boolean> {
  let changed = false
  for (let days = mostDays; days === mostDays && Date.now() < endMs;) {
    days = await inScope(pool, systemScope, 'record', async ({ db }) => commit(await earnDays(db, id)))
    changed ||= days > 0
  }
  return changed
}

type Pass = {
  id: string
  organiseId: string
  agentId: string | null
  siteId: string | null
  priceFen: string
  days: number
  incomeDays: number
  /** The days that have ended. */
  ended: number
}
/** `day` counts from the first day of the pass. */
type Use = { day: number; siteId: string | null; offFen: string; closed: boolean }

/** Posts the income of the next days and returns how many. */
async function earnDays(db: Db, id: string): Promise<number> {
  const pass = await lockPass(db, id)
  if (pass === undefined) return 0
  const { incomeDays, ended } = pass
  const uses = Map.groupBy(await usesOf(db, id), ({ day }) => day)
  const postings: Posting[] = []
  let day = incomeDays
  for (; day < ended && day < incomeDays + mostDays; day++) {
    const ofDay = uses.get(day) ?? []
    if (ofDay.some(({ closed }) => !closed) && ended - day <= billWaitDays) break
    const posting = postingOf(pass, day, ofDay)
    if (posting !== undefined) postings.push(posting)
  }
  if (day === incomeDays) return 0
  if (postings.length > 0) await post(db, postings)
  await sql`
    update member_plan
    set income_days = ${day}, income_fen = price_fen * ${day}::int / (to_on - from_on + 1)
    where id = ${id}`.execute(db)
  return day - incomeDays
}

async function lockPass(db: Db, id: string): Promise<Pass | undefined> {
  const { rows } = await sql<Pass>`
    select
      id,
      organise_id as "organiseId",
      agent_id as "agentId",
      site_id as "siteId",
      price_fen as "priceFen",
      to_on - from_on + 1 as days,
      income_days as "incomeDays",
      least(to_on - from_on + 1, ${today} - from_on) as ended
    from member_plan
    where id = ${id}
    for update skip locked`.execute(db)
  return rows[0]
}

async function usesOf(db: Db, passId: string): Promise<Use[]> {
  const { rows } = await sql<Use>`
    select
      plan_use.used_on - pass.from_on as day,
      plan_use.site_id as "siteId",
      plan_use.off_fen as "offFen",
      plan_use.closed_at is not null as closed
    from plan_use
    join member_plan pass on pass.id = plan_use.pass_id
    where plan_use.pass_id = ${passId}
    order by plan_use.order_id`.execute(db)
  return rows
}

/**
 * The part of a day belongs to the sites whose charges the pass covered on that day, by what it covered; without any to
 * the organisation. Undefined if the part is less than a fen.
 */
function postingOf(pass: Pass, day: number, uses: readonly Use[]): Posting | undefined {
  const fen = dayFen(BigInt(pass.priceFen), pass.days, day)
  if (fen === 0n) return undefined
  const covered = new Map<string, bigint>()
  for (const { siteId, offFen } of uses)
    if (siteId !== null && offFen !== '0') covered.set(siteId, (covered.get(siteId) ?? 0n) + BigInt(offFen))
  const sites = [...covered]
  const shares = shareByRemainder(
    sites.length === 0 ? 0n : fen,
    // Scaled, so that no weight limits its share.
    sites.map(([, offFen]) => offFen * fen),
  )
  const earned: Line[] =
    sites.length === 0
      ? [{ account: 'planIncome', owner: '0', fen }]
      : sites.map(([siteId], at) => ({ account: 'siteSubsidy', owner: siteId, fen: shares[at] ?? 0n }))
  return {
    key: `pass/${pass.id}/day/${day}`,
    // The id of a pass encodes its time as that of an order does.
    keyAt: orderTime(pass.id),
    place: pass,
    kind: 'passIncome',
    ref: pass.id,
    lines: [{ account: 'planDeferred', owner: pass.id, fen: -fen }, ...earned],
  }
}
