import { performance } from 'node:perf_hooks'
import type pg from 'pg'
import { watchMoneyOnce } from '../apps/server/src/charging/watch-money.jobs.ts'
import { createPool } from '../apps/server/src/kit/db.ts'
import { drainInSlices } from '../apps/server/src/kit/slices.ts'
import { asSuperuser, dropDatabase, ensureDatabase, ensureRoles, migrate, workerUrl } from '../tools/database.ts'

const database = 'wattdeck_backlog'
const postings = Number(process.env['BACKLOG_POSTINGS'] ?? '1000000')
const differences = Number(process.env['BACKLOG_DIFFERENCES'] ?? '1000000')
const charges = Number(process.env['BACKLOG_CHARGES'] ?? '1000000')
const members = 2000

/** How long a backlog takes to work off after an absence, and its longest statement (goal: 2 s). */
export async function benchBacklog(): Promise<void> {
  await ensureRoles()
  await dropDatabase(database)
  await ensureDatabase(database)
  await migrate(database)
  const pool = createPool(workerUrl(database), 4)
  await asSuperuser(database, async (sql) => {
    await sql.query("set app.scope_level = '0'; set synchronous_commit = off")
    await sql.query("insert into organise (id, name) values (2, '机构')")
    await sql.query(
      `insert into member (id, organise_id, nickname) select i, 2, '会员' from generate_series(1, ${members}) i`,
    )
    await addPostings(sql)
    await sql.query('vacuum analyze posting')
  })
  await measure(`seal ${postings} postings`, { least: 100, most: 5000, current: 2000 }, async (count) => {
    const { more } = await inSystem<{ more: boolean }>(pool, `select more from app.seal_ledger(${count})`)
    return more
  })
  await asSuperuser(database, async (sql) => {
    await sql.query(
      `insert into stat_delta (hour, organise_id, site_id, district, orders)
       select date_trunc('hour', now()) - make_interval(hours => i % 3), 2, i % 50000, '330106', 1 from generate_series(1, ${differences}) i`,
    )
    await sql.query('vacuum analyze stat_delta')
  })
  await measure(`fold ${differences} differences`, { least: 20, most: 2000, current: 250 }, async (count) => {
    const { more } = await inSystem<{ more: boolean }>(pool, `select app.fold_stats(${count}) as more`)
    return more
  })
  await asSuperuser(database, async (sql) => {
    await sql.query(
      `insert into open_charge (device_id, port_no, order_id, organise_id, wire_no, reported_at, energy_dwh, duration_s, money_safe_dwh, money_safe_s)
       select i, 1, i, 2, 'x', now(), 100, 60, 1000, 2147483647 from generate_series(1, ${charges}) i`,
    )
    await sql.query('vacuum analyze open_charge')
  })
  const begunMs = performance.now()
  await watchMoneyOnce(pool, console as unknown as Parameters<typeof watchMoneyOnce>[1])
  console.log(`money watch, ${charges} open charges: ${Math.round(performance.now() - begunMs)} ms a round (goal 500)`)
  await pool.end()
  await dropDatabase(database)
}

async function addPostings(sql: pg.Client): Promise<void> {
  for (let part = 0; part < postings / 200; part++)
    await sql.query(
      `select app.post(jsonb_agg(jsonb_build_object('key', 'backlog/' || $1 || '/' || i, 'keyAt', '2026-11-01T00:00:00Z', 'organiseId', 2,
         'kind', 1, 'ref', 'r', 'lines', jsonb_build_array(jsonb_build_array(1, 1 + ($1::int * 200 + i) % ${members}, 1), jsonb_build_array(51, 1, -1)))))
       from generate_series(1, 200) i`,
      [part],
    )
}

async function inSystem<T>(pool: pg.Pool, text: string): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query(
      "begin; set local app.scope_level = '0'; set local app.organise_id = '0'; set local app.agent_ids = '{}'; set local app.site_ids = '{}'",
    )
    const { rows } = await client.query<T & pg.QueryResultRow>(text)
    await client.query('commit')
    return rows[0] as T
  } finally {
    client.release()
  }
}

async function measure(
  name: string,
  size: Parameters<typeof drainInSlices>[0],
  slice: (count: number) => Promise<boolean>,
) {
  const times: number[] = []
  const begunMs = performance.now()
  await drainInSlices(size, async (count) => {
    const sliceMs = performance.now()
    const more = await slice(count)
    times.push(performance.now() - sliceMs)
    return more
  })
  const all = (performance.now() - begunMs) / 1000
  console.log(`${name}: ${all.toFixed(1)} s in ${times.length} slices, longest ${Math.round(Math.max(...times))} ms`)
}
