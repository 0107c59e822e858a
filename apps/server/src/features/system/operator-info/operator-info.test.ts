import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { login } from '@wattdeck/contract/auth/login.ts'
import { session } from '@wattdeck/contract/auth/session.ts'
import { downloadStatus } from '@wattdeck/contract/system/download.ts'
import { operatorInfo } from '@wattdeck/contract/system/operator-info.ts'
import { pino } from 'pino'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../../../test/harness/api.ts'
import { makeDevice, makeModels } from '../../../../test/fixtures/devices.ts'
import {
  type Actor,
  makePerson,
  makeRole,
  makeFixture,
  openSession,
  password,
  type Fixture,
} from '../../../../test/harness/people.ts'
import { listExports } from '../../../app/features.ts'
import { loadJobActor } from '../../../kit/auth/job-actor.ts'
import { createPool } from '../../../kit/db/db.ts'
import { runExport } from '../../../kit/bulk/exports.ts'

let api: TestApi
let fixture: Fixture
/** Users who manage the operators of green: of the organisation, of its agent, of its sub-agent. */
let office: Actor
let agent: Actor
let subAgent: Actor
/** A role of the organisation for agents, and one of the agent, which is the only one that its users can grant. */
let roleId: string
let agentRoleId: string
const menus = ['1', '1.4', menuKey.operatorInfo]
const hangzhou = { provinceCode: '330000', cityCode: '330100', districtCode: '330106' }

beforeAll(async () => {
  api = await startApi()
  fixture = await makeFixture(api)
  const { id: organiseId, agentId, subAgentId } = fixture.green
  office = await makePerson(api, { organiseId, loginName: 'green_office', menus })
  agent = await makePerson(api, { organiseId, agentId, loginName: 'green_agent_desk', menus })
  subAgent = await makePerson(api, { organiseId, agentId: subAgentId, loginName: 'green_sub_desk', menus })
  roleId = await makeRole(api, { organiseId, loginName: 'for_agents', userType: 2, menus: ['1', '1.4'] })
  agentRoleId = await makeRole(api, { organiseId, agentId, loginName: 'of_agent', userType: 2, menus: ['1', '1.4'] })
})

let serial = 0
const newcomer = (values: object = {}) => {
  const tag = `op${++serial}`
  return {
    name: `城北运营${serial}`,
    type: 1,
    adminName: '负责人',
    adminLoginName: `${tag}_admin`,
    adminPhone: `136${String(10_000_000 + serial)}`,
    roleId,
    ...values,
  }
}
const add = (values: object = {}, who: Actor = office) =>
  api.call(who.token, operatorInfo.add, { body: newcomer(values) as never })
const list = (query: object = {}, who: Actor = office) =>
  api.call(who.token, operatorInfo.list, { query: { pageSize: 500, ...query } as never })
const namesOf = async (query: object = {}, who: Actor = office) =>
  (await list(query, who)).data.rows.map((row) => row.name).toSorted()
const rowOf = async (id: string) => (await list()).data.rows.find((row) => row.id === id)
const share = (id: string, sharePercent: number, who: Actor = office) =>
  api.call(who.token, operatorInfo.setShare, { body: { id, sharePercent } })
const toggle = (id: string, status: 0 | 1, who: Actor = office) =>
  api.call(who.token, operatorInfo.toggle, { body: { id, status } })
const remove = (id: string, who: Actor = office) => api.call(who.token, operatorInfo.remove, { body: { id } })
const enter = (loginName: string, secret: string) =>
  api.call(undefined, login.byPassword, { body: { loginName, password: secret } })
const changesOf = (who: Actor, id: string) => [
  api.call(who.token, operatorInfo.edit, { body: { id, name: '换名', type: 1 } as never }),
  share(id, 1, who),
  toggle(id, 0, who),
  remove(id, who),
  api.call(who.token, operatorInfo.resetPassword, { body: { id } }),
]

describe('a stranger', () => {
  it('neither sees, changes nor adds below an agent of another organisation', async () => {
    const other = await makePerson(api, { organiseId: fixture.swift.id, loginName: 'swift_office', menus })
    expect(await namesOf({}, other)).toEqual(['下级swift', '代理商swift'])
    expect(await namesOf({ organiseId: fixture.green.id }, other)).toEqual([])
    expect(await namesOf({ agentId: fixture.green.agentId }, other)).toEqual([])
    for (const parentAgentId of [fixture.green.agentId, undefined])
      expect(
        (
          await api.call(other.token, operatorInfo.children, {
            query: { organiseId: fixture.green.id, ...(parentAgentId ? { parentAgentId } : {}) },
          })
        ).data.rows,
      ).toEqual([])
    for (const call of changesOf(other, fixture.green.subAgentId)) expect((await call).status).toBe(404)
    expect((await add({ parentAgentId: fixture.green.agentId }, other)).status).toBe(404)
    expect((await add({ organiseId: fixture.green.id }, other)).status).toBe(404)
  })

  it('at an agent sees it and the agents below; agents above and beside are not found', async () => {
    const beside = await add({ name: '旁边的代理' })
    expect(await namesOf({}, agent)).toEqual(['下级green', '代理商green'])
    expect(await namesOf({}, subAgent)).toEqual(['下级green'])
    const [own] = (await list({}, subAgent)).data.rows
    expect(own).toMatchObject({ parentAgentId: fixture.green.agentId, parentAgentName: null })
    for (const id of [beside.data.id, fixture.green.agentId])
      for (const call of changesOf(subAgent, id)) expect((await call).status).toBe(404)
    expect((await add({ parentAgentId: beside.data.id, roleId: agentRoleId }, agent)).status).toBe(404)
    expect((await add({ parentAgentId: fixture.green.agentId, roleId: agentRoleId }, subAgent)).status).toBe(404)
  })

  it('at an agent cannot change that agent itself, which is managed from above', async () => {
    for (const call of changesOf(agent, fixture.green.agentId))
      expect(await call).toMatchObject({ status: 409, message: '本级运营商由上级维护，不能修改' })
  })

  it('at a site sees and creates none', async () => {
    const { id: organiseId, subAgentId, siteId } = fixture.green
    const keeper = await makePerson(api, { organiseId, agentId: subAgentId, siteId, loginName: 'green_keeper', menus })
    expect(await namesOf({}, keeper)).toEqual([])
    expect((await api.call(keeper.token, operatorInfo.children)).data.rows).toEqual([])
    expect((await add({}, keeper)).status).toBe(404)
    const loose = await makePerson(api, { organiseId, siteId, loginName: 'green_loose', userType: 3, menus })
    const roleOfSite = await makeRole(api, {
      organiseId,
      siteId,
      loginName: 'of_site',
      userType: 2,
      topLevel: 4,
      menus: [],
    })
    expect((await add({ roleId: roleOfSite }, loose)).status).toBe(404)
  })
})

describe('agents below an agent', () => {
  it('are filtered by it, without deeper levels; an invisible agent finds nothing', async () => {
    const top = (await add({ name: '上级之一' })).data.id
    const child = (await add({ name: '其下一级', parentAgentId: top })).data.id
    await add({ name: '其下二级', parentAgentId: child })
    expect(await namesOf({ parentAgentId: top })).toEqual(['其下一级'])
    expect(await namesOf({ parentAgentId: child })).toEqual(['其下二级'])
    expect(await namesOf({ parentAgentId: top, agentId: fixture.green.agentId })).toEqual([])
    expect(await namesOf({ parentAgentId: top }, fixture.platform.root)).toEqual(['其下一级'])
    expect(await namesOf({ parentAgentId: fixture.swift.agentId })).toEqual([])
    expect(await namesOf({ parentAgentId: fixture.green.agentId }, agent)).toEqual(['下级green'])
    // The caller's own parent is invisible, so filtering by it finds nothing.
    expect(await namesOf({ parentAgentId: fixture.green.agentId }, subAgent)).toEqual([])
  })
})

describe('devices of an operator', () => {
  it('are counted with those of the agents below, as far as the reader sees them', async () => {
    const { mqtt: typeId } = await makeModels(api)
    const { id: organiseId } = fixture.green
    const top = (await add({ name: '有设备的上级' })).data.id
    const below = (await add({ name: '有设备的下级', parentAgentId: top })).data.id
    const deviceOf = (agentId: string) => makeDevice(api, { organiseId, agentId, typeId })
    await deviceOf(top)
    const [moved] = [await deviceOf(below), await deviceOf(below)]
    const counts = async () => [(await rowOf(top))?.deviceCount, (await rowOf(below))?.deviceCount]
    expect(await counts()).toEqual([3, 2])
    await api.sql('update device set agent_id = $2 where id = $1', [moved, fixture.green.subAgentId])
    expect(await counts()).toEqual([2, 1])
    expect((await list({}, subAgent)).data.rows).toMatchObject([{ name: '下级green', deviceCount: 1 }])
    expect((await list({}, agent)).data.rows.find((row) => row.name === '代理商green')?.deviceCount).toBe(1)
  })
})

describe('a new operator', () => {
  it('is placed below its parent, with an account that logs in with the password shown once', async () => {
    const body = newcomer({
      parentAgentId: fixture.green.agentId,
      ...hangzhou,
      phone: '13812345678',
      contact: '陈立群',
    })
    const { data } = await api.call(office.token, operatorInfo.add, { body: body as never })
    expect(await rowOf(data.id)).toMatchObject({
      code: expect.stringMatching(/^YY\d{6}$/) as string,
      parentAgentName: '代理商green',
      organiseName: '机构green',
      depth: 2,
      regionName: '浙江省 杭州市 西湖区',
      phone: '138****5678',
      shareBp: 0,
      siteCount: 0,
      adminLoginName: body.adminLoginName,
      createdBy: '姓名green_office',
    })
    expect((await enter(body.adminLoginName, data.initialPassword)).data.stage).toBe('password')
    const [person] = await api.sql<{ user_type: number; agent_id: string; roles: string[] }>(
      `select user_type, agent_id, array(select role_id::text from user_role where user_id = user_account.id) as roles
       from user_account where login_name = $1`,
      [body.adminLoginName],
    )
    expect(person).toEqual({ user_type: 2, agent_id: data.id, roles: [roleId] })
  })

  it('that an agent creates is below that agent, named or not, and visible to its creator at once', async () => {
    const first = await add({ roleId: agentRoleId }, agent)
    expect(first.status).toBe(200)
    const second = await add({ parentAgentId: first.data.id, roleId: agentRoleId }, agent)
    expect(second.status).toBe(200)
    const rows = (await list({}, agent)).data.rows
    expect(rows.find((row) => row.id === first.data.id)).toMatchObject({
      parentAgentId: fixture.green.agentId,
      depth: 2,
      adminLoginName: expect.stringMatching(/^op/) as string,
    })
  })

  it('gets a role for agents that its creator sees and holds entirely', async () => {
    const { id: organiseId } = fixture.green
    const forOffices = await makeRole(api, { organiseId, loginName: 'for_offices', menus: ['1'] })
    const stronger = await makeRole(api, {
      organiseId,
      loginName: 'stronger',
      userType: 2,
      menus: ['1', '1.1', '1.1.3'],
    })
    const foreign = await makeRole(api, { organiseId: fixture.swift.id, loginName: 'foreign', userType: 2, menus: [] })
    expect((await add({ roleId: forOffices })).status).toBe(422)
    expect((await add({ roleId: stronger })).status).toBe(403)
    expect((await add({ roleId: foreign })).status).toBe(404)
    expect((await add({ roleId }, agent)).status).toBe(404)
    const offered = async (who: Actor) =>
      (await api.call(who.token, operatorInfo.roleOptions)).data.map((role) => role.id)
    expect(await offered(office)).toEqual(expect.arrayContaining([roleId, agentRoleId]))
    for (const barred of [forOffices, stronger, foreign]) expect(await offered(office)).not.toContain(barred)
    expect(await offered(agent)).toContain(agentRoleId)
    expect(await offered(agent)).not.toContain(roleId)
  })

  it('that the platform creates belongs to the chosen organisation', async () => {
    const { root } = fixture.platform
    expect((await add({}, root)).status).toBe(422)
    const { data } = await add({ organiseId: fixture.green.id }, root)
    expect(await rowOf(data.id)).toMatchObject({ organiseId: fixture.green.id, depth: 1 })
    const crossed = await add({ organiseId: fixture.green.id, parentAgentId: fixture.swift.agentId }, root)
    expect(crossed.status).toBe(404)
  })

  it('is at most nine levels deep', async () => {
    let parentAgentId = (await add({ name: '第1级' })).data.id
    for (let depth = 2; depth <= 9; depth++) {
      const { data } = await add({ parentAgentId })
      expect((await rowOf(data.id))?.depth).toBe(depth)
      parentAgentId = data.id
    }
    expect(await add({ parentAgentId })).toMatchObject({ status: 409, message: '代理商最多9级' })
  })

  it('is not created below a disabled one, nor with an existing name of the organisation', async () => {
    const parent = await add({ name: '已停用的上级' })
    await toggle(parent.data.id, 0)
    expect((await add({ parentAgentId: parent.data.id })).status).toBe(409)
    expect(await add({ name: '已停用的上级' })).toMatchObject({ status: 409, message: '运营商名称已存在' })
  })
})

describe('an edit', () => {
  it('changes the fields of the form, keeps an omitted phone, and never moves in the tree', async () => {
    const { data } = await add({ parentAgentId: fixture.green.agentId, phone: '13900002222', address: '天目山路' })
    const body = { id: data.id, name: '改名运营', type: 2 }
    expect((await api.call(office.token, operatorInfo.edit, { body: body as never })).status).toBe(200)
    const [row] = await api.sql('select name, type, phone, address, parent_agent_id, depth from agent where id = $1', [
      data.id,
    ])
    expect(row).toEqual({
      name: '改名运营',
      type: 2,
      phone: '13900002222',
      address: null,
      parent_agent_id: fixture.green.agentId,
      depth: 2,
    })
    const moved = { ...body, parentAgentId: fixture.green.subAgentId }
    expect((await api.call(office.token, operatorInfo.edit, { body: moved as never })).status).toBe(422)
  })
})

describe('a share', () => {
  it('is at most that of the parent and at least that of each below, in both directions', async () => {
    const top = (await add({ sharePercent: 30 })).data.id
    expect(await add({ parentAgentId: top, sharePercent: 30.01 })).toMatchObject({
      status: 422,
      message: '分成比例不能高于上级代理商的30.00%',
    })
    const middle = (await add({ parentAgentId: top, sharePercent: 12.5 })).data.id
    const low = (await add({ parentAgentId: middle, sharePercent: 12.5 })).data.id
    expect((await rowOf(middle))?.shareBp).toBe(1250)
    expect((await share(middle, 30.01)).status).toBe(422)
    expect(await share(middle, 12.49)).toMatchObject({
      status: 422,
      message: expect.stringContaining('的分成比例为12.50%，不能低于它') as string,
    })
    expect((await share(top, 12.49)).status).toBe(422)
    expect((await share(low, 0)).status).toBe(200)
    expect((await share(middle, 0.07)).status).toBe(200)
    expect((await rowOf(middle))?.shareBp).toBe(7)
    expect((await share(top, 100)).status).toBe(200)
    expect((await share(middle, 100)).status).toBe(200)
  })

  it.each(['100.01', '-1', '12.345', '1e1', ''])('is not %j', async (sharePercent) => {
    const body = { id: fixture.green.subAgentId, sharePercent }
    expect((await api.call(office.token, operatorInfo.setShare, { body: body as never })).status).toBe(422)
  })

  it('cannot exceed that of the parent when both change concurrently', async () => {
    for (let round = 0; round < 3; round++) {
      const top = (await add({ sharePercent: 50 })).data.id
      const low = (await add({ parentAgentId: top, sharePercent: 10 })).data.id
      await Promise.all([share(top, 20), share(low, 40), add({ parentAgentId: top, sharePercent: 45 })])
      const [row] = await api.sql<{ bad: number }>(
        `select count(*)::int as bad from agent child join agent above on above.id = child.parent_agent_id
         where above.id = $1 and child.share_bp > above.share_bp`,
        [top],
      )
      expect(row?.bad).toBe(0)
    }
  })
})

describe('disabling an operator', () => {
  it('locks its own users and those of its sites out, until it is enabled; agents below continue to work', async () => {
    const { id: organiseId } = fixture.green
    const top = (await add({ name: '将停用' })).data.id
    const low = (await add({ parentAgentId: top })).data.id
    const [site] = await api.sql<{ id: string }>(
      "insert into site (organise_id, agent_id, name) values ($1, $2, '将停用的站') returning id",
      [organiseId, top],
    )
    const place = { organiseId, agentId: top, menus: ['2', '2.1'] }
    const own = await makePerson(api, { ...place, loginName: 'own_person' })
    const keeper = await makePerson(api, { ...place, siteId: site?.id ?? '', loginName: 'own_keeper' })
    const below = await makePerson(api, { ...place, agentId: low, loginName: 'below_person' })
    const statusOf = async (token: string) => (await api.call(token, session.userInfo)).status

    expect((await toggle(top, 0)).status).toBe(200)
    for (const { token } of [own, keeper]) expect(await statusOf(token)).toBe(401)
    expect(await statusOf(below.token)).toBe(200)
    // The same for a session that was inserted directly, for a new login, and for a job.
    expect(await statusOf(await openSession(api, own.id))).toBe(401)
    expect(await enter('own_person', password)).toMatchObject({ status: 401, message: '账号已停用，请联系管理员' })
    expect(await loadJobActor(api.deps.pool, own.id)).toBeUndefined()
    expect(await loadJobActor(api.deps.pool, below.id)).toMatchObject({ userId: below.id })

    expect((await toggle(top, 0)).status).toBe(409)
    expect((await toggle(top, 1)).status).toBe(200)
    expect((await enter('own_person', password)).status).toBe(200)
    expect(await loadJobActor(api.deps.pool, own.id)).toMatchObject({ userId: own.id })
  })
})

describe('the administrator of an operator', () => {
  it('gets a new first password, also from the agent above', async () => {
    const body = newcomer({ parentAgentId: fixture.green.agentId, roleId: agentRoleId })
    const { data } = await api.call(office.token, operatorInfo.add, { body: body as never })
    await new Promise((resolve) => setTimeout(resolve, 900)) // until the cached session of the agent has expired
    const reset = await api.call(agent.token, operatorInfo.resetPassword, { body: { id: data.id } })
    expect(reset.status).toBe(200)
    expect((await enter(body.adminLoginName, data.initialPassword)).status).toBe(401)
    expect((await enter(body.adminLoginName, reset.data.initialPassword)).data.stage).toBe('password')
  })

  it('that is missing, as for an old agent, is reported', async () => {
    const reset = await api.call(office.token, operatorInfo.resetPassword, { body: { id: fixture.green.agentId } })
    expect(reset).toMatchObject({ status: 409, message: '该运营商没有管理员账号' })
  })
})

describe('removing', () => {
  it('is refused while it has agents, sites or other users, and reports their number', async () => {
    expect(await remove(fixture.green.subAgentId)).toMatchObject({
      status: 409,
      message: expect.stringMatching(/下还有 0 个下级、1 个站点、\d+ 个账号，不能删除/) as string,
    })
    expect((await remove(fixture.green.agentId)).status).toBe(409)
  })

  it('removes the administrator as well and frees the name', async () => {
    const body = newcomer()
    const { data } = await api.call(office.token, operatorInfo.add, { body: body as never })
    expect((await remove(data.id)).status).toBe(200)
    expect(await rowOf(data.id)).toBeUndefined()
    expect((await remove(data.id)).status).toBe(404)
    expect((await enter(body.adminLoginName, data.initialPassword)).status).toBe(401)
    expect((await add({ parentAgentId: data.id })).status).toBe(404)
    expect((await api.call(office.token, operatorInfo.add, { body: body as never })).status).toBe(200)
  })
})

describe('the list', () => {
  it('is filtered by name, whole code, parent agent, region and status', async () => {
    const { data } = await add({ name: '临平运营', parentAgentId: fixture.green.subAgentId, ...hangzhou })
    const code = (await rowOf(data.id))?.code ?? ''
    for (const query of [
      { keyword: '平运' },
      { keyword: code.toLowerCase() },
      { agentId: data.id },
      { agentId: fixture.green.subAgentId, keyword: '临平' },
      { agentId: fixture.green.agentId, districtCode: '330106', keyword: '临平' },
      { provinceCode: '330000', status: 1, keyword: '临平' },
    ])
      expect(await namesOf(query), JSON.stringify(query)).toEqual(['临平运营'])
    expect(await namesOf({ keyword: '%' })).toEqual([])
    expect(await namesOf({ keyword: '临平', status: 0 })).toEqual([])
  })

  it('counts the sites of an agent including those of the agents below it', async () => {
    const rows = new Map((await list()).data.rows.map((row) => [row.name, row.siteCount]))
    expect(rows.get('代理商green')).toBe(1)
    expect(rows.get('下级green')).toBe(1)
    expect(rows.get('临平运营')).toBe(0)
  })

  it('is exported as a file', async () => {
    const body = { columns: ['code', 'name', 'share'], conditions: '全部' }
    const exported = await api.call(office.token, operatorInfo.exportList, { body: body as never })
    expect(exported.status).toBe(200)
    const pool = createPool(api.config.workerDatabaseUrl, 2)
    await runExport({ pool, files: api.deps.files, log: pino({ level: 'silent' }) }, listExports, exported.data.id)
    await pool.end()
    const [file] = await api.sql('select status, title, rows, reason from download where id = $1', [exported.data.id])
    const { total } = (await list()).data
    expect(file).toEqual({ status: downloadStatus.code.done, title: '运营商列表', rows: total, reason: null })
  })
})

describe('the tree', () => {
  const branch = async (who: Actor, query: object = {}) =>
    (await api.call(who.token, operatorInfo.children, { query: query as never })).data.rows.map((row) => row.name)

  it('is read branch by branch, from the place of the caller', async () => {
    expect(await branch(office)).toContain('代理商green')
    expect(await branch(office)).not.toContain('下级green')
    expect(await branch(office, { parentAgentId: fixture.green.agentId })).toContain('下级green')
    expect(await branch(agent)).toEqual(['代理商green'])
    expect(await branch(subAgent)).toEqual(['下级green'])
    expect(await branch(subAgent, { parentAgentId: fixture.green.agentId })).toEqual(['下级green'])
  })

  it('marks where a branch ends, and is read by the platform for one organisation at a time', async () => {
    const { root } = fixture.platform
    expect((await api.call(root.token, operatorInfo.children)).status).toBe(422)
    const { data } = await api.call(root.token, operatorInfo.children, { query: { organiseId: fixture.swift.id } })
    expect(data).toEqual({
      rows: [{ id: fixture.swift.agentId, name: '代理商swift', status: 1, leaf: false }],
      more: false,
    })
    const below = await api.call(root.token, operatorInfo.children, { query: { parentAgentId: fixture.swift.agentId } })
    expect(below.data.rows).toMatchObject([{ leaf: true }])
  })
})
