import { performance } from 'node:perf_hooks'
import type pg from 'pg'
import { countBound } from '@wattdeck/contract/kit/page.ts'
import { deviceManage } from '@wattdeck/contract/product/device-manage.ts'
import { testConfig } from '../apps/server/test/config.ts'
import { startApiProcess } from '../apps/server/test/process.ts'
import { asSuperuser, databaseExists, dropDatabase, ensureDatabase, ensureRoles, migrate } from '../tools/database.ts'
import { startFileSandbox } from '../tools/file-sandbox.ts'
import { withoutIndexes } from './fill.ts'
import { openBenchSession, p95, tenantsWithAdmin } from './tenants.ts'

const database = 'wattdeck_bench_devices'
const pageSize = 20
const calls = Number(process.env['BENCH_CALLS'] ?? '200')
/** BENCH_ROWS=100000 fills less, for a machine that others use, too. */
const large = Number(process.env['BENCH_ROWS'] ?? '1000000')
const small = 10_000
const stride = Math.round(large / small) + 1
/** BENCH_ONLY=service measures the cases whose name has it. */
const only = process.env['BENCH_ONLY'] ?? ''
/** BENCH_KEEP=1 leaves the filled database there, and finds it again. */
const keep = process.env['BENCH_KEEP'] === '1'

/** The list of devices of a tenant with a million of them, against one with ten thousand, call by call in turn. */
export async function benchDevices(): Promise<void> {
  const tokens = await prepare()
  const files = await startFileSandbox()
  const config = testConfig(database)
  config.files.endpoint = files.endpoint
  const api = await startApiProcess(config)
  const get: Get = async (token, query) => {
    const search = new URLSearchParams({ pageSize: String(pageSize), ...query })
    const started = performance.now()
    const reply = await fetch(`${api.url}${deviceManage.list.path}?${search.toString()}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const body = (await reply.json()) as { message: string; data: { rows: unknown[]; cursor: string | null } }
    if (!reply.ok) throw new Error(`${search.toString()}: ${body.message}`)
    return { ms: performance.now() - started, ...body.data }
  }
  const worst = await compare(get, tokens)
  console.log(`devices, ${pageSize} rows a page, ${calls} calls each: worst ratio ${worst.toFixed(2)} (goal 1.5)`)
  await api.stop()
  await files.stop()
  if (!keep) await dropDatabase(database)
}

type Query = Record<string, string>
type Get = (token: string, query: Query) => Promise<{ ms: number; rows: unknown[]; cursor: string | null }>
type Case = [name: string, small: Query, large: Query]

async function compare(get: Get, tokens: string[]): Promise<number> {
  let worst = 0
  for (const [name, ...queries] of (await casesOf(get, tokens)).filter(([one]) => one.includes(only))) {
    const times: number[][] = [[], []]
    for (let round = -20; round < calls; round++) {
      // In turn, so that whatever else the machine does meets both.
      for (const [which, query] of queries.entries()) {
        const { ms, rows } = await get(tokens[which] ?? '', query)
        if (rows.length === 0) throw new Error(`${name} finds nothing`)
        if (round >= 0) times[which]?.push(ms)
      }
    }
    const [few = 0, many = 0] = times.map((list) => p95(list))
    worst = Math.max(worst, many / few)
    console.log(
      `${name.padEnd(24)} p95 ${few.toFixed(1)} ms of ${small}, ${many.toFixed(1)} ms of ${large}: ${(many / few).toFixed(2)}`,
    )
  }
  return worst
}

/** The first page, a page in the middle, and every filter; the same for both tenants, but for what is theirs. */
async function casesOf(get: Get, [few = '', many = '']: string[]): Promise<Case[]> {
  const both = (name: string, query: Query): Case => [name, query, query]
  return [
    both('first page', {}),
    ['page in the middle', await middleOf(get, few, small), await middleOf(get, many, large)],
    ['number, one', { keyword: 'D0005050' }, { keyword: 'DX0005051' }],
    both('number, common', { keyword: 'D' }),
    both('imei', { keyword: '860000000005' }),
    ['agent', { agentId: '1' }, { agentId: '2' }],
    ['site', { siteId: '1' }, { siteId: '2' }],
    both('category', { categoryId: '2' }),
    both('small category', { smallCategoryId: '4' }),
    both('type', { deviceTypeId: '2' }),
    both('online', { online: '1' }),
    both('offline, rare', { online: '0' }),
    ...[1, 2, 3, 4, 5, 6, 7].map((status) => both(`plug status ${status}`, { plugStatus: String(status) })),
    both('version, rare', { softwareVersion: '1.99' }),
    both('service expired', { serviceStatus: '3' }),
    both('service ends in days', { serviceFrom: dayAt(0.3), serviceTo: dayAt(0.301) }),
    both('install, rare', { installStatus: '2' }),
    both('status, rare', { status: '0' }),
    both('province', { provinceCode: '330000' }),
    both('city', { cityCode: '330100' }),
    both('district', { districtCode: '330106' }),
    both('created long ago', { createdFrom: '2024-02-01', createdTo: '2024-02-03' }),
    both('city and offline', { cityCode: '330100', online: '0' }),
    both('type and fault', { deviceTypeId: '1', plugStatus: '3' }),
  ]
}

/** The day on which the service of the device at this part of the whole ends; see `fill`. */
const dayAt = (part: number) => new Date(Date.now() + (part * 1000 - 100) * 86_400_000).toISOString().slice(0, 10)

async function middleOf(get: Get, token: string, devices: number): Promise<Query> {
  const skip = countBound / pageSize
  let query: Query = { skipCount: 'true', pageNum: '1' }
  for (let page = 1; page * pageSize < devices / 2; page += skip) {
    const pageNum = String(Math.min(page + skip - 1, Math.floor(devices / 2 / pageSize)))
    const { cursor } = await get(token, { ...query, pageNum })
    query = { skipCount: 'true', pageNum: String(Number(pageNum) + 1), cursor: cursor ?? '' }
  }
  return query
}

async function prepare(): Promise<string[]> {
  await ensureRoles()
  if (keep && (await databaseExists(database)))
    return asSuperuser(database, async (client) => [
      await openBenchSession(client, 1, 2),
      await openBenchSession(client, 2, 3),
    ])
  await dropDatabase(database)
  await ensureDatabase(database)
  await migrate(database)
  return asSuperuser(database, async (client) => {
    const tokens = await tenantsWithAdmin(client)
    await client.query("insert into site (id, organise_id, agent_id, name) values (1, 2, 1, '站点'), (2, 3, 2, '站点')")
    await addCatalogue(client)
    // The triggers would make states and ports row by row, and look up region and type for each.
    await client.query('alter table device disable trigger user')
    await withoutIndexes(client, ['device'], () => fill(client))
    await client.query('alter table device enable trigger user')
    await client.query('vacuum analyze')
    return tokens
  })
}

async function addCatalogue(client: pg.Client): Promise<void> {
  await client.query(`insert into device_category (id, parent_id, level, code, name) values
    (1, null, 1, '91', '汽车桩'), (2, null, 1, '92', '两轮桩'), (3, 1, 2, '91-01', '交流桩'), (4, 2, 2, '92-01', '插座')`)
  await client.query(`insert into dtu_protocol (id, code, name, version, adapter, transport, access_way, heartbeat_s)
    values (1, 'BENCH', 'MQTT', '1', 'mqtt-json', 6, 0, 60)`)
  await client.query(`insert into device_type (id, code, name, category_id, small_category_id, port_count, metering, rated_w, protocol_id)
    values (1, '91-01-01', '桩', 1, 3, 2, 0, 7000, 1), (2, '92-01-01', '插座', 2, 4, 2, 0, 1000, 1)`)
}

/** Interleaved as they would have been made, so that neither tenant's rows lie all together; the oldest end first. */
async function fill(client: pg.Client): Promise<void> {
  const total = small + large
  await client.query(
    `insert into device (id, organise_id, agent_id, site_id, device_no, name, device_type_id, category_id, small_category_id, adapter, wire_id, port_count,
       imei, software_version, install_status, service_until, status, online, free_ports, working_ports, fault_ports, appointed_ports, connected_ports,
       warning_ports, down_ports, province_code, city_code, district_code, created_at)
     select n, case when s then 2 else 3 end, case when k % 20 = 0 then case when s then 1 else 2 end end,
       case when k % 40 = 0 then case when s then 1 else 2 end end,
       case when s then 'D' else 'DX' end || lpad(k::text, 7, '0'), '设备' || k, k % 2 + 1, k % 2 + 1, k % 2 + 3, 'mqtt-json', 'W' || lpad(n::text, 8, '0'), 2,
       '86' || lpad(n::text, 13, '0'), case when k % 500 = 0 then '1.99' else '1.2' || k % 5 end, case when k % 300 = 0 then 2 else 1 end,
       current_date - 100 + (n * 1000.0 / ${total})::int, case when k % 250 = 0 then 0 else 1 end, k % 50 <> 0, (k % 3)::int, (k % 5 = 0)::int, (k % 100 = 0)::int,
       (k % 400 = 0)::int, (k % 90 = 0)::int, (k % 700 = 0)::int, (k % 900 = 0)::int,
       case when k % 3 = 0 then '330000' else '510000' end, case when k % 9 = 0 then '330100' else '510100' end,
       case when k % 27 = 0 then '330106' else '510104' end, timestamptz '2024-01-01' + make_interval(secs => n * 60480000.0 / ${total})
     from generate_series(1, ${total}) n, lateral (select n % ${stride} = 0 as s, case when n % ${stride} = 0 then n / ${stride} else n end as k) which`,
  )
  await client.query('update device set service_status = app.service_status(service_until)')
  await client.query(
    `insert into device_state (device_id, organise_id, agent_id, site_id, last_seen_at, csq)
     select id, organise_id, agent_id, site_id, now(), id % 32 from device`,
  )
  await client.query(
    `insert into port (device_id, port_no, organise_id, agent_id, site_id)
     select id, n, organise_id, agent_id, site_id from device, generate_series(1, 2) n`,
  )
}
