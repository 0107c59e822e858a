import { analysis } from '@wattdeck/contract/dashboard/analysis.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { energyText } from '@wattdeck/domain/tariff/labels.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { asSuperuser } from '../../../../../../tools/ops/database.ts'
import { ensureDemoData } from '../../../../../../tools/demo/demo-data.ts'
import { startApi } from '../../../../test/harness/api.ts'
import { openSession } from '../../../../test/harness/people.ts'

/** Compares each figure of each chart with the source tables of the demo business. */
const tokens = new Map<string, string>()
const api = await startApi()
await asSuperuser(api.database, async (client) => {
  await client.query('set role wattdeck_owner')
  await ensureDemoData(client, api.deps.vault)
})
beforeAll(async () => {
  for (const loginName of ['platform', 'green', 'agent', 'swift']) {
    const [person] = await api.sql<{ id: string }>('select id from user_account where login_name = $1', [loginName])
    tokens.set(loginName, await openSession(api, person?.id ?? ''))
  }
})

const token = (name: string) => tokens.get(name) ?? expect.unreachable(name)
const dayBack = (days: number) => new Date(Date.now() + 8 * 3_600_000 - days * 86_400_000).toISOString().slice(0, 10)
/** Each reader, with the condition of their rows. */
const readers = [
  ['platform', 'true'],
  ['green', 'organise_id = 2'],
  ['agent', 'agent_id = any(app.agents_below(1))'],
] as const
const range = { from: dayBack(29), to: dayBack(0) }

type Amounts = { revenue: string; orders: number; energyDwh: number }
const ended = `case status when 3 then coalesce(ended_at, settled_at) else settled_at end`
/** Sums of orders that ended between two moments, grouped by an expression. */
async function plain(where: string, by: string, [begin, end]: readonly [string, string]) {
  const rows = await api.sql<{ key: string; fen: string; orders: number; energyDwh: number; seconds: number }>(
    `select (${by})::text as key, coalesce(sum(electricity_fen + service_fen + occupancy_fen), 0)::text as fen, count(*)::int as orders,
       coalesce(sum(energy_dwh) filter (where status = 3), 0)::float8 as "energyDwh", coalesce(sum(duration_s) filter (where status = 3), 0)::int as seconds
     from charging_order where status in (3, 4) and (${where}) and ${ended} >= $1 and ${ended} < $2 group by 1`,
    [begin, end],
  )
  return new Map(
    rows.map(({ key, fen, seconds, ...rest }) => [key, { revenue: yuanText(BigInt(fen)), ...rest, seconds }]),
  )
}
const shanghai = (text: string) => `${text}+08:00`
const whole = ({ from, to }: { from: string; to: string }) =>
  [
    shanghai(`${from} 00:00`),
    shanghai(new Date(Date.parse(`${to}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)),
  ] as const
const idle = { revenue: '0.00', orders: 0, energyDwh: 0 }
const amounts = ({ revenue, orders, energyDwh }: Amounts) => ({ revenue, orders, energyDwh })

const get = async <R extends (typeof analysis)[keyof typeof analysis]>(
  name: string,
  route: R,
  query: object = range,
) => {
  const reply = await api.call(token(name), route, { query: query as never })
  expect(reply.status, reply.message).toBe(200)
  return reply.data
}

describe.each(readers)('for %s', (name, mine) => {
  it('the key figures equal the source tables, and so do their comparisons', async () => {
    for (const days of [range, { from: dayBack(7), to: dayBack(1) }]) {
      const { until, previous, lastYear, figures } = await get(name, analysis.kpis, days)
      const running = days.to === dayBack(0)
      expect(until !== null).toBe(running)
      const clock = until?.slice(11) ?? ''
      const cut = ({ from, to }: { from: string; to: string }) =>
        running ? ([shanghai(`${from} 00:00`), shanghai(`${to} ${clock}`)] as const) : whole({ from, to })
      const spans = { value: whole(days), part: cut(days), previous: cut(previous), lastYear: cut(lastYear) }
      for (const [which, span] of Object.entries(spans)) {
        const orders = (await plain(mine, "''", span)).get('') ?? idle
        const [sums] = await api.sql<{ service: string; refunded: string; members: number; recharged: string }>(
          `select (select coalesce(sum(service_fen), 0)::text from charging_order where status = 3 and (${mine}) and ended_at >= $1 and ended_at < $2) as service,
             (select coalesce(sum(amount_fen), 0)::text from refund_order where status in (2, 4) and (${mine}) and decided_at >= $1 and decided_at < $2) as refunded,
             (select count(*)::int from member where (${mine}) and registered_at >= $1 and registered_at < $2) as members,
             (select coalesce(sum(amount_fen), 0)::text from recharge_order where status = 2 and (${mine}) and paid_at >= $1 and paid_at < $2) as recharged`,
          [...span],
        )
        const shown = Object.fromEntries(figures.map((kpi) => [kpi.key, kpi[which as 'value']]))
        expect(shown, `${which} ${span.join(' ')}`).toEqual({
          revenue: orders.revenue,
          orders: String(orders.orders),
          energy: energyText(orders.energyDwh),
          service: yuanText(BigInt(sums?.service ?? 0)),
          refunded: yuanText(BigInt(sums?.refunded ?? 0)),
          members: String(sums?.members),
          recharged: yuanText(BigInt(sums?.recharged ?? 0)),
        })
      }
    }
  })

  it.each([
    [1, 'YYYY-MM-DD HH24:00', { from: dayBack(3), to: dayBack(0) }],
    [2, 'YYYY-MM-DD', range],
    [3, 'week', range],
    [4, 'YYYY-MM', { from: dayBack(90), to: dayBack(0) }],
  ] as const)('the trend by grain %i equals the orders that ended in each bucket', async (grain, format, days) => {
    const local = `(${ended}) at time zone 'Asia/Shanghai'`
    const by =
      format === 'week' ? `to_char(date_trunc('week', ${local}), 'YYYY-MM-DD')` : `to_char(${local}, '${format}')`
    const { rows } = await get(name, analysis.trend, { ...days, grain })
    const expected = await plain(mine, by, whole(days))
    const found = rows.filter(({ orders }) => orders > 0)
    expect(found.length).toBeGreaterThan(0)
    expect(new Map(found.map((row) => [row.period, amounts(row)]))).toEqual(
      new Map([...expected].map(([key, row]) => [key, amounts(row)])),
    )
    const before = rows.flatMap((row) => (row.before === null ? [] : [row.before])).filter(({ orders }) => orders > 0)
    for (const one of before) {
      const all = await plain(mine, by, [shanghai('2020-01-01 00:00'), whole(days)[0]])
      if (grain <= 2) expect(amounts(all.get(one.period) ?? idle)).toEqual(amounts(one))
    }
  })

  it('device types and the best sites equal the orders that ended there', async () => {
    const byType = await plain(mine, 'device_type_id', whole(range))
    const types = (await get(name, analysis.types)).rows
    expect(new Map(types.map((row) => [row.id, amounts(row)]))).toEqual(
      new Map([...byType].map(([key, row]) => [key, amounts(row)])),
    )
    const bySite = [...(await plain(`${mine} and site_id is not null`, 'site_id', whole(range)))]
      .toSorted(([a, one], [b, other]) => Number(other.revenue) - Number(one.revenue) || Number(a) - Number(b))
      .slice(0, 10)
    const sites = (await get(name, analysis.sites)).rows
    expect(sites.map((row) => [row.id, amounts(row)])).toEqual(bySite.map(([key, row]) => [key, amounts(row)]))
    expect(sites.length).toBeGreaterThan(1)
  })

  it('each hour of the week equals the orders that ended in it', async () => {
    const local = `(${ended}) at time zone 'Asia/Shanghai'`
    const expected = await plain(
      mine,
      `extract(isodow from ${local}) || ' ' || extract(hour from ${local})`,
      whole(range),
    )
    const { rows } = await get(name, analysis.heat)
    expect(rows).toHaveLength(168)
    for (const { weekday, hour, orders, energyDwh } of rows) {
      const { orders: many, energyDwh: energy } = expected.get(`${weekday} ${hour}`) ?? idle
      expect({ orders, energyDwh }, `${weekday} ${hour}`).toEqual({ orders: many, energyDwh: energy })
    }
  })

  it('the usage equals the charged time of the ports', async () => {
    const { ports, rows } = await get(name, analysis.usage, { ...range, grain: 2 })
    const [there] = await api.sql<{ n: number }>(
      `select coalesce(sum(port_count), 0)::int as n from device where deleted_at is null and (${mine})`,
    )
    expect(ports).toBe(there?.n)
    const expected = await plain(mine, `to_char((${ended}) at time zone 'Asia/Shanghai', 'YYYY-MM-DD')`, whole(range))
    for (const row of rows) {
      expect(row.seconds).toBe(expected.get(row.period)?.seconds ?? 0)
      if (row.period !== dayBack(0)) expect(row.portSeconds).toBe(ports * 86_400)
    }
  })

  it('retention equals the members of each month that charged in later months', async () => {
    const { rows } = await get(name, analysis.retention)
    const month = (at: string) => `to_char(${at} at time zone 'Asia/Shanghai', 'YYYY-MM')`
    const theirs = mine.replaceAll(/\b(organise_id|agent_id)\b/g, 'm.$1')
    const active = await api.sql<{ cohort: string; month: string; n: number }>(
      `select ${month('m.registered_at')} as cohort, ${month('coalesce(o.ended_at, o.settled_at)')} as month, count(distinct m.id)::int as n
       from charging_order o join member m on m.id = o.member_id where o.status = 3 and (${theirs}) group by 1, 2`,
    )
    const sizes = await api.sql<{ cohort: string; n: number }>(
      `select ${month('m.registered_at')} as cohort, count(*)::int as n from member m where ${theirs} group by 1`,
    )
    let found = 0
    for (const { cohort, members, active: counts } of rows) {
      expect(members).toBe(sizes.find((one) => one.cohort === cohort)?.n ?? 0)
      for (const [after, count] of counts.entries()) {
        const [year = 0, of = 0] = cohort.split('-').map(Number)
        const name2 = new Date(Date.UTC(year, of - 1 + after, 1)).toISOString().slice(0, 7)
        expect(count).toBe(active.find((one) => one.cohort === cohort && one.month === name2)?.n ?? 0)
        found += count
      }
    }
    expect(found).toBeGreaterThan(0)
  })

  it('the downtime equals the record of outages', async () => {
    const { rows, offlinePortS, faultPortS, from, to } = await get(name, analysis.downtime, {
      from: dayBack(20),
      to: dayBack(1),
      grain: 2,
    })
    expect([from, to]).toEqual([dayBack(20), dayBack(1)])
    const [begin, end] = whole({ from, to })
    const [sums] = await api.sql<{ offline: number; fault: number }>(
      `select coalesce(sum(s) filter (where cause = 1), 0)::int as offline, coalesce(sum(s) filter (where cause = 2), 0)::int as fault from (
         select cause, ports * (floor(extract(epoch from least(coalesce(ended_at, now()), $2::timestamptz))) - floor(extract(epoch from greatest(began_at, $1::timestamptz)))) as s
         from device_outage where (${mine}) and began_at < $2 and coalesce(ended_at, now()) > $1) parts`,
      [begin, end],
    )
    expect({ offlinePortS, faultPortS }).toEqual({ offlinePortS: sums?.offline, faultPortS: sums?.fault })
    expect(rows.reduce((sum, row) => sum + row.offlinePortS, 0)).toBe(offlinePortS)
    expect(offlinePortS).toBeGreaterThan(0)
  })
})

describe('a reader of another organisation', () => {
  it('sees nothing of it with any filter', async () => {
    const foreign = { ...range, organiseId: '2' }
    for (const query of [foreign, { ...range, agentId: '1' }, { ...range, siteId: '1' }]) {
      const { figures } = await get('swift', analysis.kpis, query)
      expect(figures.map(({ value }) => Number(value))).toEqual([0, 0, 0, 0, 0, 0, 0])
      expect((await get('swift', analysis.sites, query)).rows).toEqual([])
      expect((await get('swift', analysis.types, query)).rows).toEqual([])
      expect((await get('swift', analysis.heat, query)).rows.every(({ orders }) => orders === 0)).toBe(true)
      expect((await get('swift', analysis.retention, query)).rows.every(({ members }) => members === 0)).toBe(true)
      expect(await get('swift', analysis.downtime, query)).toMatchObject({
        offlinePortS: 0,
        faultPortS: 0,
        lost: '0.00',
      })
    }
    const sites = (await get('swift', analysis.sites)).rows
    const own = await api.sql<{ id: string }>('select id::text from site where organise_id = 3')
    expect(own.map(({ id }) => id)).toEqual(expect.arrayContaining(sites.map(({ id }) => id)))
  })
})

describe('a type of device', () => {
  it('filters figures of devices; members and recharges are omitted then', async () => {
    const [type] = (await get('green', analysis.types)).rows
    const query = { ...range, deviceTypeId: type?.id }
    const { figures } = await get('green', analysis.kpis, query)
    expect(figures.find(({ key }) => key === 'revenue')?.value).toBe(type?.revenue)
    expect(figures.filter(({ value }) => value === null).map(({ key }) => key)).toEqual(['members', 'recharged'])
    expect((await get('green', analysis.types, query)).rows).toEqual([type])
  })
})

describe('an unsupported query', () => {
  it('is refused with a reason', async () => {
    const refusal = async (query: object) =>
      (await api.call(token('green'), analysis.trend, { query: query as never })).message
    expect(await refusal({ from: '2024-01-01', to: '2026-01-01' })).toBe('最多查询366天')
    expect(await refusal({ from: '2026-01-02', to: '2026-01-01' })).toBe('结束日期不能早于开始日期')
    expect(await refusal({ from: '2026-01-01', to: '2026-01-31', grain: 1 })).toBe('按小时最多查询7天')
  })
})
