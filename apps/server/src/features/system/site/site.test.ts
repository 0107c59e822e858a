import { site } from '@wattdeck/contract/system/site.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../../../test/harness/api.ts'
import { makeDevice, makeModels } from '../../../../test/fixtures/devices.ts'
import { type Actor, makePerson, makeFixture, type Fixture } from '../../../../test/harness/people.ts'
import { inScope, commit } from '../../../kit/db/db.ts'
import { scopeOf } from '../../../kit/db/scope.ts'
import { listSites } from './site.store.ts'

let api: TestApi
let fixture: Fixture
let editor: Actor
const menus = ['1', '1.4', '1.4.4']
beforeAll(async () => {
  api = await startApi()
  fixture = await makeFixture(api)
  editor = await makePerson(api, { organiseId: fixture.green.id, loginName: 'green_sites', menus })
})

const hangzhou = { provinceCode: '330000', cityCode: '330100', districtCode: '330106' }
let serial = 0
const add = (values: object = {}, token = editor.token) =>
  api.call(token, site.add, { body: { name: `翠湖花园${++serial}期`, type: 1, ...values } as never })
const list = (query: object = {}, token = editor.token) => api.call(token, site.list, { query: query as never })

describe('a stranger', () => {
  it('neither sees nor changes a site of another organisation', async () => {
    const { data } = await add({ name: '本机构站点' })
    const other = await makePerson(api, { organiseId: fixture.swift.id, loginName: 'swift_sites', menus })
    expect((await list({}, other.token)).data.rows.map((row) => row.organiseId)).not.toContain(fixture.green.id)
    for (const call of [
      () => api.call(other.token, site.edit, { body: { id: data.id, name: '换名', type: 1 } as never }),
      () => api.call(other.token, site.toggle, { body: { ids: [data.id], status: 0 } }),
      () => api.call(other.token, site.remove, { body: { ids: [data.id] } }),
      () => api.call(other.token, site.batchToggle, { body: { ids: [data.id], status: 0 } }),
    ])
      expect((await call()).status).toBe(404)
  })

  it('at an agent of the same organisation sees only the sites of that agent and below', async () => {
    await add({ name: '总部直营站' })
    const agent = await makePerson(api, {
      organiseId: fixture.green.id,
      agentId: fixture.green.agentId,
      userType: 2,
      loginName: 'green_agent_sites',
      menus,
    })
    const created = await add({ name: '代理站点' }, agent.token)
    expect(created.status).toBe(200)
    const seen = (await list({ pageSize: 500 }, agent.token)).data.rows
    expect(seen.map((row) => row.name)).toContain('代理站点')
    expect(seen.every((row) => row.agentId !== null)).toBe(true)
    expect(seen.map((row) => row.name)).not.toContain('总部直营站')
    const toggled = await api.call(agent.token, site.toggle, { body: { ids: [created.data.id], status: 0 } })
    expect(toggled.status).toBe(200)
  })
})

describe('a site', () => {
  it('is stored with its region, its coordinates and a code of its own', async () => {
    const { data } = await add({ ...hangzhou, lng: 120.13, lat: 30.26, phone: '13812345678', code: 'XH-01' })
    const [row] = (await list({ keyword: 'XH-01' })).data.rows
    expect(row).toMatchObject({
      id: data.id,
      code: 'XH-01',
      regionName: '浙江省 杭州市 西湖区',
      lng: 120.13,
      phone: '138****5678',
    })
  })

  it.each([
    ['a district of another city', { provinceCode: '330000', cityCode: '330200', districtCode: '330106' }],
    ['a longitude without a latitude', { lng: 120.1 }],
    ['a place outside China', { lng: 12, lat: 41 }],
    ['opening hours that are none', { openHours: '8-20' }],
    ['a name with a line break', { name: 'a\nb' }],
  ])('is refused with %s', async (_, values) => {
    expect((await add(values)).status).toBe(422)
  })

  it('has a unique code in the organisation', async () => {
    await add({ code: 'ONCE-1' })
    expect((await add({ code: 'ONCE-1' })).status).toBe(409)
  })

  it('keeps its phone when an edit omits it', async () => {
    const { data } = await add({ phone: '13900001111' })
    await api.call(editor.token, site.edit, { body: { id: data.id, name: '改名之后', type: 2 } as never })
    const rows = await api.sql<{ phone: string; name: string; type: number }>(
      'select phone, name, type from site where id = $1',
      [data.id],
    )
    expect(rows).toEqual([{ phone: '13900001111', name: '改名之后', type: 2 }])
  })

  it('takes its users along to another agent', async () => {
    const { data } = await add({ agentId: fixture.green.agentId })
    const keeper = await makePerson(api, {
      organiseId: fixture.green.id,
      agentId: fixture.green.agentId,
      siteId: data.id,
      userType: 3,
      loginName: 'keeper_moved',
    })
    const body = { id: data.id, name: '换代理的站点', type: 1, agentId: fixture.green.subAgentId } as never
    expect((await api.call(editor.token, site.edit, { body })).status).toBe(200)
    expect(await api.sql('select agent_id from user_account where id = $1', [keeper.id])).toEqual([
      { agent_id: fixture.green.subAgentId },
    ])
  })

  it('with users is not removed; without them it is, and its code is available again', async () => {
    const { data } = await add({ code: 'GONE-1' })
    await makePerson(api, { organiseId: fixture.green.id, siteId: data.id, userType: 3, loginName: 'keeper_1' })
    expect((await api.call(editor.token, site.remove, { body: { ids: [data.id] } })).status).toBe(409)
    await api.sql('update user_account set deleted_at = now() where site_id = $1', [data.id])
    expect((await api.call(editor.token, site.remove, { body: { ids: [data.id] } })).status).toBe(200)
    expect((await list({ keyword: 'GONE-1' })).data.rows).toEqual([])
    expect((await add({ code: 'GONE-1' })).status).toBe(200)
  })
})

describe('ports of a site', () => {
  it('are counted by status, for its own existing devices', async () => {
    const { mqtt: typeId } = await makeModels(api)
    const { id: organiseId } = fixture.green
    const [busy, idle] = [(await add()).data.id, (await add()).data.id]
    const devices = []
    for (const siteId of [busy, busy, idle]) devices.push(await makeDevice(api, { organiseId, siteId, typeId }))
    const [first, second] = devices
    const stand = 'update device set free_ports = 6, working_ports = 3, fault_ports = 1 where id = $1'
    await api.sql(stand, [first])
    const portsOf = async (id: string, token = editor.token) =>
      (await list({ pageSize: 500 }, token)).data.rows.find((row) => row.id === id)?.ports
    expect(await portsOf(busy)).toEqual({ free: 16, working: 3, fault: 1 })
    expect(await portsOf(idle)).toEqual({ free: 10, working: 0, fault: 0 })
    await api.sql('update device set site_id = $2 where id = $1', [first, idle])
    await api.sql('update device set deleted_at = now() where id = $1', [second])
    expect(await portsOf(busy)).toEqual({ free: 0, working: 0, fault: 0 })
    expect(await portsOf(idle)).toEqual({ free: 16, working: 3, fault: 1 })
    const keeper = await makePerson(api, { organiseId, siteId: idle, userType: 3, loginName: 'keeper_ports', menus })
    expect(await portsOf(idle, keeper.token)).toEqual({ free: 16, working: 3, fault: 1 })
  })
})

describe('the list', () => {
  it('is found by any part of a name, by the beginning of a code, and by every filter', async () => {
    const { data } = await add({ name: '锦绣华庭东区', code: 'JX-77', type: 3, ...hangzhou, parkingSpaces: 20 })
    for (const query of [
      { keyword: '华庭' },
      { keyword: '锦绣华庭东区' },
      { keyword: '庭' },
      { keyword: 'jx-7' },
      { type: 3 },
      { districtCode: '330106', type: 3 },
      { cityCode: '330100', status: 1 },
      { provinceCode: '330000', keyword: '绣华' },
    ])
      expect(
        (await list({ ...query, pageSize: 500 })).data.rows.map((row) => row.id),
        JSON.stringify(query),
      ).toContain(data.id)
    expect((await list({ keyword: '华锦' })).data.rows).toEqual([])
    expect((await list({ keyword: 'X-77' })).data.rows).toEqual([])
    expect((await list({ keyword: '%庭' })).data.rows).toEqual([])
  })

  it('is found by its current name wherever it moves, and not after its removal', async () => {
    const long = '一二三四五六七八九十甲乙丙丁'
    const { data } = await add({ name: long, code: 'TAIL-1' })
    const found = async (keyword: string) => (await list({ keyword })).data.rows.map((row) => row.id)
    // Longer than a stored tail; the name itself is compared as well.
    expect([await found(long), await found(`${long}戊`)]).toEqual([[data.id], []])
    await api.call(editor.token, site.edit, { body: { id: data.id, name: '晚霞新苑', type: 1 } as never })
    expect([await found('五六七八'), await found('霞新')]).toEqual([[], [data.id]])
    await api.call(editor.token, site.remove, { body: { ids: [data.id] } })
    expect(await found('霞新')).toEqual([])
    expect(await api.sql('select tail from site_name_tail where site_id = $1', [data.id])).toEqual([])
  })

  it('pages to its end by cursors, each row once, newest first', async () => {
    for (let count = 0; count < 25; count++) await add({ name: `翻页站点${count}` })
    const seen: string[] = []
    let cursor: string | undefined
    for (let pageNum = 1; ; pageNum++) {
      const { data } = await list({
        keyword: '翻页',
        pageNum,
        pageSize: 7,
        skipCount: true,
        ...(cursor ? { cursor } : {}),
      })
      expect(data.total).toBeNull()
      seen.push(...data.rows.map((row) => row.name))
      if (data.cursor === null) break
      cursor = data.cursor
    }
    expect(seen).toEqual(Array.from({ length: 25 }, (_, place) => `翻页站点${24 - place}`))
  })

  it('jumps from a known page, and refuses an invalid cursor', async () => {
    const first = await list({ keyword: '翻页', pageSize: 5 })
    const jumped = await list({ keyword: '翻页', pageSize: 5, pageNum: 4, cursor: first.data.cursor })
    expect(jumped.data.rows[0]?.name).toBe('翻页站点9')
    expect(first.data).toMatchObject({ total: 25, bounded: false })
    for (const cursor of ['bm90', 'WzEsIjEnIG9yIDEiXQ', 'WzAsIjUiXQ', 'W10', 'x'.repeat(200)])
      expect((await list({ cursor })).status).toBe(422)
    expect((await list({ pageNum: 5000, pageSize: 500 })).status).toBe(422)
  })

  it('has the totals of the whole filter, not of a page', async () => {
    for (const parkingSpaces of [10, 20, 30])
      await add({ name: `合计站点${parkingSpaces}`, parkingSpaces, capacityKva: 100 })
    const { data } = await api.call(editor.token, site.totals, { query: { keyword: '合计站点' } as never })
    expect(data).toEqual({ count: 3, sums: { parkingSpaces: '60', capacityKva: '300' } })
  })
})

describe('a user of an agent', () => {
  it('edits, toggles and removes the sites of the agent', async () => {
    const agent = await makePerson(api, {
      organiseId: fixture.green.id,
      agentId: fixture.green.agentId,
      userType: 2,
      loginName: 'green_agent_edits',
      menus,
    })
    const { data } = await add({ name: '代理的站点' }, agent.token)
    const edit = { id: data.id, name: '代理改过的站点', type: 2 } as never
    expect((await api.call(agent.token, site.edit, { body: edit })).status).toBe(200)
    expect((await api.call(agent.token, site.toggle, { body: { ids: [data.id], status: 0 } })).status).toBe(200)
    expect((await list({ keyword: '改过的' }, agent.token)).data.rows).toMatchObject([
      { agentId: fixture.green.agentId, status: 0 },
    ])
    expect((await api.call(agent.token, site.remove, { body: { ids: [data.id] } })).status).toBe(200)
  })
})

it('counts the matches of a keyword as far as an export needs, and in a list only to its bound', async () => {
  const organiseId = fixture.swift.id
  await api.sql("insert into site (organise_id, name) select $1, '数站' || n from generate_series(1, 2100) n", [
    organiseId,
  ])
  const scope = scopeOf({ organiseId, isPlatform: false, agentId: null, agentIds: [], siteId: null })
  const count = (countTo?: number) =>
    inScope(api.deps.pool, scope, 'read', async ({ db }) => {
      const paging = { pageNum: 1, pageSize: 1, ...(countTo === undefined ? {} : { countTo }) }
      const { total, bounded } = await listSites(db, scope, { keyword: '数站', ...paging } as never)
      return commit([total, bounded])
    })
  expect(await count(5000)).toEqual([2100, false])
  expect(await count()).toEqual([2000, true])
})
