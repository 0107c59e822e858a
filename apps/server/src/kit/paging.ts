import { countBound } from '@wattdeck/contract/kit/page.ts'
import { type SelectQueryBuilder, sql } from 'kysely'
import type { DB } from './db.gen.ts'
import type { Db } from './db.ts'
import { invalid } from './refusal.ts'

/**
 * One page of a query, and how many rows it has, counted no further than the bound. Both go out at once on the
 * pipelined connection. `matching` holds joins and conditions; `columns` adds what is shown and the order.
 */
export async function pageOf<TB extends keyof DB, O, R>(
  db: Db,
  matching: SelectQueryBuilder<DB, TB, O>,
  paging: { pageNum: number; pageSize: number },
  columns: (query: SelectQueryBuilder<DB, TB, O>) => SelectQueryBuilder<DB, TB, R>,
): Promise<{ total: number; bounded: boolean; rows: R[] }> {
  const offset = (paging.pageNum - 1) * paging.pageSize
  if (offset > countBound) throw invalid(`最多可查看前${countBound}条记录，请缩小查询范围`)
  const counted = matching.select(sql`1`.as('one')).limit(countBound + 1)
  const [rows, count] = await Promise.all([
    columns(matching).limit(paging.pageSize).offset(offset).execute(),
    db
      .selectFrom(counted.as('matching'))
      .select(sql<string>`count(*)`.as('total'))
      .executeTakeFirstOrThrow(),
  ])
  const total = Number(count.total)
  return { total: Math.min(total, countBound), bounded: total > countBound, rows }
}

/** '%text%' with the text's own wildcards disarmed. */
export const containing = (text: string) => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
