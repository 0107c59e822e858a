import { pagingFields } from '@wattdeck/contract/kit/page.ts'
import type { OrderRow, orderQuery } from '@wattdeck/contract/order/order-row.ts'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../../../kit/db/db.ts'
import { planByValues } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { everyOrganise } from '../../_shared/device-filter.ts'
import { dayMs, dayStart, messageIdAt } from '../../_shared/message-id.ts'

export type OrderFilter = { [K in keyof typeof orderQuery]?: z.output<(typeof orderQuery)[K]> }
type Condition = RawBuilder<boolean>

/** What is looked up before a list is read: an index serves numbers, and none serves what they are the numbers of. */
type Known = { [K in 'organises' | 'agents' | 'members' | 'devices']?: string[] | undefined }

/** A plain list has one plan for whoever asks; what narrows it is planned for its own values, which are rare or common. */
const planFor = async (db: Db, filter: OrderFilter): Promise<void> => {
  const aside = new Set<string>([...pagingFields, 'countTo', 'organiseId'])
  const narrowed = Object.entries(filter).some(([name, value]) => value !== undefined && !aside.has(name))
  if (narrowed) await planByValues(db)
}

export async function lookUp(db: Db, scope: Scope, filter: OrderFilter): Promise<Known> {
  const { phone, deviceNo, organiseId, agentId } = filter
  const within = scope.level > 0 ? scope.organiseId : (organiseId ?? null)
  const [organises, agents, members, devices] = await Promise.all([
    everyOrganise(db, scope, filter),
    agentId === undefined ? undefined : agentsOf(db, agentId),
    phone === undefined ? undefined : membersOf(db, phone, within),
    deviceNo === undefined ? undefined : devicesOf(db, deviceNo),
    planFor(db, filter),
  ])
  return { organises, agents, members, devices }
}

/** Named, so that PostgreSQL knows how many orders are theirs before it decides where to look. */
async function agentsOf(db: Db, agentId: string): Promise<string[]> {
  const { rows } = await sql<{ ids: string[] }>`select app.agents_below(${agentId})::text[] as ids`.execute(db)
  return rows[0]?.ids ?? []
}

async function membersOf(db: Db, phone: string, organiseId: string | null): Promise<string[]> {
  const { rows } = await sql<{
    ids: string[]
  }>`select app.members_of_phone(${phone}, ${organiseId}::bigint)::text[] as ids`.execute(db)
  return rows[0]?.ids ?? []
}

/** Also one that was removed since: its orders are not. */
async function devicesOf(db: Db, deviceNo: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from device where device_no = ${deviceNo} limit 50`.execute(db)
  return rows.map(({ id }) => id)
}

const same = (column: string, value: string | number | undefined): Condition[] =>
  value === undefined ? [] : [sql<boolean>`${sql.ref(`charging_order.${column}`)} = ${value}`]

/** One is an equality, which keeps the order of an index; several are not. */
const among = (column: string, ids: readonly string[] | undefined): Condition[] =>
  ids === undefined
    ? []
    : ids.length === 1
      ? same(column, ids[0])
      : [sql<boolean>`${sql.ref(`charging_order.${column}`)} = any(${ids}::bigint[])`]

const scopeOf = (scope: Scope): Condition[] => [
  ...(scope.level > 0 ? same('organise_id', scope.organiseId) : []),
  ...(scope.level === 2 ? [sql<boolean>`charging_order.agent_id = any(${scope.agentIds})`] : []),
  ...(scope.level === 3 ? [sql<boolean>`charging_order.site_id = any(${scope.siteIds})`] : []),
]

/** The number of an order holds its moment: days are a range of numbers, and months outside of it are not read. */
const madeOn = ({ from, to }: OrderFilter): Condition[] => [
  ...(from === undefined ? [] : [sql<boolean>`charging_order.id >= ${messageIdAt(dayStart(from))}`]),
  ...(to === undefined ? [] : [sql<boolean>`charging_order.id < ${messageIdAt(dayStart(to) + dayMs)}`]),
]

/** The orders a filter finds; `more` are the conditions of one list alone. */
export function ordersMatching(db: Db, scope: Scope, filter: OrderFilter, known: Known, more: readonly Condition[]) {
  const conditions = [
    ...scopeOf(scope),
    ...(known.organises === undefined ? [] : [sql<boolean>`charging_order.organise_id = any(${known.organises})`]),
    ...same('organise_id', filter.organiseId),
    ...among('agent_id', known.agents),
    ...same('site_id', filter.siteId),
    ...same('id', filter.orderNo),
    ...among('member_id', known.members),
    ...among('device_id', known.devices),
    ...same('device_type_id', filter.deviceTypeId),
    ...same('start_mode', filter.startMode),
    ...madeOn(filter),
    ...more,
  ]
  return db
    .selectFrom('charging_order')
    .where(conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(conditions, sql` and `)}`)
}

export const inStatus = (status: OrderRow['status'] | undefined): Condition[] =>
  status === undefined ? [] : [sql<boolean>`charging_order.status = ${sql.lit(status)}`]
