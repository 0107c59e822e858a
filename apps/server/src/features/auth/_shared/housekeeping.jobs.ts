import { sql } from 'kysely'
import type pg from 'pg'
import type { Logger } from 'pino'
import { Gauge } from 'prom-client'
import { mayDropByAge } from '../../../kit/ops/clock-guard.ts'
import { inScope, commit } from '../../../kit/db/db.ts'
import { runJob } from '../../../kit/jobs/job-metrics.ts'
import { type ProofBreak, proofSlice, proveInSlices, reproofNights } from '../../../kit/audit/proof.ts'
import { drainInSlices } from '../../../kit/db/slices.ts'
import { systemScope } from '../../../kit/db/system-scope.ts'

const broken = new Gauge({
  name: 'audit_chain_breaks',
  help: 'Broken links found in the audit chain at the last proof',
})

const slice = 5000

/** Conditions of expired rows by table. Each selects only rows that nothing refers to any more. */
const expired = {
  captcha: 'expires_at < now()',
  attempt: 'expires_at < now()',
  idempotency_key: "created_at < now() - interval '2 days'",
  sms_code: "expires_at < now() - interval '1 day'",
  sms_message: "created_at < now() - interval '180 days'",
  login_ticket: "expires_at < now() - interval '1 day'",
  alipay_attempt: "created_at < now() - interval '30 days'",
  passkey_challenge: 'expires_at < now()',
  session: "last_seen_at < now() - interval '30 days'",
  // Left by transactions that changed data without an audit line. None should exist, but they must not accumulate.
  audit_pending: 'txid < pg_snapshot_xmin(pg_current_snapshot())',
} as const

/**
 * Deletes expired rows in slices, each in its own transaction. A table that fails is logged and counted, does not stop
 * the others, and is retried in the next run. kit/jobs/partitions.jobs.ts maintains the partitions.
 */
export async function housekeeping(pool: pg.Pool, log: Logger): Promise<void> {
  if (!(await mayDropByAge(pool, log))) return
  for (const [table, condition] of Object.entries(expired))
    await runJob(log, `housekeeping.${table}`, () => removeExpired(pool, table, condition)).catch(() => undefined)
}

async function removeExpired(pool: pg.Pool, table: string, condition: string): Promise<void> {
  const size = { least: 100, most: slice, current: slice }
  await drainInSlices(size, (count) =>
    inScope(pool, systemScope, 'record', async ({ db }) => {
      const { numAffectedRows } = await sql`
        delete from ${sql.table(table)}
        where ctid = any (array(select ctid from ${sql.table(table)} where ${sql.raw(condition)} limit ${count}))`.execute(
        db,
      )
      return commit(Number(numAffectedRows) === count)
    }),
  )
}

/** Time limit of one run; the next run resumes where it ended. */
const longestRunMs = 3_600_000

/**
 * Verifies each hash chain from its checkpoint on, and re-verifies a part of the older entries. A break raises an alarm
 * and is not repaired: the checkpoint stays before it, so each run finds it again. Returns the number of entries read.
 */
export async function proveAudit(pool: pg.Pool, log: Logger): Promise<number> {
  const endMs = Date.now() + longestRunMs
  const isOver = () => Date.now() > endMs
  const chains = await inScope(pool, systemScope, 'read', async ({ db }) =>
    commit(
      (await sql<{ id: string; seq: string }>`select organise_id as id, seq from audit_chain order by 1`.execute(db))
        .rows,
    ),
  )
  const breaks: ProofBreak[] = []
  let read = 0
  for (const { id, seq } of chains) {
    const share = Math.ceil(Number(seq) / reproofNights)
    const proofs = [
      await proveInSlices(pool, sql`app.prove_audit(${id}, false, ${proofSlice})`, Number.POSITIVE_INFINITY, isOver),
      await proveInSlices(pool, sql`app.prove_audit(${id}, true, ${Math.min(share, proofSlice)})`, share, isOver),
    ]
    for (const proof of proofs) {
      read += proof.read
      breaks.push(...proof.breaks.map((found) => ({ organise_id: id, ...found })))
    }
  }
  broken.set(breaks.length)
  if (breaks.length > 0) log.fatal({ breaks: breaks.slice(0, 20), count: breaks.length }, 'audit chain broken')
  return read
}
