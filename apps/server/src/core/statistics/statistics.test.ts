import { pino } from 'pino'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { superuserUrl } from '../../../../../tools/ops/database.ts'
import { startApi } from '../../../test/harness/api.ts'
import { makeCard } from '../../../test/fixtures/cards.ts'
import { makePayer } from '../../../test/fixtures/charging.ts'
import { makeDevice, makeModels } from '../../../test/fixtures/devices.ts'
import { chargingOrder, orderMenus } from '../../../test/fixtures/orders.ts'
import { makePerson, makeFixture } from '../../../test/harness/people.ts'
import { until } from '../../../test/harness/until.ts'
import { createPool } from '../../kit/db/db.ts'
import { foldStatistics } from './statistics.jobs.ts'

const stops: (() => Promise<void>)[] = []
const startFolding = () => {
  // Two workers, as in production: a difference that both see is folded once.
  for (const _ of [1, 2]) stops.push(foldStatistics(pool, pino({ level: 'silent' }), 20))
}
const api = await startApi()
const fixture = await makeFixture(api)
const models = await makeModels(api)
const operator = await makePerson(api, { organiseId: fixture.green.id, loginName: 'green_stats', menus: orderMenus })
const pool = createPool(api.config.workerDatabaseUrl, 4)
const prover = new pg.Client({ connectionString: superuserUrl(api.database) })
await prover.connect()
await prover.query(
  `set app.scope_level = '0'; set app.organise_id = '0'; set app.agent_ids = '{}'; set app.site_ids = '{}'`,
)
afterAll(async () => {
  for (const stop of stops) await stop()
  await pool.end()
  await prover.end()
})

const breaks = async () =>
  (
    await prover.query(
      "select * from app.stat_breaks('2020-01-01', '2100-01-01') union all select * from app.analysis_breaks('2020-01-01', '2100-01-01')",
    )
  ).rows
const today = async (organiseId: string) => {
  const { rows } = await prover.query<{ orders: number; energy: number; fen: number; devices: number }>(
    `select coalesce(sum(orders), 0)::int as orders, coalesce(sum(energy_dwh), 0)::int as energy,
       coalesce(sum(electricity_fen + service_fen + occupancy_fen), 0)::int as fen, coalesce(sum(devices), 0)::int as devices
     from stat_day_live where kind = 3 and organise_id = $1`,
    [organiseId],
  )
  return rows[0]
}
const waiting = async () =>
  (await prover.query<{ n: number }>('select count(*)::int as n from stat_delta')).rows[0]?.n ?? -1

async function makeAnew() {
  await prover.query("select pg_advisory_lock(hashtext('fold_stats'))")
  await prover.query('begin isolation level repeatable read')
  await prover.query(
    "select app.rebuild_stats('2020-01-01', '2100-01-01'), app.rebuild_analysis('2020-01-01', '2100-01-01')",
  )
  await prover.query('commit')
  await prover.query("select pg_advisory_unlock(hashtext('fold_stats'))")
}

/** Bills the order like a device's bill, for 2 kWh and 2.04 yuan. */
const bill = (id: string, endedAt = new Date()) =>
  api.sql(
    `update charging_order set status = 3, energy_dwh = 20000, duration_s = 3600, electricity_fen = 124, service_fen = 80, total_fen = 204,
       paid_fen = 204, ended_at = $2, settled_at = now() where id = $1`,
    [id, endedAt.toISOString()],
  )

describe('figures', () => {
  it('include new bills at once, before and after folding', async () => {
    const before = await today(fixture.green.id)
    const { id } = await chargingOrder(api, operator.token, fixture.green, models)
    await bill(id)
    const after = {
      orders: (before?.orders ?? 0) + 1,
      energy: (before?.energy ?? 0) + 20_000,
      fen: (before?.fen ?? 0) + 204,
      devices: (before?.devices ?? 0) + 1,
    }
    expect(await waiting()).toBeGreaterThan(0)
    expect(await today(fixture.green.id)).toEqual(after)
    expect(await breaks()).toEqual([])
    startFolding()
    await until(async () => ((await waiting()) === 0 ? true : undefined))
    expect(await today(fixture.green.id)).toEqual(after)
    expect(await breaks()).toEqual([])
  })

  it('count visits of known members from the configured day on', async () => {
    const visits = async () =>
      (
        await prover.query<{ n: number }>(
          'select coalesce(sum(visits), 0)::int as n from stat_day_live where kind = 3 and organise_id = $1',
          [fixture.green.id],
        )
      ).rows[0]?.n ?? -1
    const begin = () => chargingOrder(api, operator.token, fixture.green, models)
    const since = (moment: string) =>
      api.sql(
        `create or replace function app.visits_since() returns timestamptz language sql immutable parallel safe
         as $$ select '${moment}'::timestamptz $$`,
      )
    const before = await visits()
    const [known, unknown] = [await begin(), await begin()]
    const card = await makeCard(api, { organiseId: fixture.green.id })
    await api.sql('update charging_order set member_id = null, card_id = $2 where id = $1', [unknown.id, card.id])
    await bill(known.id)
    await bill(unknown.id)
    expect(await visits()).toBe(before + 1)
    expect(await breaks()).toEqual([])
    await since('2099-01-01 00:00:00+08')
    await makeAnew()
    await bill((await begin()).id)
    expect(await visits()).toBe(0)
    expect(await breaks()).toEqual([])
    await since('-infinity')
    await makeAnew()
    expect(await visits()).toBe(before + 2)
    expect(await breaks()).toEqual([])
  })

  it('put a late bill into the hour in which the charge ended', async () => {
    const { id } = await chargingOrder(api, operator.token, fixture.green, models)
    const ended = new Date(Date.now() - 50 * 3_600_000)
    await bill(id, ended)
    const { rows } = await prover.query<{ orders: number }>(
      `select sum(orders)::int as orders from stat_hour_live where kind = 0 and hour = date_trunc('hour', $1::timestamptz)`,
      [ended.toISOString()],
    )
    expect(rows).toEqual([{ orders: 1 }])
    expect(await breaks()).toEqual([])
  })

  it('follow a device that changes, moves or is deleted, and a site that changes its district', async () => {
    const place = { organiseId: fixture.green.id, agentId: fixture.green.subAgentId, siteId: fixture.green.siteId }
    const id = await makeDevice(api, { ...place, typeId: models.dny })
    await api.sql('update device set online = true, working_ports = 1, free_ports = free_ports - 1 where id = $1', [id])
    await api.sql('update device set site_id = null, agent_id = null where id = $1', [id])
    await api.sql(`update site set district_code = '330106' where id = $1`, [fixture.green.siteId])
    await api.sql('update device set deleted_at = now() where id = $1', [id])
    expect(await breaks()).toEqual([])
    const { rows } = await prover.query<{ kind: number; district: string; orders: number }>(
      `select kind, district, sum(orders)::int as orders from stat_day_live
       where kind in (1, 2, 6, 7, 8, 9) and district <> '' and organise_id in (0, $1) group by 1, 2 having sum(orders) > 0 order by 1`,
      [fixture.green.id],
    )
    const { orders = 0 } = rows[0] ?? {}
    expect(orders).toBeGreaterThan(0)
    const [district, province, city] = ['330106', '330000', '330100']
    const regions = { 1: district, 2: district, 6: province, 7: city, 8: province, 9: city }
    expect(rows).toEqual(
      Object.entries(regions).map(([kind, region]) => ({ kind: Number(kind), district: region, orders })),
    )
  })

  it('can be rebuilt during new bills, and are correct afterwards', async () => {
    await prover.query('update stat_day set orders = orders + 1 where kind = 3')
    await prover.query('delete from stat_now')
    await prover.query('update stat_month set energy_dwh = energy_dwh + 1 where kind = 0')
    await prover.query('update stat_device set turnover_fen = turnover_fen + 1')
    await prover.query('delete from stat_latest')
    const broken = (await breaks()) as { what: string }[]
    expect(new Set(broken.map(({ what }) => what))).toEqual(new Set(['day', 'now', 'month', 'device', 'latest']))
    const orders = await Promise.all(
      Array.from({ length: 6 }, () => chargingOrder(api, operator.token, fixture.green, models)),
    )
    const billing = (async () => {
      for (const { id } of orders) await bill(id)
    })()
    await makeAnew()
    await billing
    expect(await breaks()).toEqual([])
    await until(async () => ((await waiting()) === 0 ? true : undefined))
    expect(await breaks()).toEqual([])
  })

  it('keep only the latest twenty bills of a place', async () => {
    const place = { organiseId: fixture.swift.id, agentId: fixture.swift.subAgentId, siteId: fixture.swift.siteId }
    const deviceId = await makeDevice(api, { ...place, typeId: models.dny })
    await api.sql(
      `insert into charging_order (organise_id, agent_id, site_id, device_id, port_no, device_no, device_type_id, wire_no, member_id, start_mode, billing_type, status, limit_by, limit_value,
         held_paid_fen, started_at, ended_at, settled_at, electricity_fen, total_fen, paid_fen)
       select organise_id, agent_id, site_id, id, 1, device_no, device_type_id, 'latest' || n, $2, 1, 0, 3, 1, 300, n, now(), now(), now() - make_interval(mins => n), n, n, n from device, generate_series(1, 45) n where id = $1`,
      [deviceId, await makePayer(api, fixture.swift.id, 0n)],
    )
    const latestFen = async () => {
      const { rows } = await prover.query<{ fen: string }>(
        'select o.total_fen as fen from stat_latest join charging_order o on o.id = order_id where o.device_id = $1 order by o.settled_at desc',
        [deviceId],
      )
      return rows.map(({ fen }) => Number(fen))
    }
    await until(async () => ((await latestFen()).length === 20 ? true : undefined))
    expect(await latestFen()).toEqual(Array.from({ length: 20 }, (_, n) => n + 1))
    expect(await breaks()).toEqual([])
  })

  it('show an agent nothing of others', async () => {
    const client = await pool.connect()
    try {
      await client.query('begin')
      await client.query(
        `select set_config('app.scope_level', '2', true), set_config('app.organise_id', $1, true), set_config('app.agent_ids', $2, true), set_config('app.site_ids', '{}', true)`,
        [fixture.green.id, `{${fixture.green.subAgentId}}`],
      )
      const { rows } = await client.query<{ kind: number; agent_id: string }>(
        'select distinct kind, agent_id from stat_day_live order by 1',
      )
      expect(rows.length).toBeGreaterThan(0)
      expect(rows.every((row) => row.kind >= 4 && row.agent_id === fixture.green.subAgentId)).toBe(true)
      await client.query('rollback')
    } finally {
      client.release()
    }
  })
})
