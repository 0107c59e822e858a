import type pg from 'pg'
import { connectAlone } from '../db/db.ts'
import { startPeriodicJob } from '../jobs/every.ts'
import type { ErrorLog } from '../jobs/job-metrics.ts'

const everyMs = 2000
const freshMs = 12_000

/**
 * Probes PostgreSQL on a separate connection. Requests in progress do not delay it, so overload is not mistaken for an
 * outage. Reading the state is free, however often a load balancer requests it.
 */
export function startProbe(url: string, log: ErrorLog) {
  let answeredMs: number | undefined
  let client: pg.Client | undefined

  async function ask(): Promise<void> {
    const own = (client ??= await connectAlone(url, (endedClient) => {
      if (client === endedClient) client = undefined
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

  const stopAsking = startPeriodicJob({ name: 'probe', everyMs, round, log })
  return {
    /** False after a failed probe or after 12 seconds without a success. A slow database stays ready. */
    isReady: () => answeredMs !== undefined && performance.now() - answeredMs < freshMs,
    stop: async () => {
      await stopAsking()
      await client?.end()
    },
  }
}
