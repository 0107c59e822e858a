import { sql } from 'kysely'
import type pg from 'pg'
import type { Logger } from 'pino'
import { Gauge } from 'prom-client'
import { inScope, commit } from '../../kit/db/db.ts'
import { startPeriodicJob } from '../../kit/jobs/every.ts'
import { takeSlice } from '../../kit/db/slices.ts'
import { systemScope } from '../../kit/db/system-scope.ts'

const broken = new Gauge({
  name: 'statistics_breaks',
  help: 'Figures that differed from the source tables at the last proof',
})

/**
 * Folds new differences into the figures once a second, and continues at once while more than one slice remains. Several
 * workers take turns. A failed slice is rolled back and retried.
 */
export function foldStatistics(pool: pg.Pool, log: Logger, everyMs = 1000): () => Promise<void> {
  const size = { least: 20, most: 2000, current: 250 }
  const round = async () => {
    if (await takeSlice(size, (count) => foldSlice(pool, count))) return true
    await inScope(pool, systemScope, 'record', async ({ db }) =>
      commit(await sql`select app.roll_outages()`.execute(db)),
    )
    return false
  }
  return startPeriodicJob({ name: 'statistics', everyMs, round, log })
}

/** Returns whether more differences wait to be folded. */
const foldSlice = (pool: pg.Pool, count: number): Promise<boolean> =>
  inScope(pool, systemScope, 'record', async ({ db }) => {
    const { rows } = await sql<{ stats: boolean; analysis: boolean }>`
      select app.fold_stats(${count}) as stats, app.fold_analysis(${count}) as analysis`.execute(db)
    return commit(rows[0]?.stats === true || rows[0]?.analysis === true)
  })

const days = 35

/** Compares the figures of the last weeks and the current figures with their source tables, every night. */
export async function proveStatistics(pool: pg.Pool, log: Logger): Promise<void> {
  const breaks = await inScope(
    pool,
    systemScope,
    'read',
    async ({ db }) => {
      const { rows } = await sql<{ what: string; place: string }>`
      with days as (select (now() at time zone 'Asia/Shanghai')::date as today)
      select found.* from days, app.stat_breaks(today - ${days}::int, today + 1) found
      union all select found.* from days, app.analysis_breaks(today - ${days}::int, today + 1) found`.execute(db)
      return commit(rows)
    },
    3_600_000,
  )
  broken.set(breaks.length)
  for (const difference of breaks.slice(0, 100)) log.error(difference, 'statistics differ from their tables')
}
