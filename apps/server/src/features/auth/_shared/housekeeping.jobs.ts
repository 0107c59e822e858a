import { sql } from 'kysely'
import type pg from 'pg'
import type { Logger } from 'pino'
import { Gauge } from 'prom-client'
import { mayForget } from '../../../kit/ops/clock-guard.ts'
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

/** What has served its time, by table. Each condition names rows that nothing refers to any more. */
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
  // Left by transactions that changed something and logged nothing: none should, but they must not pile up.
  audit_pending: 'txid < pg_snapshot_xmin(pg_current_snapshot())',
} as const

/**
 * Removes what has served its time, in slices that each have a transaction of their own. A table that fails is logged and
 * counted, stops no other, and is tried again with the next run. Partitions are kept by kit/jobs/partitions.jobs.ts.
 */
export async function housekeeping(pool: pg.Pool, log: Logger): Promise<void> {
  if (!(await mayForget(pool, log))) return
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

/** A run ends after so long; the next goes on where it ended. */
const longestRunMs = 3_600_000

/**
 * Proves each chain of hashes from its checkpoint on, and a part of what was proven before. A break is an alarm, not a
 * repair: the checkpoint stays before it, so each run finds it again. Returns how many entries were read.
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
