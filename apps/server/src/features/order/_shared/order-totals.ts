import { type RawBuilder, sql } from 'kysely'
import type { matchingRows } from '../../../kit/db/list-query.ts'
import { yuan } from './order-columns.ts'

/** How many rows a filter finds, and sums of columns in fen over those that count. */
export async function paidTotals<K extends string>(
  rows: Awaited<ReturnType<typeof matchingRows>>,
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
