import { monthlyPlan } from '@wattdeck/contract/system/monthly-plan.ts'
import pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { makePayer } from '../../../../test/fixtures/charging.ts'
import { makeMonthlyPlan, makePlanOrder } from '../../../../test/fixtures/monthly-passes.ts'
import { startApi, type TestApi } from '../../../../test/harness/api.ts'
import { type Fixture, makeFixture } from '../../../../test/harness/people.ts'

let api: TestApi
let people: Fixture
beforeAll(async () => {
  api = await startApi()
  people = await makeFixture(api)
})

const terms = { name: '月卡', price: '29.90', days: '30', unit: '1', minutes: '240', dayTimes: '1', reach: '1' }
const add = (token: string, more: object = {}) =>
  api.call(token, monthlyPlan.add, { body: { ...terms, ...more } as never })
const rows = async (token: string) => (await api.call(token, monthlyPlan.list)).data.rows
const versions = async (planId: string) =>
  api.sql('select no, price_fen, use_minutes, use_dwh from monthly_plan_version where plan_id = $1 order by no', [
    planId,
  ])

describe('a stranger', () => {
  it('neither sees nor changes a plan of another organisation', async () => {
    const { id } = (await add(people.green.admin.token)).data
    const { token } = people.swift.admin
    expect(await rows(token)).toEqual([])
    expect((await api.call(token, monthlyPlan.edit, { body: { id, ...terms } as never })).status).toBe(404)
    expect((await api.call(token, monthlyPlan.toggle, { body: { id, status: 0 } })).status).toBe(404)
    expect((await api.call(token, monthlyPlan.remove, { body: { id } })).status).toBe(404)
    expect((await api.call(token, monthlyPlan.versions, { params: { id } })).status).toBe(404)
    expect((await add(token, { organiseId: people.green.id })).status).toBe(404)
  })

  it('of an agent makes plans for the own sites only', async () => {
    const { token } = people.green.subAgent
    const { green, swift } = people
    expect((await add(token, { agentId: green.agentId })).status).toBe(404)
    expect((await add(token, { reach: '2', siteIds: swift.siteId })).status).toBe(404)
    const { id } = (await add(token, { reach: '2', siteIds: green.siteId })).data
    expect(await api.sql('select agent_id, site_id from monthly_plan where id = $1', [id])).toEqual([
      { agent_id: green.subAgentId, site_id: null },
    ])
  })
})

describe('a plan', () => {
  it('gets a new version when its terms change, and none when only the remark does', async () => {
    const { token } = people.green.admin
    const { id } = (await add(token)).data
    const edit = async (more: object) =>
      (await api.call(token, monthlyPlan.edit, { body: { id, ...terms, ...more } as never })).status
    expect(await edit({ remark: '暑期' })).toBe(200)
    expect(await versions(id)).toHaveLength(1)
    expect(await edit({ unit: '2', minutes: undefined, kwh: '1.5' })).toBe(200)
    expect(await edit({ price: '39.90' })).toBe(200)
    expect(await versions(id)).toEqual([
      { no: 1, price_fen: '2990', use_minutes: 240, use_dwh: null },
      { no: 2, price_fen: '2990', use_minutes: null, use_dwh: 15_000 },
      { no: 3, price_fen: '3990', use_minutes: 240, use_dwh: null },
    ])
    const shown = (await rows(token)).find((row) => row.id === id)
    expect(shown).toMatchObject({ no: 3, price: '39.90', days: 30, sold: 0, used: false, siteNames: null })
  })

  it('is changed by one of two editors after the other: no version is lost', async () => {
    const { token } = people.green.admin
    const { id } = (await add(token)).data
    const replies = await Promise.all(
      ['31.00', '32.00', '33.00'].map((price) =>
        api.call(token, monthlyPlan.edit, { body: { id, ...terms, price } as never }),
      ),
    )
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await versions(id)).map((version) => version['no'])).toEqual([1, 2, 3, 4])
  })

  it.each([
    [{ minutes: undefined }, /单次最长时长/],
    [{ kwh: '1.0' }, /只能是时长或电量/],
    [{ unit: '2', minutes: undefined }, /单次电量/],
    [{ price: '100000.00' }, /价格不能超过/],
    [{ price: '0.00' }, /./],
    [{ days: '366' }, /./],
    [{ dayTimes: '3', monthTimes: '2' }, /每月次数/],
    [{ reach: '2' }, /适用站点/],
  ])('refuses %j', async (more, message) => {
    const reply = await add(people.green.admin.token, more)
    expect(reply.status).toBe(422)
    expect(reply.message).toMatch(message)
  })

  it('is removed only while no member asked for it', async () => {
    const { token } = people.green.admin
    const [unused, used] = [
      await makeMonthlyPlan(api, { organiseId: people.green.id }),
      await makeMonthlyPlan(api, { organiseId: people.green.id }),
    ]
    await makePlanOrder(api, await makePayer(api, people.green.id, 0n), used)
    expect((await api.call(token, monthlyPlan.remove, { body: { id: unused } })).status).toBe(200)
    expect((await api.call(token, monthlyPlan.remove, { body: { id: used } })).status).toBe(409)
    expect(await api.sql('select id from monthly_plan where id = any($1)', [[unused, used]])).toEqual([{ id: used }])
  })

  it('keeps its versions: neither api nor worker changes one', async () => {
    const planId = await makeMonthlyPlan(api, { organiseId: people.green.id })
    for (const url of [api.config.apiDatabaseUrl, api.config.workerDatabaseUrl]) {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      await client.query("set app.scope_level = '0'")
      await expect(
        client.query('update monthly_plan_version set price_fen = 1 where plan_id = $1', [planId]),
      ).rejects.toThrow(/permission denied/)
      await client.end()
    }
  })
})
