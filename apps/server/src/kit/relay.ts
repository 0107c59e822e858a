import type { JetStreamClient } from '@nats-io/jetstream'
import pg from 'pg'
import type { Logger } from 'pino'
import { Counter } from 'prom-client'
import { inScope, keep } from './db.ts'
import { systemScope } from './system-scope.ts'

const published = new Counter({ name: 'outbox_published_total', help: 'Outbox rows published and marked' })
const batch = 200
const pollMs = 1000

/**
 * Publishes outbox rows and marks them, in order, at least once: a row is marked only after the stream has it, and the
 * stream drops a repeated message id. One worker at a time does it, the one whose connection holds the lock; no
 * transaction waits for the stream. Woken by the database; polls in case a wake-up was lost.
 */
export function startRelay(pool: pg.Pool, url: string, stream: JetStreamClient, prefix: string, log: Logger) {
  let stopped = false
  let wake: () => void = () => undefined
  let leader: pg.Client | undefined

  /** The lock goes with the connection, so a relay that lost the database has lost the lead, too. */
  async function lead(): Promise<boolean> {
    if (leader !== undefined) return true
    const client = new pg.Client({ connectionString: url })
    const gone = () => {
      if (leader === client) leader = undefined
    }
    client.on('error', gone).on('end', gone)
    client.on('notification', () => wake())
    await client.connect()
    const { rows } = await client.query<{ held: boolean }>(
      "select pg_try_advisory_lock(hashtext('outbox relay')) as held",
    )
    if (rows[0]?.held !== true) {
      await client.end()
      return false
    }
    await client.query('listen outbox')
    leader = client
    return true
  }

  const waiting = () =>
    inScope(pool, systemScope, 'read', async ({ db }) =>
      keep(
        await db
          .selectFrom('outbox')
          .select(['id', 'subject', 'payload'])
          .where('published_at', 'is', null)
          .orderBy('id')
          .limit(batch)
          .execute(),
      ),
    )
  const mark = (ids: string[]) =>
    inScope(pool, systemScope, 'record', async ({ db }) => {
      await db
        .updateTable('outbox')
        .set({ published_at: new Date().toISOString() })
        .where('id', '=', (one) => one.fn.any(one.val(ids)))
        .execute()
      return keep(undefined)
    })

  async function publishBatch(): Promise<number> {
    if (!(await lead())) return 0
    const rows = await waiting()
    if (rows.length === 0) return 0
    await Promise.all(
      rows.map((row) =>
        stream.publish(`${prefix}.${row.subject}`, JSON.stringify(row.payload), { msgID: `outbox-${row.id}` }),
      ),
    )
    await mark(rows.map((row) => row.id))
    published.inc(rows.length)
    return rows.length
  }

  const loop = (async () => {
    while (!stopped) {
      const done = await publishBatch().catch((error: unknown) => {
        log.error({ err: error }, 'outbox not published, will try again')
        return 0
      })
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
    await leader?.end()
  }
}
