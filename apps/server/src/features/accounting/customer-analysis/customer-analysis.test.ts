import { customerAnalysis, customerRank } from '@wattdeck/contract/accounting/customer-analysis.ts'
import { statBy } from '@wattdeck/contract/order/statistics.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { asSuperuser } from '../../../../../../tools/ops/database.ts'
import { ensureDemoData } from '../../../../../../tools/demo/demo-data.ts'
import { startApi } from '../../../../test/harness/api.ts'
import { makePerson } from '../../../../test/harness/people.ts'

const tokens: Record<string, string> = {}
const api = await startApi()
await asSuperuser(api.database, async (client) => {
  await client.query('set role wattdeck_owner')
  await ensureDemoData(client, api.deps.vault)
})
const menus = ['8', '8.8']
beforeAll(async () => {
  tokens['platform'] = (await makePerson(api, { organiseId: '1', loginName: 'ca_root', menus, topLevel: 1 })).token
  tokens['green'] = (await makePerson(api, { organiseId: '2', loginName: 'ca_green', menus })).token
  tokens['agent'] = (await makePerson(api, { organiseId: '2', agentId: '1', loginName: 'ca_agent', menus })).token
  tokens['site'] = (
    await makePerson(api, { organiseId: '2', agentId: '2', siteId: '1', loginName: 'ca_site', menus })
  ).token
  tokens['swift'] = (await makePerson(api, { organiseId: '3', loginName: 'ca_swift', menus })).token
})

const today = () => new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)
const dayBack = (days: number) => new Date(Date.now() + 8 * 3_600_000 - days * 86_400_000).toISOString().slice(0, 10)
type Query = Record<string, string | number>
const list = async (who: string, query: Query = {}) => {
  const reply = await api.call(tokens[who], customerAnalysis.list, { query: { pageSize: 500, ...query } as never })
  expect(reply.status, reply.message).toBe(200)
  return reply.data.rows
}
const refusal = async (who: string, query: Query) =>
  (await api.call(tokens[who], customerAnalysis.list, { query: query as never })).message

type Plain = Record<'id' | 'name' | 'revenue' | 'service' | 'refunded', string> & {
  devices: number
  online: number
  ports: number
  orders: number
  energyDwh: number
  seconds: number
  active: number
}
const ended = `case o.status when 3 then coalesce(o.ended_at, o.settled_at) else o.settled_at end`
/** Expected figures of the owners of a kind for some days, from the source tables. */
const plain = (table: 'organise' | 'agent' | 'site', where: string, from: string, to: string, type = 'true') =>
  api.sql<Plain>(
    `select owner.id::text as id, owner.name, device.devices, device.online, device.ports, orders.orders, orders."energyDwh", orders.revenue, orders.service, orders.seconds,
       (select coalesce(sum(r.amount_fen), 0)::text from refund_order r join charging_order o on o.id = r.order_id where r.${table}_id = owner.id and r.status in (2, 4) and ${type}
         and r.decided_at >= $1::timestamp at time zone 'Asia/Shanghai' and r.decided_at < ($2::date + 1)::timestamp at time zone 'Asia/Shanghai') as refunded,
       (select count(distinct o.member_id)::int from charging_order o join member m on m.id = o.member_id where m.${table}_id = owner.id and o.status = 3
         and coalesce(o.ended_at, o.settled_at) >= $1::timestamp at time zone 'Asia/Shanghai' and coalesce(o.ended_at, o.settled_at) < ($2::date + 1)::timestamp at time zone 'Asia/Shanghai') as active
     from ${table} owner
     cross join lateral (select count(*)::int as devices, count(*) filter (where online)::int as online, coalesce(sum(port_count), 0)::int as ports
       from device o where o.${table}_id = owner.id and deleted_at is null and ${type}) device
     cross join lateral (select count(*)::int as orders, coalesce(sum(energy_dwh) filter (where status = 3), 0)::float8 as "energyDwh", coalesce(sum(duration_s) filter (where status = 3), 0)::int as seconds,
         coalesce(sum(electricity_fen + service_fen + occupancy_fen), 0)::text as revenue, coalesce(sum(service_fen), 0)::text as service
       from charging_order o where o.${table}_id = owner.id and o.status in (3, 4) and ${type}
         and ${ended} >= $1::timestamp at time zone 'Asia/Shanghai' and ${ended} < ($2::date + 1)::timestamp at time zone 'Asia/Shanghai') orders
     where owner.deleted_at is null and ${where} order by orders.revenue::bigint desc, owner.id`,
    [from, to],
  )
const percent = (part: number, whole: number) =>
  whole === 0 ? null : (Math.round((part * 10_000) / whole) / 100).toFixed(2)
const monthStart = () => `${today().slice(0, 7)}-01`

describe('a stranger', () => {
  it('sees no customer of another organisation', async () => {
    for (const query of [
      { organiseId: 2 },
      { agentId: 1 },
      { siteId: 1 },
      { organiseId: 2, by: statBy.code.site },
    ] as Query[])
      expect(await list('swift', query), JSON.stringify(query)).toEqual([])
    const own = await api.sql<{ id: string }>('select id::text from agent where organise_id = 3')
    expect((await list('swift')).map(({ id }) => id).toSorted()).toEqual(own.map(({ id }) => id).toSorted())
  })

  it('below an organisation cannot group by a higher level', async () => {
    expect(await refusal('agent', { by: statBy.code.organise })).toBe('您不能按此归属统计')
    expect(await refusal('site', { by: statBy.code.agent })).toBe('您不能按此归属统计')
    expect((await list('site')).map(({ id }) => id)).toEqual(['1'])
  })
})

describe.each(['before they are added up', 'after they were added up'])('figures of customers, %s,', (when) => {
  beforeAll(async () => {
    if (when.startsWith('after')) await api.sql('select app.fold_stats(), app.fold_analysis()')
  })

  const cases: [string, Query, 'organise' | 'agent' | 'site', string][] = [
    ['platform', {}, 'organise', 'true'],
    ['platform', { organiseId: 2 }, 'agent', 'owner.organise_id = 2'],
    ['platform', { organiseId: 2, by: statBy.code.site }, 'site', 'owner.organise_id = 2'],
    ['green', {}, 'agent', 'owner.organise_id = 2'],
    ['agent', {}, 'agent', 'owner.id = any(app.agents_below(1))'],
    ['site', {}, 'site', 'owner.id = 1'],
  ]
  it.each(cases)('for %s by %j equal the source tables', async (who, query, table, where) => {
    const spans: [Query, string, string, boolean][] = [
      [{}, monthStart(), today(), true],
      [{ span: 1, from: dayBack(20), to: dayBack(1) }, dayBack(20), dayBack(1), false],
    ]
    for (const [days, from, to, month] of spans) {
      const expected = await plain(table, where, from, to)
      const rows = await list(who, { ...query, ...days })
      expect(rows.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
      expect(
        rows.map(({ ownerName, devices, onlineRate, orders, energyDwh, revenue, service, refunded, active }) => ({
          ownerName,
          devices,
          onlineRate,
          orders,
          energyDwh,
          revenue,
          service,
          refunded,
          active,
        })),
      ).toEqual(
        expected.map((row) => ({
          ownerName: row.name,
          devices: row.devices,
          onlineRate: percent(row.online, row.devices),
          orders: row.orders,
          energyDwh: row.energyDwh,
          revenue: yuanText(BigInt(row.revenue)),
          service: yuanText(BigInt(row.service)),
          refunded: yuanText(BigInt(row.refunded)),
          active: month ? row.active : null,
        })),
      )
      if (!month)
        for (const [place, row] of rows.entries()) {
          const plainRow = expected[place]
          const fen = Number(plainRow?.revenue)
          expect(row.usage).toBe(percent(plainRow?.seconds ?? 0, (plainRow?.ports ?? 0) * 20 * 86_400))
          expect(row.refundRate).toBe(percent(Number(plainRow?.refunded), fen))
          expect(row.perDevice).toBe(row.devices === 0 ? null : (Math.round(fen / row.devices / 20) / 100).toFixed(2))
        }
    }
  })

  it('of one device type count only that type', async () => {
    const [type] = await api.sql<{ id: string }>(
      'select device_type_id::text as id from charging_order where organise_id = 2 limit 1',
    )
    const rows = await list('green', { deviceTypeId: type?.id ?? '' })
    const expected = await plain(
      'agent',
      'owner.organise_id = 2',
      monthStart(),
      today(),
      `o.device_type_id = ${type?.id}`,
    )
    expect(rows.map(({ id, devices, orders }) => [id, devices, orders])).toEqual(
      expected.map(({ id, devices, orders }) => [id, devices, orders]),
    )
    expect(rows.every(({ active }) => active === null)).toBe(true)
  })

  it('are compared with the previous days and with the same days of the previous year', async () => {
    const rows = await list('platform', { span: 1, from: dayBack(10), to: dayBack(1) })
    const before = await plain('organise', 'true', dayBack(20), dayBack(11))
    let compared = 0
    for (const row of rows) {
      const was = Number(before.find(({ id }) => id === row.id)?.revenue) / 100
      const change = was === 0 ? null : (100 * (Number(row.revenue) - was)) / was
      if (change === null) expect(row.previousChange).toBeNull()
      else expect(Math.abs(Number(row.previousChange) - change)).toBeLessThan(0.051)
      compared += change === null ? 0 : 1
      expect(row.lastYearChange).toBeNull()
    }
    expect(compared).toBeGreaterThan(0)
  })
})

describe('ranking', () => {
  it.each(customerRank.options.map(({ label, value }) => [label, value] as const))(
    'by %s puts the highest first, and pages continue the order',
    async (_, rank) => {
      const rows = await list('platform', { organiseId: 2, by: statBy.code.site, rank })
      expect(rows.map((row) => row.rank)).toEqual(rows.map((__, place) => place + 1))
      const { code } = customerRank
      const valueOf = (row: (typeof rows)[number]) =>
        ({
          [code.revenue]: row.revenue,
          [code.orders]: row.orders,
          [code.energy]: row.energyDwh,
          [code.service]: row.service,
          [code.refundRate]: row.refundRate,
          [code.devices]: row.devices,
          [code.onlineRate]: row.onlineRate,
          [code.usage]: row.usage,
          [code.active]: row.active,
          [code.perDevice]: row.perDevice,
        })[rank]
      const values = rows.map((row) => valueOf(row)).map((value) => (value === null ? -1 : Number(value)))
      expect(values).toEqual(values.toSorted((one, other) => other - one))
      const paged: string[] = []
      for (let pageNum = 1; pageNum < 100; pageNum++) {
        const { data } = await api.call(tokens['platform'], customerAnalysis.list, {
          query: { organiseId: '2', by: statBy.code.site, rank, pageNum, pageSize: 7 } as never,
        })
        expect(data.total).toBe(rows.length)
        paged.push(...data.rows.map(({ id }) => id))
        if (data.cursor === null) break
      }
      expect(paged).toEqual(rows.map(({ id }) => id))
    },
  )
})

describe('an unsupported period or grouping', () => {
  it('is refused with a reason', async () => {
    expect(await refusal('green', { span: 1, from: '2026-01-01', to: '2026-03-01' })).toBe('按日最多查询31天')
    expect(await refusal('green', { span: 2, from: '2020-01-01', to: '2026-03-01' })).toBe('最多查询36个月')
    expect(await refusal('platform', { by: statBy.code.site })).toBe('请先选择机构')
  })
})
