import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { menuGroups } from '@wattdeck/contract/menu-groups.ts'
import type { MenuNode } from '@wattdeck/contract/auth/menu-node.ts'
import { menuManager } from '@wattdeck/contract/system/menu-manager.ts'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { apiUrl } from '../../../../../../tools/ops/database.ts'
import { startApi } from '../../../../test/harness/api.ts'
import { makePerson, makeFixture, tenantMenus } from '../../../../test/harness/people.ts'
import { ensureReferenceData } from '../../../seed/reference-data.ts'

const api = await startApi()
const fixture = await makeFixture(api)

const keysIn = (nodes: MenuNode[]): string[] => nodes.flatMap((node) => [node.menuKey, ...keysIn(node.childMenus)])
const forAll = ['1', '1.13', '3', '3.1', '3.2', '3.3']
const fields = { title: '新菜单', kind: 2, sort: 5, alwaysVisible: false } as const
const add = (token: string, body: { parentId?: string; menuKey: string; alwaysVisible?: boolean }) =>
  api.call(token, menuManager.add, { body: { ...fields, ...body } })
const idOf = async (key: string) =>
  (await api.sql<{ id: string }>('select id from menu where menu_key = $1', [key]))[0]?.id ?? ''
const ask = async (query: object) =>
  keysIn((await api.call(fixture.platform.root.token, menuManager.tree, { query })).data)
const snapshot = () => api.sql('select id, menu_key, title, sort, status, always_visible from menu order by id')

describe('a stranger', () => {
  it('cannot see the menus of a user of another organisation', async () => {
    const reply = await api.call(fixture.green.admin.token, menuManager.userTree, {
      params: { userId: fixture.swift.admin.id },
    })
    expect(reply.status).toBe(404)
  })

  it('cannot change a menu, even with a role of an organisation that names the menu manager', async () => {
    const tricked = await makePerson(api, { organiseId: fixture.green.id, loginName: 'menu_tenant', menus: '*' })
    const id = await idOf(menuKey.log)
    const before = await snapshot()
    const tries = [
      await add(tricked.token, { menuKey: '77' }),
      await api.call(tricked.token, menuManager.edit, { body: { id, ...fields } }),
      await api.call(tricked.token, menuManager.toggle, { body: { id, status: 0 } }),
      await api.call(tricked.token, menuManager.move, { body: { id, direction: 'up' } }),
      await api.call(tricked.token, menuManager.remove, { body: { id } }),
    ]
    expect(tries.map((reply) => reply.status)).toEqual([403, 403, 403, 403, 403])
    expect(await snapshot()).toEqual(before)
  })
})

describe('the order centre', () => {
  const groupsOf = async (person: { id: string; token: string }) => {
    const { data } = await api.call(person.token, menuManager.userTree, { params: { userId: person.id } })
    const centre = data.find(({ menuKey: key }) => key === menuKey.order)
    return centre?.childMenus.map(({ title, childMenus }) => [title, keysIn(childMenus)])
  }
  const seller = () =>
    makePerson(api, { organiseId: fixture.green.id, loginName: 'menu_orders', menus: ['7', '7.2', '7.9'] })

  it('is grouped into trade and recharge orders, also for a user with single menus', async () => {
    expect(await groupsOf(await seller())).toEqual([
      ['交易订单', ['7.2']],
      ['充值订单', ['7.9']],
    ])
    expect(await groupsOf(fixture.green.admin)).toEqual(menuGroups.map(({ title, holds }) => [title, holds]))
  })

  it('is grouped in an older installation, with a grant for each role that holds a menu of a group', async () => {
    const readGrants = (groups: boolean) =>
      api.sql<{ count: number }>(
        `select count(distinct role_id)::int as count from role_menu join menu on menu.id = menu_id
         where menu_key = any($1)`,
        [groups ? menuGroups.map(({ key }) => key) : menuGroups.flatMap(({ holds }) => holds)],
      )
    await api.sql(
      `update menu set parent_id = (select id from menu where menu_key = '7')
       where parent_id in (select id from menu where menu_key in ('7.20', '7.21'))`,
    )
    await api.sql("delete from role_menu where menu_id in (select id from menu where menu_key in ('7.20', '7.21'))")
    await api.sql("delete from menu where menu_key in ('7.20', '7.21')")
    const client = new pg.Client({ connectionString: apiUrl(api.database).replace('wattdeck_api', 'wattdeck_owner') })
    await client.connect()
    await ensureReferenceData(client)
    await client.end()
    expect(await readGrants(true)).toEqual(await readGrants(false))
    expect(await groupsOf(fixture.green.admin)).toEqual(menuGroups.map(({ title, holds }) => [title, holds]))
  })
})

describe('reading', () => {
  it('[role.menu-visibility] shows a user the menus they hold and those that are always visible', async () => {
    const { data } = await api.call(fixture.green.clerk.token, menuManager.userTree, {
      params: { userId: fixture.green.clerk.id },
    })
    expect(keysIn(data).toSorted()).toEqual(['2', '2.1', ...forAll].toSorted())
  })

  it('[role.menu-visibility] shows the menus of another user in scope, not those of the caller', async () => {
    const { data } = await api.call(fixture.green.admin.token, menuManager.userTree, {
      params: { userId: fixture.green.clerk.id },
    })
    expect(keysIn(data).toSorted()).toEqual(['2', '2.1', ...forAll].toSorted())
  })

  it('refuses an agent the menus of a user of the organisation above', async () => {
    const reply = await api.call(fixture.green.agent.token, menuManager.userTree, {
      params: { userId: fixture.green.admin.id },
    })
    expect(reply.status).toBe(404)
  })

  it('[role.super-admin] shows a super admin all menus including disabled ones, and any other user only their own', async () => {
    await api.sql("insert into menu (menu_key, title, kind, status) values ('88', '停用的菜单', 1, 0)")
    const root = keysIn((await api.call(fixture.platform.root.token, menuManager.tree)).data)
    expect(root).toContain('88')
    expect(root).toContain(menuKey.menuManager)
    const tenant = keysIn((await api.call(fixture.green.admin.token, menuManager.tree)).data)
    expect(tenant.toSorted()).toEqual([...new Set([...tenantMenus, ...forAll])].toSorted())
  })

  it('filters by title, key and status, with the menus above', async () => {
    expect(await ask({ title: '角色' })).toEqual(['1', '1.1', '1.1.6'])
    expect(await ask({ menuKey: '1.5' })).toEqual(['1', '1.5'])
    expect(await ask({ status: 0 })).toEqual(['88'])
  })
})

describe('changing', () => {
  it('adds a menu below another, whose key it extends by one level', async () => {
    const parentId = await idOf(menuKey.systemSettings)
    const { status, data } = await add(fixture.platform.admin.token, { parentId, menuKey: '1.1.90' })
    expect(status).toBe(200)
    const [row] = await api.sql('select parent_id, menu_key, status from menu where id = $1', [data.id])
    expect(row).toEqual({ parent_id: parentId, menu_key: '1.1.90', status: 1 })
  })

  it.each(['1.90', '1.1.1.90', '90', '1.10.1'])('refuses the key %s below 1.1', async (key) => {
    const parentId = await idOf(menuKey.systemSettings)
    const reply = await add(fixture.platform.root.token, { parentId, menuKey: key })
    expect(reply).toMatchObject({ status: 422, message: '菜单编码须在上级编码之后增加一级' })
  })

  it('refuses a nested key without a parent', async () => {
    expect((await add(fixture.platform.root.token, { menuKey: '1.91' })).status).toBe(422)
  })

  it('refuses an existing key and a missing parent', async () => {
    const parentId = await idOf(menuKey.systemSettings)
    expect(await add(fixture.platform.root.token, { parentId, menuKey: menuKey.role })).toMatchObject({
      status: 409,
      message: '菜单编码已存在',
    })
    expect((await add(fixture.platform.root.token, { parentId: '999999', menuKey: '1.1.9' })).status).toBe(404)
  })

  it('allows only a holder of a menu to show it to every user', async () => {
    const half = await makePerson(api, {
      organiseId: '1',
      loginName: 'half_admin',
      menus: ['1', '1.1', menuKey.menuManager],
      topLevel: 1,
    })
    expect((await add(half.token, { menuKey: '66', alwaysVisible: true })).status).toBe(403)
    const body = { id: await idOf(menuKey.log), title: '日志管理', kind: 2, sort: 1, alwaysVisible: true } as const
    expect((await api.call(half.token, menuManager.edit, { body })).status).toBe(403)
    const [log] = await api.sql('select always_visible from menu where menu_key = $1', [menuKey.log])
    expect(log).toEqual({ always_visible: false })
    expect((await add(fixture.platform.root.token, { menuKey: '66', alwaysVisible: true })).status).toBe(200)
  })

  it('edits the display of a menu, and responds 404 for a missing one', async () => {
    const { data } = await add(fixture.platform.root.token, { menuKey: '70' })
    const edited = { title: '改名', route: '/new/place', kind: 2, icon: 'tool', sort: 7, alwaysVisible: false } as const
    const reply = await api.call(fixture.platform.root.token, menuManager.edit, { body: { id: data.id, ...edited } })
    expect(reply.status).toBe(200)
    const [row] = await api.sql('select title, route, icon, sort from menu where id = $1', [data.id])
    expect(row).toEqual({ title: '改名', route: '/new/place', icon: 'tool', sort: 7 })
    const missing = await api.call(fixture.platform.root.token, menuManager.edit, { body: { id: '999999', ...edited } })
    expect(missing.status).toBe(404)
  })

  it.each(['1', '1.1', '1.1.1'])('neither disables nor removes %s, which leads to the menu manager', async (key) => {
    const id = await idOf(key)
    const off = await api.call(fixture.platform.root.token, menuManager.toggle, { body: { id, status: 0 } })
    expect(off).toMatchObject({ status: 409, message: '菜单管理及其上级菜单不能停用' })
    const refusal = await api.call(fixture.platform.root.token, menuManager.remove, { body: { id } })
    expect(refusal).toMatchObject({ status: 409, message: '菜单管理及其上级菜单不能删除' })
  })

  it('disables and enables a menu once each; a second time is a conflict', async () => {
    const { data } = await add(fixture.platform.root.token, { menuKey: '71' })
    const toggle = async (status: 0 | 1) =>
      (await api.call(fixture.platform.root.token, menuManager.toggle, { body: { id: data.id, status } })).status
    expect([await toggle(0), await toggle(0), await toggle(1), await toggle(1)]).toEqual([200, 409, 200, 409])
  })

  it('moves a menu one place, also among menus of the same rank, and not beyond the ends', async () => {
    const top = (await add(fixture.platform.root.token, { menuKey: '72' })).data.id
    for (const key of ['72.1', '72.2', '72.3']) await add(fixture.platform.root.token, { parentId: top, menuKey: key })
    const order = async () => {
      const { data } = await api.call(fixture.platform.root.token, menuManager.tree, { query: { menuKey: '72' } })
      return data[0]?.childMenus.map((node) => node.menuKey)
    }
    const move = async (key: string, direction: 'up' | 'down') => {
      const id = await idOf(key)
      return (await api.call(fixture.platform.root.token, menuManager.move, { body: { id, direction } })).status
    }
    expect(await move('72.3', 'up')).toBe(200)
    expect(await order()).toEqual(['72.1', '72.3', '72.2'])
    expect(await move('72.1', 'down')).toBe(200)
    expect(await order()).toEqual(['72.3', '72.1', '72.2'])
    expect([await move('72.3', 'up'), await move('72.2', 'down')]).toEqual([409, 409])
  })

  it('removes a menu only when no menu is below it and no resource uses it', async () => {
    const top = (await add(fixture.platform.root.token, { menuKey: '73' })).data.id
    const child = (await add(fixture.platform.root.token, { parentId: top, menuKey: '73.1' })).data.id
    await api.sql(
      "insert into resource (menu_id, name, code, action, path, method) values ($1, '用', '73.1:add', 'add', '/x', 'POST')",
      [child],
    )
    const remove = (id: string) => api.call(fixture.platform.root.token, menuManager.remove, { body: { id } })
    expect(await remove(top)).toMatchObject({ status: 409, message: '请先删除下级菜单' })
    expect(await remove(child)).toMatchObject({ status: 409, message: '该菜单下还有资源，不能删除' })
    await api.sql('delete from resource where menu_id = $1', [child])
    expect([(await remove(child)).status, (await remove(top)).status, (await remove(top)).status]).toEqual([
      200, 200, 404,
    ])
  })

  it('does not lift the ceiling of a department by removing its only menu', async () => {
    const { id } = (await add(fixture.platform.root.token, { menuKey: '74' })).data
    await api.sql('insert into department_menu (department_id, menu_id, organise_id) values ($1, $2, $3)', [
      fixture.swift.departmentId,
      id,
      fixture.swift.id,
    ])
    const reply = await api.call(fixture.platform.root.token, menuManager.remove, { body: { id } })
    expect(reply).toMatchObject({ status: 409, message: '有部门仅分配了该菜单，请先调整部门菜单' })
  })
})
