import { yuanText } from '@wattdeck/domain/money.ts'
import { energyText } from '@wattdeck/domain/tariff/labels.ts'
import { type RawBuilder, sql } from 'kysely'
import type { matchingRows } from '../../../kit/db/list-query.ts'

export const yuan = (fen: string) => yuanText(BigInt(fen))

type Found = Awaited<ReturnType<typeof matchingRows>>

/** How many rows a filter finds, and sums of columns in fen over those that count. */
export async function paidTotals<K extends string>(
  rows: Found,
  counts: RawBuilder<unknown>,
  columns: Readonly<Record<K, string>>,
): Promise<{ count: number; sums: Record<K, string> }> {
  const names = Object.keys(columns) as K[]
  const sums = names.map((name) =>
    sql<string>`coalesce(sum(${sql.ref(columns[name])}) filter (where ${counts}), 0)::text`.as(name),
  )
  const found = await rows
    .select([sql<number>`count(*)::int`.as('count'), ...sums])
    .$castTo<Record<string, string | number>>()
    .executeTakeFirstOrThrow()
  const inYuan = names.map((name) => [name, yuan(String(found[name]))])
  return { count: Number(found['count']), sums: Object.fromEntries(inYuan) as Record<K, string> }
}

/** What orders add up to. The caller has seen to it that they span a month at most. */
export async function orderTotals(rows: Found) {
  const sum = (column: string) => sql<string>`coalesce(sum(${sql.ref(`charging_order.${column}`)}), 0)::text`
  const { count, energy, electricity, service, occupancy, total, refunded } = await rows
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
  return {
    count,
    sums: {
      energy: energyText(Number(energy)),
      electricity: yuan(electricity),
      service: yuan(service),
      occupancy: yuan(occupancy),
      total: yuan(total),
      refunded: yuan(refunded),
    },
  }
}
