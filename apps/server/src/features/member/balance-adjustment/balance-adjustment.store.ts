import {
  adjustmentDirection,
  adjustmentFlow,
  adjustmentStatus,
  type BalanceAdjustment,
  type balanceAdjustment,
} from '@wattdeck/contract/member/balance-adjustment.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { ownedBy, ownerNames } from '../../../kit/db/ownership.ts'
import { byId, pageOf, type Paging, planByValues } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'

/** What people call it: 'TZ00100001'. */
export const adjustmentNo = (id: string) => `TZ${id.padStart(8, '0')}`

type Filter = QueryOf<typeof balanceAdjustment.list>
const same = (column: string, value: string | number | undefined): RawBuilder<boolean>[] =>
  value === undefined ? [] : [sql<boolean>`${sql.ref(`balance_adjustment.${column}`)} = ${value}`]

/** A number of a request or of a member, or a whole phone; anything else is found nowhere. */
function spelt(keyword: string): RawBuilder<boolean> {
  const no = /^tz0*([1-9]\d{0,17})$/i.exec(keyword)?.[1]
  if (no !== undefined) return sql<boolean>`balance_adjustment.id = ${no}`
  if (/^1\d{10}$/.test(keyword))
    return sql<boolean>`balance_adjustment.member_id in (select member.id from member where member.phone = ${keyword})`
  return /^[1-9]\d{0,17}$/.test(keyword) ? sql<boolean>`balance_adjustment.member_id = ${keyword}` : sql<boolean>`false`
}

/** `readerId`: who reads, and must not decide on what is theirs. A file needs nobody. */
export async function listAdjustments(db: Db, scope: Scope, filter: Filter & Paging, readerId = '0') {
  const { keyword, from, to } = filter
  const conditions = [
    sql<boolean>`true`,
    ...(scope.level > 0 ? same('organise_id', scope.organiseId) : []),
    ...same('status', filter.status),
    ...same('direction', filter.direction),
    ...same('wallet', filter.wallet),
    ...(keyword === undefined ? [] : [spelt(keyword)]),
    ...(from === undefined ? [] : [sql<boolean>`balance_adjustment.created_at >= ${from}::date::timestamptz`]),
    ...(to === undefined ? [] : [sql<boolean>`balance_adjustment.created_at < (${to}::date + 1)::timestamptz`]),
  ]
  const matching = db
    .selectFrom('balance_adjustment')
    .where(ownedBy('balance_adjustment', filter))
    .where(sql<boolean>`${sql.join(conditions, sql` and `)}`)
  const [, found] = await Promise.all([
    planByValues(db),
    pageOf(db, matching, filter, {
      key: byId('balance_adjustment.id'),
      columns: (query) =>
        query.select([
          'balance_adjustment.id',
          'balance_adjustment.member_id as memberId',
          sql<string>`(select nickname from member where member.id = balance_adjustment.member_id)`.as('nickname'),
          ...ownerNames('balance_adjustment'),
          'balance_adjustment.direction',
          'balance_adjustment.wallet',
          'balance_adjustment.amount_fen',
          'balance_adjustment.reason',
          'balance_adjustment.picture_id as pictureId',
          'balance_adjustment.status',
          sql<boolean>`balance_adjustment.created_by_id = ${readerId}`.as('own'),
          'balance_adjustment.created_by as createdBy',
          'balance_adjustment.created_at as createdAt',
          'balance_adjustment.decided_by as decidedBy',
          'balance_adjustment.decided_at as decidedAt',
          'balance_adjustment.decision',
        ]),
    }),
  ])
  const rows = found.rows.map(
    ({ amount_fen, ...row }) =>
      ({ ...row, adjustmentNo: adjustmentNo(row.id), amount: yuanText(BigInt(amount_fen)) }) as BalanceAdjustment,
  )
  return { ...found, rows }
}

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
export async function addAdjustment(db: Db, { amount_fen, ...wish }: Params): Promise<string> {
  const made = await db
    .insertInto('balance_adjustment')
    .values({ ...wish, amount_fen: amount_fen.toString() })
    .returning('id')
    .executeTakeFirstOrThrow()
  return made.id
}

/** What was asked for today and not turned down, and a lock on it until this transaction ends. */
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

/** A request in scope, locked until it is decided. */
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
