import type { NatsConnection } from '@nats-io/transport-node'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Logger } from 'pino'
import { Counter } from 'prom-client'
import { connectAlone, inScope, commit } from '../db/db.ts'
import { runJob } from '../jobs/job-metrics.ts'
import { watchLoop } from '../ops/loop-watch.ts'
import { useGenericPlans } from '../db/plans.ts'
import { systemScope } from '../db/system-scope.ts'

const published = new Counter({ name: 'outbox_published_total', help: 'Outbox rows published and marked' })
const batch = 1000
const pollMs = 1000

type Line = { bus: NatsConnection; isConnected: () => boolean }

/**
 * Publishes outbox rows in order and at least once: rows are marked only after a flush of the bus. Consoles that miss an
 * event read the list instead, so the bus stores nothing. One worker at a time is the leader: its connection holds an
 * advisory lock. No transaction waits for the bus. The database notifies the relay; it also polls in case a notification
 * is lost.
 */
export function startRelay(pool: pg.Pool, url: string, { bus, isConnected }: Line, prefix: string, log: Logger) {
  let stopped = false
  let wake: () => void = () => undefined
  let client: pg.Client | undefined
  let leads = false
  /** After a full batch the next one starts at its last id. This skips the index entries of marked rows. */
  let after = '0'
  const watched = watchLoop('outbox relay')

  /** The lock ends with the connection, so a relay that lost its connection must acquire the lock again. */
  async function lead(): Promise<boolean> {
    if (client === undefined) {
      leads = false
      const own = await connectAlone(url, (endedClient) => {
        if (client === endedClient) client = undefined
      })
      own.on('notification', () => wake())
      client = own
    }
    try {
      const { rows } = await client.query<{ held: boolean }>(
        leads ? 'select true as held' : "select pg_try_advisory_lock(hashtext('outbox relay')) as held",
      )
      const isLeader = rows[0]?.held === true
      if (isLeader && !leads) await client.query('listen outbox')
      leads = isLeader
      return isLeader
    } catch (error) {
      void client.end()
      client = undefined
      throw error
    }
  }

  const waiting = () =>
    inScope(pool, systemScope, 'read', async ({ db }) => {
      await useGenericPlans(db)
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
  /** Filters by days as well, so that the other partitions are not searched. */
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
    // Restarts from the first id after a failure, and because a row with a lower id may commit later.
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
      const publishedCount = await runJob(log, 'outbox relay', publishBatch).catch(() => 0)
      if (publishedCount === batch) continue
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
