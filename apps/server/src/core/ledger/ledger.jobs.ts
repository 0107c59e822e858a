import { type RawBuilder, sql } from 'kysely'
import type pg from 'pg'
import type { Logger } from 'pino'
import { Gauge } from 'prom-client'
import { inScope, commit } from '../../kit/db/db.ts'
import { startPeriodicJob } from '../../kit/jobs/every.ts'
import { type ProofBreak, proofSlice, proveInSlices, reproofNights } from '../../kit/audit/proof.ts'
import { takeSlice } from '../../kit/db/slices.ts'
import { systemScope } from '../../kit/db/system-scope.ts'

const broken = new Gauge({ name: 'ledger_breaks', help: 'Violations found by the last proof of the ledger' })

/**
 * Seals new postings and folds the summed accounts once a second, and continues at once while more than one slice remains.
 * Several workers take turns.
 */
export function sealLedger(pool: pg.Pool, log: Logger, everyMs = 1000): () => Promise<void> {
  const size = { least: 100, most: 5000, current: 2000 }
  const round = () => takeSlice(size, (count) => sealSlice(pool, count))
  return startPeriodicJob({ name: 'ledger seal', everyMs, round, log })
}

/** Returns whether more postings wait to be sealed. */
const sealSlice = (pool: pg.Pool, count: number): Promise<boolean> =>
  inScope(pool, systemScope, 'record', async ({ db }) => {
    const { rows } = await sql<{ more: boolean }>`select more from app.seal_ledger(${count})`.execute(db)
    return commit(rows[0]?.more === true)
  })

/** Time limit of a run; the next run continues where it ended. */
const longestRunMs = 3_600_000

/**
 * Proves the ledger every night: all postings since the checkpoint, a share of earlier ones, current reservations and deferred income of
 * passes. A
 * break raises an alarm and is not repaired: the checkpoint stays before it, so each run finds it again. Returns how many
 * rows were read.
 */
export async function proveLedger(pool: pg.Pool, log: Logger): Promise<number> {
  const endMs = Date.now() + longestRunMs
  const prove = (proof: RawBuilder<unknown>, most = Number.POSITIVE_INFINITY) =>
    proveInSlices(pool, proof, most, () => Date.now() > endMs)
  const totals = await inScope(pool, systemScope, 'read', async ({ db }) => {
    const { rows } = await sql<{ postings: string; accounts: string; orders: string }>`
      select
        (select coalesce(max(id), 0) from posting) as postings,
        (select count(*) from account) as accounts,
        (select coalesce(sum(greatest(reltuples, 0)), 0) from pg_class join pg_inherits on inhrelid = oid
          where inhparent = 'charging_order'::regclass) as orders`.execute(db)
    return commit(rows[0])
  })
  const share = (total: string | undefined) => Math.max(proofSlice, Math.ceil(Number(total ?? 0) / reproofNights))
  const proofs = [
    await prove(sql`app.prove_postings(false, ${proofSlice})`),
    await prove(sql`app.prove_days(false)`),
    await prove(sql`app.prove_orders(false, ${proofSlice})`),
    await prove(sql`app.prove_postings(true, ${proofSlice})`, share(totals?.postings)),
    await prove(sql`app.prove_days(true)`, share(totals?.accounts)),
    await prove(sql`app.prove_orders(true, ${proofSlice})`, share(totals?.orders)),
    await prove(sql`app.prove_accounts(${proofSlice})`, share(totals?.accounts)),
  ]
  const balanceBreaks = await inScope(
    pool,
    systemScope,
    'read',
    async ({ db }) => {
      const { rows } = await sql<ProofBreak>`
        (select * from app.held_breaks() limit 100)
        union all
        (select * from app.pass_breaks() limit 100)`.execute(db)
      return commit(rows)
    },
    600_000,
  )
  const breaks = [...proofs.flatMap((proof) => proof.breaks), ...balanceBreaks]
  broken.set(breaks.length)
  for (const ledgerBreak of breaks.slice(0, 100)) log.error(ledgerBreak, 'ledger proof failed')
  return proofs.reduce((all, { read }) => all + read, 0)
}
