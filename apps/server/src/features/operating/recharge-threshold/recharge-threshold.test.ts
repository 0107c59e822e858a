import { openRecharge } from '@wattdeck/contract/open/open-recharge.ts'
import { rechargeThreshold } from '@wattdeck/contract/operating/recharge-threshold.ts'
import type { OpenClient, OpenRefusal } from '@wattdeck/open-client/open-client.ts'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../../../test/harness/api.ts'
import { type Fixture, makeFixture } from '../../../../test/harness/people.ts'
import { makeOpenApp } from '../../../../test/fixtures/charging.ts'
import { makeMember } from '../../../../test/fixtures/members.ts'
import { addPlan } from '../../../../test/fixtures/recharge-plan.ts'

let api: TestApi
let second: TestApi
let people: Fixture
let client: OpenClient
beforeAll(async () => {
  api = await startApi()
  second = await startApi({ apiDatabaseUrl: api.config.apiDatabaseUrl })
  people = await makeFixture(api)
  client = await makeOpenApp(api, people.green.id)
  const [merchant] = await api.sql<{ id: string }>(
    `insert into pay_merchant (organise_id, provider, mode, name, app_id, merchant_no, fee_e5, is_default, status, tested_at, authorised_by, authorised_at, created_by)
     values ($1, 1, 1, '商户', 'wx01', '1600000001', 600, true, 1, now(), '测试', now(), '测试') returning id`,
    [people.green.id],
  )
  await api.sql(
    `insert into pay_key (organise_id, merchant_id, serial, secret_sealed, provider_key_id, provider_key, created_by, approved_by, approved_at, live_at)
     values ($1, $2, 'S1', $3, 'PUB_KEY_ID_1', repeat('k', 200), '测试', '测试', now(), now())`,
    [people.green.id, merchant?.id, api.deps.vault.seal('{}')],
  )
})
beforeEach(() => api.sql(`update recharge_plan set status = 0`))

const shanghaiDay = (offset: number) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' }).format(Date.now() + offset * 86_400_000)
const terms = {
  min: '10.00',
  allowsCustom: true,
  tiers: [
    { pay: '100.00', gift: '10.00' },
    { pay: '50', gift: '0' },
  ],
  giftValidDays: 30,
  startsOn: shanghaiDay(0),
}
type Choice = { organiseId?: string; agentId?: string; siteId?: string }
const add = (token: string, more: object = {}, at = api) =>
  at.call(token, rechargeThreshold.add, { body: { ...terms, ...more } as never })
async function rows(token: string, query: Choice & { status?: number } = {}) {
  const reply = await api.call(token, rechargeThreshold.list, { query: query as never })
  expect(reply).toMatchObject({ status: 200 })
  return reply.data.rows
}
const member = async (place: { agentId?: string; siteId?: string } = {}) =>
  (await makeMember(api, { organiseId: people.green.id, ...place })).id
const offered = async (memberId: string) => client.call(openRecharge.tiers, { query: { memberId } as never })
const refused = (call: Promise<unknown>) =>
  call.then(
    () => 'accepted',
    (error: OpenRefusal) => `${error.status} ${error.message}`,
  )
const request = (memberId: string, wish: object) =>
  client.call(openRecharge.add, { body: { memberId, provider: '1', way: '1', ...wish } as never })
const stored = async (rechargeNo: string) =>
  (
    await api.sql('select amount_fen, gift_fen, gift_valid_days, plan_id from recharge_order where id = $1', [
      rechargeNo,
    ])
  )[0]

describe('a stranger', () => {
  it('neither sees nor changes a plan of another organisation', async () => {
    const { id } = (await add(people.green.admin.token)).data
    const { token } = people.swift.admin
    expect(await rows(token)).toEqual([])
    const edit = { id, ...terms } as never
    expect((await api.call(token, rechargeThreshold.edit, { body: edit })).status).toBe(404)
    expect((await api.call(token, rechargeThreshold.toggle, { body: { id, status: 0 } })).status).toBe(404)
    expect((await api.call(token, rechargeThreshold.remove, { body: { id } })).status).toBe(404)
    expect((await add(token, { organiseId: people.green.id })).status).toBe(404)
  })

  it('of an agent sets no plan for a foreign site or for the organisation', async () => {
    const { token } = people.green.subAgent
    const { green, swift } = people
    expect((await add(token, { siteId: swift.siteId })).status).toBe(404)
    expect((await add(token, { agentId: green.agentId })).status).toBe(404)
    // Without a choice the plan is the agent's own, never the organisation's.
    const { id } = (await add(token)).data
    expect(await api.sql('select agent_id, site_id from recharge_plan where id = $1', [id])).toEqual([
      { agent_id: green.subAgentId, site_id: null },
    ])
    const whole = (await add(green.admin.token)).data.id
    expect((await api.call(token, rechargeThreshold.edit, { body: { id: whole, ...terms } as never })).status).toBe(404)
    expect((await rows(token)).map((row) => row.id)).not.toContain(whole)
  })
})

describe('a plan', () => {
  it('is listed with its place, tiers and days, and found by owner and status', async () => {
    const { token } = people.green.admin
    const { siteId } = people.green
    const { id } = (await add(token, { siteId, endsOn: shanghaiDay(9) })).data
    const row = (await rows(token, { siteId })).find((one) => one.id === id)
    expect(row).toMatchObject({
      place: '站点green',
      level: 3,
      status: 1,
      phase: 2,
      min: '10.00',
      allowsCustom: true,
      tiers: [
        { pay: '50.00', gift: '0.00' },
        { pay: '100.00', gift: '10.00' },
      ],
      giftValidDays: 30,
      startsOn: shanghaiDay(0),
      endsOn: shanghaiDay(9),
      updatedBy: '姓名green_admin',
      used: false,
    })
    expect(await rows(token, { siteId, status: 0 })).not.toContainEqual(expect.objectContaining({ id }))
  })

  it('has between one and twenty tiers of different amounts, with gifts of at most the paid amount', async () => {
    const { token } = people.green.admin
    const tier = (pay: string, gift: string) => ({ pay, gift })
    const many = Array.from({ length: 21 }, (_, at) => tier(`${at + 10}`, '0'))
    const cases: [object, string][] = [
      [{ tiers: [] }, '至少添加一个档位'],
      [{ tiers: many }, '不能超过20个'],
      [{ tiers: [tier('100', '1'), tier('100.00', '2')] }, '档位重复'],
      [{ tiers: [tier('100', '100.01')] }, '赠送金额不能超过充值金额'],
      [{ tiers: [tier('9.99', '0')] }, '不能低于最低充值10.00元'],
      [{ tiers: [tier('-100', '0')] }, '充值金额'],
      [{ tiers: [tier('1e3', '0')] }, '充值金额'],
      [{ min: '0' }, '最低充值'],
      [{ giftValidDays: 0 }, '赠送有效期'],
      [{ endsOn: shanghaiDay(-1) }, '截止日期不能早于生效日期'],
    ]
    for (const [wrong, text] of cases) {
      const reply = await add(token, wrong)
      expect(reply.status, text).toBe(422)
      expect(JSON.stringify(reply)).toContain(text)
    }
    expect((await add(token, { tiers: [tier('100', '100')] })).status).toBe(200)
  })

  it('is the only enabled one of its place on each day, also when two apis add one at the same moment', async () => {
    const { token } = people.green.admin
    const both = await Promise.all([add(token), add(token, {}, second), add(token), add(token, {}, second)])
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409, 409, 409])
    expect(both.find(({ status }) => status === 409)?.message).toContain('已有启用的充值门槛')
    // Another place, and another time, are free.
    expect((await add(token, { siteId: people.green.siteId })).status).toBe(200)
    const [{ id } = { id: '' }] = await rows(token, { status: 1 })
    await api.call(token, rechargeThreshold.toggle, { body: { id, status: 0 } })
    expect((await add(token, { siteId: people.green.siteId })).status).toBe(200)
    expect(await api.call(token, rechargeThreshold.toggle, { body: { id, status: 1 } })).toMatchObject({ status: 409 })
  })

  it('may follow another one from the day after its last day', async () => {
    const { token } = people.green.admin
    expect((await add(token, { endsOn: shanghaiDay(4) })).status).toBe(200)
    expect((await add(token, { startsOn: shanghaiDay(4) })).status).toBe(409)
    expect((await add(token, { startsOn: shanghaiDay(5) })).status).toBe(200)
  })

  it('is removed only while no recharge used it', async () => {
    const { token } = people.green.admin
    const { id } = (await add(token)).data
    await request(await member(), { amount: '100' })
    expect(await api.call(token, rechargeThreshold.remove, { body: { id } })).toMatchObject({ status: 409 })
    expect((await rows(token)).find((row) => row.id === id)?.used).toBe(true)
    await api.call(token, rechargeThreshold.toggle, { body: { id, status: 0 } })
    const unused = (await add(token)).data.id
    expect((await api.call(token, rechargeThreshold.remove, { body: { id: unused } })).status).toBe(200)
    expect(await api.sql('select from recharge_tier where plan_id = $1', [unused])).toEqual([])
  })

  it('follows its site to another agent, so that the former agent loses it', async () => {
    const { green } = people
    const [site] = await api.sql<{ id: string }>(
      `insert into site (organise_id, agent_id, name) values ($1, $2, '迁移站点') returning id`,
      [green.id, green.subAgentId],
    )
    const { id } = (await add(green.subAgent.token, { siteId: site?.id })).data
    await api.sql('update site set agent_id = $2 where id = $1', [site?.id, green.agentId])
    expect((await rows(green.subAgent.token)).map((row) => row.id)).not.toContain(id)
    expect((await rows(green.agent.token)).map((row) => row.id)).toContain(id)
  })
})

describe('the offer to a member', () => {
  it('is the plan of the site, else of the nearest agent, else of the organisation', async () => {
    const { id: organiseId, agentId, subAgentId, siteId } = people.green
    const memberId = await member({ agentId: subAgentId, siteId })
    expect(await offered(memberId)).toEqual({ rows: [], min: null, allowsCustom: true, giftValidDays: null })
    const pays = async () => (await offered(memberId)).rows.map(({ pay }) => pay)
    await addPlan(api, { organiseId }, { tiers: [[10, 1]] })
    expect(await pays()).toEqual(['10.00'])
    await addPlan(api, { organiseId, agentId }, { tiers: [[20, 1]] })
    expect(await pays()).toEqual(['20.00'])
    await addPlan(api, { organiseId, agentId: subAgentId }, { tiers: [[30, 1]] })
    expect(await pays()).toEqual(['30.00'])
    await addPlan(api, { organiseId, agentId: subAgentId, siteId }, { tiers: [[40, 1]], giftValidDays: 7 })
    expect(await offered(memberId)).toMatchObject({ rows: [{ pay: '40.00' }], giftValidDays: 7 })
    // A member of another place, and a caller who names no member.
    expect((await offered(await member({ agentId }))).rows).toMatchObject([{ pay: '20.00' }])
    expect((await client.call(openRecharge.tiers)).rows).toMatchObject([{ pay: '10.00' }])
    const foreign = (await makeMember(api, { organiseId: people.swift.id })).id
    expect(await refused(offered(foreign))).toContain('404')
  })

  it('begins on the first day and ends after the last day of the plan in Shanghai', async () => {
    const { id: organiseId } = people.green
    const memberId = await member()
    const within = async (startsIn: number, endsIn: number | null) => {
      await api.sql('update recharge_plan set status = 0')
      await addPlan(api, { organiseId }, { tiers: [[10, 1]], startsIn, endsIn })
      return (await offered(memberId)).rows.length === 1
    }
    expect(await within(0, null)).toBe(true)
    expect(await within(0, 0)).toBe(true)
    expect(await within(-5, 0)).toBe(true)
    expect(await within(-5, -1)).toBe(false)
    expect(await within(1, null)).toBe(false)
  })
})

describe('a recharge under a plan', () => {
  it('takes the gift of its tier once, whatever the member cuts it into', async () => {
    await addPlan(api, { organiseId: people.green.id }, { tiers: [[100, 10]], minFen: 1000, giftValidDays: 30 })
    const memberId = await member()
    const gifts: unknown[] = []
    for (const amount of ['100', '50', '50', '99.99', '100.01', '200']) {
      const { rechargeNo } = await request(memberId, { amount })
      gifts.push((await stored(rechargeNo))?.['gift_fen'])
    }
    expect(gifts).toEqual(['1000', '0', '0', '0', '0', '0'])
  })

  it('refuses a gift amount of the client', async () => {
    const { tierIds } = await addPlan(api, { organiseId: people.green.id }, { tiers: [[100, 10]] })
    const memberId = await member()
    for (const own of [{ gift: '99' }, { giftFen: '9900' }, { giftValidDays: '3650' }])
      expect(await refused(request(memberId, { tierId: tierIds[0], ...own }))).toContain('422')
    const { rechargeNo } = await request(memberId, { tierId: tierIds[0] })
    expect(await stored(rechargeNo)).toMatchObject({ amount_fen: '10000', gift_fen: '1000' })
  })

  it('keeps what was offered when the plan changes afterwards, and refuses a tier that is gone', async () => {
    const { token } = people.green.admin
    const { id } = (await add(token)).data
    const memberId = await member()
    const tier = (await offered(memberId)).rows.find(({ pay }) => pay === '100.00')
    const { rechargeNo } = await request(memberId, { tierId: tier?.tierId })
    const changed = { id, ...terms, tiers: [{ pay: '100', gift: '1' }], giftValidDays: 1 }
    expect((await api.call(token, rechargeThreshold.edit, { body: changed as never })).status).toBe(200)
    expect(await stored(rechargeNo)).toEqual({
      amount_fen: '10000',
      gift_fen: '1000',
      gift_valid_days: 30,
      plan_id: id,
    })
    expect(await refused(request(memberId, { tierId: tier?.tierId }))).toContain('404')
    await expect(
      api.sql('update recharge_order set gift_valid_days = 3650 where id = $1', [rechargeNo]),
    ).rejects.toThrow('never changed')
  })

  it('of a custom amount needs the permission and the minimum of the plan', async () => {
    const { id: organiseId } = people.green
    const memberId = await member()
    const { planId } = await addPlan(api, { organiseId }, { tiers: [[100, 10]], minFen: 2000 })
    expect(await refused(request(memberId, { amount: '19.99' }))).toBe('422 充值金额不能低于20.00元')
    expect(await refused(request(memberId, { amount: '20' }))).toBe('accepted')
    await api.sql('update recharge_plan set allows_custom = false where id = $1', [planId])
    expect(await refused(request(memberId, { amount: '20' }))).toContain('不支持自定义金额')
    expect(await refused(request(memberId, { amount: '100' }))).toBe('accepted')
  })

  it('refuses a tier of a plan that does not apply to the member', async () => {
    const { id: organiseId, subAgentId, siteId } = people.green
    const generous = await addPlan(api, { organiseId, agentId: subAgentId, siteId }, { tiers: [[100, 100]] })
    await addPlan(api, { organiseId }, { tiers: [[100, 10]] })
    expect(await refused(request(await member(), { tierId: generous.tierIds[0] }))).toContain('404')
  })
})
