import { sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'

type Place = { organiseId: string; agentId: string | null; siteId: string | null }
type OfferedTier = { id: string; payFen: bigint; giftFen: bigint }
/** The plan that applies to a member now. */
export type Offer = {
  planId: string
  minFen: bigint
  allowsCustom: boolean
  giftValidDays: number | null
  tiers: OfferedTier[]
}

/**
 * The enabled plan of the nearest place on this day in Asia/Shanghai: the site, the agent, the agents above it, the
 * organisation. Undefined: any amount may be recharged, without a gift.
 */
export async function readOffer(db: Db, { organiseId, agentId, siteId }: Place): Promise<Offer | undefined> {
  const { rows } = await sql<{
    planId: string
    minFen: string
    allowsCustom: boolean
    giftValidDays: number | null
    tiers: { id: string; payFen: string; giftFen: string }[]
  }>`
    with recursive above as (
      select id, parent_agent_id, 1 as distance from agent where id = ${agentId}
      union all
      select agent.id, agent.parent_agent_id, above.distance + 1
      from agent join above on agent.id = above.parent_agent_id
      where above.distance < 20
    )
    select plan.id as "planId", plan.min_fen as "minFen", plan.allows_custom as "allowsCustom",
      plan.gift_valid_days as "giftValidDays",
      (select coalesce(json_agg(json_build_object('id', tier.id::text, 'payFen', tier.pay_fen::text, 'giftFen', tier.gift_fen::text)
          order by tier.pay_fen), '[]')
        from recharge_tier tier where tier.plan_id = plan.id) as tiers
    from recharge_plan plan
    left join above on plan.site_id is null and above.id = plan.agent_id
    where plan.organise_id = ${organiseId}
      and plan.status = 1
      and (now() at time zone 'Asia/Shanghai')::date between plan.starts_on and coalesce(plan.ends_on, 'infinity')
      and (plan.site_id = ${siteId} or above.id is not null or (plan.site_id is null and plan.agent_id is null))
    order by plan.site_id nulls last, above.distance nulls last
    limit 1`.execute(db)
  const [row] = rows
  if (row === undefined) return undefined
  const tiers = row.tiers.map(({ id, payFen, giftFen }) => ({ id, payFen: BigInt(payFen), giftFen: BigInt(giftFen) }))
  return { ...row, minFen: BigInt(row.minFen), tiers }
}

/** Marks the plan as used. Returns false when it was removed in the meantime; from then on it cannot be removed. */
export async function markUsed(db: Db, planId: string): Promise<boolean> {
  await sql`update recharge_plan set used_at = now() where id = ${planId} and used_at is null`.execute(db)
  const { rows } = await sql`select from recharge_plan where id = ${planId} and used_at is not null`.execute(db)
  return rows.length === 1
}
