import { sql } from 'kysely'
import type pg from 'pg'
import type { Logger } from 'pino'
import { Gauge } from 'prom-client'
import { inScope, keep } from '../kit/db.ts'
import { systemScope } from '../kit/system-scope.ts'

const broken = new Gauge({ name: 'ledger_breaks', help: 'What was not as it must be at the last proof of the ledger' })

/** Seals new postings and adds up the accounts that only collect, once a second. Several workers take turns. */
export function sealLedger(pool: pg.Pool, log: Logger, everyMs = 1000): () => void {
  let busy = false
  const seal = async () => {
    if (busy) return
    busy = true
    await inScope(pool, systemScope, 'record', async ({ db }) => {
      await sql`select app.seal_ledger()`.execute(db)
      return keep(undefined)
    })
      .catch((error: unknown) => log.error({ err: error }, 'the ledger could not be sealed'))
      .finally(() => {
        busy = false
      })
  }
  const timer = setInterval(() => void seal(), everyMs)
  return () => clearInterval(timer)
}

/**
 * Every night: zero-sum, balances, statements and chain of every organisation, and that its orders say the same. A break is
 * an alarm, not a repair.
 */
export async function proveLedger(pool: pg.Pool, log: Logger): Promise<void> {
  const breaks = await inScope(pool, systemScope, 'read', async ({ db }) => {
    await sql`set local statement_timeout = '60min'`.execute(db)
    const { rows } = await sql<{ organise_id: string; what: string; ref: string }>`
      select * from app.ledger_breaks() union all select * from app.order_breaks()`.execute(db)
    return keep(rows)
  })
  broken.set(breaks.length)
  for (const found of breaks.slice(0, 100)) log.error(found, 'the ledger is broken')
}
