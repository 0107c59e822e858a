import { beforeEach } from 'vitest'
import type { TestApi } from './api.ts'

/**
 * A ledger block ends before the oldest open transaction of the whole server, in any database. A failed test of this
 * file prints these transactions.
 */
export function reportOpenTransactions({ sql }: Pick<TestApi, 'sql'>): void {
  beforeEach(({ onTestFailed }) => {
    onTestFailed(async () => {
      const open = await sql(
        `select datname, usename, application_name, state, clock_timestamp() - xact_start as age, left(query, 200) as query
         from pg_stat_activity where backend_xid is not null order by xact_start limit 5`,
      )
      const prepared = await sql('select database, prepared, owner from pg_prepared_xacts')
      console.error('open transactions:', JSON.stringify({ open, prepared }))
    })
  })
}
