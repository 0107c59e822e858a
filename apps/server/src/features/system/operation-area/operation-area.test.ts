import { operationArea } from '@wattdeck/contract/system/operation-area.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../../../test/harness/api.ts'
import { makeDevice, makeModels } from '../../../../test/fixtures/devices.ts'
import { makeFixture, type Fixture } from '../../../../test/harness/people.ts'

let api: TestApi
let fixture: Fixture
beforeAll(async () => {
  api = await startApi()
  fixture = await makeFixture(api)
})

let serial = 0
const add = (token: string, more: object = {}) =>
  api.call(token, operationArea.add, { body: { name: `片区${++serial}`, ...more } as never })
const areaOf = async (token: string, more: object = {}) => (await add(token, more)).data.id
const list = async (token: string, query: object = {}) =>
  (await api.call(token, operationArea.list, { query: { pageSize: 500, ...query } as never })).data.rows
const found = async (token: string, id: string) => (await list(token)).find((row) => row.id === id)
const assigned = async (token: string, id: string) =>
  (await api.call(token, operationArea.assigned, { params: { id } })).data
const assignSites = (token: string, id: string, siteIds: string[], polygon?: string) =>
  api.call(token, operationArea.assignSites, { body: { id, siteIds, polygon } })
const assignUsers = (token: string, id: string, userIds: string[]) =>
  api.call(token, operationArea.assignUsers, { body: { id, userIds } })
async function makeSite(agentId: string | null, more: { lng?: number; lat?: number; city?: string } = {}) {
  const [site] = await api.sql<{ id: string }>(
    `insert into site (organise_id, agent_id, name, lng, lat, province_code, city_code)
     values ($1, $2, $3, $4, $5, '330000', $6) returning id`,
    [fixture.green.id, agentId, `站${++serial}`, more.lng ?? null, more.lat ?? null, more.city ?? '330100'],
  )
  return site?.id ?? ''
}
const square = '120,30;121,30;121,31;120,31'

describe('a stranger', () => {
  it('neither sees nor changes an area of another organisation', async () => {
    const id = await areaOf(fixture.green.admin.token)
    const { token } = fixture.swift.admin
    expect(await found(token, id)).toBeUndefined()
    const attempts = [
      api.call(token, operationArea.edit, { body: { id, name: '改名' } as never }),
      api.call(token, operationArea.toggle, { body: { id, status: 0 } }),
      api.call(token, operationArea.remove, { body: { id } }),
      assignSites(token, id, [fixture.swift.siteId]),
      assignUsers(token, id, [fixture.swift.clerk.id]),
      api.call(token, operationArea.assigned, { params: { id } }),
      api.call(token, operationArea.points, { params: { id } }),
      api.call(token, operationArea.sites, { params: { id } }),
      api.call(token, operationArea.users, { params: { id } }),
    ]
    for (const { status } of await Promise.all(attempts)) expect(status).toBe(404)
  })

  it('is never assigned: sites and users of another organisation are not found', async () => {
    const { token } = fixture.green.admin
    const id = await areaOf(token)
    expect((await assignSites(token, id, [fixture.green.siteId, fixture.swift.siteId])).status).toBe(404)
    expect((await assignUsers(token, id, [fixture.green.clerk.id, fixture.swift.clerk.id])).status).toBe(404)
    expect(await assigned(token, id)).toEqual({ sites: [], users: [], polygon: [] })
    // Not even by the platform, which sees both.
    expect((await assignSites(fixture.platform.root.token, id, [fixture.swift.siteId])).status).toBe(404)
  })

  it('at an agent does not see the areas of the organisation, and at a site sees none', async () => {
    const id = await areaOf(fixture.green.admin.token)
    expect(await found(fixture.green.agent.token, id)).toBeUndefined()
    expect(await list(fixture.green.site.token)).toEqual([])
    expect((await add(fixture.green.site.token)).status).toBe(403)
    const own = await areaOf(fixture.green.agent.token)
    expect(await found(fixture.green.agent.token, own)).toMatchObject({ agentId: fixture.green.agentId })
    expect(await found(fixture.green.admin.token, own)).toMatchObject({ agentName: '代理商green' })
    expect(await found(fixture.green.subAgent.token, own)).toBeUndefined()
  })
})

describe('an area', () => {
  it('has a unique name in its organisation', async () => {
    const name = '东片区'
    expect((await add(fixture.green.admin.token, { name })).status).toBe(200)
    expect(await add(fixture.green.admin.token, { name })).toMatchObject({ status: 409, message: '区域名称已存在' })
    expect((await add(fixture.swift.admin.token, { name })).status).toBe(200)
  })

  it('is shown with its region and a masked phone, which an edit without one keeps', async () => {
    const { token } = fixture.green.admin
    const region = { provinceCode: '330000', cityCode: '330100' }
    const id = await areaOf(token, { ...region, leader: '李四', phone: '13912345678' })
    expect(await found(token, id)).toMatchObject({ regionName: '浙江省 杭州市', phone: '139****5678', siteCount: 0 })
    const edit = { id, name: '改名片区', leader: '王五' } as never
    expect((await api.call(token, operationArea.edit, { body: edit })).status).toBe(200)
    expect(await found(token, id)).toMatchObject({ name: '改名片区', leader: '王五', phone: '139****5678' })
    expect((await found(token, id))?.provinceCode).toBeNull()
    expect((await add(token, { provinceCode: '330000', cityCode: '110100' })).status).toBe(422)
  })

  it('is filtered by name, region and status', async () => {
    const { token } = fixture.green.admin
    const id = await areaOf(token, { name: '可查找的片区', provinceCode: '330000', cityCode: '330200' })
    const by = async (query: object) => (await list(token, query)).map((row) => row.id)
    expect(await by({ keyword: '可查找' })).toEqual([id])
    expect(await by({ keyword: '%' })).toEqual([])
    expect(await by({ provinceCode: '330000', cityCode: '330200' })).toEqual([id])
    expect(await by({ keyword: '可查找', status: 0 })).toEqual([])
    await api.call(token, operationArea.toggle, { body: { id, status: 0 } })
    expect(await by({ keyword: '可查找', status: 0 })).toEqual([id])
  })

  it('counts the devices of its sites, as far as the reader sees them', async () => {
    const { token } = fixture.green.admin
    const { mqtt: typeId } = await makeModels(api)
    const { id: organiseId, agentId } = fixture.green
    const [ofAgent, ofOffice, empty] = [await makeSite(agentId), await makeSite(null), await makeSite(null)]
    for (const siteId of [ofAgent, ofAgent, ofOffice])
      await makeDevice(api, { organiseId, agentId: siteId === ofAgent ? agentId : null, siteId, typeId })
    const [all, one, none] = [await areaOf(token), await areaOf(token), await areaOf(token)]
    await assignSites(token, all, [ofAgent, ofOffice, empty])
    await assignSites(token, one, [ofOffice])
    const counted = async () => Promise.all([all, one, none].map(async (id) => (await found(token, id))?.deviceCount))
    expect(await counted()).toEqual([3, 1, 0])
    await api.sql('update device set deleted_at = now() where site_id = $1', [ofOffice])
    expect(await counted()).toEqual([2, 0, 0])
  })

  it('leaves its sites and users unchanged when it is removed', async () => {
    const { token } = fixture.green.admin
    const id = await areaOf(token)
    await assignSites(token, id, [fixture.green.siteId])
    await assignUsers(token, id, [fixture.green.clerk.id])
    expect((await api.call(token, operationArea.remove, { body: { id } })).status).toBe(200)
    expect(await found(token, id)).toBeUndefined()
    expect(await api.sql('select 1 from operation_area_site where area_id = $1', [id])).toEqual([])
    expect(
      await api.sql('select 1 from site where id = $1 and deleted_at is null', [fixture.green.siteId]),
    ).toHaveLength(1)
  })
})

describe('an assignment', () => {
  it('replaces the previous one, and counts existing sites and users', async () => {
    const { token } = fixture.green.admin
    const id = await areaOf(token)
    const [one, two] = [await makeSite(null), await makeSite(fixture.green.agentId)]
    expect((await assignSites(token, id, [one, two, fixture.green.siteId], square)).status).toBe(200)
    expect((await assignUsers(token, id, [fixture.green.clerk.id, fixture.green.agent.id])).status).toBe(200)
    expect(await found(token, id)).toMatchObject({ siteCount: 3, userCount: 2 })
    const { sites, users, polygon } = await assigned(token, id)
    expect(sites.map((row) => row.id)).toEqual(
      [fixture.green.siteId, one, two].toSorted((a, b) => Number(a) - Number(b)),
    )
    expect(users.map((row) => row.id).toSorted()).toEqual([fixture.green.clerk.id, fixture.green.agent.id].toSorted())
    expect(polygon).toHaveLength(4)
    expect(polygon[1]).toEqual({ lng: 121, lat: 30 })

    await api.sql('update site set deleted_at = now() where id = $1', [two])
    expect(await found(token, id)).toMatchObject({ siteCount: 2 })
    expect((await assignSites(token, id, [one])).status).toBe(200)
    expect(await found(token, id)).toMatchObject({ siteCount: 1, userCount: 2 })
    expect((await assigned(token, id)).polygon).toEqual([])
    expect((await assignSites(token, id, [])).status).toBe(200)
    expect(await found(token, id)).toMatchObject({ siteCount: 0 })
  })

  it('for an area of an agent is limited to that agent and those below it', async () => {
    const { admin, agent, agentId, siteId } = fixture.green
    const id = await areaOf(admin.token, { agentId })
    const outside = await makeSite(null)
    expect((await assignSites(admin.token, id, [outside])).status).toBe(404)
    expect((await assignUsers(admin.token, id, [fixture.green.clerk.id])).status).toBe(404)
    expect((await assignSites(agent.token, id, [siteId])).status).toBe(200)
    expect((await assignUsers(agent.token, id, [fixture.green.subAgent.id])).status).toBe(200)
    const offered = await api.call(admin.token, operationArea.sites, { params: { id }, query: { pageSize: 500 } })
    expect(offered.data.rows.map((row) => row.id)).toContain(siteId)
    expect(offered.data.rows.map((row) => row.id)).not.toContain(outside)
  })

  it('keeps what the caller cannot see', async () => {
    const { admin, agent, agentId } = fixture.green
    const id = await areaOf(admin.token, { agentId })
    const [seen, moved] = [await makeSite(agentId), await makeSite(agentId)]
    await assignSites(admin.token, id, [seen, moved])
    await api.sql('update site set agent_id = null where id = $1', [moved])
    expect((await assigned(agent.token, id)).sites.map((row) => row.id)).toEqual([seen])
    expect((await assignSites(agent.token, id, [])).status).toBe(200)
    expect((await assigned(admin.token, id)).sites.map((row) => row.id)).toEqual([moved])
  })

  it('offers sites by name or code and users by name, page by page', async () => {
    const { token } = fixture.green.admin
    const id = await areaOf(token)
    const site = await makeSite(null, { lng: 120.5, lat: 30.5 })
    const [siteRow] = await api.sql<{ code: string; name: string }>('select code, name from site where id = $1', [site])
    const { code, name } = siteRow ?? { code: '', name: '' }
    const sites = async (query: object) =>
      (await api.call(token, operationArea.sites, { params: { id }, query: query as never })).data
    for (const keyword of [code, name]) expect((await sites({ keyword })).rows.map((row) => row.id)).toEqual([site])
    expect((await sites({ keyword: code })).rows[0]).toMatchObject({ located: true, regionName: '浙江省 杭州市' })
    expect((await sites({ pageSize: 1 })).cursor).not.toBeNull()
    const { data } = await api.call(token, operationArea.users, { params: { id }, query: { keyword: 'green_cl' } })
    expect(data.rows.map((row) => row.loginName)).toEqual(['green_clerk'])
  })

  it('shows on the map the located sites in the region of the area', async () => {
    const { token } = fixture.green.admin
    const id = await areaOf(token, { provinceCode: '330000', cityCode: '330300' })
    const here = await makeSite(null, { lng: 120.6, lat: 28, city: '330300' })
    await makeSite(null, { city: '330300' })
    await makeSite(null, { lng: 120.1, lat: 30.2 })
    const { data } = await api.call(token, operationArea.points, { params: { id } })
    expect(data.rows).toMatchObject([{ id: here, lng: 120.6, lat: 28 }])
    expect(data.more).toBe(false)
  })

  it('refuses an invalid polygon', async () => {
    const { token } = fixture.green.admin
    const id = await areaOf(token)
    const corners = (count: number) => Array.from({ length: count }, (_, place) => `120.${100 + place},30`).join(';')
    for (const polygon of ['120,30;121,30', corners(101), '10,10;11,10;11,11', '120,30;121,30;x,y', '[]'])
      expect((await assignSites(token, id, [], polygon)).status, polygon.slice(0, 30)).toBe(422)
    expect((await assignSites(token, id, [], corners(100))).status).toBe(200)
  })
})
