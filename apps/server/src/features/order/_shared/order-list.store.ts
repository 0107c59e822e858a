import type { OrderRow } from '@wattdeck/contract/order/order-row.ts'
import { type RawBuilder, sql } from 'kysely'
import { energyText } from '@wattdeck/domain/tariff/labels.ts'
import type { Db } from '../../../kit/db/db.ts'
import { byId, pageOf, type Paging } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { orderColumns, shownOrder, yuan } from './order-columns.ts'
import { lookUp, type OrderFilter, ordersMatching } from './order-filter.ts'

/** A page of orders; `more` are the conditions of one list alone. */
export async function listOrders(
  db: Db,
  scope: Scope,
  filter: OrderFilter & Paging,
  more: readonly RawBuilder<boolean>[],
) {
  const known = await lookUp(db, scope, filter)
  const found = await pageOf(db, ordersMatching(db, scope, filter, known, more), filter, {
    key: byId('charging_order.id'),
    columns: (query) => query.select(orderColumns),
  })
  return { ...found, rows: found.rows.map((row) => shownOrder(row) as OrderRow) }
}

type Sums = Record<'electricity' | 'service' | 'occupancy' | 'total' | 'refunded' | 'energy', string>

/** What a filter adds up to. The caller has seen to it that the filter spans a month at most. */
export async function orderTotals(db: Db, scope: Scope, filter: OrderFilter, more: readonly RawBuilder<boolean>[]) {
  const known = await lookUp(db, scope, filter)
  const sum = (column: string) => sql<string>`coalesce(sum(${sql.ref(`charging_order.${column}`)}), 0)::text`
  const { count, energy, ...fen } = await ordersMatching(db, scope, filter, known, more)
    .select([
      sql<number>`count(*)::int`.as('count'),
      sum('energy_dwh').as('energy'),
      sum('electricity_fen').as('electricity'),
      sum('service_fen').as('service'),
      sum('occupancy_fen').as('occupancy'),
      sum('total_fen').as('total'),
      sum('refunded_fen').as('refunded'),
    ])
    .executeTakeFirstOrThrow()
  const amounts = Object.fromEntries(Object.entries(fen).map(([name, value]) => [name, yuan(value)]))
  return { count, sums: { energy: energyText(Number(energy)), ...amounts } as Sums }
}
