import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiUrl } from '../../../../../tools/ops/database.ts'
import { startApi } from '../../../test/harness/api.ts'
import { makeFixture } from '../../../test/harness/people.ts'
import { reportOpenTransactions } from '../../../test/harness/open-transactions.ts'
import { until } from '../../../test/harness/until.ts'
import { createPool } from '../../kit/db/db.ts'
import { sealLedger } from './ledger.jobs.ts'

const api = await startApi()
reportOpenTransactions(api)
const fixture = await makeFixture(api)
const rows = await api.sql<{ id: string }>(
  `insert into member (organise_id, nickname) select $1, '会员' from generate_series(1, 200) returning id`,
  [fixture.green.id],
)
const members = rows.map(({ id }) => id)

/** A client with the api's role, to hold a transaction open or to post concurrently. */
async function openClient(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: apiUrl(api.database) })
  await client.connect()
  return client
}
let keys = 0
/** Posts `count` recharges of one fen in one statement, to members from `first` on. It locks their accounts. */
const postRecharges = (client: Pick<pg.Client, 'query'>, count: number, first = 0) =>
  client.query(
    `select app.post(jsonb_agg(jsonb_build_object('key', 'seal/' || $1 || '/' || i, 'keyAt', '2026-11-01T00:00:00Z',
       'organiseId', $2::bigint, 'kind', 1, 'ref', 'r',
       'lines', jsonb_build_array(jsonb_build_array(1, ($3::bigint[])[i], 1), jsonb_build_array(51, 1, -1)))))
     from generate_series(1, $4::int) i`,
    [String(++keys), fixture.green.id, members.slice(first), count],
  )
const sealSlice = async (slice: number) => {
  const [done] = await api.sql<{ sealed: string; more: boolean }>('select * from app.seal_ledger($1)', [slice])
  return { sealed: Number(done?.sealed), more: done?.more === true }
}
const prove = () => api.sql('select what, ref from app.ledger_breaks()')
const count = async (text: string) => Number((await api.sql<{ n: string }>(`select (${text}) as n`))[0]?.n)
const unsealed = () => count('select count(*) from posting where xid >= (select upto from ledger_edge)')

describe('sealing in slices', () => {
  it('seals each posting once during concurrent posts, and never beyond an open transaction', async () => {
    const poster = await openClient()
    const open = await openClient()
    for (let i = 0; i < 20; i++) await postRecharges(poster, 50)
    // One transaction posts more than a slice.
    await poster.query('begin')
    for (let i = 0; i < 3; i++) await postRecharges(poster, 200)
    await poster.query('commit')
    await open.query('begin')
    await postRecharges(open, 7, 100)
    for (let i = 0; i < 20; i++) await postRecharges(poster, 50)

    const slices: number[] = []
    const sealAll = () =>
      until(async () => {
        const { sealed, more } = await sealSlice(120)
        if (sealed > 0) slices.push(sealed)
        expect(await prove()).toEqual([])
        return more ? undefined : true
      })
    await sealAll()
    const beyond = await unsealed()
    // Postings after the begin of the open transaction wait for it.
    expect(beyond).toBe(1000)
    const going = (async () => {
      for (let i = 0; i < 10; i++) await postRecharges(poster, 20)
    })()
    await open.query('commit')
    await until(async () => {
      await sealAll()
      return (await unsealed()) === 0 ? true : undefined
    })
    await going
    await until(async () => {
      await sealAll()
      return (await unsealed()) === 0 ? true : undefined
    })

    const postings = await count('select count(*) from posting')
    expect(postings).toBe(1000 + 600 + 7 + 1000 + 200)
    expect(slices.reduce((sum, one) => sum + one, 0)).toBe(postings)
    expect(await count('select sum(postings) from ledger_block')).toBe(postings)
    // A slice of 120 contains two whole transactions of fifty; only the transaction of 600 exceeds a slice.
    expect(slices.filter((one) => one > 120)).toEqual([600])
    expect(slices.filter((one) => one === 100).length).toBeGreaterThan(15)
    expect(await count('select -sum(fen) from account_sum')).toBe(postings)
    await poster.end()
    await open.end()
  })

  it('skips its turn while another worker seals', async () => {
    const poster = await openClient()
    await postRecharges(poster, 10)
    await poster.end()
    const other = new pg.Client({ connectionString: api.config.workerDatabaseUrl })
    await other.connect()
    await until(async () => ((await sealSlice(1000)).more || (await unsealed()) > 0 ? undefined : true))
    await other.query("begin; set local app.scope_level = '0'")
    await other.query('select app.seal_ledger()')
    expect(await sealSlice(1000)).toEqual({ sealed: 0, more: false })
    await other.query('rollback')
    await other.end()
  })

  describe('by the worker', () => {
    let pool: pg.Pool
    const stops: (() => Promise<void>)[] = []
    beforeAll(() => {
      pool = createPool(api.config.workerDatabaseUrl, 4)
    })
    afterAll(async () => {
      for (const stop of stops) await stop()
      await pool.end()
    })

    it('continues until all is sealed, with two workers and concurrent posts', async () => {
      const poster = await openClient()
      for (let i = 0; i < 60; i++) await postRecharges(poster, 200)
      const before = await count('select coalesce(sum(postings), 0) from ledger_block')
      const faults: string[] = []
      const log = pino({ level: 'error' }, { write: (line: string) => void faults.push(line) })
      for (const _ of [1, 2]) stops.push(sealLedger(pool, log, 50))
      for (let i = 0; i < 10; i++) await postRecharges(poster, 10)
      await until(async () => ((await unsealed()) === 0 ? true : undefined))
      expect(await count('select sum(postings) from ledger_block')).toBe(before + 12_100)
      expect(await count('select max(postings) from ledger_block')).toBeLessThanOrEqual(5200)
      expect(await prove()).toEqual([])
      expect(faults).toEqual([])
      await poster.end()
    })
  })
})
