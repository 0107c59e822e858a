import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { resource } from '@wattdeck/contract/system/resource.ts'
import { role } from '@wattdeck/contract/system/role.ts'
import { staff } from '@wattdeck/contract/system/staff.ts'
import { log } from '@wattdeck/contract/system/log.ts'
import { describe, expect, it } from 'vitest'
import { startApi } from '../../../../test/harness/api.ts'
import { makePerson, makeRole, makeFixture } from '../../../../test/harness/people.ts'
import { answering, send } from '../../../../test/every/route-fixture.ts'
import { sampleInput } from '../../../../test/every/samples.ts'

const api = await startApi()
const fixture = await makeFixture(api)
const root = fixture.platform.root
const { data } = await api.call(root.token, role.add, {
  body: { name: '审计管理员', code: 'AUDITOR', userType: 1, auditOnly: true },
})
const auditRole = data.id
const allMenus = (await api.sql<{ id: string }>('select id from menu')).map(({ id }) => id)
const exports = (await api.sql<{ id: string }>("select id from resource where action = 'export'")).map(({ id }) => id)

const save = (roleId: string, menuIds: string[], resourceIds: string[]) =>
  api.call(root.token, role.savePrivilege, { body: { roleId, menuIds, resourceIds, canUnmask: false } })
const assign = (id: string, roleIds: string[]) => api.call(root.token, staff.assignRoles, { body: { id, roleIds } })
const rolesOf = async (id: string) =>
  (await api.sql<{ role_id: string }>('select role_id from user_role where user_id = $1 order by 1', [id])).map(
    (row) => row.role_id,
  )
const person = (loginName: string) => makePerson(api, { organiseId: '1', loginName })

describe('an audit role', () => {
  it('accepts every menu and every export, and no other action, even from a super admin', async () => {
    expect((await save(auditRole, allMenus, exports)).status).toBe(200)
    const others = await api.sql<{ id: string; action: string }>(
      "select distinct on (action) id, action from resource where action <> 'export'",
    )
    expect(others.length).toBeGreaterThan(5)
    for (const { id } of others) {
      const refused = await save(auditRole, allMenus, [...exports, id])
      expect(refused).toMatchObject({ status: 409, message: '审计角色只能查看和导出，不能授予其他操作' })
    }
    const offered = await api.call(root.token, role.privilege, { params: { roleId: auditRole } })
    expect(new Set(offered.data.resources.map(({ action }) => action))).toEqual(new Set(['export']))
  })

  it('is refused together with any other role, in either order and in one assignment', async () => {
    const plain = await makeRole(api, { organiseId: '1', loginName: 'plain', menus: [menuKey.log] })
    const text = '审计角色不能与其他角色同时分配给同一人'
    const auditor = await person('auditor1')
    expect((await assign(auditor.id, [auditRole, plain])).message).toBe(text)
    expect((await assign(auditor.id, [auditRole])).status).toBe(200)
    expect((await assign(auditor.id, [auditRole, plain])).message).toBe(text)
    expect(await rolesOf(auditor.id)).toEqual([auditRole])
    const clerk = await person('clerk1')
    expect((await assign(clerk.id, [plain])).status).toBe(200)
    expect((await assign(clerk.id, [plain, auditRole])).message).toBe(text)
    expect((await assign(clerk.id, [auditRole])).status).toBe(200)
    expect(await rolesOf(clerk.id)).toEqual([auditRole])
  })

  it('is assigned by one of two concurrent assignments, never beside the other', async () => {
    const plain = await makeRole(api, { organiseId: '1', loginName: 'race', menus: [menuKey.log] })
    const both = await person('both')
    const insert = 'insert into user_role (user_id, role_id, organise_id) values ($1, $2, 1)'
    const results = await Promise.allSettled([auditRole, plain].map((id) => api.sql(insert, [both.id, id])))
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await rolesOf(both.id)).toHaveLength(1)
  })

  it('keeps its kind, also when it is copied', async () => {
    const copied = await api.call(root.token, role.copy, {
      body: { id: auditRole, name: '审计副本', code: 'AUDITOR2' },
    })
    const [row] = await api.sql('select audit_only from role where id = $1', [copied.data.id])
    expect(row).toEqual({ audit_only: true })
    await expect(api.sql('update role set audit_only = false where id = $1', [auditRole])).rejects.toThrow('kind')
  })

  it('gains no right when the action of one of its exports is changed', async () => {
    const [exportRow] = await api.sql<{ id: string; name: string; path: string; method: 'POST' }>(
      'select resource.id, name, path, method from resource join role_resource on resource_id = resource.id where role_id = $1 limit 1',
      [auditRole],
    )
    if (exportRow === undefined) throw new Error('the role holds no export')
    const changed = await api.call(root.token, resource.edit, { body: { ...exportRow, action: 'approve' } })
    expect(changed.message).toBe('审计角色只能查看和导出，不能授予其他操作')
  })
})

describe('a user with an audit role', () => {
  it('reads the log, and is refused by every route that changes data', async () => {
    const auditor = await person('auditor2')
    await save(auditRole, allMenus, exports)
    expect((await assign(auditor.id, [auditRole])).status).toBe(200)
    expect((await api.call(auditor.token, log.list, { query: {} })).data.rows.length).toBeGreaterThan(0)
    const acting = answering.filter(
      ({ route: { access } }) =>
        typeof access === 'object' && access.action !== undefined && access.action !== 'export',
    )
    expect(acting.length).toBeGreaterThan(200)
    const admitted: string[] = []
    for (const { route } of acting) {
      const { status } = await send(
        api,
        route,
        auditor.token,
        sampleInput(route, () => '1'),
      )
      if (status !== 403) admitted.push(`${route.path} ${status}`)
    }
    expect(admitted).toEqual([])
  })
})
