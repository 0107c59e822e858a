import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'

export const findMember = (db: Db, id: string) =>
  db
    .selectFrom('member')
    .select(['id', 'organise_id as organiseId', 'agent_id as agentId', 'site_id as siteId', 'phone', 'status'])
    .where('id', '=', id)
    .executeTakeFirst()

const today = sql`(now() at time zone 'Asia/Shanghai')::date`
const worth = sql`coupon.kind, coupon.off_fen as "offFen", from_fen as "fromFen", off_bp as "offBp", max_fen as "maxFen", free_minutes as "freeMinutes", free_dwh as "freeDwh"`
type Worth = {
  kind: number
  offFen: number | null
  fromFen: number | null
  offBp: number | null
  maxFen: number | null
  freeMinutes: number | null
  freeDwh: number | null
}

type Held = Worth & { id: string; name: string; status: number; validUntil: string }
/** Unused coupons and those of running charges; what expires first comes first. */
export async function heldCoupons(db: Db, memberId: string): Promise<Held[]> {
  const { rows } = await sql<Held>`
    select held.id, held.name, held.status, to_char(held.valid_until, 'YYYY-MM-DD') as "validUntil", ${worth}
    from coupon_grant held join coupon on coupon.id = held.coupon_id
    where held.member_id = ${memberId} and (held.status = 2 or held.status = 1 and held.valid_until >= ${today})
    order by held.valid_until, held.id
    limit 200`.execute(db)
  return rows
}

type Claimable = Worth & { id: string; name: string; remark: string | null; endsOn: string; left: number }
/** Coupons that members of a place may take: of the organisation, of their agent, or of their site. */
export async function claimable(db: Db, member: { agentId: string | null; siteId: string | null }) {
  const { rows } = await sql<Claimable>`
    select id, name, remark, to_char(ends_on, 'YYYY-MM-DD') as "endsOn", total - granted as left, ${worth}
    from coupon
    where claimable and status = 2 and granted < total and ${today} between starts_on and ends_on
      and (agent_id is null or agent_id = ${member.agentId}) and (site_id is null or site_id = ${member.siteId})
    order by ends_on, id
    limit 100`.execute(db)
  return rows
}
