import { sql } from 'kysely'
import type pg from 'pg'
import type { Logger } from 'pino'
import { Gauge } from 'prom-client'
import { inScope, keep } from '../kit/db.ts'
import { systemScope } from '../kit/system-scope.ts'

const broken = new Gauge({
  name: 'statistics_breaks',
  help: 'Figures that were not what the tables said at the last proof',
})

/** Adds up what has happened, once a second. Several workers take turns; whatever dies in the middle is added up again. */
export function foldStatistics(pool: pg.Pool, log: Logger, everyMs = 1000): () => Promise<void> {
  let running: Promise<void> | undefined
  const fold = async () => {
    // As long as there is more than one turn takes, the next follows at once.
    for (let more = true; more;) {
      const folded = await inScope(pool, systemScope, 'record', async ({ db }) => {
        const { rows } = await sql<{ count: string }>`select app.fold_stats() + app.fold_analysis() as count`.execute(
          db,
        )
        return keep(Number(rows[0]?.count))
      })
      more = folded >= 50_000
    }
    await inScope(pool, systemScope, 'record', async ({ db }) => keep(await sql`select app.roll_outages()`.execute(db)))
  }
  const timer = setInterval(() => {
    running ??= fold()
      .catch((error: unknown) => log.error({ err: error }, 'figures could not be added up, will try again'))
      .finally(() => (running = undefined))
  }, everyMs)
  return async () => {
    clearInterval(timer)
    await running
  }
}

const days = 35

/** Every night: the figures of the last weeks, and of what stands there now, are what the tables say. */
export async function proveStatistics(pool: pg.Pool, log: Logger): Promise<void> {
  const breaks = await inScope(pool, systemScope, 'read', async ({ db }) => {
    await sql`set local statement_timeout = '60min'`.execute(db)
    const { rows } = await sql<{ what: string; place: string }>`
      with days as (select (now() at time zone 'Asia/Shanghai')::date as today)
      select found.* from days, app.stat_breaks(today - ${days}::int, today + 1) found
      union all select found.* from days, app.analysis_breaks(today - ${days}::int, today + 1) found`.execute(db)
    return keep(rows)
  })
  broken.set(breaks.length)
  for (const found of breaks.slice(0, 100)) log.error(found, 'a figure is not what the tables say')
}
