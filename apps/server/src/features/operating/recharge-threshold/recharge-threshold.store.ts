import { planLevel, planPhase } from '@wattdeck/contract/operating/recharge-threshold.ts'
import { enabledStatus } from '@wattdeck/contract/common.ts'
import type { PlanTier } from '@wattdeck/domain/recharge-plan.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import type { Source } from '../../../kit/db/list-query.ts'
import { conflict } from '../../../kit/http/refusal.ts'
import type { Place } from '../../_shared/place.store.ts'

const today = sql`(now() at time zone 'Asia/Shanghai')::date`
const { ahead, current, over, off } = planPhase.code

export const planSource: Source = {
  table: 'recharge_plan',
  computed: {
    place: sql`case
      when recharge_plan.site_id is not null then (select name from site where site.id = recharge_plan.site_id)
      when recharge_plan.agent_id is not null then (select name from agent where agent.id = recharge_plan.agent_id)
      else (select name from organise where organise.id = recharge_plan.organise_id)
    end`,
    level: sql`case
      when recharge_plan.site_id is not null then ${sql.lit(planLevel.code.site)}
      when recharge_plan.agent_id is not null then ${sql.lit(planLevel.code.agent)}
      else ${sql.lit(planLevel.code.organise)}
    end`,
    phase: sql`case
      when recharge_plan.status = ${sql.lit(enabledStatus.code.disabled)} then ${sql.lit(off)}
      when recharge_plan.starts_on > ${today} then ${sql.lit(ahead)}
      when recharge_plan.ends_on < ${today} then ${sql.lit(over)}
      else ${sql.lit(current)}
    end`,
    tiers: sql`(select coalesce(json_agg(json_build_object(
        'pay', to_char(tier.pay_fen / 100.0, 'FM9999990.00'), 'gift', to_char(tier.gift_fen / 100.0, 'FM9999990.00'))
        order by tier.pay_fen), '[]')
      from recharge_tier tier where tier.plan_id = recharge_plan.id)`,
    startsOn: sql`recharge_plan.starts_on::text`,
    endsOn: sql`recharge_plan.ends_on::text`,
    used: sql`recharge_plan.used_at is not null`,
  },
}

export type PlanContent = {
  min_fen: string
  allows_custom: boolean
  gift_valid_days: number | null
  starts_on: string
  ends_on: string | null
}

/** The exclusion constraint decides, also for two concurrent changes. */
async function refuseOverlap<R>(change: Promise<R>): Promise<R> {
  try {
    return await change
  } catch (error) {
    if ((error as { constraint?: string }).constraint !== 'recharge_plan_overlap') throw error
    throw conflict('该归属在这段时间已有启用的充值门槛，请调整生效期或先停用')
  }
}

export async function addPlan(db: Db, values: PlanContent & Place & { created_by: string; updated_by: string }) {
  const row = await refuseOverlap(
    db.insertInto('recharge_plan').values(values).returning('id').executeTakeFirstOrThrow(),
  )
  return row.id
}

/** A plan in scope, locked for the change that follows. */
export const findPlan = (db: Db, id: string) =>
  db
    .selectFrom('recharge_plan')
    .select(['id', 'organise_id', 'agent_id', 'site_id', 'status', 'used_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export async function changePlan(db: Db, id: string, values: PlanContent & { updated_by: string }): Promise<void> {
  await refuseOverlap(db.updateTable('recharge_plan').set(values).where('id', '=', id).execute())
}

/** Returns whether the plan had the other status. */
export async function switchPlan(db: Db, id: string, status: number, by: string): Promise<boolean> {
  const { numUpdatedRows } = await refuseOverlap(
    db
      .updateTable('recharge_plan')
      .set({ status, updated_by: by })
      .where('id', '=', id)
      .where('status', '<>', status)
      .executeTakeFirst(),
  )
  return numUpdatedRows === 1n
}

/** Returns whether the plan was unused and is removed, with its tiers. */
export async function removePlan(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('recharge_plan')
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/**
 * Replaces the tiers. An unchanged tier keeps its id; a changed one is a new tier, so that a member who sees the old one is
 * refused instead of getting another gift. Status 0 hides a tier from the version that knows no plans.
 */
export async function writeTiers(db: Db, plan: { id: string; organise_id: string }, tiers: readonly PlanTier[]) {
  const pays = tiers.map(({ payFen }) => payFen.toString())
  const gifts = tiers.map(({ giftFen }) => giftFen.toString())
  await sql`
    delete from recharge_tier
    where plan_id = ${plan.id}
      and (pay_fen, gift_fen) not in (select * from unnest(${pays}::bigint[], ${gifts}::bigint[]))`.execute(db)
  await sql`
    insert into recharge_tier (organise_id, plan_id, pay_fen, gift_fen, status)
    select ${plan.organise_id}, ${plan.id}, pay_fen, gift_fen, 0
    from unnest(${pays}::bigint[], ${gifts}::bigint[]) as wanted (pay_fen, gift_fen)
    on conflict (plan_id, pay_fen) where plan_id is not null do nothing`.execute(db)
}
