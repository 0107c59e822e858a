import { refundStep } from '@wattdeck/contract/order/refund-codes.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { energyText, wattText } from '@wattdeck/domain/tariff/labels.ts'
import { type RawBuilder, sql } from 'kysely'
import { discountFen, refundingFen } from './order-source.ts'
import type { matchingRows } from '../../../kit/db/list-query.ts'

export const yuan = (fen: string) => yuanText(BigInt(fen))

type MatchingRows = Awaited<ReturnType<typeof matchingRows>>

/** Row count of a filter, and sums of columns in fen, each over the rows that match its condition. */
export async function moneyTotals<K extends string>(
  rows: MatchingRows,
  parts: Readonly<Record<K, { column: string; of: RawBuilder<unknown> }>>,
): Promise<{ count: number; sums: Record<K, string> }> {
  const names = Object.keys(parts) as K[]
  const sums = names.map((name) => {
    const { column, of } = parts[name]
    return sql<string>`coalesce(sum(${sql.ref(column)}) filter (where ${of}), 0)::text`.as(name)
  })
  const row = await rows
    .select([sql<number>`count(*)::int`.as('count'), ...sums])
    .$castTo<Record<string, string | number>>()
    .executeTakeFirstOrThrow()
  const inYuan = names.map((name) => [name, yuan(String(row[name]))])
  return { count: Number(row['count']), sums: Object.fromEntries(inYuan) as Record<K, string> }
}

/** The same, where every sum covers paid rows only. */
export function paidTotals<K extends string>(
  rows: MatchingRows,
  isPaid: RawBuilder<unknown>,
  columns: Readonly<Record<K, string>>,
): Promise<{ count: number; sums: Record<K, string> }> {
  const parts = Object.entries<string>(columns).map(([name, column]) => [name, { column, of: isPaid }])
  return moneyTotals(rows, Object.fromEntries(parts) as Record<K, { column: string; of: RawBuilder<unknown> }>)
}

/** Three-step refunds at one of these steps. */
export const inSteps = (
  table: 'recharge_refund' | 'enterprise_refund',
  steps: readonly (keyof typeof refundStep.code)[],
) => sql`${sql.ref(`${table}.status`)} in (${sql.join(steps.map((step) => sql.lit(refundStep.code[step])))})`

/** Totals of orders. The caller checks that they span at most a month. */
export async function orderTotals(rows: MatchingRows) {
  const sum = (column: string) => sql<string>`coalesce(sum(${sql.ref(`charging_order.${column}`)}), 0)::text`
  const { count, energy, electricity, service, occupancy, total, discount, reserved, refunding } = await rows
    .select([
      sql<number>`count(*)::int`.as('count'),
      sum('energy_dwh').as('energy'),
      sum('electricity_fen').as('electricity'),
      sum('service_fen').as('service'),
      sum('occupancy_fen').as('occupancy'),
      sum('total_fen').as('total'),
      sql<string>`coalesce(sum(${discountFen}), 0)::text`.as('discount'),
      sum('refunded_fen').as('reserved'),
      sql<string>`coalesce(sum(${refundingFen}), 0)::text`.as('refunding'),
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
      discount: yuan(discount),
      refunded: yuanText(BigInt(reserved) - BigInt(refunding)),
      refunding: yuan(refunding),
    },
  }
}

/** Totals of running charges, none of which is billed yet. The caller checks that they span at most a month. */
export async function openTotals(rows: MatchingRows) {
  const {
    count,
    energy,
    power,
    held: reservedFen,
  } = await rows
    .select([
      sql<number>`count(*)::int`.as('count'),
      sql<string>`coalesce(sum(open_charge.energy_dwh), 0)::text`.as('energy'),
      sql<string>`coalesce(sum(open_charge.power_dw), 0)::text`.as('power'),
      sql<string>`coalesce(sum(charging_order.held_paid_fen + charging_order.held_gift_fen), 0)::text`.as('held'),
    ])
    .executeTakeFirstOrThrow()
  return {
    count,
    sums: { energy: energyText(Number(energy)), power: wattText(Number(power)), held: yuan(reservedFen) },
  }
}
