import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi } from '../../../test/harness/api.ts'
import { makeFixture } from '../../../test/harness/people.ts'
import { until } from '../../../test/harness/until.ts'
import { createPool } from '../../kit/db/db.ts'
import { foldStatistics } from './statistics.jobs.ts'

const api = await startApi()
const fixture = await makeFixture(api)
const pool = createPool(api.config.workerDatabaseUrl, 4)
beforeAll(async () => {
  await foldAll()
})
afterAll(() => pool.end())

const count = async (text: string) => Number((await api.sql<{ n: string }>(`select (${text}) as n`))[0]?.n)
const waiting = () => count('select count(*) from stat_delta')
const ordersOf = (view: string, kind: number) =>
  count(`select coalesce(sum(orders), 0) from ${view} where kind = ${kind}`)
const foldSlice = async (slice: number) =>
  (await api.sql<{ more: boolean }>('select app.fold_stats($1) as more', [slice]))[0]?.more
const foldAll = () => until(async () => ((await foldSlice(2000)) === true ? undefined : true))

/** Inserts differences of one order each, `each` of them at `places` sites. */
const addDifferences = (places: number, each: number) =>
  api.sql(
    `insert into stat_delta (hour, organise_id, site_id, orders)
     select date_trunc('hour', now()), $1, 900000 + place, 1 from generate_series(1, $2::int) place, generate_series(1, $3::int)`,
    [fixture.green.id, places, each],
  )

describe('folding in slices', () => {
  it('takes few differences of distinct places, and many of a shared place', async () => {
    await addDifferences(130, 1)
    expect(await foldSlice(50)).toBe(true)
    expect(await waiting()).toBe(80)
    expect(await foldSlice(50)).toBe(true)
    expect(await foldSlice(50)).toBe(false)
    expect(await waiting()).toBe(0)

    await addDifferences(1, 2500)
    const waitingCounts: number[] = []
    for (let more: boolean | undefined = true; more === true;) {
      more = await foldSlice(50)
      waitingCounts.push(await waiting())
    }
    expect(waitingCounts).toEqual([1500, 500, 0])
    expect([await ordersOf('stat_day', 5), await ordersOf('stat_hour', 5)]).toEqual([2630, 2630])
  })

  it('processes a backlog of many slices during new inserts, and counts each difference once', async () => {
    const before = await ordersOf('stat_day_live', 0)
    await addDifferences(4000, 1)
    await addDifferences(3, 6000)
    const faults: string[] = []
    const log = pino({ level: 'error' }, { write: (line: string) => void faults.push(line) })
    const stops = [1, 2].map(() => foldStatistics(pool, log, 50))
    for (let i = 0; i < 5; i++) {
      await addDifferences(10, 2)
      expect(await ordersOf('stat_day_live', 0)).toBe(before + 22_000 + (i + 1) * 20)
    }
    await until(async () => ((await waiting()) === 0 ? true : undefined))
    for (const stop of stops) await stop()
    for (const kind of [0, 3, 5])
      expect(await ordersOf('stat_day', kind), String(kind)).toBe(await ordersOf('stat_hour', kind))
    expect(await ordersOf('stat_day', 0)).toBe(before + 22_100)
    expect(faults).toEqual([])
  })
})
