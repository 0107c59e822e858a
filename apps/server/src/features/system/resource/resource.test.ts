import { actionKind } from '@wattdeck/contract/common.ts'
import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { resource } from '@wattdeck/contract/system/resource.ts'
import { describe, expect, it } from 'vitest'
import { startApi } from '../../../../test/harness/api.ts'
import { makePerson, makeFixture } from '../../../../test/harness/people.ts'

const api = await startApi()
const fixture = await makeFixture(api)
const [log] = await api.sql<{ id: string }>('select id from menu where menu_key = $1', [menuKey.log])
const menuId = log?.id ?? ''

const fields = { name: '日志导出', action: 'export', path: '/seeker/api/log/export', method: 'POST' } as const
const add = (token: string, code: string, more: object = {}) =>
  api.call(token, resource.add, { body: { menuId, code, ...fields, ...more } })
const idOf = async (code: string) =>
  (await api.sql<{ id: string }>('select id from resource where code = $1', [code]))[0]?.id ?? ''
const snapshot = () => api.sql('select * from resource order by id')

describe('a stranger', () => {
  it('sees no resource without the menu, and changes none with a role of an organisation', async () => {
    expect((await api.call(fixture.green.admin.token, resource.list)).status).toBe(403)
    const tricked = await makePerson(api, { organiseId: fixture.green.id, loginName: 'resource_tenant', menus: '*' })
    const id = await idOf('1.1.3:edit')
    const before = await snapshot()
    const tries = [
      await add(tricked.token, 'mine'),
      await api.call(tricked.token, resource.edit, { body: { id, ...fields } }),
      await api.call(tricked.token, resource.toggle, { body: { id, status: 0 } }),
      await api.call(tricked.token, resource.remove, { body: { id } }),
    ]
    expect(tries.map((reply) => reply.status)).toEqual([403, 403, 403, 403])
    expect(await snapshot()).toEqual(before)
  })
})

describe('a platform admin', () => {
  it('filters resources by menu, action and name', async () => {
    await add(fixture.platform.admin.token, 'find:1', { name: '找得到' })
    const ask = async (query: object) => (await api.call(fixture.platform.admin.token, resource.list, { query })).data
    const byMenu = await ask({ menuId, name: '找得' })
    expect(byMenu.rows).toMatchObject([{ code: 'find:1', menuId, menuKey: menuKey.log, action: 'export', status: 1 }])
    expect((await ask({ action: 'upgrade' })).total).toBe(0)
    expect((await ask({ name: '%' })).total).toBe(0)
  })

  it('adds a resource with a unique code and an existing menu', async () => {
    expect((await add(fixture.platform.admin.token, 'once')).status).toBe(200)
    expect(await add(fixture.platform.admin.token, 'once')).toMatchObject({ status: 409, message: '资源编码已存在' })
    expect((await add(fixture.platform.admin.token, 'nowhere', { menuId: '999999' })).status).toBe(404)
  })

  it('[role.action-kinds] accepts each kind of action, of the specification and ours, and no other', async () => {
    for (const { value } of actionKind.options)
      expect((await add(fixture.platform.root.token, `kind:${value}`, { action: value })).status).toBe(200)
    expect((await add(fixture.platform.root.token, 'kind:other', { action: 'dance' as never })).status).toBe(422)
  })

  it('edits a resource, and responds 404 for a missing one', async () => {
    const { id } = (await add(fixture.platform.root.token, 'edited')).data
    const body = { id, name: '改名', action: 'import', path: '/seeker/api/log/import', method: 'POST' } as const
    expect((await api.call(fixture.platform.root.token, resource.edit, { body })).status).toBe(200)
    const [row] = await api.sql('select name, action, path from resource where id = $1', [id])
    expect(row).toEqual({ name: '改名', action: 'import', path: '/seeker/api/log/import' })
    const missing = await api.call(fixture.platform.root.token, resource.edit, { body: { ...body, id: '999999' } })
    expect(missing.status).toBe(404)
  })

  it('cannot turn their own resource into an action that they lack', async () => {
    const { id } = (await add(fixture.platform.root.token, 'turned')).data
    const body = { id, ...fields, action: 'delete' } as const
    expect((await api.call(fixture.platform.admin.token, resource.edit, { body })).status).toBe(403)
    const [row] = await api.sql('select action from resource where id = $1', [id])
    expect(row).toEqual({ action: 'export' })
  })

  it('disables and enables a resource once each', async () => {
    const { id } = (await add(fixture.platform.root.token, 'toggled')).data
    const toggle = async (status: 0 | 1) =>
      (await api.call(fixture.platform.admin.token, resource.toggle, { body: { id, status } })).status
    expect([await toggle(0), await toggle(0), await toggle(1)]).toEqual([200, 409, 200])
  })

  it('removes a resource, also from every role', async () => {
    const { id } = (await add(fixture.platform.root.token, 'removed')).data
    await api.sql('insert into role_resource (role_id, resource_id, organise_id) values ($1, $2, $3)', [
      fixture.swift.admin.roleId,
      id,
      fixture.swift.id,
    ])
    const remove = async () => (await api.call(fixture.platform.admin.token, resource.remove, { body: { id } })).status
    expect([await remove(), await remove()]).toEqual([200, 404])
    expect(await api.sql('select 1 from role_resource where resource_id = $1', [id])).toEqual([])
  })
})
