import { analysis } from '@wattdeck/contract/dashboard/analysis.ts'
import { describe, expect, it } from 'vitest'
import { startApi } from '../../../../test/harness/api.ts'
import { makeDevice, makeModels } from '../../../../test/fixtures/devices.ts'
import { makeFixture } from '../../../../test/harness/people.ts'

/** A business so small that the expected figures are known. */
const api = await startApi()
const fixture = await makeFixture(api)
const models = await makeModels(api)

const breaks = () =>
  api.sql(
    "select * from app.analysis_breaks('2020-01-01', '2100-01-01') union all select * from app.stat_breaks('2020-01-01', '2100-01-01')",
  )
const fold = () => api.sql('select app.fold_stats(), app.fold_analysis()')
const dayBack = (days: number) => new Date(Date.now() + 8 * 3_600_000 - days * 86_400_000).toISOString().slice(0, 10)
/** The month so many months back, as YYYY-MM. */
const monthBack = (months: number) => {
  const now = new Date(Date.now() + 8 * 3_600_000)
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1)).toISOString().slice(0, 7)
}
const own = () => ({ organiseId: fixture.green.id, agentId: fixture.green.subAgentId, siteId: fixture.green.siteId })

type At = { agent: string | null; site: string | null; organise?: string }
async function member(registeredAt: string, at: At): Promise<string> {
  const [inserted] = await api.sql<{ id: string }>(
    "insert into member (organise_id, agent_id, site_id, nickname, registered_at) values ($1, $2, $3, '会员', $4) returning id",
    [at.organise ?? fixture.green.id, at.agent, at.site, registeredAt],
  )
  return inserted?.id ?? ''
}

let wires = 0
/** A charge that runs until `bill` ends it. */
async function charge(deviceId: string, memberId: string): Promise<string> {
  const [order] = await api.sql<{ id: string }>(
    `insert into charging_order (organise_id, agent_id, site_id, device_id, port_no, device_no, device_type_id, wire_no, member_id, start_mode, billing_type, status,
       limit_by, limit_value, held_paid_fen, held_gift_fen, started_at)
     select organise_id, agent_id, site_id, id, 1, device_no, device_type_id, $2, $3, 1, 0, 2, 1, 300, 100000, 0, now() from device where id = $1 returning id`,
    [deviceId, `figure${++wires}`, memberId],
  )
  return order?.id ?? ''
}
const bill = (orderId: string, endedAt: string, fen = 100) =>
  api.sql(
    `update charging_order set status = 3, energy_dwh = 10000, duration_s = 600, electricity_fen = $3, total_fen = $3, paid_fen = $3, ended_at = $2, settled_at = now() where id = $1`,
    [orderId, endedAt, fen],
  )

const retention = async (token: string) => {
  const { data } = await api.call(token, analysis.retention, {
    query: { from: `${monthBack(3)}-01`, to: dayBack(0) } as never,
  })
  return new Map(data.rows.map(({ cohort, members, active }) => [cohort, [members, ...active]]))
}

describe('retention', () => {
  it('counts each member once a month, at the place of the member, and moves with the member', async () => {
    const { green, swift } = fixture
    const deviceId = await makeDevice(api, { ...own(), typeId: models.dny })
    const here = { agent: green.subAgentId, site: green.siteId }
    const nowhere = { agent: null, site: null }
    const registered = `${monthBack(2)}-03 10:00+08:00`
    const [anna, ben, carl] = [
      await member(registered, here),
      await member(registered, here),
      await member(registered, nowhere),
    ]
    const dora = await member(`${monthBack(1)}-28 23:59:59+08:00`, here)
    // Anna charges twice in her first month and once now; Ben never; Carl a month later; Dora in her first month.
    await bill(await charge(deviceId, anna), `${monthBack(2)}-04 08:00+08:00`)
    await bill(await charge(deviceId, anna), `${monthBack(2)}-20 08:00+08:00`)
    await bill(await charge(deviceId, anna), new Date().toISOString())
    await bill(await charge(deviceId, carl), `${monthBack(1)}-01 00:00+08:00`)
    await bill(await charge(deviceId, dora), `${monthBack(1)}-28 23:59:59+08:00`)
    expect(ben).not.toBe('')
    const expected = { all: [3, 1, 1, 1], later: [1, 1, 0], site: [2, 1, 0, 1] }
    for (const when of ['before', 'after']) {
      if (when === 'after') await fold()
      const all = await retention(green.admin.token)
      expect([all.get(monthBack(2)), all.get(monthBack(1))], when).toEqual([expected.all, expected.later])
      // Carl belongs to no site, so the agent does not see him.
      expect((await retention(green.subAgent.token)).get(monthBack(2)), when).toEqual(expected.site)
      expect((await retention(swift.admin.token)).get(monthBack(2)), when).toEqual([0, 0, 0, 0])
      expect(await breaks()).toEqual([])
    }
    await api.sql('update member set agent_id = $2, site_id = $3 where id = $1', [carl, here.agent, here.site])
    expect((await retention(green.subAgent.token)).get(monthBack(2))).toEqual(expected.all)
    expect(await breaks()).toEqual([])
  })

  it('is corrected by a bill that arrives a month late, and so is the trend', async () => {
    const { green } = fixture
    const deviceId = await makeDevice(api, { ...own(), typeId: models.dny })
    const late = await member(`${monthBack(2)}-05 10:00+08:00`, { agent: green.subAgentId, site: green.siteId })
    const order = await charge(deviceId, late)
    const before = (await retention(green.admin.token)).get(monthBack(2))
    const month = { from: `${monthBack(1)}-01`, to: `${monthBack(1)}-28`, grain: 2 }
    const revenue = async () => {
      const { data } = await api.call(green.admin.token, analysis.trend, { query: month as never })
      return data.rows.find(({ period }) => period === `${monthBack(1)}-15`)?.revenue
    }
    expect(await revenue()).toBe('0.00')
    await bill(order, `${monthBack(1)}-15 12:00+08:00`, 777)
    expect(await revenue()).toBe('7.77')
    const after = (await retention(green.admin.token)).get(monthBack(2))
    expect(after?.map((count, place) => count - (before?.[place] ?? 0))).toEqual([0, 0, 1, 0])
    await fold()
    expect(await revenue()).toBe('7.77')
    expect(await breaks()).toEqual([])
  })
})

const downtime = async (token: string, query: object) =>
  (await api.call(token, analysis.downtime, { query: query as never })).data
const yesterday = { from: dayBack(1), to: dayBack(1) }
const install = (id: string) => api.sql('update device set install_status = 1, online = true where id = $1', [id])
const openOutages = (id: string) =>
  api.sql<{ cause: number; ports: number }>(
    'select cause, ports from device_outage where device_id = $1 and ended_at is null',
    [id],
  )

describe('downtime', () => {
  it('costs as much as ports of the same type earned in the same hours of the day', async () => {
    const { swift } = fixture
    const place = { organiseId: swift.id, agentId: swift.subAgentId, siteId: swift.siteId }
    const [down, up] = [
      await makeDevice(api, { ...place, typeId: models.dny }),
      await makeDevice(api, { ...place, typeId: models.dny }),
    ]
    await install(down)
    await install(up)
    const [device] = await api.sql<{ ports: number }>('select port_count::int as ports from device where id = $1', [up])
    const ports = device?.ports ?? 0
    const outage = (cause: number, many: number, began: string, ended: string) =>
      api.sql(
        `insert into device_outage (organise_id, agent_id, site_id, device_id, device_type_id, cause, ports, began_at, ended_at)
         select organise_id, agent_id, site_id, id, device_type_id, $2, $3, $4, $5 from device where id = $1`,
        [down, cause, many, `${dayBack(1)} ${began}+08:00`, `${dayBack(1)} ${ended}+08:00`],
      )
    // All ports are down from 11:30 to 13:00, one from 03:00 to 03:20, when there are no charges.
    await outage(1, ports, '11:30', '13:00')
    await outage(2, 1, '03:00', '03:20')
    const eve = await member(new Date().toISOString(), { agent: null, site: null, organise: swift.id })
    await bill(await charge(up, eve), `${dayBack(1)} 12:10+08:00`, 1000)
    await bill(await charge(up, eve), `${dayBack(1)} 11:59+08:00`, 300)
    for (const when of ['before', 'after']) {
      if (when === 'after') await fold()
      const found = await downtime(swift.admin.token, { ...yesterday, grain: 1 })
      expect(found, when).toMatchObject({ offlinePortS: ports * 5400, faultPortS: 1200 })
      const hours = new Map(found.rows.map((row) => [row.period.slice(11), row]))
      expect(hours.get('11:00')?.offlinePortS).toBe(ports * 1800)
      expect(hours.get('12:00')?.offlinePortS).toBe(ports * 3600)
      expect(hours.get('03:00')?.faultPortS).toBe(1200)
      // At noon one of two devices was up and earned 10.00. At eleven three quarters of the time earned 3.00, and a
      // quarter was lost.
      expect(found.lost, when).toBe('11.00')
      expect(Number(found.share)).toBeCloseTo((100 * (ports * 5400 + 1200)) / (2 * ports * 86_400), 1)
    }
    expect((await downtime(fixture.green.admin.token, yesterday)).offlinePortS).toBe(0)
    expect(await breaks()).toEqual([])
  })

  it('has no amount if no port of a type was usable', async () => {
    const { swift } = fixture
    await api.sql(
      `insert into device_outage (organise_id, agent_id, site_id, device_id, device_type_id, cause, ports, began_at, ended_at)
       select organise_id, agent_id, site_id, id, device_type_id, 1, port_count, $2, $3 from device where organise_id = $1`,
      [swift.id, `${dayBack(4)} 00:00+08:00`, `${dayBack(3)} 00:00+08:00`],
    )
    const found = await downtime(swift.admin.token, { from: dayBack(4), to: dayBack(4) })
    expect(found).toMatchObject({ share: '100.00', lost: null })
  })

  it('starts when a device disconnects or a port fails, follows it to another site, and ends at its return or removal', async () => {
    const { green } = fixture
    const id = await makeDevice(api, { ...own(), typeId: models.dny })
    expect(await openOutages(id)).toEqual([])
    await install(id)
    expect(await openOutages(id)).toEqual([])
    await api.sql('update device set fault_ports = 1, free_ports = 0 where id = $1', [id])
    expect(await openOutages(id)).toEqual([{ cause: 2, ports: 1 }])
    await api.sql('update device set online = false where id = $1', [id])
    const [{ ports } = { ports: 0 }] = await api.sql<{ ports: number }>(
      'select port_count::int as ports from device where id = $1',
      [id],
    )
    expect(await openOutages(id)).toEqual([{ cause: 1, ports }])
    await api.sql('update device set site_id = null, agent_id = null where id = $1', [id])
    expect(await api.sql('select site_id from device_outage where device_id = $1 and ended_at is null', [id])).toEqual([
      { site_id: null },
    ])
    expect(await breaks()).toEqual([])
    await api.sql('update device set deleted_at = now() where id = $1', [id])
    expect(await openOutages(id)).toEqual([])
    expect(await api.sql('select count(*)::int as n from device_outage where device_id = $1', [id])).toEqual([{ n: 3 }])
    expect(await breaks()).toEqual([])
    expect(green.id).not.toBe('')
  })

  it('that lasts is counted up to now, by the worker up to the last full hour, and once at its end', async () => {
    const { green } = fixture
    const id = await makeDevice(api, { ...own(), typeId: models.dny })
    await install(id)
    const all = async () => (await downtime(green.admin.token, { from: dayBack(1), to: dayBack(0) })).offlinePortS
    /** Outages of other devices have ended and remain in the figure. */
    const before = await all()
    await api.sql('update device set online = false where id = $1', [id])
    // Started three hours ago, not now.
    await api.sql('delete from device_outage where device_id = $1', [id])
    await api.sql(
      `insert into device_outage (organise_id, agent_id, site_id, device_id, device_type_id, cause, ports, began_at)
       select organise_id, agent_id, site_id, id, device_type_id, 1, port_count, now() - interval '3 hours' from device where id = $1`,
      [id],
    )
    const [{ ports } = { ports: 1 }] = await api.sql<{ ports: number }>(
      'select port_count::int as ports from device where id = $1',
      [id],
    )
    const seconds = async () => ((await all()) - before) / ports
    const lasted = async () => {
      const [{ since } = { since: 0 }] = await api.sql<{ since: number }>(
        'select extract(epoch from coalesce(ended_at, now()) - began_at)::float8 as since from device_outage where device_id = $1',
        [id],
      )
      return since
    }
    /** Counted in whole seconds. */
    const rounding = 1
    /** The figure lies between the durations read before and after it. */
    const near = async () => {
      const least = (await lasted()) - rounding
      const figure = await seconds()
      expect(figure).toBeGreaterThanOrEqual(least)
      expect(figure).toBeLessThanOrEqual((await lasted()) + rounding)
    }
    await near()
    expect(await breaks()).toEqual([])
    await api.sql('select app.roll_outages()')
    await near()
    expect(await breaks()).toEqual([])
    await fold()
    await near()
    await api.sql('update device set online = true where id = $1', [id])
    await near()
    await fold()
    await near()
    expect(await breaks()).toEqual([])
  })

  it('can be rebuilt together with cohorts, and passes the proof', async () => {
    await api.sql('update stat_outage set offline_port_s = offline_port_s + 1 where kind = 0')
    await api.sql('delete from stat_cohort')
    await api.sql('delete from member_month')
    await api.sql('update stat_month set orders = orders + 1')
    expect((await breaks()).length).toBeGreaterThan(2)
    await api.sql('update stat_month set orders = orders - 1')
    await api.sql(
      "begin isolation level repeatable read; select app.rebuild_stats('2020-01-01', '2100-01-01'), app.rebuild_analysis('2020-01-01', '2100-01-01'); commit",
    )
    expect(await breaks()).toEqual([])
    await fold()
    expect(await breaks()).toEqual([])
  })
})
