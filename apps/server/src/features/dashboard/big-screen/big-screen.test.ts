import { isDeepStrictEqual } from 'node:util'
import { bigScreen } from '@wattdeck/contract/dashboard/big-screen.ts'
import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { asSuperuser } from '../../../../../../tools/ops/database.ts'
import { ensureDemoData } from '../../../../../../tools/demo/demo-data.ts'
import { startApi } from '../../../../test/harness/api.ts'
import { makeDevice } from '../../../../test/fixtures/devices.ts'
import { type Actor, makePerson } from '../../../../test/harness/people.ts'
import { type Call, type Filter, truthOf, truthTables, type Viewer } from '../../../../test/every/screen-truth.ts'

/** The demo business, with some records at unknown places. */
let viewers: Viewer[]
let stranger: Actor
const menus = ['2', '2.1', '2.18']
const calls = Object.keys(bigScreen).filter((name) => name !== 'heartbeat') as Call[]

const api = await startApi()
await asSuperuser(api.database, async (client) => {
  await client.query('set role wattdeck_owner')
  await ensureDemoData(client, api.deps.vault)
})
await api.sql(
  `insert into menu (parent_id, menu_key, title, route, kind) select id, '2.18', '数据驾驶舱', '/dashboard/dataCockpit', 2 from menu where menu_key = '2' on conflict do nothing`,
)
beforeAll(async () => {
  await disturb()
  await api.sql(truthTables)
  const [below] = await api.sql<{ ids: string[] }>(
    `with recursive below as (select id from agent where id = 1 union all select agent.id from agent join below on parent_agent_id = below.id) select array_agg(id::text) as ids from below`,
  )
  const person = (loginName: string, organiseId: string, agentId?: string) =>
    makePerson(api, { organiseId, loginName, menus, ...(agentId === undefined ? {} : { agentId }) })
  const viewer = async (name: string, sees: string, who: Promise<Actor>): Promise<Viewer> => {
    const { token, organiseId } = await who
    return { name, token, sees, organiseId, onlyOne: name !== 'platform' }
  }
  stranger = await person('screen_stranger', '3')
  viewers = [
    await viewer('platform', 'true', person('screen_platform', '1')),
    await viewer('organisation', 'organise_id = 2', person('screen_organise', '2')),
    await viewer('agent', `organise_id = 2 and agent_id in (${below?.ids.join()})`, person('screen_agent', '2', '1')),
  ]
})

/**
 * Adds a site without a district, devices and members without a site, a deleted device, and services that end. Also
 * ends an order now, because a day that has just begun has none.
 */
async function disturb() {
  await api.sql(`with ending as (select o.id from charging_order o join site on site.id = o.site_id
      where o.status = 2 and o.held_paid_fen >= 15 and site.district_code is not null order by o.id limit 1),
    port as (delete from open_charge where order_id in (select id from ending))
    update charging_order set status = 3, ended_at = now(), settled_at = now(), duration_s = 600, energy_dwh = 1000,
      electricity_fen = 10, service_fen = 5, total_fen = 15, paid_fen = 15 where id in (select id from ending)`)
  const [type] = await api.sql<{ id: string }>('select id from device_type order by id limit 1')
  const typeId = type?.id ?? ''
  await api.sql(
    `update site set district_code = null, city_code = null, province_code = null where id = (select min(id) from site where organise_id = 2 and agent_id = 2)`,
  )
  const loose = await makeDevice(api, { organiseId: '2', agentId: '1', typeId })
  await makeDevice(api, { organiseId: '3', typeId })
  const deletedDeviceId = await makeDevice(api, { organiseId: '2', agentId: '2', typeId })
  await api.sql('update device set deleted_at = now() where id = $1', [deletedDeviceId])
  await api.sql('update device set online = true, working_ports = 1, free_ports = free_ports - 1 where id = $1', [
    loose,
  ])
  await api.sql(`update device set service_until = now()::date + 3 where id % 5 = 1 and organise_id in (2, 3)`)
  await api.sql(`update device set service_until = now()::date - 3 where id % 7 = 2 and organise_id in (2, 3)`)
  await api.sql(`insert into member (organise_id, agent_id, nickname) values (2, 1, '无站点'), (3, null, '无站点')`)
}

type Reply = { status: number; data: unknown }
const ask = async (token: string, call: Call, filter: Filter): Promise<Reply> => {
  const route: AnyRoute = bigScreen[call]
  const reply: Reply = await api.call(token, route, route.method === 'GET' ? { query: filter } : { body: filter })
  return { status: reply.status, data: tidy(call, reply.data) }
}
/** Removes the key of a point, which only identifies the map square, and sorts the points. */
function tidy(call: Call, data: unknown): unknown {
  if (call !== 'areaDevices' || data === null) return data
  const { points, ...rest } = data as { points: { key: string; positionX: number; positionY: number }[] }
  expect(new Set(points.map(({ key }) => key)).size).toBe(points.length)
  return {
    ...rest,
    points: points
      .map((point) => ({ ...point, key: undefined }))
      .toSorted((a, b) => a.positionX - b.positionX || a.positionY - b.positionY),
  }
}

const takes = (call: Call, name: keyof Filter) => {
  const { query, body } = bigScreen[call] as unknown as Record<'query' | 'body', { shape: object }>
  return name in query.shape || name in body.shape
}
/** The part of a filter that a call accepts; undefined if the call does not accept all of it. */
const fitting = (call: Call, filter: Filter): Filter | undefined =>
  (Object.keys(filter) as (keyof Filter)[]).every((name) => name === 'zoom' || takes(call, name))
    ? call === 'areaDevices'
      ? { ...filter, zoom: 18 }
      : Object.fromEntries(Object.entries(filter).filter(([name]) => name !== 'zoom'))
    : undefined

const filters: [string, Filter][] = [
  ['everything', {}],
  ['a class', { deviceFirstClass: '02' }],
  ['a class that there is not', { deviceFirstClass: '99' }],
  ['a province', { province: '330000' }],
  ['a city', { province: '330000', city: '330100' }],
  ['a city of a class', { city: '330100', deviceFirstClass: '02' }],
  ['a district', { province: '330000', city: '330100', district: '330110' }],
  ['a district with nothing', { district: '310101' }],
  ['an organisation', { organiseId: '2' }],
  ['an organisation in a province', { organiseId: '2', province: '330000' }],
  ['those online', { isOnline: 1 }],
  ['those offline in a city', { isOnline: 0, city: '330100' }],
  ['the month', { span: 2 }],
  ['the month of a class in a province', { span: 2, deviceFirstClass: '02', province: '330000' }],
]

/** Expected replies of the first comparison. They are costly, and the second comparison covers the same rows. */
const truthCache = new Map<string, unknown>()

async function compareAll() {
  let compared = 0
  let shown = 0
  for (const viewer of viewers)
    for (const [name, filter] of filters) {
      const truths = truthOf(api.sql, viewer, filter)
      expect(Object.keys(truths).toSorted()).toEqual(calls.toSorted())
      for (const call of calls) {
        const own = fitting(call, filter)
        if (own === undefined) continue
        const what = `${call} of ${name}, as ${viewer.name}`
        const reply = await ask(viewer.token, call, own)
        // The hour may have changed since the first comparison.
        if (!isDeepStrictEqual(reply.data, truthCache.get(what))) truthCache.set(what, await truths[call]())
        const truth = truthCache.get(what)
        expect(reply, what).toEqual({ status: 200, data: truth })
        compared++
        shown += JSON.stringify(truth).length
      }
    }
  return { compared, shown }
}

describe('figures of the big screen', () => {
  it('equal the source tables in each call and field before aggregation', async () => {
    const { compared } = await compareAll()
    expect(compared).toBeGreaterThan(500)
  })

  it('are the same after aggregation, and pass the proof', async () => {
    await api.sql('select app.fold_stats()')
    await api.sql('select app.fold_stats()')
    expect(await api.sql('select from stat_device_delta union all select from stat_delta limit 1')).toEqual([])
    await compareAll()
    expect(await api.sql("select * from app.stat_breaks('2020-01-01', '2100-01-01')")).toEqual([])
  })

  it('are not empty: the demo has data for every figure', async () => {
    const [platform] = viewers
    const nothing = []
    for (const call of calls) {
      const { data } = await ask(platform?.token ?? '', call, fitting(call, { zoom: 18 }) ?? {})
      if (!counts(data)) nothing.push(call)
    }
    expect(nothing).toEqual([])
  })

  it('show each device of a site', async () => {
    const [platform] = viewers
    const [site] = await api.sql<{ id: string }>(
      'select site_id::text as id from device where deleted_at is null group by 1 order by count(*) desc limit 1',
    )
    const filter = { siteId: site?.id ?? '' }
    for (const viewer of viewers) {
      const truth = await truthOf(api.sql, viewer, filter).areaDevices()
      expect(await ask(viewer.token, 'areaDevices', filter)).toEqual({ status: 200, data: truth })
    }
    const { data } = await ask(platform?.token ?? '', 'areaDevices', filter)
    expect((data as { devices: unknown[] }).devices.length).toBeGreaterThan(0)
  })

  it('use fewer points at a lower zoom, and lose no device', async () => {
    const [platform] = viewers
    type Map = { points: { allDeviceCount: number }[]; hiddenCount: number; allDeviceCount: number }
    const maps: Map[] = []
    for (const zoom of [3, 6, 9, 18]) maps.push((await ask(platform?.token ?? '', 'areaDevices', { zoom })).data as Map)
    const lengths = maps.map(({ points }) => points.length)
    expect(lengths).toEqual(lengths.toSorted((a, b) => a - b))
    expect(lengths[0]).toBeLessThan(lengths[3] ?? 0)
    for (const { points, hiddenCount, allDeviceCount } of maps)
      expect(points.reduce((sum, point) => sum + point.allDeviceCount, hiddenCount)).toBe(allDeviceCount)
  })

  it('reject an inconsistent path of regions', async () => {
    const [platform] = viewers
    for (const filter of [
      { province: '330100' },
      { city: '330000' },
      { district: '330100' },
      { province: '510000', city: '330100' },
      { city: '330200', district: '330106' },
    ])
      expect((await ask(platform?.token ?? '', 'deviceBaseInfo', filter)).status).toBe(422)
  })
})

/** Whether a reply contains any positive number. */
function counts(data: unknown): boolean {
  if (typeof data === 'number') return data > 0
  if (typeof data === 'string') return /^\d+\.\d\d$/.test(data) && Number(data) > 0
  if (typeof data !== 'object' || data === null) return false
  return Object.entries(data).some(
    ([name, value]) =>
      !['hour', 'level', 'by', 'centre', 'positionX', 'positionY', 'to'].includes(name) && counts(value),
  )
}

describe('access to the figures', () => {
  it('does not reach another organisation by its id', async () => {
    for (const call of calls.filter((one) => takes(one, 'organiseId'))) {
      const foreign = await ask(stranger.token, call, { organiseId: '2' })
      expect(foreign.status).toBe(200)
      expect(counts(foreign.data), call).toBe(false)
      expect(foreign, call).toEqual(await ask(stranger.token, call, { organiseId: '999999' }))
    }
  })

  it('never mixes in the figures of another organisation', async () => {
    const look = () => Promise.all(calls.map((call) => ask(stranger.token, call, {})))
    const before = await look()
    await api.sql(
      `update charging_order set status = 3, energy_dwh = 77777, duration_s = 60, electricity_fen = 777, total_fen = 777, paid_fen = 777, held_paid_fen = 777, ended_at = now(), settled_at = now()
       where id = (select min(id) from charging_order where organise_id = 2 and status = 2)`,
    )
    await api.sql(`insert into member (organise_id, nickname) values (2, '别家')`)
    expect(await look()).toEqual(before)
    const [platform] = viewers
    const { data } = await ask(platform?.token ?? '', 'latestOrders', {})
    expect((data as { turnover: string }[])[0]?.turnover).toBe('7.77')
  })

  it('needs the menu', async () => {
    const { token } = await makePerson(api, { organiseId: '2', loginName: 'screen_nobody', menus: ['2'] })
    for (const call of calls) expect((await ask(token, call, {})).status).toBe(403)
  })

  it('needs the menus of turnover or recharges, not only the work table', async () => {
    const { token } = await makePerson(api, { organiseId: '2', loginName: 'screen_installer', menus: ['2', '2.1'] })
    for (const route of [bigScreen.orderPc, bigScreen.memberPc]) expect((await api.call(token, route)).status).toBe(403)
    const { token: reader } = await makePerson(api, {
      organiseId: '2',
      loginName: 'screen_orders',
      menus: ['7', '7.2'],
    })
    expect((await api.call(reader, bigScreen.orderPc)).status).toBe(200)
    expect((await api.call(reader, bigScreen.memberPc)).status).toBe(403)
  })
})

describe('an unknown place', () => {
  it('is named 未知 and counted, and has no point on the map', async () => {
    type Item = { name: string; code: string; countNum: number; centre: unknown }
    for (const viewer of viewers)
      for (const call of ['deviceMapRanking', 'devicePortMapRanking', 'memberRegionRanking'] as const) {
        const { ranking } = (await ask(viewer.token, call, {})).data as { ranking: Item[] }
        const unknown = ranking.find(({ code }) => code === '')
        expect(unknown).toMatchObject({ name: '未知', centre: null })
        expect(unknown?.countNum).toBeGreaterThan(0)
      }
  })
})
