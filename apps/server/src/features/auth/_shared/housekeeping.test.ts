import { pino } from 'pino'
import { register } from 'prom-client'
import { afterAll, describe, expect, it } from 'vitest'
import { startApi } from '../../../../test/harness/api.ts'
import { createPool } from '../../../kit/db/db.ts'
import { housekeeping } from './housekeeping.jobs.ts'

const faults: { job: string; msg: string }[] = []
const log = pino(
  { level: 'error' },
  { write: (line: string) => void faults.push(JSON.parse(line) as (typeof faults)[number]) },
)
const api = await startApi()
const pool = createPool(api.config.workerDatabaseUrl, 2)
afterAll(() => pool.end())

const count = async (table: string) =>
  Number((await api.sql<{ n: string }>(`select count(*) as n from ${table}`))[0]?.n)
const runs = async (job: string) => {
  const metric = await register.getSingleMetric('job_runs_total')?.get()
  const of = (outcome: string) =>
    metric?.values.find(({ labels }) => labels['job'] === job && labels['outcome'] === outcome)?.value ?? 0
  return { success: of('success'), failure: of('failure') }
}
const addKeys = (amount: number, age: string) =>
  api.sql(
    `insert into idempotency_key (user_id, key, organise_id, request_hash, created_at)
     select 1, 'k' || $2 || lpad(i::text, 20, '0'), 1, '', now() - $2::interval from generate_series(1, $1::int) i`,
    [amount, age],
  )

describe('housekeeping', () => {
  it('deletes expired rows in slices, each in its own transaction, and nothing else', async () => {
    await addKeys(12_000, '3 days')
    await addKeys(10, '1 day')
    await api.sql(`create table removal (xid xid8, rows int)`)
    await api.sql(
      `create function note_removal() returns trigger language plpgsql security definer as $$
       begin insert into removal select pg_current_xact_id(), count(*) from gone; return null; end $$`,
    )
    await api.sql(
      `create trigger note after delete on idempotency_key referencing old table as gone for each statement execute function note_removal()`,
    )
    await housekeeping(pool, log)
    expect(await count('idempotency_key')).toBe(10)
    const slices = await api.sql<{ xid: string; rows: number }>('select xid::text, rows from removal order by xid')
    expect(slices.reduce((all, { rows }) => all + rows, 0)).toBe(12_000)
    expect(Math.max(...slices.map(({ rows }) => rows))).toBeLessThanOrEqual(5000)
    expect(new Set(slices.map(({ xid }) => xid)).size).toBe(slices.length)
    expect(faults).toEqual([])
    await api.sql('drop trigger note on idempotency_key')
  })

  it('continues after a table that fails, which is logged, counted and cleaned by the next run', async () => {
    await addKeys(5, '4 days')
    await api.sql(
      `insert into captcha (id, answer, expires_at) select gen_random_uuid(), 'x', now() - interval '1 hour' from generate_series(1, 5)`,
    )
    await api.sql('alter table captcha rename to captcha_away')
    const before = { captcha: await runs('housekeeping.captcha'), keys: await runs('housekeeping.idempotency_key') }
    await housekeeping(pool, log)
    expect(await count('idempotency_key')).toBe(10)
    expect(faults.map(({ job, msg }) => ({ job, msg }))).toEqual([
      { job: 'housekeeping.captcha', msg: 'job failed; will retry' },
    ])
    expect(await runs('housekeeping.captcha')).toEqual({
      ...before.captcha,
      failure: before.captcha.failure + 1,
    })
    expect(await runs('housekeeping.idempotency_key')).toEqual({ ...before.keys, success: before.keys.success + 1 })
    await api.sql('alter table captcha_away rename to captcha')
    await housekeeping(pool, log)
    expect(await count('captcha')).toBe(0)
    const last = await register.getSingleMetric('job_last_success_seconds')?.get()
    expect(last?.values.some(({ labels }) => labels['job'] === 'housekeeping.captcha')).toBe(true)
  })
})
