import { ownership } from '@wattdeck/contract/system/ownership.ts'
import { describe, expect, it } from 'vitest'
import { startApi } from '../../../../test/harness/api.ts'
import { type Actor, makeFixture } from '../../../../test/harness/people.ts'

const api = await startApi()
const fixture = await makeFixture(api)

type Query = { organiseId?: string; keyword?: string; ids?: string[] }
const organises = async (who: Actor, query: Query = {}) =>
  (await api.call(who.token, ownership.organises, { query })).data.rows
const agents = async (who: Actor, query: Query & { parentAgentId?: string } = {}) =>
  (await api.call(who.token, ownership.agents, { query })).data.rows
const sites = async (who: Actor, query: Query & { agentId?: string } = {}) =>
  (await api.call(who.token, ownership.sites, { query })).data.rows
const names = (rows: { name: string }[]) => rows.map(({ name }) => name)

describe('a stranger', () => {
  it('is offered nothing of another organisation, whatever the query', async () => {
    const { id, agentId, subAgentId, siteId } = fixture.swift
    for (const who of [fixture.green.admin, fixture.green.agent, fixture.green.site, fixture.green.withoutRights]) {
      expect(names(await organises(who))).toEqual(['机构green'])
      expect(await organises(who, { ids: [id] })).toEqual([])
      expect(await organises(who, { keyword: 'swift' })).toEqual([])
      expect(await agents(who, { organiseId: id })).toEqual([])
      expect(await agents(who, { ids: [agentId, subAgentId] })).toEqual([])
      expect(await agents(who, { parentAgentId: agentId })).toEqual([])
      expect(await sites(who, { organiseId: id })).toEqual([])
      expect(await sites(who, { ids: [siteId] })).toEqual([])
      expect(await sites(who, { agentId: subAgentId })).toEqual([])
    }
  })
})

describe('the choices', () => {
  it('for the platform are everything, with agents and sites of one organisation at a time', async () => {
    const { root } = fixture.platform
    expect(names(await organises(root))).toEqual(expect.arrayContaining(['机构green', '机构swift']))
    const { id, agentId, subAgentId, siteId } = fixture.swift
    expect(await agents(root, { organiseId: id })).toEqual([
      { id: agentId, name: '代理商swift', organiseId: id, parentAgentId: null, fullName: '代理商swift' },
      {
        id: subAgentId,
        name: '下级swift',
        organiseId: id,
        parentAgentId: agentId,
        fullName: '代理商swift / 下级swift',
      },
    ])
    expect(await sites(root, { organiseId: id })).toEqual([
      { id: siteId, name: '站点swift', organiseId: id, agentId: subAgentId },
    ])
    for (const route of [ownership.agents, ownership.sites])
      expect(await api.call(root.token, route, { query: { keyword: '站' } })).toMatchObject({
        status: 422,
        message: '请先选择机构',
      })
  })

  it('for an organisation are itself, its agents and its sites', async () => {
    const { admin } = fixture.green
    expect(names(await agents(admin))).toEqual(['代理商green', '下级green'])
    expect(names(await sites(admin))).toEqual(['站点green'])
  })

  it('for an agent are itself and those below, with a full name that ends at the visible part of the tree', async () => {
    const { agent, subAgent, agentId } = fixture.green
    expect((await agents(agent)).map((row) => row.fullName)).toEqual(['代理商green', '代理商green / 下级green'])
    expect(await agents(subAgent)).toMatchObject([{ parentAgentId: agentId, fullName: '下级green' }])
    expect(names(await sites(agent))).toEqual(['站点green'])
    expect(names(await sites(subAgent))).toEqual(['站点green'])
  })

  it('for a user of a site are that site only', async () => {
    const { site, id, subAgentId } = fixture.green
    await api.sql("insert into site (organise_id, agent_id, name) values ($1, $2, '另一站green')", [id, subAgentId])
    expect(await agents(site)).toEqual([])
    expect(names(await sites(site))).toEqual(['站点green'])
    expect(names(await sites(fixture.green.admin))).toEqual(['站点green', '另一站green'])
  })
})

describe('a search', () => {
  it('finds a part of the name in any case, and takes wildcards literally', async () => {
    const { root } = fixture.platform
    expect(names(await organises(root, { keyword: 'GREEN' }))).toEqual(['机构green'])
    expect(await organises(root, { keyword: '%' })).toEqual([])
    expect(names(await agents(fixture.green.admin, { keyword: '下级' }))).toEqual(['下级green'])
    expect(names(await sites(fixture.green.admin, { keyword: '点g' }))).toEqual(['站点green'])
  })

  it('of sites below an agent includes the agents below it; of agents, only the next level', async () => {
    const { admin, agentId, subAgentId } = fixture.green
    const [first] = await api.sql<{ id: string }>(
      "insert into agent (organise_id, name) values ($1, '别家green') returning id",
      [fixture.green.id],
    )
    expect(names(await sites(admin, { agentId }))).toContain('站点green')
    expect(await sites(admin, { agentId: first?.id ?? '' })).toEqual([])
    expect(names(await agents(admin, { parentAgentId: agentId }))).toEqual(['下级green'])
    expect(await agents(admin, { parentAgentId: subAgentId })).toEqual([])
  })

  it('returns fifty rows and reports that there are more; each can be fetched by its id', async () => {
    await api.sql("insert into organise (name) select '连锁' || n from generate_series(1, 120) n")
    const { root } = fixture.platform
    const { data } = await api.call(root.token, ownership.organises, { query: { keyword: '连锁' } })
    expect(data.rows).toHaveLength(50)
    expect(data.more).toBe(true)
    const narrow = await api.call(root.token, ownership.organises, { query: { keyword: '连锁120' } })
    expect(narrow.data).toMatchObject({ more: false, rows: [{ name: '连锁120' }] })
    const { rows } = narrow.data
    expect(names(await organises(root, { ids: rows.map(({ id }) => id) }))).toEqual(['连锁120'])
  })

  it('by ids needs no organisation', async () => {
    const { root } = fixture.platform
    expect(names(await sites(root, { ids: [fixture.green.siteId, fixture.swift.siteId] }))).toEqual([
      '站点green',
      '站点swift',
    ])
    expect(names(await agents(root, { ids: [fixture.swift.subAgentId] }))).toEqual(['下级swift'])
  })
})
