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
 * stream drops a repeated message id. Woken by the database; polls in case a wake-up was lost.
 */
export async function startRelay(pool: pg.Pool, url: string, stream: JetStreamClient, prefix: string, log: Logger) {
  let stopped = false
  let wake: () => void = () => undefined
  const listener = new pg.Client({ connectionString: url })
  listener.on('notification', () => wake())
  listener.on('error', () => undefined) // polling goes on without it
  await listener.connect()
  await listener.query('listen outbox')

  const publishBatch = () =>
    inScope(pool, systemScope, 'write', async ({ db }) => {
      const rows = await db
        .selectFrom('outbox')
        .select(['id', 'subject', 'payload'])
        .where('published_at', 'is', null)
        .orderBy('id')
        .limit(batch)
        .forUpdate()
        .skipLocked()
        .execute()
      // The stream's answer is awaited inside the transaction on purpose: the row lock keeps other relays off it.
      await Promise.all(
        rows.map((row) =>
          stream.publish(`${prefix}.${row.subject}`, JSON.stringify(row.payload), { msgID: `outbox-${row.id}` }),
        ),
      )
      const ids = rows.map((row) => row.id)
      if (ids.length > 0) {
        await db
          .updateTable('outbox')
          .set({ published_at: new Date().toISOString() })
          .where('id', '=', (one) => one.fn.any(one.val(ids)))
          .execute()
        published.inc(ids.length)
      }
      return keep(ids.length)
    })

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
    await listener.end()
  }
}
