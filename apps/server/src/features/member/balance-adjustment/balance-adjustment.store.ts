import {
  adjustmentDirection,
  adjustmentFlow,
  adjustmentStatus,
  type balanceAdjustment,
} from '@wattdeck/contract/member/balance-adjustment.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import type { Condition, Source } from '../../../kit/db/list-query.ts'
import { planByValues } from '../../../kit/db/paging.ts'

/** The number that users see: 'TZ00100001'. */
export const adjustmentNo = (id: string) => `TZ${id.padStart(8, '0')}`

/** A request number, a member id, or a whole phone. Any other keyword matches nothing. */
function spelt(keyword: string): Condition {
  const no = /^tz0*([1-9]\d{0,17})$/i.exec(keyword)?.[1]
  if (no !== undefined) return sql<boolean>`balance_adjustment.id = ${no}`
  if (/^1\d{10}$/.test(keyword))
    return sql<boolean>`balance_adjustment.member_id in (select member.id from member where member.phone = ${keyword})`
  return /^[1-9]\d{0,17}$/.test(keyword) ? sql<boolean>`balance_adjustment.member_id = ${keyword}` : sql<boolean>`false`
}

/** `readerId` is the reader, who must not decide on their own requests. Exports do not need it. */
export const adjustmentSource = (readerId = '0'): Source => ({
  table: 'balance_adjustment',
  computed: {
    adjustmentNo: sql`'TZ' || lpad(balance_adjustment.id::text, greatest(8, length(balance_adjustment.id::text)), '0')`,
    nickname: sql`(select nickname from member where member.id = balance_adjustment.member_id)`,
    own: sql`balance_adjustment.created_by_id = ${readerId}`,
  },
  own: async ({ keyword }: QueryOf<typeof balanceAdjustment.list>, { db, scope }) => {
    await planByValues(db)
    return [
      ...(scope.level > 0 ? [sql<boolean>`balance_adjustment.organise_id = ${scope.organiseId}`] : []),
      ...(keyword === undefined ? [] : [spelt(keyword)]),
    ]
  },
})

export const findMember = (db: Db, id: string) =>
  db
    .selectFrom('member')
    .select(['id', 'organise_id', 'agent_id', 'site_id', 'nickname'])
    .where('id', '=', id)
    .executeTakeFirst()

type Place = { organise_id: string; agent_id: string | null; site_id: string | null }
type Params = Place & {
  member_id: string
  direction: number
  wallet: number
  amount_fen: bigint
  reason: string
  picture_id: string | null
  created_by_id: string
  created_by: string
}
export async function addAdjustment(db: Db, { amount_fen, ...params }: Params): Promise<string> {
  const row = await db
    .insertInto('balance_adjustment')
    .values({ ...params, amount_fen: amount_fen.toString() })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Sums today's requests except rejected and withdrawn ones, and holds a lock on the sum until the transaction ends. */
export async function lockCreditedToday(db: Db, organiseId: string, userId: string) {
  await sql`select pg_advisory_xact_lock(hashtextextended('manual credit', ${organiseId}::bigint))`.execute(db)
  const { rows } = await sql<{ person: string; organise: string }>`
    select coalesce(sum(amount_fen) filter (where created_by_id = ${userId}), 0)::text as person,
      coalesce(sum(amount_fen), 0)::text as organise
    from balance_adjustment
    where organise_id = ${organiseId}
      and direction = ${sql.lit(adjustmentDirection.code.up)}
      and status in (${sql.lit(adjustmentStatus.code.waiting)}, ${sql.lit(adjustmentStatus.code.approved)})
      and created_at >= date_trunc('day', now(), 'Asia/Shanghai')`.execute(db)
  return { byPersonFen: BigInt(rows[0]?.person ?? '0'), inOrganiseFen: BigInt(rows[0]?.organise ?? '0') }
}

/** A request in scope, locked until the transaction ends. */
export const findAdjustment = (db: Db, id: string) =>
  db
    .selectFrom('balance_adjustment')
    .select(['id', 'organise_id as organiseId', 'agent_id as agentId', 'site_id as siteId'])
    .select(['member_id', 'direction', 'wallet', 'amount_fen', 'reason'])
    .select(['created_by_id as createdById', sql<string>`to_json(created_at) #>> '{}'`.as('createdAt')])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

type Decision = { as: 'approve' | 'turnDown'; byId: string; by: string; reason: string | null }
export async function decide(db: Db, id: string, decision: Decision): Promise<boolean> {
  const changed = await db
    .updateTable('balance_adjustment')
    .set({
      status: adjustmentFlow.to(decision.as),
      decided_by_id: decision.byId,
      decided_by: decision.by,
      decided_at: sql<string>`now()`,
      decision: decision.reason,
    })
    .where('id', '=', id)
    .where('created_by_id', '<>', decision.byId)
    .where('status', '=', sql<number>`any(${adjustmentFlow.from(decision.as)})`)
    .executeTakeFirst()
  return changed.numUpdatedRows === 1n
}

export async function withdraw(db: Db, id: string): Promise<boolean> {
  const changed = await db
    .updateTable('balance_adjustment')
    .set({ status: adjustmentFlow.to('withdraw') })
    .where('id', '=', id)
    .where('status', '=', sql<number>`any(${adjustmentFlow.from('withdraw')})`)
    .executeTakeFirst()
  return changed.numUpdatedRows === 1n
}
