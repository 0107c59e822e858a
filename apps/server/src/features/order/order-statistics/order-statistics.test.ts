import { orderStatistics } from '@wattdeck/contract/order/order-statistics.ts'
import { statBy, statSpan } from '@wattdeck/contract/order/statistics.ts'
import { download } from '@wattdeck/contract/system/download.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { pino } from 'pino'
import readExcel from 'read-excel-file/node'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApi } from '../../../../test/harness/api.ts'
import { makeModels } from '../../../../test/fixtures/devices.ts'
import { makeFixture } from '../../../../test/harness/people.ts'
import { makeCharges } from '../../../../test/fixtures/statistics.ts'
import { listExports } from '../../../app/features.ts'
import { runExport } from '../../../kit/bulk/exports.ts'
import { createPool } from '../../../kit/db/db.ts'

const api = await startApi()
const fixture = await makeFixture(api)
const models = await makeModels(api)
const upperSiteId = (await makeCharges(api, fixture, models)).upperSiteId

type Query = Record<string, string | number>
const list = async (token: string, query: Query = {}) =>
  (await api.call(token, orderStatistics.list, { query: { pageSize: 500, ...query } as never })).data.rows
const totals = async (token: string, query: Query = {}) =>
  (await api.call(token, orderStatistics.totals, { query: query as never })).data
const dayBack = (days: number) => new Date(Date.now() + 8 * 3_600_000 - days * 86_400_000).toISOString().slice(0, 10)
const { day, month } = statSpan.code

type Sums = {
  period: string
  owner?: string
  orders: number
  charges: number
  visits: number | null
  seconds: number
  energyDwh: number
}
type Money = { [K in 'electricity' | 'service' | 'occupancy' | 'discount' | 'gift' | 'paid']: string }

/** Figures computed from the orders themselves. */
async function plain(where: string, format = 'YYYY-MM-DD', owner = "''") {
  const rows = await api.sql<Sums & Money>(
    `select to_char(case status when 3 then ended_at else settled_at end at time zone 'Asia/Shanghai', '${format}') as period, ${owner}::text as owner,
       count(*)::int as orders, (count(*) filter (where status = 3))::int as charges, (count(*) filter (where status = 3 and member_id is not null))::int as visits, coalesce(sum(duration_s), 0)::int as seconds, coalesce(sum(energy_dwh), 0)::int as "energyDwh",
       sum(electricity_fen)::text as electricity, sum(service_fen)::text as service, sum(occupancy_fen)::text as occupancy,
       sum(discount_fen + coupon_fen + pass_fen)::text as discount, sum(gift_fen)::text as gift, sum(paid_fen)::text as paid
     from charging_order where status in (3, 4) and (${where}) group by 1, 2 order by 1 desc, 2`,
  )
  return rows.map((row) => ({
    ...row,
    electricity: yuan(row.electricity),
    service: yuan(row.service),
    occupancy: yuan(row.occupancy),
    discount: yuan(row.discount),
    gift: yuan(row.gift),
    paid: yuan(row.paid),
  }))
}
const yuan = (fen: string) => yuanText(BigInt(fen))
type Shown = Awaited<ReturnType<typeof list>>[number]
const shown = (rows: Shown[]) =>
  rows
    .filter(({ orders }) => orders > 0)
    .map(
      ({
        ownerId,
        period,
        orders,
        charges,
        visits,
        seconds,
        energyDwh,
        electricity,
        service,
        occupancy,
        discount,
        gift,
        paid,
      }) => ({
        period,
        owner: ownerId ?? '',
        orders,
        charges,
        visits,
        seconds,
        energyDwh,
        electricity,
        service,
        occupancy,
        discount,
        gift,
        paid,
      }),
    )
const shape = { from: dayBack(40), to: dayBack(0) }

/** Each reader, and the condition for the orders in their scope. */
const readers = () => {
  const { platform, green } = fixture
  return [
    [platform.root.token, 'true'],
    [green.admin.token, `organise_id = ${green.id}`],
    [green.agent.token, `agent_id in (${green.agentId}, ${green.subAgentId})`],
    [green.subAgent.token, `agent_id = ${green.subAgentId}`],
    [green.site.token, `site_id = ${green.siteId}`],
  ] as const
}
const filters = (): [Query, string][] => {
  const { green } = fixture
  return [
    [{}, 'true'],
    [{ organiseId: green.id }, `organise_id = ${green.id}`],
    [{ agentId: green.agentId }, `agent_id in (${green.agentId}, ${green.subAgentId})`],
    [{ agentId: green.subAgentId }, `agent_id = ${green.subAgentId}`],
    [{ siteId: green.siteId }, `site_id = ${green.siteId}`],
    [{ siteId: upperSiteId }, `site_id = ${upperSiteId}`],
    [{ deviceTypeId: models.dny }, `device_type_id = ${models.dny}`],
    [
      { siteId: green.siteId, deviceTypeId: models.mqtt },
      `site_id = ${green.siteId} and device_type_id = ${models.mqtt}`,
    ],
    [{ organiseId: green.id, agentId: green.agentId, siteId: upperSiteId }, `site_id = ${upperSiteId}`],
  ]
}
/** An agent above a reader is outside their scope: filtering by it finds nothing. */
const isVisibleTo = (mine: string, query: Query) => {
  const { green } = fixture
  const below = mine === `agent_id = ${green.subAgentId}` || mine === `site_id = ${green.siteId}`
  const blind = mine === `site_id = ${green.siteId}` && query['agentId'] !== undefined
  return !blind && !(below && query['agentId'] === green.agentId)
}

describe('a stranger', () => {
  it('finds nothing by the ids of another organisation', async () => {
    const { green, swift } = fixture
    for (const who of ['admin', 'agent', 'subAgent', 'site'] as const) {
      const { token } = green[who]
      for (const query of [
        { organiseId: swift.id },
        { agentId: swift.agentId },
        { siteId: swift.siteId },
        { organiseId: green.id, siteId: swift.siteId },
        { organiseId: swift.id, siteId: green.siteId },
      ] as Query[]) {
        expect(shown(await list(token, { ...shape, ...query })), `${who} ${JSON.stringify(query)}`).toEqual([])
        expect(await totals(token, { ...shape, ...query })).toMatchObject({ orders: 0, paid: '0.00', usage: null })
        const bySite = await list(token, { ...shape, ...query, by: statBy.code.site })
        expect(bySite.map(({ ownerId }) => ownerId)).not.toContain(swift.siteId)
        expect(shown(bySite)).toEqual([])
      }
    }
  })

  it('without the menu gets no figures', async () => {
    expect((await api.call(fixture.green.clerk.token, orderStatistics.list, {})).status).toBe(403)
    expect((await api.call(fixture.green.clerk.token, orderStatistics.totals, {})).status).toBe(403)
  })
})

/** Drops the usage of the current day: it relates to the time passed, so it falls while pages are read. */
const settled = (row: Shown) => (row.period === dayBack(0) ? { ...row, usage: null } : row)

describe.each(['before they are added up', 'after they were added up'])('figures, %s,', (when) => {
  beforeAll(async () => {
    if (when.startsWith('after')) await api.sql('select app.fold_stats()')
  })

  it('of each day equal the sums of the orders, for every reader and every filter', async () => {
    let found = 0
    for (const [token, mine] of readers())
      for (const [query, where] of filters()) {
        const expected = isVisibleTo(mine, query) ? await plain(`${mine} and ${where}`) : []
        found += expected.length
        expect(shown(await list(token, { ...shape, ...query })), `${mine} ${where}`).toEqual(expected)
      }
    expect(found).toBeGreaterThan(60)
  })

  it('of a month are the sum of its days, and so are the totals', async () => {
    for (const [token, mine] of readers()) {
      const months = await list(token, { ...shape, span: month })
      expect(shown(months)).toEqual(await plain(mine, 'YYYY-MM'))
      const [last] = months.filter(({ orders }) => orders > 0).toReversed()
      const days = await list(token, { span: day, from: `${last?.period}-01`, to: dayBack(0) })
      const ofMonth = days.filter(({ period }) => period.startsWith(last?.period ?? '-'))
      expect(ofMonth.reduce((sum, row) => sum + row.seconds, 0)).toBe(last?.seconds)
      const all = await totals(token, { ...shape, span: month })
      expect(all.orders).toBe(months.reduce((sum, row) => sum + row.orders, 0))
      expect(all.energyDwh).toBe(months.reduce((sum, row) => sum + row.energyDwh, 0))
    }
  })

  it('are grouped by owner, page by page', async () => {
    const { platform, green } = fixture
    const cases: [string, Query, string, string][] = [
      [platform.root.token, { by: statBy.code.organise }, 'true', 'organise_id'],
      [
        platform.root.token,
        { by: statBy.code.site, organiseId: green.id },
        `organise_id = ${green.id} and site_id is not null`,
        'site_id',
      ],
      [green.admin.token, { by: statBy.code.agent }, `organise_id = ${green.id} and agent_id is not null`, 'agent_id'],
      [green.agent.token, { by: statBy.code.site }, `agent_id in (${green.agentId}, ${green.subAgentId})`, 'site_id'],
      [green.agent.token, { by: statBy.code.agent }, `agent_id in (${green.agentId}, ${green.subAgentId})`, 'agent_id'],
      [green.site.token, { by: statBy.code.site }, `site_id = ${green.siteId}`, 'site_id'],
    ]
    for (const [token, query, where, column] of cases) {
      const rows = await list(token, { ...shape, ...query })
      expect(shown(rows), column).toEqual(await plain(where, 'YYYY-MM-DD', column))
      const paged: Shown[] = []
      for (let pageNum = 1; pageNum < 100; pageNum++) {
        const { data } = await api.call(token, orderStatistics.list, {
          query: { ...shape, ...query, pageNum, pageSize: 7 } as never,
        })
        expect(data.total).toBe(rows.length)
        paged.push(...data.rows)
        if (data.cursor === null) break
      }
      expect(paged.map((row) => settled(row))).toEqual(rows.map((row) => settled(row)))
    }
  })
})

describe('a row', () => {
  it('has the average revenue of a charge and the usage of ports', async () => {
    const { green } = fixture
    const [row] = (await list(green.site.token, { from: dayBack(1), to: dayBack(1) })) as [Shown]
    const [ports] = await api.sql<{ n: number }>('select sum(port_count)::int as n from device where site_id = $1', [
      green.siteId,
    ])
    expect(Math.abs(Number(row.average) - Number(row.paid) / row.charges)).toBeLessThan(0.0051)
    expect(Number(row.usage)).toBeCloseTo((100 * row.seconds) / ((ports?.n ?? 0) * 86_400), 2)
  })

  it('exists for each day, also without any order', async () => {
    const rows = await list(fixture.green.admin.token, { from: dayBack(10), to: dayBack(0) })
    expect(rows.map(({ period }) => period)).toEqual(Array.from({ length: 11 }, (_, days) => dayBack(days)))
    expect(rows[7]).toMatchObject({ orders: 0, paid: '0.00', average: null, usage: '0.00' })
  })

  it('of a removed owner stays where it had figures', async () => {
    const { green } = fixture
    await api.sql('select app.fold_stats()')
    await api.sql('update site set deleted_at = now() where id = $1', [upperSiteId])
    const owners = async (query: Query) =>
      new Set((await list(green.admin.token, { by: statBy.code.site, ...query })).map(({ ownerId }) => ownerId))
    expect(await owners({ from: dayBack(1), to: dayBack(0) })).toContain(upperSiteId)
    expect(await owners({ from: dayBack(20), to: dayBack(18) })).not.toContain(upperSiteId)
    await api.sql('update site set deleted_at = null where id = $1', [upperSiteId])
  })
})

describe('visits', () => {
  it('are hidden for days before counting began', async () => {
    const { token } = fixture.green.admin
    const visits = async (query: Query) => (await list(token, query)).map((row) => row.visits === null)
    expect(await visits({ from: dayBack(2), to: dayBack(0) })).toEqual([false, false, false])
    const since = (moment: string) =>
      api.sql(
        `create or replace function app.visits_since() returns timestamptz language sql immutable parallel safe
         as $$ select '${moment}'::timestamptz $$`,
      )
    await since(`${dayBack(1)} 00:00:00+08`)
    expect(await visits({ from: dayBack(2), to: dayBack(0) })).toEqual([false, false, true])
    expect((await totals(token, { from: dayBack(1), to: dayBack(0) })).visits).not.toBeNull()
    expect((await totals(token, { from: dayBack(2), to: dayBack(0) })).visits).toBeNull()
    await since('-infinity')
  })
})

describe('a file', () => {
  it('labels gift money as such, with the sums of the list', async () => {
    const { token } = fixture.green.admin
    const query = new URLSearchParams({ from: dayBack(40), to: dayBack(0) }).toString()
    const body = { columns: ['period', 'gift', 'paid'], query } as never
    const exported = await api.call(token, orderStatistics.exportList, { body })
    expect(exported.status).toBe(200)
    const pool = createPool(api.config.workerDatabaseUrl, 2)
    await runExport({ pool, files: api.deps.files, log: pino({ level: 'silent' }) }, listExports, exported.data.id)
    await pool.end()
    const { bytes } = await api.call(token, download.file, { body: { id: exported.data.id } })
    const [sheet] = (await readExcel(bytes ?? Buffer.alloc(0))) as unknown as { data: unknown[][] }[]
    const [head, ...rows] = sheet?.data ?? []
    expect(head).toEqual(['日期', '赠送金抵扣', '实收'])
    const gifts = (await list(token, shape)).map(({ gift }) => Number(gift))
    expect(rows.map(([, gift]) => gift)).toEqual(gifts)
    expect(gifts.some((gift) => gift > 0)).toBe(true)
  })
})

describe('an invalid query', () => {
  it('is refused with a reason', async () => {
    const refusal = async (token: string, query: Query) => {
      const { status, message } = await api.call(token, orderStatistics.list, { query: query as never })
      return status === 422 ? message : status
    }
    const { platform, green } = fixture
    expect(await refusal(green.admin.token, { from: '2025-01-01', to: '2026-01-02' })).toEqual('最多查询366天')
    expect(await refusal(green.admin.token, { from: '2025-01-02', to: '2025-01-01' })).toEqual(
      '结束日期不能早于开始日期',
    )
    expect(await refusal(green.admin.token, { span: month, from: '2020-01-01', to: '2023-01-01' })).toEqual(
      '最多查询36个月',
    )
    expect(await refusal(platform.root.token, { by: statBy.code.site })).toEqual('请先选择机构')
    expect(await refusal(green.site.token, { by: statBy.code.agent })).toEqual('您不能按此归属统计')
    expect(await refusal(green.agent.token, { by: statBy.code.organise })).toEqual('您不能按此归属统计')
    expect(await refusal(green.admin.token, { by: statBy.code.agent, siteId: green.siteId })).toEqual(
      '归属维度不能大于所选归属',
    )
    expect(await refusal(green.admin.token, { from: '2025-01-01', to: '2026-01-01' })).toEqual(200)
  })
})
