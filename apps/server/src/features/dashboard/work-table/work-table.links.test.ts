import { analysis } from '@wattdeck/contract/dashboard/analysis.ts'
import { figureTarget, type FigureTarget } from '@wattdeck/contract/dashboard/figure-links.ts'
import { figureName, type FigureName, workTable } from '@wattdeck/contract/dashboard/work-table.ts'
import { orderStatistics } from '@wattdeck/contract/order/order-statistics.ts'
import { rechargeStatistics } from '@wattdeck/contract/order/recharge-statistics.ts'
import { deviceManage } from '@wattdeck/contract/product/device-manage.ts'
import { repairTicket } from '@wattdeck/contract/product/repair-ticket.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { ensureDemoData } from '../../../../../../tools/demo/demo-data.ts'
import { asSuperuser } from '../../../../../../tools/ops/database.ts'
import { startApi, type TestApi } from '../../../../test/harness/api.ts'
import { type Actor, makePerson, tenantMenus } from '../../../../test/harness/people.ts'

/** Compares each figure of the work table with the page behind its title, using the query of the link. */
let api: TestApi
let readers: Actor[]
const everyMenu = { has: () => true }

beforeAll(async () => {
  api = await startApi()
  await asSuperuser(api.database, async (client) => {
    await client.query('set role wattdeck_owner')
    await ensureDemoData(client, api.deps.vault)
  })
  // A bill for each site and a member of today, whenever the demo ends. Statistics follow the inserted rows.
  await api.sql(`insert into charging_order
    select copy.* from (select distinct on (site_id) * from charging_order where status = 3 order by site_id, id) model,
      lateral jsonb_populate_record(null::charging_order, to_jsonb(model) || jsonb_build_object(
        'id', app.order_id(), 'wire_no', 'today', 'started_at', null, 'ended_at', now(), 'settled_at', now())) copy`)
  await api.sql(`insert into member (organise_id, nickname) values (2, '新会员')`)
  const person = (loginName: string, place: { agentId?: string; siteId?: string }) =>
    makePerson(api, { organiseId: '2', loginName, menus: tenantMenus, ...place })
  readers = [
    await makePerson(api, { organiseId: '1', loginName: 'links_root', menus: '*', topLevel: 0, code: 'ADMIN' }),
    await person('links_org', {}),
    await person('links_site', { agentId: '2', siteId: '1' }),
  ]
})

type Query = Record<string, string>
type TotalOf = (token: string, query: Query) => Promise<string>
const statistic =
  (key: 'revenue' | 'orders' | 'energyDwh'): TotalOf =>
  async (token, query) =>
    String(
      (await api.call(token, orderStatistics.totals, { query: strip(query, orderStatistics.totals) as never })).data[
        key
      ],
    )
/** The console ignores query fields that only control the display of the page. */
const strip = (query: Query, { query: schema }: { query: unknown }): Query => {
  const names = Object.keys((schema as { shape: object }).shape)
  return Object.fromEntries(Object.entries(query).filter(([name]) => names.includes(name)))
}
const devices = async (token: string, query: Query) =>
  (await api.call(token, deviceManage.totals, { query: strip(query, deviceManage.totals) as never })).data

/** The totals of the target page for its query. */
const totals: Partial<Record<FigureName, TotalOf>> = {
  revenue: statistic('revenue'),
  orders: statistic('orders'),
  energy: statistic('energyDwh'),
  members: async (token, query) => {
    const { data } = await api.call(token, analysis.kpis, { query: query as never })
    return data.figures.find(({ key }) => key === 'members')?.value ?? ''
  },
  recharges: async (token, query) =>
    (await api.call(token, rechargeStatistics.totals, { query: query as never })).data.amount,
  online: async (token, query) => String((await devices(token, query)).count),
  faults: async (token, query) => (await devices(token, query)).sums.fault,
  installs: async (token, query) => String((await devices(token, query)).count),
  tickets: async (token, query) =>
    String((await api.call(token, repairTicket.list, { query: { ...query, pageSize: 100 } as never })).data.total),
}
/** Only a sum since the beginning has no page with the same total. */
const withoutPage: readonly FigureName[] = ['income']

async function targetOf(token: string, name: FigureName, query: Query) {
  const { data, status } = await api.call(token, workTable.figure, { params: { name }, query: query as never })
  expect(status, name).toBe(200)
  return { figure: data, target: figureTarget(name, data, query, everyMenu) as FigureTarget | undefined }
}

describe.each([{}, { span: '2' }, { siteId: '1' }, { organiseId: '2', span: '2' }] as Query[])(
  'the figures of %j',
  (query) => {
    it('lead to a page with the same total', async () => {
      const seen = new Set<FigureName>()
      for (const { token } of readers)
        for (const { value: name } of figureName.options) {
          const { figure, target } = await targetOf(token, name, query)
          if (target === undefined) {
            expect(withoutPage, name).toContain(name)
            continue
          }
          const total = await totals[name]?.(token, { ...target.query })
          expect(total, `${name} ${JSON.stringify(target)}`).toBe(figure.value)
          if (Number(figure.value) > 0) seen.add(name)
        }
      for (const name of ['revenue', 'orders', 'energy', 'online'] as const) expect(seen).toContain(name)
    })

    it('are compared within the days of the figure', async () => {
      for (const { token } of readers)
        for (const { value: name } of figureName.options) {
          const { figure, target } = await targetOf(token, name, query)
          const { compared, days } = figure
          if (compared === null) continue
          expect(days?.to, name).toBe(compared.upto.slice(0, 10))
          expect(target?.query, name).toMatchObject({ from: days?.from, to: days?.to })
          expect(Number(compared.now), name).toBeLessThanOrEqual(Number(figure.value))
        }
    })
  },
)

it('a figure is no link for a person who may not open its page', () => {
  const days = { from: '2026-11-01', to: '2026-11-15' }
  expect(figureTarget('orders', { days }, {}, new Set<string>())).toBeUndefined()
})
