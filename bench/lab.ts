import { performance } from 'node:perf_hooks'
import type { TariffRules } from '@wattdeck/domain/tariff/rules.ts'
import type pg from 'pg'
import { createPool } from '../apps/server/src/kit/db.ts'
import { runLab } from '../apps/server/src/product/tariff-lab/tariff-lab.jobs.ts'
import { testConfig } from '../apps/server/test/config.ts'
import { byClock, byPower, byTime, makeTariff } from '../apps/server/test/tariffs.ts'
import { asSuperuser, databaseExists, dropDatabase, ensureDatabase, ensureRoles, migrate } from '../tools/database.ts'
import { registerFleet } from '../tools/fleet-data.ts'
import { tenantsWithAdmin } from './tenants.ts'

const database = 'wattdeck_bench_lab'
const orders = Number(process.env['LAB_ORDERS'] ?? '1000000')
const devices = 2000
const members = 100_000
/** As far back as the months reach that a new installation has. */
const days = 30
const goalS = 60
/** BENCH_KEEP=1 leaves the filled database there, and finds it again. */
const keep = process.env['BENCH_KEEP'] === '1'

const cases: [string, TariffRules][] = [
  ['by time', byTime],
  ['by highest power', byPower],
  ['by the clock, one in ten with readings', byClock],
]

/** Prices a million past charges by another tariff, as the worker does it. */
export async function benchLab(): Promise<void> {
  await ensureRoles()
  if (!keep || !(await databaseExists(database))) await prepare()
  const pool = createPool(testConfig(database).workerDatabaseUrl, 5)
  let worst = 0
  for (const [name, rules] of cases) {
    const labId = await asSuperuser(database, (client) => order(client, rules))
    const started = performance.now()
    const before = process.cpuUsage()
    await runLab(pool, console, labId)
    const seconds = (performance.now() - started) / 1000
    const { user, system } = process.cpuUsage(before)
    worst = Math.max(worst, seconds)
    const result = await asSuperuser(database, async (client) => {
      const { rows } = await client.query<{ priced: number; total: string }>(
        "select priced, result -> 'after' ->> 'totalFen' as total from tariff_lab where id = $1 and state = 3",
        [labId],
      )
      return rows[0]
    })
    if (result === undefined) throw new Error(`${name} did not end`)
    const own = ((user + system) / 1e6).toFixed(1)
    const rate = Math.round(result.priced / seconds)
    console.log(
      `${name.padEnd(40)} ${result.priced} orders in ${seconds.toFixed(1)} s, ${rate}/s; ${own} s of it this process`,
    )
  }
  console.log(`lab, ${orders} orders of ${devices} devices: worst ${worst.toFixed(1)} s (goal ${goalS})`)
  await pool.end()
  if (!keep) await dropDatabase(database)
  if (worst > goalS) process.exitCode = 1
}

async function prepare(): Promise<void> {
  await dropDatabase(database)
  await ensureDatabase(database)
  await migrate(database)
  await asSuperuser(database, tenantsWithAdmin)
  await asSuperuser(database, (client) =>
    client.query(
      'insert into role_resource (role_id, resource_id, organise_id) select role.id, resource.id, role.organise_id from role, resource',
    ),
  )
  await registerFleet(database, { organiseId: '2', dny: 0, mqtt: devices, ports: 2 })
  await asSuperuser(database, async (client) => {
    await client.query(
      "insert into site (id, organise_id, name) select n, 2, '站点' || n from generate_series(1, 50) n",
    )
    await client.query('update device set site_id = 1 + id % 50')
    await client.query(
      `insert into member (id, organise_id, nickname) select 1000000 + n, 2, '会员' || n from generate_series(0, $1::int - 1) n`,
      [members],
    )
    await client.query(fillOrders, [orders, devices, members, days])
    await client.query(fillSamples)
    await client.query('vacuum analyze charging_order, charge_sample, device, member')
  })
}

const fillOrders = `
  insert into charging_order (id, organise_id, site_id, device_id, port_no, device_no, device_type_id, wire_no, member_id, start_mode,
    billing_type, status, limit_by, limit_value, held_paid_fen, started_at, ended_at, duration_s, energy_dwh, peak_power_dw,
    electricity_fen, service_fen, total_fen, paid_fen, settled_at)
  select app.message_id(at) + n % 4000000, 2, device.site_id, device.id, 1, device.device_no, device.device_type_id, 'b' || n,
    1000000 + (n::bigint * 7919) % $3, 1, 0, 3, 2, 60, 100000, at, at + make_interval(secs => seconds), seconds, energy, 1500 + (n * 13) % 5000,
    energy * 62 / 10000, energy * 40 / 10000, energy * 62 / 10000 + energy * 40 / 10000, energy * 62 / 10000 + energy * 40 / 10000, at + interval '1 day'
  from generate_series(1, $1::int) n
  join (select *, row_number() over (order by id) as place from device) device on device.place = 1 + n % $2
  cross join lateral (select now() - interval '1 hour' - make_interval(secs => n::float8 / $1 * ($4 * 86400 - 7200)) as at,
    1800 + (n * 97) % 12600 as seconds, 500 + (n * 131) % 20000 as energy) made
  order by n desc`
const fillSamples = `
  insert into charge_sample (order_id, at, organise_id, site_id, energy_dwh, power_dw)
  select o.id, o.started_at + make_interval(secs => o.duration_s * k / 13.0), 2, o.site_id, o.energy_dwh * k / 13, 2000
  from charging_order o, generate_series(1, 12) k where right(o.wire_no, 1) = '0'`

/** A tariff that holds for all devices, and the wish to try it. */
async function order(client: pg.Client, rules: TariffRules): Promise<string> {
  const sql = async <R extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
    (await client.query<R>(text, values)).rows
  const tariff = await makeTariff({ sql }, { organiseId: '2', rules })
  await client.query('update device set tariff_id = $1', [tariff.id])
  const [made] = await sql<{ id: string }>(
    `insert into tariff_lab (organise_id, user_id, tariff_id, version_no, rules, days, created_by)
     values (2, 1, $1, 1, $2, $3, '管理员') returning id`,
    [tariff.id, JSON.stringify(rules), days],
  )
  return made?.id ?? ''
}
