import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { organise } from '@wattdeck/contract/system/organise.ts'
import { role } from '@wattdeck/contract/system/role.ts'
import { roleTemplate } from '@wattdeck/contract/system/role-template.ts'
import { roleCode } from '@wattdeck/domain/roles.ts'
import { describe, expect, it } from 'vitest'
import { startApi } from '../../../../test/harness/api.ts'
import { type Actor, makePerson, makeFixture } from '../../../../test/harness/people.ts'
import { pagesOf, roleTemplates } from '../../../seed/role-templates.ts'

const api = await startApi()
const fixture = await makeFixture(api)
const root = fixture.platform.root

type Place = { organiseId?: string; agentId?: string; siteId?: string }
const list = (who: Actor, place: Place = {}) => api.call(who.token, roleTemplate.list, { query: place })
const add = (who: Actor, codes: string[], place: Place = {}) =>
  api.call(who.token, roleTemplate.add, { body: { ...place, codes: codes.join(',') as never } })
const offers = async (who: Actor, place: Place = {}) =>
  Object.fromEntries((await list(who, place)).data.map((one) => [one.code, one]))

type RoleRow = {
  code: string
  name: string
  type: number
  level: number
  menus: string[]
  grants: string[]
  unmask: boolean
}
const rolesOf = (organiseId: string) =>
  api.sql<RoleRow & { id: string }>(
    `select id, code, name, user_type as type, top_level as level, can_unmask as unmask,
      array(select menu_key from role_menu join menu on menu.id = menu_id where role_id = role.id order by 1) as menus,
      array(select resource.code from role_resource join resource on resource.id = resource_id where role_id = role.id order by 1) as grants
     from role where organise_id = $1 order by id`,
    [organiseId],
  )
const idsOf = async (table: 'menu' | 'resource', keys: readonly string[]) =>
  (
    await api.sql<{ id: string }>(
      `select id from ${table} where ${table === 'menu' ? 'menu_key' : 'code'} = any($1) order by id`,
      [keys],
    )
  ).map(({ id }) => id)

let serial = 0
/** An organisation that the platform creates, with these menus and actions for its administrators. */
async function newOrganise(menus: readonly string[], actions: readonly string[]) {
  const tag = `tpl${++serial}`
  const { data, status } = await api.call(root.token, organise.add, {
    body: {
      name: `模板机构${serial}`,
      type: 1,
      adminName: '管理员',
      adminLoginName: `${tag}_admin`,
      adminPhone: `136${String(20_000_000 + serial)}`,
      canUnmask: true,
      menuIds: await idsOf('menu', menus),
      resourceIds: await idsOf('resource', actions),
    } as never,
  })
  expect(status).toBe(200)
  return data.id
}
const adminTemplate = roleTemplates[0] ?? expect.unreachable('no template')
const adminMenus = () => [...(pagesOf(adminTemplate)?.keys() ?? [])]
const withAbove = (keys: readonly string[]) =>
  [...new Set(keys.flatMap((key) => key.split('.').map((_, at, parts) => parts.slice(0, at + 1).join('.'))))].toSorted()
const allActions = async (keys: readonly string[]) =>
  (
    await api.sql<{ code: string }>(
      'select resource.code from resource join menu on menu.id = menu_id where menu_key = any($1)',
      [keys],
    )
  ).map(({ code }) => code)

describe('a stranger', () => {
  it('neither reads nor creates roles of another organisation', async () => {
    const { green, swift } = fixture
    const before = await rolesOf(swift.id)
    for (const place of [{ organiseId: swift.id }, { agentId: swift.agentId }, { siteId: swift.siteId }]) {
      expect((await list(green.admin, place)).status).toBe(404)
      expect((await add(green.admin, [roleCode.testUser], place)).status).toBe(404)
    }
    expect((await list(green.clerk)).status).toBe(403)
    expect(await rolesOf(swift.id)).toEqual(before)
  })
})

describe('the templates', () => {
  it('exist for each role code of the specification, and one for installers', () => {
    const codes = roleTemplates.map(({ code }) => code)
    expect(codes.toSorted()).toEqual([...Object.values(roleCode), 'INSTALLER'].toSorted())
    expect(new Set(roleTemplates.map(({ name }) => name)).size).toBe(codes.length)
  })

  it('name existing actions', async () => {
    const actionCodes = new Set((await api.sql<{ code: string }>('select code from resource')).map(({ code }) => code))
    const named = roleTemplates.flatMap((template) =>
      [...(pagesOf(template) ?? [])].flatMap(([key, actions]) =>
        actions === 'all' ? [] : actions.map((action) => `${key}:${action}`),
      ),
    )
    expect(named.filter((action) => !actionCodes.has(action))).toEqual([])
    expect(named.length).toBeGreaterThan(10)
  })

  it('give no settings page, no approval and no control of devices to roles that do not manage', () => {
    const managing = new Set<string>([roleCode.publicAccountManager, roleCode.operatorUser, roleCode.platformAdmin])
    const settings = [menuKey.role, menuKey.staff, menuKey.paySetting, menuKey.consumptionStandard, menuKey.department]
    for (const template of roleTemplates.filter(({ code }) => !managing.has(code))) {
      const pages = pagesOf(template)
      expect(settings.filter((key) => pages?.has(key) ?? true)).toEqual([])
      for (const [key, actions] of pages ?? []) {
        expect(actions).not.toContain('approve')
        if (key !== menuKey.deviceScan) expect(actions).not.toContain('control')
      }
    }
  })
})

describe('a new organisation', () => {
  it('has a role for each template except that of the platform, with the menus of the template', async () => {
    const { data: proposal } = await api.call(root.token, organise.privilege)
    expect(proposal.grantedMenuIds.toSorted()).toEqual((await idsOf('menu', withAbove(adminMenus()))).toSorted())
    const id = await newOrganise(withAbove(adminMenus()), await allActions(adminMenus()))
    const roles = await rolesOf(id)
    expect(roles.map(({ code, name, type, level }) => [code, name, type, level])).toEqual([
      ['GZHGLJS', '公众号管理', 1, 2],
      ['YYSYHJS', '运营商用户', 2, 3],
      ['ZDYHJS', '站点用户', 3, 4],
      ['INSTALLER', '安装员', 4, 5],
      ['YLZH', '银联账户', 1, 2],
      ['SIMCARD', 'SIM卡用户', 1, 2],
      ['LHYYTZR', '联合运营投资人', 1, 2],
      ['SCWX', '测试用户', 1, 2],
    ])
    const pages = Object.fromEntries(roles.map(({ code, menus, grants }) => [code, { menus, grants }]))
    expect(pages['ZDYHJS']).toEqual({
      menus: withAbove('1.1.5 1.4.4 2.1 2.5 2.17 2.30 4.1.1 4.1.3 4.1.7 7.2 7.4 7.5 7.6'.split(' ')),
      grants:
        '1.1.5:delete 1.1.5:export 2.5:export 4.1.1:export 4.1.3:add 4.1.3:export 4.1.7:edit 4.1.7:export 7.2:export 7.5:export 7.6:export'.split(
          ' ',
        ),
    })
    expect(pages['INSTALLER']).toEqual({
      menus: withAbove(['2.1', '4.1.3', '4.1.8']),
      grants: ['4.1.3:add', '4.1.3:edit', '4.1.8:control', '4.1.8:edit'],
    })
    expect(pages['YLZH']?.menus).toEqual(withAbove('1.1.5 2.1 2.5 2.6 7.1 7.9 7.12'.split(' ')))
    expect(pages['SIMCARD']?.menus).toEqual(withAbove('1.1.5 2.1 2.30 4.1.1 4.1.7'.split(' ')))
    expect(pages['LHYYTZR']?.menus).toEqual(withAbove('1.1.5 1.4.4 2.1 2.17 2.18 4.1.1 7.5'.split(' ')))
    expect(pages['SCWX']).toEqual({ menus: withAbove('2.1 2.30 4.1.1 4.1.3 4.1.7'.split(' ')), grants: ['4.1.3:add'] })
    // Only administrators may see personal values unmasked.
    expect(roles.map(({ unmask }) => unmask)).toEqual([true, ...roles.slice(1).map(() => false)])
  })

  it('has no role beyond the rights of its administrators, and none without a page', async () => {
    const ceiling = withAbove([menuKey.workTable, menuKey.deviceManage, menuKey.orderStatistics])
    const id = await newOrganise(ceiling, [`${menuKey.deviceManage}:export`])
    const roles = await rolesOf(id)
    expect(roles.map(({ code }) => code)).toEqual(['GZHGLJS', 'YYSYHJS', 'ZDYHJS', 'SIMCARD', 'LHYYTZR', 'SCWX'])
    for (const { menus, grants } of roles) {
      expect(ceiling).toEqual(expect.arrayContaining(menus))
      expect([`${menuKey.deviceManage}:export`]).toEqual(expect.arrayContaining(grants))
    }
    const bare = await rolesOf(await newOrganise(['2', '2.1'], []))
    expect(bare.map(({ code }) => code)).toEqual(['GZHGLJS'])
  })

  it('has its roles in one log entry, with the organisation', async () => {
    const id = await newOrganise(withAbove(adminMenus()), [])
    const logged = await api.sql<{ content: string; roles: number }>(
      `select content, (select count(*)::int from jsonb_array_elements(changes) one where one ->> 'table' = 'role') as roles
       from audit_log where changes @> jsonb_build_array(jsonb_build_object('table', 'organise'))
         and module = '机构管理' order by at desc, id desc limit 1`,
    )
    expect(logged).toEqual([{ content: '新增机构', roles: 8 }])
    expect(await rolesOf(id)).toHaveLength(8)
  })
})

describe('an organisation that has few of them', () => {
  it('adds the missing ones, all or none, and is not offered existing ones', async () => {
    const { id, admin } = fixture.green
    const before = await offers(admin)
    expect(Object.keys(before)).not.toContain('ADMIN')
    expect(before['GZHGLJS']?.problem).toBe('已有该角色')
    expect(before['SIMCARD']).toMatchObject({ problem: null, userType: 1 })
    expect(before['INSTALLER']?.pages.toSorted()).toEqual(['工作台', '扫码安装', '维修工单'].toSorted())
    const roles = await rolesOf(id)
    expect((await add(admin, ['SIMCARD', 'GZHGLJS'])).status).toBe(409)
    expect((await add(admin, ['SIMCARD', 'ADMIN'])).status).toBe(403)
    expect((await add(admin, ['SIMCARD', 'OTHER'])).status).toBe(404)
    expect(await rolesOf(id)).toEqual(roles)
    const added = await add(admin, ['SIMCARD', 'SCWX', 'INSTALLER'])
    expect(added.status).toBe(200)
    const [line] = await api.sql(
      "select user_id, content from audit_log where module = '角色管理' order by at desc, id desc limit 1",
    )
    expect(line).toMatchObject({ user_id: admin.id, content: '按模板新增角色：SIM卡用户、测试用户、安装员' })
    const { data } = await api.call(admin.token, role.list, { query: { pageSize: 500 } })
    const rows = data.rows.filter((row) => added.data.ids.includes(row.id))
    expect(rows.map(({ code, userType }) => [code, userType])).toEqual(
      expect.arrayContaining([
        ['SIMCARD', 1],
        ['SCWX', 1],
        ['INSTALLER', 4],
      ]),
    )
    expect((await offers(admin))['SIMCARD']?.problem).toBe('已有该角色')
    expect((await add(admin, ['SIMCARD'])).status).toBe(409)
  })

  it('gets no more than its ceiling, even from a super admin of the platform', async () => {
    const ceiling = withAbove([menuKey.workTable, menuKey.deviceManage])
    const organiseId = await newOrganise(ceiling, [])
    await api.sql("delete from role where organise_id = $1 and code <> 'GZHGLJS'", [organiseId])
    const seen = await offers(root, { organiseId })
    expect(seen['YLZH']?.problem).toBe('没有可授予的菜单')
    expect(seen['SIMCARD']?.pages.toSorted()).toEqual(['工作台', '设备管理'].toSorted())
    expect((await add(root, ['YLZH'], { organiseId })).status).toBe(409)
    expect((await add(root, ['ADMIN'], { organiseId })).status).toBe(403)
    expect((await add(root, ['SIMCARD', 'YYSYHJS'], { organiseId })).status).toBe(200)
    for (const { menus, grants } of await rolesOf(organiseId)) {
      expect(ceiling).toEqual(expect.arrayContaining(menus))
      expect(grants).toEqual([])
    }
  })

  it('gets nothing where the platform has set no ceiling', async () => {
    const [bare] = await api.sql<{ id: string }>("insert into organise (name) values ('没有管理员') returning id")
    const organiseId = bare?.id ?? ''
    const problems = Object.values(await offers(root, { organiseId })).map(({ problem }) => problem)
    expect(new Set(problems)).toEqual(new Set(['该机构没有管理员角色']))
    expect((await add(root, ['SCWX'], { organiseId })).status).toBe(409)
  })
})

describe('the granter', () => {
  it('grants no more than they hold', async () => {
    const { id: organiseId } = fixture.swift
    const menus = withAbove([menuKey.role, menuKey.workTable, menuKey.deviceManage])
    const giver = await makePerson(api, { organiseId, loginName: 'gives_few', menus, actions: false })
    await api.sql(
      'insert into role_resource (role_id, resource_id, organise_id) select $1, id, $2 from resource where code = $3',
      [giver.roleId, organiseId, `${menuKey.role}:add`],
    )
    const seen = await offers(giver)
    expect(seen['YLZH']?.problem).toBe('没有可授予的菜单')
    expect((await add(giver, ['YLZH'])).status).toBe(409)
    const added = await add(giver, ['LHYYTZR'])
    expect(added.status).toBe(200)
    const created = (await rolesOf(organiseId)).find(({ id }) => id === added.data.ids[0])
    expect(created).toMatchObject({ menus: withAbove([menuKey.workTable, menuKey.deviceManage]), grants: [] })
  })

  it('at an agent or a site creates roles for users there', async () => {
    const { agent, site, siteId } = fixture.swift
    const seen = await offers(agent)
    expect(Object.keys(seen).toSorted()).toEqual('INSTALLER LHYYTZR SCWX SIMCARD YLZH YYSYHJS ZDYHJS'.split(' '))
    expect(seen['LHYYTZR']).toMatchObject({ userType: 2, problem: null })
    expect((await add(agent, ['GZHGLJS'])).status).toBe(403)
    const added = await add(agent, ['LHYYTZR'])
    const [created] = await api.sql('select agent_id, site_id, user_type, top_level from role where id = $1', [
      added.data.ids[0],
    ])
    expect(created).toEqual({ agent_id: fixture.swift.agentId, site_id: null, user_type: 2, top_level: 3 })
    expect(Object.keys(await offers(site)).toSorted()).toEqual('INSTALLER LHYYTZR SCWX SIMCARD YLZH ZDYHJS'.split(' '))
    expect((await add(site, ['YLZH'])).status).toBe(200)
    const [own] = await api.sql("select site_id, user_type from role where code = 'YLZH' and site_id is not null")
    expect(own).toEqual({ site_id: siteId, user_type: 3 })
  })

  it('at the platform is offered the template of the platform, for the platform only', async () => {
    expect(Object.keys(await offers(root))).toEqual(['ADMIN'])
    expect((await offers(root))['ADMIN']?.problem).toBe('已有该角色')
    expect(Object.keys(await offers(root, { organiseId: fixture.green.id }))).not.toContain('ADMIN')
    await api.sql("update role set code = 'OTHER' where organise_id = 1 and top_level = 1")
    expect((await offers(root))['ADMIN']?.problem).toBe(null)
    const added = await add(root, ['ADMIN'])
    expect(added.status).toBe(200)
    const created = (await rolesOf('1')).find(({ id }) => id === added.data.ids[0])
    expect(created).toMatchObject({ code: 'ADMIN', name: '平台管理员', type: 1, level: 1, unmask: false })
    expect((await add(fixture.platform.admin, ['SCWX'])).status).toBe(403)
  })
})
