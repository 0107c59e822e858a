import pg from 'pg'
import { pino } from 'pino'
import { register } from 'prom-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { superuserUrl } from '../../../../../tools/ops/database.ts'
import { startApi } from '../../../test/harness/api.ts'
import { makeFixture } from '../../../test/harness/people.ts'
import { until } from '../../../test/harness/until.ts'
import { createPool } from '../../kit/db/db.ts'
import { reproofNights } from '../../kit/audit/proof.ts'
import { proveLedger } from './ledger.jobs.ts'

const log = pino({ level: 'silent' })
const api = await startApi()
const fixture = await makeFixture(api)
const pool = createPool(api.config.workerDatabaseUrl, 4)
const root = new pg.Client({ connectionString: superuserUrl(api.database) })
await root.connect()
// A superuser can disable the triggers; the proof still detects the change.
await root.query(
  `set session_replication_role = replica; set app.scope_level = '0'; set app.organise_id = '0'; set app.agent_ids = '{}'; set app.site_ids = '{}'`,
)
afterAll(async () => {
  await root.end()
  await pool.end()
})

const gauge = async (name: string) => (await register.getSingleMetric(name)?.get())?.values[0]?.value
/** Number of nights until a proof finds a break. The rolling proof covers every old row within `reproofNights`. */
async function nightsUntilBroken(prove: () => Promise<number>, name: string): Promise<number> {
  for (let night = 1; night <= reproofNights + 2; night++) {
    await prove()
    if ((await gauge(name)) !== 0) return night
  }
  throw new Error('the break was not found')
}

describe('the proof of the ledger', () => {
  const prove = () => proveLedger(pool, log)
  const broken = () => gauge('ledger_breaks')
  let members: string[]
  let keys = 0
  /** Posts `count` transactions of two postings each and seals each in its own block. */
  const postAndSeal = async (count: number) => {
    for (let i = 0; i < count; i++) {
      await api.sql(
        `select app.post(jsonb_agg(jsonb_build_object('key', 'proof/' || $1 || '/' || i, 'keyAt', '2026-11-01T00:00:00Z',
           'organiseId', $2::bigint, 'kind', 1, 'ref', 'r',
           'lines', jsonb_build_array(jsonb_build_array(1, ($3::bigint[])[i], 100), jsonb_build_array(51, 1, -100)))))
         from generate_series(1, 2) i`,
        [String(++keys), fixture.green.id, members],
      )
      await until(async () => {
        await api.sql('select app.seal_ledger()')
        const [row] = await api.sql<{ n: string }>(
          'select count(*) as n from posting where xid >= (select upto from ledger_edge)',
        )
        return row?.n === '0' ? true : undefined
      })
    }
  }
  beforeAll(async () => {
    const rows = await api.sql<{ id: string }>(
      `insert into member (organise_id, nickname) select $1, '会员' from generate_series(1, 2) returning id`,
      [fixture.green.id],
    )
    members = rows.map(({ id }) => id)
  })
  /** The breaks that the next slice finds after a change, which is rolled back. */
  async function tamper(text: string, proof = 'app.prove_postings(false, 1000)'): Promise<string[]> {
    await root.query('begin')
    await root.query(text)
    const { rows } = await root.query<{ slice: { breaks: { what: string }[] } }>(`select ${proof} as slice`)
    await root.query('rollback')
    return [...new Set(rows[0]?.slice.breaks.map(({ what }) => what))].toSorted()
  }

  it('proves slice by slice, each posting once, and the next night only new postings', async () => {
    await postAndSeal(10)
    const slices: number[] = []
    for (let more = true; more;) {
      const { rows } = await pool
        .query<{ slice: { more: boolean; read: number; breaks: unknown[] } }>(
          "begin; set local app.scope_level = '0'; select app.prove_postings(false, 6) as slice; commit",
        )
        .then((results) => (results as unknown as pg.QueryResult[])[2] as pg.QueryResult)
      const slice = (rows[0] as { slice: { more: boolean; read: number; breaks: unknown[] } }).slice
      expect(slice.breaks).toEqual([])
      if (slice.read > 0) slices.push(slice.read)
      more = slice.more
    }
    expect(slices).toEqual([6, 6, 6, 2])
    await prove()
    await postAndSeal(2)
    const [first, second] = await Promise.all([prove(), prove()])
    expect(await broken()).toBe(0)
    expect(first + second).toBeGreaterThanOrEqual(4)
  })

  it('reports changes after the checkpoint', async () => {
    await postAndSeal(2)
    const newest = `(select id from posting order by id desc limit 1)`
    const account = `(select account_id from entry where posting_id = ${newest} and later is null)`
    expect(await tamper('select 1')).toEqual([])
    expect(await tamper(`update account set balance_fen = balance_fen + 1 where id = ${account}`)).toEqual(['balance'])
    expect(await tamper(`update posting set memo = '无' where id = ${newest}`)).toEqual(['changed'])
    expect(await tamper(`delete from entry where posting_id = ${newest}`)).toContain('no entries')
    expect(await tamper(`delete from posting where id = ${newest}`)).toEqual(['block'])
    expect(
      await tamper(
        `update entry set amount_fen = amount_fen + 1, balance_fen = balance_fen + 1 where posting_id = ${newest} and later is null`,
      ),
    ).toEqual(['balance', 'changed', 'unbalanced'])
    expect(await tamper('delete from ledger_block where no = (select max(no) from ledger_block)')).toEqual([
      'not sealed',
    ])
    expect(
      await tamper(`update ledger_block set hash = '\\x01' where no = (select max(no) from ledger_block)`),
    ).toEqual(['block'])
    expect(await tamper('update account_sum set fen = fen + 1', 'app.prove_accounts(1000)')).toEqual(['sums'])
    await prove()
    expect(await broken()).toBe(0)
    expect(await tamper(`update ledger_block set hash = '\\x01'`)).toEqual(['rewritten'])
  })

  it('compares completed days with the proven entries', async () => {
    await root.query('update account_day set day = day - 5')
    await root.query('update ledger_proof_day set day = day - 5')
    expect(await tamper('select 1', 'app.prove_days(false)')).toEqual([])
    expect(await tamper('update account_day set in_fen = in_fen + 1', 'app.prove_days(false)')).toEqual(['days'])
    await prove()
    expect(await tamper('update account_day set in_fen = in_fen + 1', 'app.prove_days(true)')).toEqual(['days'])
    await root.query('update account_day set day = day + 5')
    await root.query('update ledger_proof_day set day = day + 5')
    await root.query("update ledger_proof set day = '2000-01-01', again_day = '2000-01-01'")
  })

  it('finds a change before the checkpoint within the reproof nights, and by the command at once', async () => {
    await prove()
    const oldest = `(select min(id) from posting)`
    await root.query(`update posting set memo = '无' where id = ${oldest}`)
    expect(await api.sql('select what from app.ledger_breaks()')).toEqual([{ what: 'changed' }])
    await nightsUntilBroken(prove, 'ledger_breaks')
    await root.query(`update posting set memo = null where id = ${oldest}`)
    await prove()
    expect(await broken()).toBe(0)
  })
})
