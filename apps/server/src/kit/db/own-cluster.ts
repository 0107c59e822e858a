import { sql } from 'kysely'
import type pg from 'pg'
import { inScope, commit } from './db.ts'
import { systemScope } from './system-scope.ts'

/**
 * The ledger is checkpointed in the order of the transaction numbers of its PostgreSQL cluster. A dump carries them into a
 * cluster that counts from the beginning. New postings would count as checkpointed already and never reach a balance, so no
 * process starts on such a database.
 */
export async function refuseForeignLedger(pool: pg.Pool): Promise<void> {
  const row = await inScope(pool, systemScope, 'read', async ({ db }) => {
    const { rows } = await sql<{ written: string; next: string; isForeign: boolean }>`
      with written as (
        select greatest(
          (select upto from ledger_edge where id = 1),
          (select xid from posting order by xid desc limit 1)
        ) as xid
      )
      select
        written.xid::text as written,
        pg_snapshot_xmax(pg_current_snapshot())::text as next,
        written.xid > pg_snapshot_xmax(pg_current_snapshot()) as "isForeign"
      from written`.execute(db)
    return commit(rows[0])
  })
  if (row?.isForeign !== true) return
  throw new Error(
    `The ledger was written by another PostgreSQL cluster: its last transaction is ${row.written}, the next one here is ` +
      `${row.next}. A dump cannot be restored into a new cluster. Restore a base backup, see docs/operations.md.`,
  )
}
