import pg from 'pg'
import { pino } from 'pino'
import { register } from 'prom-client'
import { afterAll, describe, expect, it } from 'vitest'
import { superuserUrl } from '../../../../../../tools/ops/database.ts'
import { startApi } from '../../../../test/harness/api.ts'
import { makeFixture } from '../../../../test/harness/people.ts'
import { createPool } from '../../../kit/db/db.ts'
import { reproofNights } from '../../../kit/audit/proof.ts'
import { proveAudit } from './housekeeping.jobs.ts'

const log = pino({ level: 'silent' })
const api = await startApi()
const fixture = await makeFixture(api)
const pool = createPool(api.config.workerDatabaseUrl, 4)
const root = new pg.Client({ connectionString: superuserUrl(api.database) })
await root.connect()
// A superuser can disable the triggers; the proof must still find the change.
await root.query(
  `set session_replication_role = replica; set app.scope_level = '0'; set app.organise_id = '0'; set app.agent_ids = '{}'; set app.site_ids = '{}'`,
)
afterAll(async () => {
  await root.end()
  await pool.end()
})

const gauge = async (name: string) => (await register.getSingleMetric(name)?.get())?.values[0]?.value
/**
 * Returns the nights until a proof finds the break. The rolling proof covers every old row within one cycle of nights.
 */
async function nightsUntilBroken(prove: () => Promise<number>, name: string): Promise<number> {
  for (let night = 1; night <= reproofNights + 2; night++) {
    await prove()
    if ((await gauge(name)) !== 0) return night
  }
  throw new Error('the break was not found')
}

describe('the proof of the audit log', () => {
  const append = async (count: number) => {
    for (let i = 0; i < count; i++)
      await root.query('select app.audit_append($1)', [
        JSON.stringify({
          organise_id: fixture.green.id,
          module: '测试',
          kind: 'x',
          content: `第 ${i} 条`,
          path: '/x',
          duration_ms: 1,
          result: 1,
          request_id: 'r',
        }),
      ])
  }
  const prove = () => proveAudit(pool, log)
  const broken = () => gauge('audit_chain_breaks')
  const seqOf = async () =>
    Number(
      (await api.sql<{ seq: string }>('select seq from audit_chain where organise_id = $1', [fixture.green.id]))[0]
        ?.seq,
    )
  /** The number of entries that the rolling proof reads in one night. */
  const share = async () => {
    const rows = await api.sql<{ n: number }>('select ceil(seq::numeric / $1)::int as n from audit_chain', [
      reproofNights,
    ])
    return rows.reduce((all, { n }) => all + n, 0)
  }
  const change = (seq: number, content: string) =>
    root.query('update audit_log set content = $3 where organise_id = $1 and seq = $2', [
      fixture.green.id,
      seq,
      content,
    ])

  it('reads each entry once, also in two concurrent runs, and then only new entries', async () => {
    await append(90)
    const all = Number((await api.sql<{ n: string }>('select count(*) as n from audit_log'))[0]?.n)
    const read = await Promise.all([prove(), prove()])
    expect(read[0] + read[1]).toBeLessThanOrEqual(all + 2 * (await share()))
    expect(read[0] + read[1]).toBeGreaterThanOrEqual(all)
    await append(7)
    expect(await prove()).toBeLessThanOrEqual(7 + (await share()))
    expect(await prove()).toBeLessThanOrEqual(await share())
    expect(await broken()).toBe(0)
  })

  it('finds a change after the checkpoint at once and every night, until it is undone', async () => {
    await append(3)
    const seq = await seqOf()
    await change(seq - 1, '另一条')
    for (let night = 0; night < 2; night++) {
      await prove()
      expect(await broken()).toBe(1)
    }
    await change(seq - 1, '第 1 条')
    await prove()
    expect(await broken()).toBe(0)
  })

  it('finds a change before the checkpoint within one cycle of nights', async () => {
    const [{ content } = { content: '' }] = await api.sql<{ content: string }>(
      'select content from audit_log where organise_id = $1 and seq = 40',
      [fixture.green.id],
    )
    await change(40, '另一条')
    expect(await nightsUntilBroken(prove, 'audit_chain_breaks')).toBeGreaterThan(1)
    await change(40, content)
    await prove()
    expect(await broken()).toBe(0)
  })

  it('finds a chain that was rewritten with all its hashes, and a truncated one', async () => {
    const seq = await seqOf()
    await root.query('begin')
    await change(seq, '另一条')
    await root.query(
      'update audit_log entry set hash = app.audit_hash(prev_hash, entry) where organise_id = $1 and seq = $2',
      [fixture.green.id, seq],
    )
    await root.query(
      `update audit_chain set hash = (select hash from audit_log where organise_id = $1 and seq = $2) where organise_id = $1`,
      [fixture.green.id, seq],
    )
    // The full proof finds nothing: all links are consistent.
    expect((await root.query('select * from app.audit_breaks()')).rows).toEqual([])
    const { rows } = await root.query<{ slice: { breaks: { what: string }[] } }>(
      'select app.prove_audit($1, false, 100) as slice',
      [fixture.green.id],
    )
    expect(rows[0]?.slice.breaks.map(({ what }) => what)).toEqual(['rewritten'])
    await root.query('rollback')
    await root.query('begin')
    await root.query('delete from audit_log where organise_id = $1 and seq = $2', [fixture.green.id, seq])
    const { rows: cut } = await root.query<{ slice: { breaks: { what: string }[] } }>(
      'select app.prove_audit($1, false, 100) as slice',
      [fixture.green.id],
    )
    expect(cut[0]?.slice.breaks.map(({ what }) => what).toSorted()).toEqual(['cut', 'rewritten'])
    await root.query('rollback')
  })
})
