import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import type { MenuNode } from '@wattdeck/contract/auth/menu-node.ts'
import { session } from '@wattdeck/contract/auth/session.ts'
import { role } from '@wattdeck/contract/system/role.ts'
import { roleCode } from '@wattdeck/domain/roles.ts'
import pg from 'pg'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { startApi } from '../../../../test/harness/api.ts'
import { type Actor, makePerson, makeRole, makeFixture, tenantMenus } from '../../../../test/harness/people.ts'

const menu: Record<string, string> = {}
const resource: Record<string, string> = {}
const api = await startApi()
const fixture = await makeFixture(api)
beforeAll(async () => {
  for (const row of await api.sql<{ id: string; menu_key: string }>('select id, menu_key from menu'))
    menu[row.menu_key] = row.id
  for (const row of await api.sql<{ id: string; code: string }>('select id, code from resource'))
    resource[row.code] = row.id
})

const menuIds = (...keys: string[]) => keys.map((key) => menu[key] ?? '')
const resourceIds = (...codes: string[]) => codes.map((code) => resource[code] ?? '')
let serial = 0
const newName = () => `新角色${++serial}`
/** A role of an organisation with these menus and every action on them. */
const roleWith = (menus: string[], more: object = {}) =>
  makeRole(api, { organiseId: fixture.green.id, loginName: '', name: newName(), menus, ...more })
const save = (who: Actor, roleId: string, menus: string[], resources: string[] = [], canUnmask = false) =>
  api.call(who.token, role.savePrivilege, {
    body: {
      roleId,
      canUnmask,
      ...(menus.length > 0 ? { menuIds: menus } : {}),
      ...(resources.length > 0 ? { resourceIds: resources } : {}),
    },
  })
type Params = {
  organiseId?: string
  agentId?: string
  siteId?: string
  userType?: 1 | 2 | 3 | 4
  code?: string
  name?: string
}
const add = (who: Actor, more: Params = {}) =>
  api.call(who.token, role.add, { body: { name: newName(), code: 'OWN', userType: 1, ...more } })
const copy = (who: Actor, id: string, name = newName()) =>
  api.call(who.token, role.copy, { body: { id, name, code: 'COPY' } })
const edit = (who: Actor, id: string) =>
  api.call(who.token, role.edit, { body: { id, name: newName(), code: 'EDITED' } })
const toggle = (who: Actor, id: string, status: 0 | 1) => api.call(who.token, role.toggle, { body: { id, status } })
const remove = (who: Actor, id: string) => api.call(who.token, role.remove, { body: { id } })
const grantsOf = async (id: string) => {
  const [row] = await api.sql<{ menus: string[]; resources: string[]; unmask: boolean }>(
    `select array(select menu_key from role_menu join menu on menu.id = menu_id where role_id = role.id order by 1) as menus,
      array(select code from role_resource join resource on resource.id = resource_id where role_id = role.id order by 1) as resources,
      can_unmask as unmask from role where id = $1`,
    [id],
  )
  return row
}
const ask = async (who: Actor, query: object) =>
  (await api.call(who.token, role.list, { query: { pageSize: 500, ...query } })).data.rows
const snapshot = (organiseId: string) =>
  api.sql(
    `select role.*, array(select menu_id from role_menu where role_id = role.id order by 1) as menus,
      array(select resource_id from role_resource where role_id = role.id order by 1) as resources
     from role where organise_id = $1 order by id`,
    [organiseId],
  )
const keysIn = (nodes: MenuNode[]): string[] => nodes.flatMap((node) => [node.menuKey, ...keysIn(node.childMenus)])

describe('a stranger', () => {
  it('neither sees nor changes a role of another organisation', async () => {
    const { green, swift } = fixture
    const id = swift.clerk.roleId ?? ''
    const before = await snapshot(swift.id)
    const mine = (await api.call(green.admin.token, role.list, { query: { pageSize: 500 } })).data.rows
    expect(mine.map((row) => row.organiseId)).not.toContain(swift.id)
    const theirs = await api.call(green.admin.token, role.list, { query: { organiseId: swift.id } })
    expect(theirs.data.rows).toEqual([])
    const tries = [
      await api.call(green.admin.token, role.privilege, { params: { roleId: id } }),
      await api.call(green.admin.token, role.members, { params: { roleId: id } }),
      await save(green.admin, id, menuIds('2')),
      await add(green.admin, { organiseId: swift.id }),
      await edit(green.admin, id),
      await copy(green.admin, id),
      await toggle(green.admin, id, 0),
      await remove(green.admin, id),
    ]
    expect(tries.map((reply) => reply.status)).toEqual(tries.map(() => 404))
    expect(await snapshot(swift.id)).toEqual(before)
  })

  it('an agent does not see the roles of the organisation above it', async () => {
    const { data } = await api.call(fixture.green.agent.token, role.list, { query: { pageSize: 500 } })
    expect(data.rows.map((row) => row.id)).not.toContain(fixture.green.admin.roleId)
    expect((await edit(fixture.green.agent, fixture.green.clerk.roleId ?? '')).status).toBe(404)
  })
})

describe('reading', () => {
  it('lists roles with their number of members and the data scope of their holders', async () => {
    expect(await ask(fixture.green.admin, { name: 'green_clerk' })).toMatchObject([
      { id: fixture.green.clerk.roleId, organiseName: '机构green', userCount: 1, dataScope: '本机构', topLevel: 2 },
    ])
    const seen = async (name: string) => (await ask(fixture.platform.root, { name }))[0]?.dataScope
    expect([await seen('green_agent'), await seen('green_site'), await seen('green_installer')]).toEqual([
      '本代理商及下级',
      '本站点',
      '按归属',
    ])
    expect(await seen('角色root')).toBe('平台全部')
    expect(await ask(fixture.green.admin, { code: 'GZHGLJS' })).toHaveLength(1)
    expect(await ask(fixture.green.admin, { status: 0 })).toEqual([])
  })

  it('pages through the members, without removed users', async () => {
    const id = await roleWith(['2'])
    for (const loginName of ['member_one', 'member_two', 'member_gone']) {
      const person = await makePerson(api, { organiseId: fixture.green.id, loginName })
      await api.sql('insert into user_role (user_id, role_id, organise_id) values ($1, $2, $3)', [
        person.id,
        id,
        fixture.green.id,
      ])
    }
    await api.sql("update user_account set deleted_at = now() where login_name = 'member_gone'")
    const { data } = await api.call(fixture.green.admin.token, role.members, {
      params: { roleId: id },
      query: { pageSize: 1 },
    })
    expect(data).toMatchObject({ total: 2, rows: [{ loginName: 'member_two', departmentName: null, status: 1 }] })
  })

  it('offers only the menus and resources that the caller holds', async () => {
    const id = await roleWith([menuKey.log, menuKey.resource, menuKey.staff])
    const { data } = await api.call(fixture.green.admin.token, role.privilege, { params: { roleId: id } })
    expect(keysIn(data.menus)).not.toContain(menuKey.resource)
    expect(keysIn(data.menus)).toEqual(expect.arrayContaining(tenantMenus))
    expect(data.grantedMenuIds.toSorted()).toEqual(menuIds(menuKey.staff, menuKey.log).toSorted())
    expect(data.resources.map((row) => row.menuId)).not.toContain(menu[menuKey.resource])
    expect(data.grantedResourceIds).toContain(resource['1.1.3:edit'])
    expect(data.mayGrantUnmask).toBe(true)
  })
})

describe('granting', () => {
  it('[role.menu-visibility] shows a member the saved menus within a second', async () => {
    const member = await makePerson(api, { organiseId: fixture.green.id, loginName: 'shown', menus: ['2', '2.1'] })
    const roleId = member.roleId ?? ''
    expect((await save(fixture.green.admin, roleId, menuIds('2', '1', '1.1', '1.1.3'))).status).toBe(200)
    await new Promise((resume) => setTimeout(resume, 1000))
    const { data } = await api.call(member.token, session.userInfo)
    expect(keysIn(data.menuTree).filter((key) => !key.startsWith('3') && key !== menuKey.helpDocument)).toEqual([
      '2',
      '1',
      '1.1',
      '1.1.3',
    ])
  })

  it('[role.action-kinds] grants an action kind with its menu, and never without', async () => {
    const id = await roleWith([])
    const alone = await save(fixture.green.admin, id, menuIds('1.1.2'), resourceIds('1.1.3:edit'))
    expect(alone).toMatchObject({ status: 422, message: '资源须与其所属菜单一同授予' })
    expect((await save(fixture.green.admin, id, menuIds('1.1.3'), resourceIds('1.1.3:edit'))).status).toBe(200)
    expect(await grantsOf(id)).toEqual({ menus: ['1.1.3'], resources: ['1.1.3:edit'], unmask: false })
  })

  it('refuses every menu and every action that the granter lacks, and changes nothing', async () => {
    const granter = await makePerson(api, {
      organiseId: fixture.green.id,
      loginName: 'granter',
      menus: ['1', '1.1', menuKey.role],
    })
    const id = await roleWith([menuKey.role])
    const before = await grantsOf(id)
    const ownKeys = new Set(['1', '1.1', menuKey.role, menuKey.helpDocument, '3', '3.1', '3.2', '3.3'])
    for (const key of Object.keys(menu).filter((one) => !ownKeys.has(one)))
      expect((await save(granter, id, menuIds(menuKey.role, key))).status).toBe(403)
    const codes = Object.keys(resource).filter((code) => !code.startsWith(menuKey.role))
    for (const code of codes) {
      const reply = await save(granter, id, menuIds(code.split(':')[0] ?? ''), resourceIds(code))
      expect(reply.status).toBe(403)
    }
    expect((await save(granter, id, menuIds(menuKey.role), [], true)).status).toBe(403)
    expect(await grantsOf(id)).toEqual(before)
  })

  it('allows a reader of a menu to grant reading, but no action', async () => {
    const reader = await makePerson(api, {
      organiseId: fixture.green.id,
      loginName: 'reader',
      menus: ['1', '1.1', menuKey.role, menuKey.staff],
      actions: false,
    })
    await api.sql(
      'insert into role_resource (role_id, resource_id, organise_id) select $1, id, $2 from resource where code = $3',
      [reader.roleId, fixture.green.id, '1.1.6:edit'],
    )
    const id = await roleWith([])
    expect((await save(reader, id, menuIds('1.1.3'))).status).toBe(200)
    expect((await save(reader, id, menuIds('1.1.3'), resourceIds('1.1.3:delete'))).status).toBe(403)
  })

  it('refuses an unknown id', async () => {
    const id = await roleWith([])
    expect((await save(fixture.green.admin, id, ['999999'])).status).toBe(404)
    expect((await save(fixture.green.admin, id, [], ['999999'])).status).toBe(404)
  })

  it('allows only a super admin to change a role of their own', async () => {
    const twin = await makePerson(api, { organiseId: fixture.green.id, loginName: 'own_role', menus: tenantMenus })
    const id = twin.roleId ?? ''
    const tries = [
      await save(twin, id, menuIds('2')),
      await edit(twin, id),
      await toggle(twin, id, 0),
      await remove(twin, id),
    ]
    expect(tries.map((reply) => reply.status)).toEqual([403, 403, 403, 403])
    expect((await edit(fixture.platform.root, fixture.platform.root.roleId ?? '')).status).toBe(200)
  })

  it('refuses to change a role that grants more than the caller holds', async () => {
    const more = await roleWith([...tenantMenus, menuKey.resource])
    const unmasking = await roleWith(['2'], { canUnmask: true })
    const lesser = await makePerson(api, { organiseId: fixture.green.id, loginName: 'lesser', menus: tenantMenus })
    for (const id of [more, unmasking]) {
      const tries = [
        await save(lesser, id, menuIds('2')),
        await edit(lesser, id),
        await copy(lesser, id),
        await toggle(lesser, id, 0),
        await remove(lesser, id),
      ]
      expect(tries.map((reply) => reply.status)).toEqual(tries.map(() => 403))
    }
  })

  it('refuses to change a role of higher standing, even if it grants nothing that the caller lacks', async () => {
    const superRole = await roleWith(['2'], { organiseId: '1', topLevel: 0 })
    const wider = await roleWith(['2'], { topLevel: 2 })
    const narrow = await makePerson(api, {
      organiseId: fixture.green.id,
      loginName: 'narrow',
      menus: tenantMenus,
      topLevel: 4,
    })
    for (const [who, id] of [
      [fixture.platform.admin, superRole],
      [narrow, wider],
    ] as const) {
      const tries = [await save(who, id, menuIds('2')), await edit(who, id), await copy(who, id), await remove(who, id)]
      expect(tries.map((reply) => reply.status)).toEqual(tries.map(() => 403))
    }
  })

  it('keeps a grant that is currently disabled, unless a super admin saves', async () => {
    const [off] = await api.sql<{ id: string }>(
      "insert into menu (menu_key, title, kind, status) values ('60', '停用', 2, 0) returning id",
    )
    const id = await roleWith(['2', '60'])
    expect((await save(fixture.green.admin, id, menuIds('2', '2.1'))).status).toBe(200)
    expect((await grantsOf(id))?.menus).toEqual(['2', '2.1', '60'])
    expect((await save(fixture.green.admin, id, [off?.id ?? ''])).status).toBe(403)
    expect((await save(fixture.platform.root, id, menuIds('2'))).status).toBe(200)
    expect((await grantsOf(id))?.menus).toEqual(['2'])
  })

  it('writes only the difference, and notifies every member once', async () => {
    const member = await makePerson(api, {
      organiseId: fixture.green.id,
      loginName: 'role_holder',
      menus: ['2', '2.1'],
    })
    const id = member.roleId ?? ''
    await save(fixture.green.admin, id, menuIds('2', '1.5'))
    const [entry] = await api.sql<{ changes: { table: string; before: object; after: object }[] }>(
      "select changes from audit_log where content = '配置角色权限' order by id desc limit 1",
    )
    expect(entry?.changes.map(({ table }) => table)).toEqual(['role_menu', 'role_menu'])
    expect(JSON.stringify(entry?.changes[0]?.before)).toContain(menu['2.1'])
    expect(JSON.stringify(entry?.changes[1]?.after)).toContain(menu['1.5'])

    expect(await api.sql('select type, title, body from notification where user_id = $1', [member.id])).toEqual([
      { type: 0, title: '权限变更', body: '您的角色「角色role_holder」的权限已更新' },
    ])
    const subject = `live.${fixture.green.id}.user.${member.id}`
    const events = await api.sql<{ kind: string }>(
      "select payload ->> 'kind' as kind from outbox where subject = $1 order by id",
      [subject],
    )
    expect(events.map(({ kind }) => kind)).toEqual(['notice', 'rights'])

    await save(fixture.green.admin, id, menuIds('2', '1.5'))
    expect(await api.sql('select id from notification where user_id = $1', [member.id])).toHaveLength(1)
  })
})

describe('a role of many', () => {
  it('notifies each of three hundred members once, with as many statements as for three members', async () => {
    const statementsFor = async (count: number) => {
      const id = await roleWith(['2', '2.1'])
      await api.sql(
        `with made as (insert into user_account (organise_id, user_type, employee_no, name, login_name, phone, password_hash)
           select $1, 1, tag, tag, tag, 13900000000 + count(*) over (order by n) + $2::bigint * 1000, 'x'
           from generate_series(1, $3::int) n, format('m%s_%s', $2::bigint, n) tag returning id)
         insert into user_role (user_id, role_id, organise_id) select id, $2::bigint, $1 from made`,
        [fixture.green.id, id, count],
      )
      const sent = vi.spyOn(pg.Client.prototype, 'query')
      expect((await save(fixture.green.admin, id, menuIds('2'))).status).toBe(200)
      const texts = sent.mock.calls.map(([query]) => (query as { text?: string }).text ?? '')
      sent.mockRestore()
      const events = await api.sql<{ kind: string; n: number; people: number }>(
        `select payload ->> 'kind' as kind, count(*)::int as n, count(distinct subject)::int as people from outbox
         where subject in (select 'live.' || organise_id || '.user.' || user_id from user_role where role_id = $1) group by 1 order by 1`,
        [id],
      )
      expect(events).toEqual(['notice', 'rights'].map((kind) => ({ kind, n: count, people: count })))
      return texts.filter((text) => /insert into (notification|outbox)/.test(text)).length
    }
    expect([await statementsFor(3), await statementsFor(300)]).toEqual([3, 3])
  })
})

describe('creating and removing', () => {
  it('derives the top level: one for the platform, otherwise one more than the user type', async () => {
    const levelOf = async (reply: Awaited<ReturnType<typeof add>>) =>
      (await api.sql<{ top_level: number }>('select top_level from role where id = $1', [reply.data.id]))[0]?.top_level
    expect(await levelOf(await add(fixture.platform.admin))).toBe(1)
    expect(await levelOf(await add(fixture.platform.admin, { organiseId: fixture.green.id }))).toBe(2)
    expect(await levelOf(await add(fixture.green.admin, { userType: 3 }))).toBe(4)
    const copied = await copy(fixture.platform.root, fixture.platform.root.roleId ?? '')
    expect(await levelOf(copied)).toBe(1)
  })

  it('accepts no top level and no unmask from the request', async () => {
    const body = { name: newName(), code: 'OWN', userType: 1, topLevel: 0 } as const
    expect((await api.call(fixture.green.admin.token, role.add, { body })).status).toBe(422)
  })

  it('creates no role for a wider user type than that of the creator', async () => {
    expect((await add(fixture.green.agent, { userType: 1 })).status).toBe(403)
    expect((await add(fixture.green.agent, { userType: 2 })).status).toBe(200)
    expect((await add(fixture.green.site, { userType: 2 })).status).toBe(403)
    const { agentId, id: organiseId } = fixture.green
    const lifted = await makePerson(api, { organiseId, agentId, loginName: 'lifted', menus: tenantMenus, topLevel: 2 })
    expect((await add(lifted, { userType: 1 })).status).toBe(403)
  })

  it('creates a role at the place of its creator', async () => {
    const { id } = (await add(fixture.green.agent, { userType: 2 })).data
    expect(await api.sql('select organise_id, agent_id from role where id = $1', [id])).toEqual([
      { organise_id: fixture.green.id, agent_id: fixture.green.agentId },
    ])
    expect((await edit(fixture.swift.admin, id)).status).toBe(404)
  })

  it.each(Object.values(roleCode))('accepts the role code %s', async (code) => {
    expect((await add(fixture.platform.admin, { code })).status).toBe(200)
  })

  it('creates a role at a chosen agent or site, for users there only', async () => {
    const { admin, agent, agentId, subAgentId, siteId } = fixture.green
    const atAgent = await add(admin, { agentId: subAgentId, userType: 2 })
    const atSite = await add(admin, { agentId, siteId, userType: 3 })
    const owners = await api.sql('select agent_id, site_id from role where id = any($1) order by id', [
      [atAgent.data.id, atSite.data.id],
    ])
    expect(owners).toEqual([
      { agent_id: subAgentId, site_id: null },
      { agent_id: subAgentId, site_id: siteId },
    ])
    const idsFor = async (query: object) => (await ask(agent, query)).map((row) => row.id)
    expect(await idsFor({ agentId })).toEqual(expect.arrayContaining([atAgent.data.id, atSite.data.id]))
    expect(await idsFor({ siteId })).toContain(atSite.data.id)
    expect(await idsFor({ siteId })).not.toContain(atAgent.data.id)
    expect((await ask(agent, { siteId })).find((row) => row.id === atSite.data.id)).toMatchObject({
      organiseName: '机构green',
      agentName: '下级green',
      siteName: '站点green',
    })
    expect((await add(admin, { agentId: subAgentId, userType: 1 })).status).toBe(422)
    expect((await add(admin, { siteId, userType: 2 })).status).toBe(422)
    expect((await add(admin, { agentId: fixture.swift.agentId, userType: 2 })).status).toBe(404)
  })

  it('reserves the code of the platform admin for the platform', async () => {
    expect((await add(fixture.green.admin, { code: roleCode.platformAdmin })).status).toBe(422)
  })

  it('refuses a name that exists at the same place', async () => {
    const name = newName()
    const conflict = { status: 409, message: '角色名称已存在' }
    const { id } = (await add(fixture.green.admin, { name })).data
    expect(await add(fixture.green.admin, { name })).toMatchObject(conflict)
    expect(await copy(fixture.green.admin, id, name)).toMatchObject(conflict)
    const other = (await add(fixture.green.admin)).data.id
    const renamed = await api.call(fixture.green.admin.token, role.edit, { body: { id: other, name, code: 'OWN' } })
    expect(renamed).toMatchObject(conflict)
    expect((await add(fixture.swift.admin, { name })).status).toBe(200)
  })

  it('copies a role with its grants', async () => {
    const id = await roleWith(['1', '1.1', menuKey.staff], { canUnmask: true })
    const { status, data } = await copy(fixture.green.admin, id)
    expect(status).toBe(200)
    expect(await grantsOf(data.id)).toEqual(await grantsOf(id))
  })

  it('disables and enables a role once each, but never the super admin', async () => {
    const id = await roleWith(['2'])
    const replies = [
      await toggle(fixture.green.admin, id, 0),
      await toggle(fixture.green.admin, id, 0),
      await toggle(fixture.green.admin, id, 1),
      await toggle(fixture.platform.root, fixture.platform.root.roleId ?? '', 0),
    ]
    expect(replies.map((reply) => reply.status)).toEqual([200, 409, 200, 409])
  })

  it('removes a role only when it has no member', async () => {
    const member = await makePerson(api, { organiseId: fixture.green.id, loginName: 'keeps_role', menus: ['2'] })
    const id = member.roleId ?? ''
    expect(await remove(fixture.green.admin, id)).toMatchObject({ status: 409, message: '角色下还有成员，不能删除' })
    await api.sql('update user_account set deleted_at = now() where id = $1', [member.id])
    expect([(await remove(fixture.green.admin, id)).status, (await remove(fixture.green.admin, id)).status]).toEqual([
      200, 404,
    ])
  })
})
