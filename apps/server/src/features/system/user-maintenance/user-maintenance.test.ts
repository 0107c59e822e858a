import { login } from '@wattdeck/contract/auth/login.ts'
import { session } from '@wattdeck/contract/auth/session.ts'
import { userMaintenance } from '@wattdeck/contract/system/user-maintenance.ts'
import { describe, expect, it } from 'vitest'
import { startApi } from '../../../../test/harness/api.ts'
import { makePerson, makeRole, makeFixture, openSession } from '../../../../test/harness/people.ts'

const api = await startApi()
const fixture = await makeFixture(api)

let serial = 0
const newcomer = (more: object = {}) => {
  const tag = `${process.pid}${++serial}`
  return { userType: 1, name: '新用户', loginName: `account${tag}`, phone: phoneOf(tag), ...more } as never
}
const phoneOf = (tag: string) => `136${tag.padStart(8, '0').slice(-8)}`
const add = (token: string, more: object = {}) => api.call(token, userMaintenance.add, { body: newcomer(more) })
const list = async (token: string, query: object = {}) =>
  (await api.call(token, userMaintenance.list, { query: { pageSize: 500, ...query } as never })).data.rows
const roleFor = (userType: 1 | 2 | 3 | 4) => {
  const name = `type${userType}_${++serial}`
  return makeRole(api, { organiseId: fixture.green.id, loginName: name, userType, menus: ['2'] })
}
const placed = async (id: string) =>
  (await api.sql('select organise_id, agent_id, site_id, user_type from user_account where id = $1', [id]))[0]

describe('a stranger', () => {
  it('neither sees nor changes the accounts of another organisation', async () => {
    const { token } = fixture.swift.admin
    expect((await list(token)).every((row) => row.organiseId === fixture.swift.id)).toBe(true)
    const { id } = fixture.green.clerk
    const attempts = [
      api.call(token, userMaintenance.edit, { body: { id, name: '改名' } as never }),
      api.call(token, userMaintenance.toggle, { body: { ids: [id], status: 0 } }),
      api.call(token, userMaintenance.remove, { body: { ids: [id] } }),
      api.call(token, userMaintenance.resetPassword, { body: { id } }),
      api.call(token, userMaintenance.changePhone, { body: { id, phone: '13611112222', reason: '换了号码' } }),
    ]
    expect((await Promise.all(attempts)).map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
    expect((await api.call(fixture.green.clerk.token, session.userInfo)).status).toBe(200)
  })

  it('cannot be placed in another organisation, nor get its roles', async () => {
    const { token } = fixture.green.admin
    expect((await add(token, { organiseId: fixture.swift.id })).status).toBe(404)
    expect((await add(token, { userType: 2, agentId: fixture.swift.agentId })).status).toBe(404)
    expect((await add(token, { userType: 3, siteId: fixture.swift.siteId })).status).toBe(404)
    expect((await add(token, { roleIds: [fixture.swift.admin.roleId] })).status).toBe(404)
  })

  it('is any account that an agent does not manage', async () => {
    const names = (await list(fixture.green.agent.token)).map((row) => row.loginName).toSorted()
    expect(names).toEqual(['green_agent', 'green_installer', 'green_site', 'green_sub_agent'])
    const { id } = fixture.green.clerk
    expect((await api.call(fixture.green.agent.token, userMaintenance.resetPassword, { body: { id } })).status).toBe(
      404,
    )
  })
})

describe('the list', () => {
  it('shows the owner of an account, and masks its phone', async () => {
    const [row] = await list(fixture.green.admin.token, { keyword: 'green_site' })
    const names = { organiseName: '机构green', agentName: '下级green', siteName: '站点green' }
    expect(row).toMatchObject({ ...names, userType: 3, roles: [{ name: '角色green_site' }] })
    expect(row?.phone).toMatch(/^\d{3}\*{4}\d{4}$/)
  })

  it('filters by account, whole phone, type, owner and status', async () => {
    const { admin, clerk, agentId, siteId } = fixture.green
    const by = async (query: object) => (await list(admin.token, query)).map((row) => row.loginName).toSorted()
    expect(await by({ keyword: 'green_cl' })).toEqual(['green_clerk'])
    expect(await by({ keyword: '姓名green_cl' })).toEqual(['green_clerk'])
    expect(await by({ keyword: '%' })).toEqual([])
    expect(await by({ phone: clerk.phone })).toEqual(['green_clerk'])
    expect(await by({ phone: clerk.phone.slice(0, 9) })).toEqual([])
    expect(await by({ keyword: clerk.phone })).toEqual([])
    expect(await by({ userType: 4 })).toEqual(['green_installer'])
    expect(await by({ agentId, userType: 2 })).toEqual(['green_agent', 'green_sub_agent'])
    expect(await by({ siteId })).toEqual(['green_site'])
    expect(await by({ status: 0 })).toEqual([])
  })
})

describe('a new account', () => {
  it('is placed according to its type', async () => {
    const { admin, id, agentId, subAgentId, siteId } = fixture.green
    const createPlaced = async (more: object) => placed((await add(admin.token, more)).data.id)
    const nowhere = { organise_id: id, agent_id: null, site_id: null }
    expect(await createPlaced({ userType: 1 })).toEqual({ ...nowhere, user_type: 1 })
    expect(await createPlaced({ userType: 2, agentId })).toEqual({ ...nowhere, agent_id: agentId, user_type: 2 })
    expect(await createPlaced({ userType: 3, siteId })).toMatchObject({
      agent_id: subAgentId,
      site_id: siteId,
      user_type: 3,
    })
    expect(await createPlaced({ userType: 4 })).toEqual({ ...nowhere, user_type: 4 })
    expect(await createPlaced({ userType: 4, agentId })).toEqual({ ...nowhere, agent_id: agentId, user_type: 4 })
  })

  it('is refused where type and owner do not fit', async () => {
    const { admin, agent, agentId, siteId } = fixture.green
    const refused: [string, object, string][] = [
      [admin.token, { userType: 1, agentId }, '机构用户不能归属代理商或站点'],
      [admin.token, { userType: 1, siteId }, '机构用户不能归属代理商或站点'],
      [admin.token, { userType: 2 }, '请选择所属代理商'],
      [admin.token, { userType: 2, siteId }, '代理商用户不能归属站点'],
      [admin.token, { userType: 3, agentId }, '请选择所属站点'],
      [admin.token, { userType: 4, siteId }, '安装员用户不能归属站点'],
      [agent.token, { userType: 1 }, '机构用户不能归属代理商或站点'],
    ]
    for (const [token, more, message] of refused)
      expect(await add(token, more), JSON.stringify(more)).toMatchObject({ status: 422, message })
  })

  it('gets only roles of its type that its creator can grant', async () => {
    const { token } = fixture.green.admin
    const [ofAgents, ofSites] = [await roleFor(2), await roleFor(3)]
    const strong = await makeRole(api, { organiseId: fixture.green.id, loginName: 'too_strong', menus: ['1.1.1'] })
    const { agentId } = fixture.green
    expect((await add(token, { userType: 2, agentId, roleIds: [ofAgents] })).status).toBe(200)
    expect((await add(token, { userType: 2, agentId, roleIds: [ofSites] })).status).toBe(422)
    expect((await add(token, { roleIds: [strong] })).status).toBe(403)
    const { data } = await api.call(token, userMaintenance.roleOptions, { query: { userType: 2 } as never })
    expect(data.map((role) => role.id)).toContain(ofAgents)
    expect(data.map((role) => role.id)).not.toContain(ofSites)
  })

  it('logs in with the password shown once, and must change it', async () => {
    const body = newcomer() as { loginName: string }
    const { data } = await api.call(fixture.green.admin.token, userMaintenance.add, { body: body as never })
    const entered = await api.call(undefined, login.byPassword, {
      body: { loginName: body.loginName, password: data.initialPassword },
    })
    expect(entered.data.stage).toBe('password')
  })
})

describe('an account', () => {
  it('is never one’s own, and never that of a user of higher standing', async () => {
    const { admin } = fixture.green
    const weak = await makePerson(api, {
      organiseId: fixture.green.id,
      loginName: 'weak_keeper',
      menus: ['1.4.5', '2'],
    })
    for (const [{ token }, status] of [
      [admin, 409],
      [weak, 403],
    ] as const) {
      const { id } = admin
      const attempts = [
        api.call(token, userMaintenance.edit, { body: { id, name: '我' } as never }),
        api.call(token, userMaintenance.toggle, { body: { ids: [id], status: 0 } }),
        api.call(token, userMaintenance.remove, { body: { ids: [id] } }),
        api.call(token, userMaintenance.resetPassword, { body: { id } }),
        api.call(token, userMaintenance.changePhone, { body: { id, phone: '13611113333', reason: '换了号码' } }),
      ]
      for (const reply of await Promise.all(attempts)) expect(reply.status).toBe(status)
    }
  })

  it('keeps its place and type when it is edited, and is notified of other roles', async () => {
    const { admin, agentId } = fixture.green
    const [before, after] = [await roleFor(2), await roleFor(2)]
    const { data } = await add(admin.token, { userType: 2, agentId, roleIds: [before] })
    const edit = (roleIds: string[]) =>
      api.call(admin.token, userMaintenance.edit, { body: { id: data.id, name: '改名', roleIds } })
    const notices = () => api.sql('select 1 from notification where user_id = $1', [data.id])
    expect((await edit([before])).status).toBe(200)
    expect(await notices()).toHaveLength(0)
    expect((await edit([after])).status).toBe(200)
    expect(await notices()).toHaveLength(1)
    expect(await placed(data.id)).toMatchObject({ agent_id: agentId, user_type: 2 })
    expect(await api.sql('select role_id from user_role where user_id = $1', [data.id])).toEqual([{ role_id: after }])
    expect((await edit([await roleFor(3)])).status).toBe(422)
  })

  it('is logged out when it is disabled', async () => {
    const { data } = await add(fixture.green.admin.token)
    const token = await openSession(api, data.id)
    const body = { ids: [data.id], status: 0 as const }
    expect((await api.call(fixture.green.admin.token, userMaintenance.toggle, { body })).data).toEqual({ changed: 1 })
    expect((await api.call(token, session.userInfo)).status).toBe(401)
  })

  it('is toggled all or none: one foreign account stops it', async () => {
    const ids = [fixture.green.clerk.id, fixture.swift.clerk.id]
    const body = { ids, status: 0 as const }
    expect((await api.call(fixture.green.admin.token, userMaintenance.toggle, { body })).status).toBe(404)
    const [row] = await api.sql<{ status: number }>('select status from user_account where id = $1', [ids[0]])
    expect(row?.status).toBe(1)
  })
})

describe('another phone', () => {
  const change = (id: string, phone: string, reason = '原手机号已注销') =>
    api.call(fixture.green.admin.token, userMaintenance.changePhone, { body: { id, phone, reason } })

  it('ends the sessions, invalidates codes to the old one, and notifies the user', async () => {
    const { data } = await add(fixture.green.admin.token)
    const token = await openSession(api, data.id)
    await api.sql(
      `insert into sms_code (organise_id, user_id, phone, purpose, code_hash, expires_at)
       select organise_id, id, phone, 'login', '\\x00', now() + interval '5 minutes' from user_account where id = $1`,
      [data.id],
    )
    expect((await change(data.id, '13755550001')).status).toBe(200)
    expect((await api.call(token, session.userInfo)).status).toBe(401)
    expect(await api.sql('select 1 from sms_code where user_id = $1 and used_at is null', [data.id])).toEqual([])
    expect(await api.sql('select title from notification where user_id = $1', [data.id])).toEqual([
      { title: '账号安全' },
    ])
  })

  it('is logged with its reason and without the phone', async () => {
    const { data } = await add(fixture.green.admin.token)
    await change(data.id, '13755550002', '收不到旧手机短信')
    const [line] = await api.sql<{ content: string }>(
      "select content from audit_log where module = '用户维护' and content like '%收不到旧手机短信%'",
    )
    expect(line?.content).toMatch(/^换绑手机：账号account\d+，原因：收不到旧手机短信$/)
    expect((await change(data.id, '13755550003', '改成 13755550003')).status).toBe(422)
  })

  it('must differ from the old one, and belong to no other user', async () => {
    const { data } = await add(fixture.green.admin.token, { phone: '13755550004' })
    expect((await change(data.id, '13755550004')).status).toBe(422)
    expect((await change(data.id, fixture.swift.admin.phone)).status).toBe(409)
  })
})
