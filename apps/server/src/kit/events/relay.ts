import type { NatsConnection } from '@nats-io/transport-node'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Logger } from 'pino'
import { Counter } from 'prom-client'
import { connectAlone, inScope, commit } from '../db/db.ts'
import { runJob } from '../jobs/job-metrics.ts'
import { watchLoop } from '../ops/loop-watch.ts'
import { keepPlans } from '../db/plans.ts'
import { systemScope } from '../db/system-scope.ts'

const published = new Counter({ name: 'outbox_published_total', help: 'Outbox rows published and marked' })
const batch = 1000
const pollMs = 1000

type Line = { bus: NatsConnection; isConnected: () => boolean }

/**
 * Publishes outbox rows and marks them, in order, at least once: a row is marked only after the bus has said that it has
 * all of them. Consoles hear it or read the list instead, so nothing is stored on the way. One worker at a time does it,
 * the one whose connection holds the lock; no transaction waits for the bus. Woken by the database; polls in case a
 * wake-up was lost.
 */
export function startRelay(pool: pg.Pool, url: string, { bus, isConnected }: Line, prefix: string, log: Logger) {
  let stopped = false
  let wake: () => void = () => undefined
  let client: pg.Client | undefined
  let leads = false
  /** While batches are full, the next begins after the last: index entries of marked rows are not read again. */
  let after = '0'
  const watched = watchLoop('outbox relay')

  /** The lock goes with the connection: a relay whose connection is gone has lost the lead, and finds out by asking. */
  async function lead(): Promise<boolean> {
    if (client === undefined) {
      leads = false
      const own = await connectAlone(url, (gone) => {
        if (client === gone) client = undefined
      })
      own.on('notification', () => wake())
      client = own
    }
    try {
      const { rows } = await client.query<{ held: boolean }>(
        leads ? 'select true as held' : "select pg_try_advisory_lock(hashtext('outbox relay')) as held",
      )
      const held = rows[0]?.held === true
      if (held && !leads) await client.query('listen outbox')
      leads = held
      return held
    } catch (error) {
      void client.end()
      client = undefined
      throw error
    }
  }

  const waiting = () =>
    inScope(pool, systemScope, 'read', async ({ db }) => {
      await keepPlans(db)
      const rows = await db
        .selectFrom('outbox')
        .select(['id', 'subject', 'payload', sql<string>`created_at::text`.as('createdAt')])
        .where('published_at', 'is', null)
        .where('id', '>', after)
        .orderBy('id')
        .limit(batch)
        .execute()
      return commit(rows)
    })
  /** By their days, too: the other days are not searched. */
  const mark = (ids: string[], days: { first: string; last: string }) =>
    inScope(pool, systemScope, 'record', async ({ db }) => {
      await db
        .updateTable('outbox')
        .set({ published_at: new Date().toISOString() })
        .where('id', '=', (one) => one.fn.any(one.val(ids)))
        .where('created_at', '>=', days.first)
        .where('created_at', '<=', days.last)
        .execute()
      return commit(undefined)
    })

  async function publishBatch(): Promise<number> {
    if (!isConnected() || !(await lead())) return 0
    const rows = await waiting()
    // Unless all goes well: from the start again. Also a row with a lower id may have been committed since.
    after = '0'
    if (rows.length === 0) return 0
    for (const row of rows) bus.publish(`${prefix}.${row.subject}`, JSON.stringify(row.payload))
    await bus.flush()
    const times = rows.map(({ createdAt }) => createdAt).toSorted()
    const [first, last] = [times.at(0) ?? '', times.at(-1) ?? '']
    await mark(
      rows.map(({ id }) => id),
      { first, last },
    )
    published.inc(rows.length)
    if (rows.length === batch) after = rows.at(-1)?.id ?? '0'
    return rows.length
  }

  const loop = (async () => {
    while (!stopped) {
      watched.turn()
      const done = await runJob(log, 'outbox relay', publishBatch).catch(() => 0)
      if (done === batch) continue
      await new Promise<void>((resume) => {
        const timer = setTimeout(resume, pollMs)
        wake = () => {
          clearTimeout(timer)
          resume()
        }
      })
    }
  })()

  return async () => {
    stopped = true
    wake()
    await loop
    watched.end()
    await client?.end()
  }
}
