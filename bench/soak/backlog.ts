import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { startApiProcess, startGatewayProcess, startWorkerProcess } from '../../apps/server/test/harness/process.ts'
import { until } from '../../apps/server/test/harness/until.ts'
import { noFaults } from '../../apps/simulator/src/faults.ts'
import { startFleet } from '../../apps/simulator/src/fleet.ts'
import { realHabits } from '../../apps/simulator/src/habits.ts'
import { startOwnNats, startOwnPostgres } from '../../tools/dev/local-services.ts'
import { makePlace } from './money-fixture.ts'
import { openAdminSession, p95 } from '../fixtures/tenants.ts'

const database = 'wattdeck_backlog'
const number = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise)
const size = {
  outbox: number('BACKLOG_OUTBOX', 10_000_000),
  postings: number('BACKLOG_POSTINGS', 1_000_000),
  differences: number('BACKLOG_DIFFERENCES', 1_000_000),
  charges: number('BACKLOG_CHARGES', 1_000_000),
}
const members = 2000
const devices = 200

/** Queries of the pending rows, by the names of the result. */
const waiting = {
  outbox: 'select count(*)::int as n from outbox where published_at is null and id <= $1',
  postings: 'select count(*)::int as n from posting, ledger_edge where xid >= upto and $1::bigint > 0',
  differences: 'select count(*)::int as n from stat_delta where $1::bigint > 0',
}

/**
 * An installation whose worker was offline: one worker processes the backlog while devices report and a person uses the
 * console. Reports the duration, the longest statement (goal: 2 s) and the slowest money watch round (goal: 0.5 s).
 */
export async function benchBacklog(): Promise<void> {
  const settings = '-c shared_preload_libraries=pg_stat_statements -c pg_stat_statements.track=top -c max_wal_size=4GB'
  const [nats, postgres] = await Promise.all([startOwnNats(), startOwnPostgres('durable', undefined, settings)])
  process.env['POSTGRES'] = postgres.at
  process.env['NATS_URL'] = nats.url
  const { asSuperuser } = await import('../../tools/ops/database.ts')
  const { registerFleet } = await import('../../tools/demo/fleet-data.ts')
  const { testConfig } = await import('../../apps/server/test/harness/config.ts')
  const { callerOf } = await import('../../apps/server/test/harness/client.ts')
  const { deviceManage } = await import('@wattdeck/contract/product/device-manage.ts')
  await makePlace(database)
  const place = { organiseId: '2', siteId: '3', mqtt: 0, ports: 2 }
  const identities = await registerFleet(database, { ...place, dny: devices })
  const { token, lastId } = await asSuperuser(database, async (sql) => {
    await fill(sql)
    const opened = await openAdminSession(sql, 1, 2)
    const { rows } = await sql.query<{ id: string }>('select max(id) as id from outbox')
    await sql.query('create extension pg_stat_statements; select pg_stat_statements_reset()')
    return { token: opened, lastId: rows[0]?.id ?? '0' }
  })
  console.error('filled')

  const config = { ...testConfig(database), natsUrl: nats.url }
  const env = { NATS_URL: nats.url }
  const [api, gateway] = await Promise.all([startApiProcess(config, env), startGatewayProcess(config, env)])
  const call = callerOf(api.url)
  let isOver = false
  const listMs: number[] = []
  const asking = (async () => {
    while (!isOver) {
      const startMs = performance.now()
      await call(token, deviceManage.list, { query: { pageNum: 1, pageSize: 20 } })
      listMs.push(performance.now() - startMs)
      await sleep(100)
    }
  })()
  const fleet = startFleet({
    identities,
    habits: { ...realHabits, heartbeatMs: 5000, reportMs: 3000, resendMs: 3000, chargeMs: 1500, idleMs: 3000 },
    faults: noFaults,
    seed: 1,
    dny: { host: '127.0.0.1', ports: [gateway.dnyPort] },
    connectsPerSecond: 500,
  })
  const worker = await startWorkerProcess(config, env)
  const beganMs = performance.now()
  const doneS: Record<string, number> = {}
  await asSuperuser(database, async (sql) => {
    for (;;) {
      for (const [name, text] of Object.entries(waiting)) {
        if (doneS[name] !== undefined) continue
        const { rows } = await sql.query<{ n: number }>(text, [lastId])
        const remaining = rows[0]?.n ?? 0
        console.error(Math.round((performance.now() - beganMs) / 1000), name, remaining)
        // The traffic adds deltas all the time.
        if (remaining <= (name === 'outbox' ? 0 : 2000))
          doneS[name] = Math.round((performance.now() - beganMs) / 100) / 10
      }
      if (Object.keys(doneS).length === Object.keys(waiting).length) break
      await sleep(5000)
    }
  })
  const records = fleet.tally.acked.size
  await until(() => (fleet.tally.acked.size > records ? true : undefined))
  isOver = true
  await asking
  fleet.stop()
  const metrics = await (await fetch(`${worker.admin}/metrics`)).text()
  const rounds = (over: string) =>
    Number(new RegExp(`job_duration_seconds_bucket\\{le="${over}",job="money watch"\\} (\\d+)`).exec(metrics)?.[1])
  const slowest = await asSuperuser(database, async (sql) => {
    const { rows } = await sql.query<{ ms: number; calls: number; query: string }>(
      `select round(max_exec_time)::int as ms, calls::int, left(regexp_replace(query, '\\s+', ' ', 'g'), 100) as query
       from pg_stat_statements join pg_roles on oid = userid where rolname <> 'postgres' order by max_exec_time desc limit 5`,
    )
    return rows
  })
  const moneyWatch = { rounds: rounds('\\+Inf'), within500Ms: rounds('0.5') }
  console.log(JSON.stringify({ size, doneS, slowest, moneyWatch, listP95Ms: Math.round(p95(listMs)), records }))
  process.exit(0)
}

async function fill(sql: pg.Client): Promise<void> {
  await sql.query("set app.scope_level = '0'; set app.organise_id = '0'; set synchronous_commit = off")
  await sql.query(
    `insert into member (id, organise_id, nickname) select i, 2, '会员' from generate_series(1, ${members}) i`,
  )
  for (let part = 0; part < size.postings / 200; part++)
    await sql.query(
      `select app.post(jsonb_agg(jsonb_build_object('key', 'backlog/' || $1 || '/' || i, 'keyAt', '2026-11-01T00:00:00Z', 'organiseId', 2,
         'kind', 1, 'ref', 'r', 'lines', jsonb_build_array(jsonb_build_array(1, 1 + ($1::int * 200 + i) % ${members}, 1), jsonb_build_array(51, 1, -1)))))
       from generate_series(1, 200) i`,
      [part],
    )
  await sql.query(
    `insert into stat_delta (hour, organise_id, site_id, district, orders)
     select date_trunc('hour', now()) - make_interval(hours => i % 3), 2, i % 50000, '330106', 1 from generate_series(1, ${size.differences}) i`,
  )
  await sql.query(
    `insert into open_charge (device_id, port_no, order_id, organise_id, wire_no, reported_at, energy_dwh, duration_s, money_safe_dwh, money_safe_s)
     select 1000000 + i, 1, i, 2, 'x', now(), 100, 60, 1000, 2147483647 from generate_series(1, ${size.charges}) i`,
  )
  for (let part = 0; part < size.outbox / 1_000_000; part++)
    await sql.query(
      `insert into outbox (organise_id, subject, payload)
       select 2, 'live.2.all', '{"kind":"changed","list":"backlog"}' from generate_series(1, ${Math.min(1_000_000, size.outbox)})`,
    )
  await sql.query('vacuum analyze')
}
