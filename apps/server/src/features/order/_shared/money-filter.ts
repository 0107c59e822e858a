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
  | 'plan_order'
type Placed = {
  organiseId?: string | undefined
  agentId?: string | undefined
  siteId?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

export const same = (table: Table, column: string, value: string | number | undefined): Condition[] =>
  value === undefined ? [] : [sql<boolean>`${sql.ref(`${table}.${column}`)} = ${value}`]

/** A single id becomes an equality, which keeps the order of an index; a list of ids does not. */
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
 * Conditions on place and period of orders, payments and recharges. Ids encode the creation time, so days become a range of ids and
 * partitions of other months are not read.
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

/** The same conditions, with the query planned for its own values. */
export async function plannedPlaceConditions(db: Db, scope: Scope, table: Table, filter: Placed): Promise<Condition[]> {
  const [conditions] = await Promise.all([placeConditions(db, scope, table, filter), planByValues(db)])
  return conditions
}

/** Restricts a list to members with this phone number. */
export async function phoneConditions(
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

/** Payer fields of a list, looked up only for the rows of the page. */
export const payerColumns = (table: Table) => ({
  memberName: sql`(app.order_payer(${sql.ref(`${table}.member_id`)})).nickname`,
  memberPhone: sql`(app.order_payer(${sql.ref(`${table}.member_id`)})).phone`,
})

/** The reader's part in a three-step refund: whether they created it, and whether they took any of its steps. */
export const stepsOfReader = (table: 'recharge_refund' | 'enterprise_refund', readerId: string) => {
  const by = (step: string) => sql.ref(`${table}.${step}_by_id`)
  return {
    own: sql`coalesce(${by('created')} = ${readerId}, false)`,
    acted: sql`coalesce(${readerId} in (${by('created')}, ${by('audited')}, ${by('approved')}), false)`,
  }
}

/** Resolved to a list first, so that PostgreSQL knows the number of ids before it chooses a plan. */
async function agentsOf(db: Db, agentId: string): Promise<string[]> {
  const { rows } = await sql<{ ids: string[] }>`select app.agents_below(${agentId})::text[] as ids`.execute(db)
  return rows[0]?.ids ?? []
}
