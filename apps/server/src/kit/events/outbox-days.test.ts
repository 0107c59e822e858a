import { pino } from 'pino'
import { afterAll, describe, expect, it } from 'vitest'
import { startApi } from '../../../test/harness/api.ts'
import { createPool } from '../db/db.ts'
import { maintainPartitions } from '../jobs/partitions.jobs.ts'

const dayMs = 86_400_000
const api = await startApi()
const pool = createPool(api.config.workerDatabaseUrl, 2)
afterAll(() => pool.end())

const keep = (days: number) => maintainPartitions(pool, pino({ level: 'silent' }), () => Date.now() + days * dayMs)
const add = (days: number, isPublished: boolean) =>
  api.sql<{ id: string; day: string }>(
    `insert into outbox (organise_id, subject, payload, created_at, published_at)
     select 1, 'x', '{}', at, case when $2 then at end from (select now() + make_interval(days => $1)) as row (at)
     returning id, tableoid::regclass::text as day`,
    [days, isPublished],
  )
const daysThere = async () =>
  (await api.sql<{ day: string }>("select child::text as day from app.partition_bounds('outbox') order by 1")).map(
    ({ day }) => day,
  )

describe('the outbox', () => {
  it('is partitioned by days of Asia/Shanghai, which are dropped when they are over and published', async () => {
    const [done] = await add(0, true)
    const [waiting] = await add(1, false)
    const [late] = await add(2, true)
    expect(done?.day).toMatch(/^outbox_\d{8}$/)
    expect(await daysThere()).toEqual(expect.arrayContaining([done?.day, waiting?.day, late?.day]))
    await keep(12)
    const there = await daysThere()
    expect(there).toContain(waiting?.day)
    expect(there).not.toContain(done?.day)
    expect(there).not.toContain(late?.day)
    expect(await api.sql('select id from outbox where published_at is null')).toEqual([{ id: waiting?.id }])
    await api.sql('update outbox set published_at = now() where id = $1', [waiting?.id])
    await keep(12)
    expect(await daysThere()).not.toContain(waiting?.day)
  })

  it('accepts rows without a partition of their day, and moves them there later', async () => {
    const [stray] = await add(60, false)
    expect(stray?.day).toBe('outbox_other')
    await keep(60)
    const [moved] = await api.sql<{ day: string }>('select tableoid::regclass::text as day from outbox where id = $1', [
      stray?.id,
    ])
    expect(moved?.day).toMatch(/^outbox_\d{8}$/)
    await api.sql('update outbox set published_at = now()')
  })

  it('returns unpublished rows in the order of their ids, without reading published rows', async () => {
    await api.sql(
      `insert into outbox (organise_id, subject, payload, created_at, published_at)
       select 1, 'x', '{}', now() + make_interval(days => 60 + i % 5), case when i % 100 > 0 then now() end from generate_series(1, 5000) i`,
    )
    await api.sql('analyze outbox')
    const waiting = 'select id, subject, payload from outbox where published_at is null order by id limit 20'
    const plan = (await api.sql<{ 'QUERY PLAN': string }>(`explain (analyze, costs off, timing off) ${waiting}`)).map(
      (row) => row['QUERY PLAN'],
    )
    // Empty days may be scanned. Days with rows must not read rows that are filtered out.
    expect(plan.filter((line) => line.includes('Rows Removed'))).toEqual([])
    // Each day reads the rows within the limit, and one more.
    const read = plan.flatMap((line) => /Index Scan.*rows=(\d+)/.exec(line)?.[1] ?? []).map(Number)
    expect(read.reduce((all, rows) => all + rows, 0)).toBeLessThan(60)
    const ids = (await api.sql<{ id: string }>(waiting)).map(({ id }) => Number(id))
    expect(ids).toEqual(ids.toSorted((one, other) => one - other))
    expect(ids).toHaveLength(20)
  })
})
