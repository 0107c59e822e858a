import { login } from '@wattdeck/contract/auth/login.ts'
import { session } from '@wattdeck/contract/auth/session.ts'
import { staff } from '@wattdeck/contract/system/staff.ts'
import { describe, expect, it } from 'vitest'
import { startApi } from '../../../../test/harness/api.ts'
import { makePerson, makeRole, makeFixture, tenantMenus } from '../../../../test/harness/people.ts'

const api = await startApi()
const fixture = await makeFixture(api)

let serial = 0
const newcomer = (more: object = {}) => {
  const tag = `${process.pid}${++serial}`
  return {
    employeeNo: `N${tag}`,
    name: '新员工',
    loginName: `newcomer${tag}`,
    phone: `135${tag.padStart(8, '0').slice(-8)}`,
    ...more,
  }
}
const add = (token: string, more: object = {}) => api.call(token, staff.add, { body: newcomer(more) })

describe('a stranger', () => {
  it('neither sees nor changes the staff of another organisation', async () => {
    const { admin } = fixture.swift
    const seen = await api.call(admin.token, staff.list, { query: { pageSize: 500 } })
    expect(seen.data.rows.every((row) => row.organiseId === fixture.swift.id)).toBe(true)
    const id = fixture.green.clerk.id
    const attempts = await Promise.all([
      api.call(admin.token, staff.edit, { body: { id, employeeNo: 'X', name: '改名' } }),
      api.call(admin.token, staff.toggle, { body: { ids: [id], status: 0 } }),
      api.call(admin.token, staff.remove, { body: { ids: [id] } }),
      api.call(admin.token, staff.resetPassword, { body: { id } }),
      api.call(admin.token, staff.assignRoles, { body: { id, roleIds: [] } }),
      api.call(admin.token, staff.unlock, { body: { id } }),
      api.call(admin.token, staff.quickLogin, { body: { id } }),
    ])
    expect(attempts.map(({ status }) => status)).toEqual(Array.from({ length: 7 }, () => 404))
    expect((await api.call(fixture.green.clerk.token, session.userInfo)).status).toBe(200)
  })

  it('cannot be created in another organisation, nor get its roles or departments', async () => {
    const { token } = fixture.green.admin
    expect((await add(token, { organiseId: fixture.swift.id })).status).toBe(404)
    expect((await add(token, { departmentId: fixture.swift.departmentId })).status).toBe(404)
    expect((await add(token, { roleIds: [fixture.swift.admin.roleId] })).status).toBe(404)
  })
})

describe('the list', () => {
  it('shows phones and e-mails masked, and finds a phone only whole', async () => {
    const { admin, clerk } = fixture.green
    await api.sql("update user_account set email = 'zhang@example.cn' where id = $1", [clerk.id])
    const whole = await api.call(admin.token, staff.list, { query: { keyword: clerk.phone } })
    expect(whole.data.rows.map((row) => row.loginName)).toEqual(['green_clerk'])
    expect(whole.data.rows[0]).toMatchObject({
      phone: `${clerk.phone.slice(0, 3)}****${clerk.phone.slice(-4)}`,
      email: 'z***@example.cn',
    })
    const part = await api.call(admin.token, staff.list, { query: { keyword: clerk.phone.slice(0, 8) } })
    expect(part.data.rows).toEqual([])
  })

  it('filters by name, role and status, takes wildcards literally, and pages', async () => {
    const { admin, clerk } = fixture.green
    const by = async (query: object) =>
      (await api.call(admin.token, staff.list, { query })).data.rows.map((row) => row.loginName)
    expect(await by({ keyword: 'green_cl' })).toEqual(['green_clerk'])
    expect(await by({ keyword: '%' })).toEqual([])
    expect(await by({ roleId: clerk.roleId ?? '' })).toEqual(['green_clerk'])
    expect(await by({ status: 0 })).toEqual([])
    const first = await api.call(admin.token, staff.list, { query: { pageSize: 2 } })
    const second = await api.call(admin.token, staff.list, { query: { pageSize: 2, pageNum: 2 } })
    expect(first.data.rows).toHaveLength(2)
    expect(second.data.rows.map((row) => row.id)).not.toContain(first.data.rows[0]?.id)
    expect(first.data.total).toBe(second.data.total)
  })

  it('refuses pages so deep that they would cost more than they show', async () => {
    expect(
      (await api.call(fixture.green.admin.token, staff.list, { query: { pageNum: 9000, pageSize: 500 } })).status,
    ).toBe(422)
  })
})

describe('a new user', () => {
  it('logs in with the first password and must change it', async () => {
    const body = newcomer({ roleIds: [fixture.green.clerk.roleId ?? ''] })
    const { data } = await api.call(fixture.green.admin.token, staff.add, { body })
    const entered = await api.call(undefined, login.byPassword, {
      body: { loginName: body.loginName, password: data.initialPassword },
    })
    expect(entered.data.stage).toBe('password')
  })

  it('needs a unique login name, phone and number', async () => {
    const { token } = fixture.green.admin
    expect((await add(token, { loginName: 'swift_admin' })).status).toBe(409)
    expect((await add(token, { phone: fixture.swift.admin.phone })).status).toBe(409)
    expect((await add(token, { employeeNo: 'green_clerk' })).status).toBe(409)
  })

  it('belongs to the place of its creator: an agent creates users of that agent', async () => {
    const { data } = await add(fixture.green.agent.token)
    const [row] = await api.sql('select organise_id, agent_id, user_type from user_account where id = $1', [data.id])
    expect(row).toEqual({ organise_id: fixture.green.id, agent_id: fixture.green.agentId, user_type: 2 })
  })
})

describe('a grant', () => {
  it('may contain only what the granter holds', async () => {
    const strong = await makeRole(api, { organiseId: fixture.green.id, loginName: 'strong', menus: ['1.1.1'] })
    const unmasking = await makeRole(api, {
      organiseId: fixture.green.id,
      loginName: 'unmasking',
      menus: ['2'],
      canUnmask: true,
    })
    const plain = await makePerson(api, { organiseId: fixture.green.id, loginName: 'plain_admin', menus: tenantMenus })
    expect((await add(fixture.green.admin.token, { roleIds: [strong] })).status).toBe(403)
    expect((await add(plain.token, { roleIds: [unmasking] })).status).toBe(403)
    expect((await add(fixture.green.admin.token, { roleIds: [unmasking] })).status).toBe(200)
    const offered = await api.call(plain.token, staff.roleOptions)
    expect(offered.data.map((role) => role.id)).not.toContain(strong)
    expect(offered.data.map((role) => role.id)).not.toContain(unmasking)
  })

  it('of a role whose menu is disabled is still possible, and has no effect', async () => {
    const roleId = await makeRole(api, { organiseId: fixture.green.id, loginName: 'with_off', menus: ['2', '1.1.1'] })
    await api.sql("update menu set status = 0 where menu_key = '1.1.1'")
    const { status, data } = await add(fixture.green.admin.token, { roleIds: [roleId] })
    await api.sql("update menu set status = 1 where menu_key = '1.1.1'")
    expect(status).toBe(200)
    expect(data.id).toBeDefined()
  })

  it('to oneself is refused, as is managing a user of higher standing', async () => {
    const { admin } = fixture.green
    const clerkManager = await makePerson(api, {
      organiseId: fixture.green.id,
      loginName: 'clerk_manager',
      menus: ['1.1.3', '2'],
    })
    expect((await api.call(admin.token, staff.assignRoles, { body: { id: admin.id, roleIds: [] } })).status).toBe(409)
    for (const call of [
      api.call(clerkManager.token, staff.resetPassword, { body: { id: admin.id } }),
      api.call(clerkManager.token, staff.changePhone, {
        body: { id: admin.id, phone: '13900000000', reason: '换号' },
      }),
      api.call(clerkManager.token, staff.toggle, { body: { ids: [admin.id], status: 0 } }),
      api.call(clerkManager.token, staff.edit, {
        body: { id: admin.id, employeeNo: 'x', name: 'x' },
      }),
    ]) {
      expect((await call).status).toBe(403)
    }
  })

  it('cannot be obtained by leaving a department that limits the menus', async () => {
    const [department] = await api.sql<{ id: string }>(
      "insert into department (organise_id, name, code, type) values ($1, '受限', 'LIMITED', 1) returning id",
      [fixture.green.id],
    )
    await api.sql(
      "insert into department_menu (department_id, menu_id, organise_id) select $1, id, $2 from menu where menu_key = '1.1.3'",
      [department?.id, fixture.green.id],
    )
    const limited = await makePerson(api, { organiseId: fixture.green.id, loginName: 'limited', menus: tenantMenus })
    await api.sql('update user_account set department_id = $2 where id = $1', [limited.id, department?.id])
    const leave = await api.call(limited.token, staff.edit, {
      body: { id: limited.id, employeeNo: 'limited', name: '受限者' },
    })
    expect(leave.status).toBe(403)
    const stay = await api.call(limited.token, staff.edit, {
      body: { id: limited.id, employeeNo: 'limited', name: '受限者', departmentId: department?.id ?? '' },
    })
    expect(stay.status).toBe(200)
  })
})

describe('a batch', () => {
  it('is all or nothing: one foreign user or one of higher standing stops it', async () => {
    const { admin, clerk } = fixture.green
    const mixed = await api.call(admin.token, staff.toggle, {
      body: { ids: [clerk.id, fixture.swift.clerk.id], status: 0 },
    })
    expect(mixed.status).toBe(404)
    const [row] = await api.sql<{ status: number }>('select status from user_account where id = $1', [clerk.id])
    expect(row?.status).toBe(1)
  })

  it('of removed users frees their login name and phone, and keeps their rows', async () => {
    const body = newcomer()
    const { data } = await api.call(fixture.green.admin.token, staff.add, { body })
    expect((await api.call(fixture.green.admin.token, staff.remove, { body: { ids: [data.id] } })).data).toEqual({
      changed: 1,
    })
    expect((await api.call(fixture.green.admin.token, staff.remove, { body: { ids: [data.id] } })).status).toBe(404)
    expect((await api.call(fixture.green.admin.token, staff.add, { body })).status).toBe(200)
    expect(await api.sql('select 1 from user_account where id = $1', [data.id])).toHaveLength(1)
  })
})
