import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import type { Condition } from '../../../kit/db/list-query.ts'
import { planByValues } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { everyOrganise } from '../../_shared/device-filter.ts'
import { dayMs, dayStart, messageIdAt } from '../../_shared/message-id.ts'

type Table =
  | 'charging_order'
  | 'pay_order'
  | 'recharge_order'
  | 'refund_order'
  | 'recharge_refund'
  | 'enterprise_refund'
type Placed = {
  organiseId?: string | undefined
  agentId?: string | undefined
  siteId?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

export const same = (table: Table, column: string, value: string | number | undefined): Condition[] =>
  value === undefined ? [] : [sql<boolean>`${sql.ref(`${table}.${column}`)} = ${value}`]

/** One is an equality, which keeps the order of an index; several are not. */
export const among = (table: Table, column: string, ids: readonly string[]): Condition[] =>
  ids.length === 1
    ? same(table, column, ids[0])
    : [sql<boolean>`${sql.ref(`${table}.${column}`)} = any(${ids}::bigint[])`]

const scopeOf = (table: Table, scope: Scope): Condition[] => [
  ...(scope.level > 0 ? same(table, 'organise_id', scope.organiseId) : []),
  ...(scope.level === 2 ? [sql<boolean>`${sql.ref(`${table}.agent_id`)} = any(${scope.agentIds})`] : []),
  ...(scope.level === 3 ? [sql<boolean>`${sql.ref(`${table}.site_id`)} = any(${scope.siteIds})`] : []),
]

/**
 * Where and when, of orders, payments and recharges. Their numbers hold their moment: days are a range of numbers, and
 * months outside of it are not read.
 */
export async function placeConditions(db: Db, scope: Scope, table: Table, filter: Placed): Promise<Condition[]> {
  const { from, to } = filter
  const [organises, agents] = await Promise.all([
    everyOrganise(db, scope, filter),
    filter.agentId === undefined ? undefined : agentsOf(db, filter.agentId),
  ])
  const column = (name: string) => sql.ref(`${table}.${name}`)
  return [
    sql<boolean>`true`,
    ...scopeOf(table, scope),
    ...(organises === undefined ? [] : [sql<boolean>`${column('organise_id')} = any(${organises})`]),
    ...same(table, 'organise_id', filter.organiseId),
    ...(agents === undefined ? [] : among(table, 'agent_id', agents)),
    ...same(table, 'site_id', filter.siteId),
    ...(from === undefined ? [] : [sql<boolean>`${column('id')} >= ${messageIdAt(dayStart(from))}`]),
    ...(to === undefined ? [] : [sql<boolean>`${column('id')} < ${messageIdAt(dayStart(to) + dayMs)}`]),
  ]
}

/** The same, planned for its own values. */
export async function placedAndMade(db: Db, scope: Scope, table: Table, filter: Placed): Promise<Condition[]> {
  const [conditions] = await Promise.all([placeConditions(db, scope, table, filter), planByValues(db)])
  return conditions
}

/** Numbers of the members with a phone, for a list of what is theirs. */
export async function ofPhone(
  db: Db,
  scope: Scope,
  table: Table,
  { phone, organiseId }: { phone?: string | undefined; organiseId?: string | undefined },
): Promise<Condition[]> {
  if (phone === undefined) return []
  const within = scope.level > 0 ? scope.organiseId : (organiseId ?? null)
  const { rows } = await sql<{
    ids: string[]
  }>`select app.members_of_phone(${phone}, ${within}::bigint)::text[] as ids`.execute(db)
  return among(table, 'member_id', rows[0]?.ids ?? [])
}

/** Who paid, as fields of a list. Looked up for the rows of the page only. */
export const payerColumns = (table: Table) => ({
  memberName: sql`(app.order_payer(${sql.ref(`${table}.member_id`)})).nickname`,
  memberPhone: sql`(app.order_payer(${sql.ref(`${table}.member_id`)})).phone`,
})

/** What the reader has to do with a refund by three steps. */
export const stepsOfReader = (table: 'recharge_refund' | 'enterprise_refund', readerId: string) => {
  const by = (step: string) => sql.ref(`${table}.${step}_by_id`)
  return {
    own: sql`coalesce(${by('created')} = ${readerId}, false)`,
    acted: sql`coalesce(${readerId} in (${by('created')}, ${by('audited')}, ${by('approved')}), false)`,
  }
}

/** Named, so that PostgreSQL knows how many rows are theirs before it decides where to look. */
async function agentsOf(db: Db, agentId: string): Promise<string[]> {
  const { rows } = await sql<{ ids: string[] }>`select app.agents_below(${agentId})::text[] as ids`.execute(db)
  return rows[0]?.ids ?? []
}
