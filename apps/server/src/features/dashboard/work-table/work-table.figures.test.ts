import { accountKind } from '@wattdeck/contract/accounting/ledger-codes.ts'
import { type FigureName, workTable } from '@wattdeck/contract/dashboard/work-table.ts'
import { statSpan } from '@wattdeck/contract/order/statistics.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { asSuperuser } from '../../../../../../tools/ops/database.ts'
import { ensureDemoData } from '../../../../../../tools/demo/demo-data.ts'
import { startApi } from '../../../../test/harness/api.ts'
import { type Actor, makePerson, tenantMenus } from '../../../../test/harness/people.ts'
import { until } from '../../../../test/harness/until.ts'

/** Compares every figure of the work table with plain counts over the tables of the demo business. */
let readers: [who: string, actor: Actor, mine: string][]

const api = await startApi()
await asSuperuser(api.database, async (client) => {
  await client.query('set role wattdeck_owner')
  await ensureDemoData(client, api.deps.vault)
})
beforeAll(async () => {
  await api.sql(billsAtMidnight)
  const person = (loginName: string, place: { agentId?: string; siteId?: string }) =>
    makePerson(api, { organiseId: '2', loginName, menus: tenantMenus, ...place })
  readers = [
    [
      'platform',
      await makePerson(api, { organiseId: '1', loginName: 'table_root', menus: '*', topLevel: 0, code: 'ADMIN' }),
      'true',
    ],
    ['organisation', await person('table_org', {}), 'organise_id = 2'],
    ['agent', await person('table_agent', { agentId: '1' }), 'agent_id in (1, 2, 4, 5)'],
    ['site', await person('table_site', { agentId: '2', siteId: '1' }), 'site_id = 1'],
  ]
})

/** One bill for each site at the first moment of yesterday and today, so that every hour has data to compare. */
const billsAtMidnight = `
  insert into charging_order
  select copy.*
  from (select distinct on (site_id) * from charging_order where status = 3 order by site_id, id) model,
    generate_series(0, 1) days,
    lateral (select (date_trunc('day', now() at time zone 'Asia/Shanghai') - days * interval '1 day') at time zone 'Asia/Shanghai' as midnight) day,
    lateral jsonb_populate_record(null::charging_order, to_jsonb(model) || jsonb_build_object(
      'id', app.order_id(), 'wire_no', 'midnight', 'started_at', null, 'ended_at', midnight, 'settled_at', midnight)) copy`

type Query = Record<string, string | number>
/** Each filter with its condition. A caller below an agent does not see the agents above. */
const filters: [Query, string, blind: string[]][] = [
  [{}, 'true', []],
  [{ organiseId: '2' }, 'organise_id = 2', []],
  [{ organiseId: '3' }, 'organise_id = 3', ['organisation', 'agent', 'site']],
  [{ agentId: '1' }, 'agent_id in (1, 2, 4, 5)', ['site']],
  [{ agentId: '2' }, 'agent_id in (2, 4)', ['site']],
  [{ siteId: '1' }, 'site_id = 1', []],
]
const places = () =>
  readers.flatMap(([who, actor, mine]) =>
    filters.map(([query, where, blind]) => ({
      what: `${who} ${where}`,
      token: actor.token,
      query,
      where: blind.includes(who) ? 'false' : `${mine} and ${where}`,
    })),
  )

const one = async (text: string) =>
  (await api.sql<{ n: string }>(`select coalesce((${text}), 0)::text as n`))[0]?.n ?? ''
const figure = async (token: string, name: FigureName, query: Query) =>
  (await api.call(token, workTable.figure, { params: { name }, query: query as never })).data

const ended = 'case status when 3 then coalesce(ended_at, settled_at) else settled_at end'
/** Expected figures of a period from the source tables, in wire format. */
const happened: Partial<Record<FigureName, (where: string, from: string, upto: string) => Promise<string>>> = {
  revenue: async (where, from, upto) =>
    yuanText(BigInt(await orders('sum(total_fen) filter (where status = 3)', where, from, upto))),
  orders: (where, from, upto) => orders('count(*)', where, from, upto),
  energy: (where, from, upto) => orders('sum(energy_dwh) filter (where status = 3)', where, from, upto),
  members: (where, from, upto) =>
    one(`select count(*) from member where registered_at >= ${from} and registered_at < ${upto} and ${where}`),
}
const orders = (sum: string, where: string, from: string, upto: string) =>
  one(
    `select ${sum} from charging_order where status in (3, 4) and ${ended} >= ${from} and ${ended} < ${upto} and ${where}`,
  )
const moment = (text: string) => `timestamptz '${text.length > 10 ? text : `${text} 00:00:00`}+08'`
const shanghaiTime = () => new Date(Date.now() + 8 * 3_600_000).toISOString()
const shanghaiDay = () => shanghaiTime().slice(0, 10)
const before = (day: string) => new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10)

/** Repeats the check if midnight passes meanwhile. */
async function onOneDay(check: (today: string) => Promise<void>): Promise<void> {
  const today = shanghaiDay()
  try {
    await check(today)
  } catch (error) {
    if (today === shanghaiDay()) throw error
    await check(shanghaiDay())
  }
}

describe('period figures', () => {
  it('of today equal the source tables, and are compared with yesterday up to the same hour', () =>
    onOneDay(async (today) => {
      let found = 0
      let comparisons = 0
      for (const { what, token, query, where } of places())
        for (const [name, count] of Object.entries(happened) as [FigureName, (typeof happened)['revenue'] & {}][]) {
          const shown = await figure(token, name, query)
          const expected = await count(where, moment(today), moment(`${today} 23:59:59.999`))
          expect(shown.value, `${name} ${what}`).toBe(expected)
          if (shown.compared === null) continue
          comparisons++
          const { upto, now, before: was } = shown.compared
          expect(now, `${name} so far, ${what}`).toBe(await count(where, moment(today), moment(upto)))
          const yesterday = before(today)
          const same = moment(`${yesterday} ${upto.slice(11)}`)
          expect(was, `${name} before, ${what}`).toBe(await count(where, moment(yesterday), same))
          if (was !== '0' && was !== '0.00') found++
        }
      // Only whole hours are compared, so the first hour of a day has no comparison.
      if (comparisons === 0) expect(shanghaiTime().slice(11, 13)).toBe('00')
      else expect(found).toBeGreaterThan(10)
    }))

  it('of this month equal the source tables, and are compared with the same part of the previous month', () =>
    onOneDay(async (today) => {
      let found = 0
      const first = `${today.slice(0, 7)}-01`
      const lastOfBefore = before(first)
      const firstOfBefore = `${lastOfBefore.slice(0, 7)}-01`
      for (const { what, token, query, where } of places())
        for (const [name, count] of Object.entries(happened) as [FigureName, (typeof happened)['revenue'] & {}][]) {
          const shown = await figure(token, name, { ...query, span: statSpan.code.month })
          const expected = await count(where, moment(first), moment(`${today} 23:59:59.999`))
          expect(shown.value, `${name} ${what}`).toBe(expected)
          if (expected !== '0' && expected !== '0.00') found++
          if (shown.compared === null) continue
          const { upto, now, before: was } = shown.compared
          expect(now, `${name} so far, ${what}`).toBe(await count(where, moment(first), moment(upto)))
          const same = `${lastOfBefore.slice(0, 7)}-${today.slice(8)}`
          const end = same > lastOfBefore ? moment(first) : moment(`${same} ${upto.slice(11)}`)
          expect(was, `${name} before, ${what}`).toBe(await count(where, moment(firstOfBefore), end))
        }
      expect(found).toBeGreaterThan(20)
    }))

  it('over time equal the source tables for each day and month', () =>
    onOneDay(async (today) => {
      for (const { what, token, query, where } of places())
        for (const [span, count, format] of [
          [statSpan.code.day, 14, 'YYYY-MM-DD'],
          [statSpan.code.month, 12, 'YYYY-MM'],
        ] as const) {
          const { data } = await api.call(token, workTable.trend, { query: { ...query, span } as never })
          expect(data).toHaveLength(count)
          expect(data.at(-1)?.period).toBe(today.slice(0, format.length))
          const rows = await api.sql<{ period: string; revenue: string; orders: number }>(
            `select to_char(${ended} at time zone 'Asia/Shanghai', '${format}') as period, coalesce(sum(total_fen) filter (where status = 3), 0)::text as revenue, count(*)::int as orders
             from charging_order where status in (3, 4) and ${where} group by 1`,
          )
          const counted = new Map(rows.map((row) => [row.period, row]))
          expect(data, what).toEqual(
            data.map(({ period }) => ({
              period,
              revenue: yuanText(BigInt(counted.get(period)?.revenue ?? 0)),
              orders: counted.get(period)?.orders ?? 0,
            })),
          )
          // All these orders lie within the period: the demo is younger than a year.
          if (span === statSpan.code.month)
            expect(data.reduce((sum, point) => sum + point.orders, 0)).toBe(
              rows.reduce((sum, row) => sum + row.orders, 0),
            )
        }
    }))
})

describe.each(['before it is added up', 'after it was added up'])('current figures, %s,', (when) => {
  beforeAll(async () => {
    if (when.startsWith('after')) await api.sql('select app.fold_stats()')
  })

  it('equal the devices and their ports', async () => {
    let found = 0
    for (const { what, token, query, where } of places()) {
      const devices = `from device where deleted_at is null and ${where}`
      const ports = `from port where device_id in (select id ${devices})`
      const [online, all] = [
        await one(`select count(*) ${devices} and online`),
        await one(`select count(*) ${devices}`),
      ]
      expect(await figure(token, 'online', query), what).toMatchObject({ value: online, of: all, compared: null })
      expect(await figure(token, 'faults', query), what).toMatchObject({
        value: await one(`select count(*) ${ports} and status = 3`),
        of: await one(`select count(*) ${ports}`),
      })
      const { data: plugs } = await api.call(token, workTable.plugs, { query: query as never })
      expect(plugs.ports, what).toBe(Number(await one(`select count(*) ${ports}`)))
      expect(plugs.offline, what).toBe(Number(await one(`select sum(port_count) ${devices} and not online`)))
      for (const { status, count } of plugs.byStatus)
        expect(count, `${what} ${status}`).toBe(Number(await one(`select count(*) ${ports} and status = ${status}`)))
      expect(plugs.byStatus.map(({ status }) => status)).toEqual([1, 2, 3, 4, 5, 6, 7])
      found += plugs.ports
    }
    expect(found).toBeGreaterThan(100)
  })

  it('are grouped by the most frequent device types', async () => {
    for (const { what, token, query, where } of places()) {
      const { data } = await api.call(token, workTable.types, { query: query as never })
      const rows = await api.sql<{ id: string; code: string; name: string; devices: number; online: number }>(
        `select device_type.id::text as id, device_type.code, device_type.name, counted.devices, counted.online
         from (select device_type_id, count(*)::int as devices, (count(*) filter (where online))::int as online
           from device where deleted_at is null and ${where} group by 1) counted
         join device_type on device_type.id = device_type_id order by devices desc, code`,
      )
      expect(data.rows, what).toEqual(rows.slice(0, 8))
      const counts = new Map(rows.map((row) => [row.code, row]))
      expect(data.tags.map(({ code }) => code)).toEqual(['02-02-02', '02-05-02', '04-01-05'])
      for (const { code, devices, online } of data.tags) {
        const counted = counts.get(code) ?? { devices: 0, online: 0 }
        expect([devices, online], `${what} ${code}`).toEqual([counted.devices, counted.online])
      }
      expect(data.others).toBe(rows.slice(8).reduce((sum, row) => sum + row.devices, 0))
    }
  })
})

const { siteElectricity, siteService, siteOccupancy } = accountKind.code
const shown = [siteElectricity, siteService, siteOccupancy]

describe('the income', () => {
  const expected = (where: string) =>
    one(
      `select sum(amount_fen) from entry join (select id from account where kind in (${shown.join()}) and ${where}) own on own.id = entry.account_id`,
    )
  const check = async () => {
    let found = 0n
    for (const { what, token, query, where } of places()) {
      const isPlatform = what.startsWith('platform')
      // Without a filter, the figure covers the caller's own organisation.
      const own = isPlatform && query['organiseId'] === undefined ? `${where} and organise_id = 1` : where
      const income = await figure(token, 'income', query)
      const fen = BigInt(await expected(own))
      found += fen
      expect(income.value, what).toBe(yuanText(fen))
      const parts = income.parts.reduce((sum, { value }) => sum + BigInt(value.replace('.', '')), 0n)
      expect(parts, what).toBe(fen)
    }
    expect(found).toBeGreaterThan(0n)
  }

  it('equals the entries of the organisation’s accounts, sealed or not', async () => {
    await check()
    await until(async () => {
      await api.sql('select app.seal_ledger()')
      const [edge] = await api.sql<{ open: boolean }>(
        "select coalesce(max(xid), '0') >= (select upto from ledger_edge) as open from posting",
      )
      return edge?.open === false ? true : undefined
    })
    await check()
    expect(await api.sql('select * from app.ledger_breaks()')).toEqual([])
  })

  it('names its accounts and their owner', async () => {
    const [, [, { token }]] = readers as [unknown, (typeof readers)[number]]
    const income = await figure(token, 'income', {})
    expect(income.whose).toBe('绿行充电（杭州）')
    expect(income.parts.map(({ label }) => label)).toEqual(expect.arrayContaining(['站点电费收入', '站点服务费收入']))
  })

  it('with sums that differ from their days is found by the proof of the ledger', async () => {
    await api.sql('update account_sum set fen = fen + 1 where account_id = (select min(account_id) from account_sum)')
    const breaks = await api.sql<{ what: string }>('select what from app.ledger_breaks()')
    await api.sql('update account_sum set fen = fen - 1 where account_id = (select min(account_id) from account_sum)')
    expect(breaks).toEqual([{ what: 'sums' }])
    expect(await api.sql('select * from app.ledger_breaks()')).toEqual([])
  })
})
