import type pg from 'pg'
import { connectAlone } from '../db/db.ts'
import { startEvery } from '../jobs/every.ts'
import type { ErrorLog } from '../jobs/job-metrics.ts'

const everyMs = 2000
const freshMs = 12_000

/**
 * Whether PostgreSQL answers, asked on a connection of its own. Requests under way do not make it wait, so that overload
 * is not taken for an outage; and reading the answer costs nothing, however often a balancer asks.
 */
export function startProbe(url: string, log: ErrorLog) {
  let answeredMs: number | undefined
  let client: pg.Client | undefined

  async function ask(): Promise<void> {
    const own = (client ??= await connectAlone(url, (gone) => {
      if (client === gone) client = undefined
    }))
    await own.query('select 1')
    answeredMs = performance.now()
  }
  async function round(): Promise<void> {
    await ask().catch(() => {
      answeredMs = undefined
      void client?.end()
      client = undefined
    })
  }

  const stopAsking = startEvery({ name: 'probe', everyMs, round, log })
  return {
    /** False once it says no, or has been silent for long; slow is not gone. */
    isReady: () => answeredMs !== undefined && performance.now() - answeredMs < freshMs,
    stop: async () => {
      await stopAsking()
      await client?.end()
    },
  }
}
