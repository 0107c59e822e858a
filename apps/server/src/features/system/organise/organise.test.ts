import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { login } from '@wattdeck/contract/auth/login.ts'
import { session } from '@wattdeck/contract/auth/session.ts'
import { downloadStatus } from '@wattdeck/contract/system/download.ts'
import { organise } from '@wattdeck/contract/system/organise.ts'
import { role } from '@wattdeck/contract/system/role.ts'
import type pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../../../test/harness/api.ts'
import { makeDevice, makeModels } from '../../../../test/fixtures/devices.ts'
import { type Actor, makePerson, makeRole, makeFixture, type Fixture } from '../../../../test/harness/people.ts'
import { listExports } from '../../../app/features.ts'
import { createPool } from '../../../kit/db/db.ts'
import { runExport } from '../../../kit/bulk/exports.ts'

let api: TestApi
let fixture: Fixture
let root: Actor
/** The worker creates files, with its own database role. */
let workerPool: pg.Pool
const menus = ['1', '1.4', menuKey.organise]
const hangzhou = { provinceCode: '330000', cityCode: '330100', districtCode: '330106' }

beforeAll(async () => {
  api = await startApi()
  fixture = await makeFixture(api)
  root = fixture.platform.root
  workerPool = createPool(api.config.workerDatabaseUrl, 2)
})
afterAll(() => workerPool.end())

let serial = 0
const newcomer = (values: object = {}) => {
  const tag = `org${++serial}`
  return {
    name: `城市快充${serial}`,
    type: 1,
    adminName: '管理员',
    adminLoginName: `${tag}_admin`,
    adminPhone: `137${String(10_000_000 + serial)}`,
    canUnmask: false,
    ...values,
  }
}
const add = (values: object = {}, token = root.token) =>
  api.call(token, organise.add, { body: newcomer(values) as never })
const list = (query: object = {}, token = root.token) => api.call(token, organise.list, { query: query as never })
const rowOf = async (id: string) => (await list({ pageSize: 500 })).data.rows.find((row) => row.id === id)
const menuIds = async (...keys: string[]) =>
  (await api.sql<{ id: string }>('select id from menu where menu_key = any($1) order by id', [keys])).map(
    ({ id }) => id,
  )
const resourceIds = async (...codes: string[]) =>
  (await api.sql<{ id: string }>('select id from resource where code = any($1) order by id', [codes])).map(
    ({ id }) => id,
  )
const rightsOf = async (userId: string) => {
  const [row] = await api.sql<{ rights: { menuKeys: string[]; grants: string[]; unmask: boolean } }>(
    'select app.user_rights($1) as rights',
    [userId],
  )
  return row?.rights ?? { menuKeys: [], grants: [], unmask: false }
}
const adminOf = async (id: string) =>
  (await api.sql<{ id: string }>('select admin_user_id as id from organise where id = $1', [id]))[0]?.id ?? ''
const enter = (loginName: string, password: string) =>
  api.call(undefined, login.byPassword, { body: { loginName, password } })

describe('devices of an organisation', () => {
  it('are counted for each one on the page, without removed devices', async () => {
    const { mqtt: typeId } = await makeModels(api)
    const deviceOf = (organiseId: string) => makeDevice(api, { organiseId, typeId })
    const [, removedId] = [await deviceOf(fixture.green.id), await deviceOf(fixture.green.id)]
    await deviceOf(fixture.swift.id)
    const counted = async () => [
      (await rowOf(fixture.green.id))?.deviceCount,
      (await rowOf(fixture.swift.id))?.deviceCount,
    ]
    expect(await counted()).toEqual([2, 1])
    await api.sql('update device set deleted_at = now() where id = $1', [removedId])
    expect(await counted()).toEqual([1, 1])
  })
})

describe('a stranger', () => {
  it('sees its own organisation and no other, and changes none', async () => {
    const tenant = await makePerson(api, { organiseId: fixture.green.id, loginName: 'green_office', menus })
    const seen = (await list({ pageSize: 500 }, tenant.token)).data.rows
    expect(seen.map((row) => row.id)).toEqual([fixture.green.id])
    for (const id of [fixture.green.id, fixture.swift.id]) {
      const body = { id }
      const calls = [
        api.call(tenant.token, organise.edit, { body: { id, name: '换名', type: 1 } as never }),
        api.call(tenant.token, organise.toggle, { body: { id, status: 0 } }),
        api.call(tenant.token, organise.remove, { body }),
        api.call(tenant.token, organise.resetPassword, { body }),
        api.call(tenant.token, organise.quickLogin, { body }),
        api.call(tenant.token, organise.privilege, { query: body }),
        api.call(tenant.token, organise.savePrivilege, { body: { id, canUnmask: false } }),
      ]
      for (const call of calls) expect((await call).status).toBe(403)
    }
    expect((await add({}, tenant.token)).status).toBe(403)
  })

  it('at an agent or a site sees none of the organisation’s documents', async () => {
    const { id: organiseId, agentId, siteId } = fixture.green
    for (const place of [{ agentId }, { agentId, siteId }]) {
      const who = await makePerson(api, {
        organiseId,
        ...place,
        loginName: `looks_${Object.keys(place).length}`,
        menus,
      })
      expect((await list({}, who.token)).data).toMatchObject({ total: 0, rows: [] })
    }
  })

  it('of the platform without an administrator role changes nothing', async () => {
    const clerk = await makePerson(api, { organiseId: '1', loginName: 'desk_clerk', menus, topLevel: 2 })
    expect((await list({}, clerk.token)).data.rows.length).toBeGreaterThan(1)
    expect((await add({}, clerk.token)).status).toBe(403)
  })
})

describe('a new organisation', () => {
  it('has an administrator who logs in with the password shown once, and holds exactly the chosen rights', async () => {
    const body = newcomer({
      ...hangzhou,
      phone: '13812345678',
      creditCode: '9144030071526726xg',
      legalPerson: '欧阳修',
      menuIds: await menuIds('1', '1.1', '1.1.3'),
      resourceIds: await resourceIds('1.1.3:add'),
    })
    const { data } = await api.call(root.token, organise.add, { body: body as never })
    expect(await rowOf(data.id)).toMatchObject({
      code: expect.stringMatching(/^JG\d{6}$/) as string,
      regionName: '浙江省 杭州市 西湖区',
      phone: '138****5678',
      creditCode: '9144030071526726XG',
      legalPerson: '欧**',
      adminLoginName: body.adminLoginName,
      agentCount: 0,
      siteCount: 0,
      createdBy: '姓名root',
    })
    expect((await enter(body.adminLoginName, data.initialPassword)).data.stage).toBe('password')
    const rights = await rightsOf(await adminOf(data.id))
    const always = await api.sql<{ key: string }>('select menu_key as key from menu where always_visible')
    const chosen = rights.menuKeys.filter((key) => !always.some((menu) => menu.key === key))
    expect(chosen).toEqual(['1', '1.1', '1.1.3'])
    expect(rights.grants).toEqual(['1.1.3:add'])
    const [firstRole] = await api.sql(
      'select role.code, role.top_level, role.user_type from role where organise_id = $1 order by id',
      [data.id],
    )
    expect(firstRole).toEqual({ code: 'GZHGLJS', top_level: 2, user_type: 1 })
  })

  it('cannot get rights that its creator lacks', async () => {
    const limited = await makePerson(api, { organiseId: '1', loginName: 'limited_admin', menus, topLevel: 1 })
    expect((await add({ menuIds: await menuIds('1', '1.1', '1.1.3') }, limited.token)).status).toBe(403)
    expect((await add({ canUnmask: true }, limited.token)).status).toBe(403)
    expect((await add({ menuIds: await menuIds('1', '1.4') }, limited.token)).status).toBe(200)
    const offered = await api.call(limited.token, organise.privilege)
    expect(offered.data).toMatchObject({ grantedMenuIds: [], canUnmask: false, mayGrantUnmask: false })
    expect(offered.data.resources.every((resource) => resource.name.startsWith('机构管理'))).toBe(true)
  })

  it.each([
    ['a credit code with a wrong check character', { creditCode: '914403001922038215' }],
    ['a district of another city', { ...hangzhou, cityCode: '330200' }],
    ['no name', { name: ' ' }],
    ['a login name that is none', { adminLoginName: '张三' }],
    ['an action without its menu', { resourceIds: ['1.1.3:add'] }],
  ])('is refused with %s', async (_, values) => {
    const named = 'resourceIds' in values ? { resourceIds: await resourceIds(...values.resourceIds) } : values
    expect((await add(named)).status).toBe(422)
  })

  it('is rolled back when its login name, its phone or its own name exists, and the refusal names the field', async () => {
    const body = newcomer()
    await api.call(root.token, organise.add, { body: body as never })
    const count = async () => (await api.sql<{ n: number }>('select count(*)::int as n from organise'))[0]?.n
    const before = await count()
    expect(await add({ adminLoginName: body.adminLoginName })).toMatchObject({ status: 409, message: '登录账号已存在' })
    expect(await add({ adminPhone: body.adminPhone })).toMatchObject({
      status: 409,
      message: '手机号已被其他账号使用',
    })
    expect(await add({ name: body.name })).toMatchObject({ status: 409, message: '机构名称已存在' })
    expect(await count()).toBe(before)
  })
})

describe('an edit', () => {
  it('keeps an omitted phone and legal person, and empties the rest', async () => {
    const { data } = await add({ phone: '13900001111', legalPerson: '王安石', shortName: '快充', address: '文一西路' })
    const body = { id: data.id, name: '改名快充', type: 2 }
    expect((await api.call(root.token, organise.edit, { body: body as never })).status).toBe(200)
    const [row] = await api.sql(
      'select name, type, phone, legal_person, short_name, address from organise where id = $1',
      [data.id],
    )
    expect(row).toEqual({
      name: '改名快充',
      type: 2,
      phone: '13900001111',
      legal_person: '王安石',
      short_name: null,
      address: null,
    })
  })

  it('keeps the picture of the licence, releases the old one, and refuses that of another user', async () => {
    const picture = async (owner: Actor) =>
      (
        await api.sql<{ id: string }>(
          `insert into stored_file (organise_id, user_id, kind, object_key, name, type, bytes, width, height)
           values ($1, $2, 'picture', $3, 'l.webp', 'image/webp', 1, 1, 1) returning id`,
          [owner.organiseId, owner.id, `picture/${owner.organiseId}/${crypto.randomUUID()}`],
        )
      )[0]?.id ?? ''
    const [first, second, foreign] = [await picture(root), await picture(root), await picture(fixture.green.admin)]
    const { data } = await add({ licenceFileId: first })
    const edit = (licenceFileId: string) =>
      api.call(root.token, organise.edit, {
        body: { id: data.id, name: `照片${serial}`, type: 1, licenceFileId } as never,
      })
    expect((await edit(foreign)).status).toBe(422)
    expect((await edit(second)).status).toBe(200)
    const pictures = await api.sql('select id, attached from stored_file where id = any($1) order by id', [
      [first, second],
    ])
    expect(pictures).toEqual([
      { id: first, attached: false },
      { id: second, attached: true },
    ])
  })
})

describe('disabling an organisation', () => {
  it('ends all its sessions and locks its users out until it is enabled', async () => {
    const { data } = await add({ name: '停用测试' })
    const people = [
      await makePerson(api, { organiseId: data.id, loginName: 'stopped_one', menus: ['2', '2.1'] }),
      await makePerson(api, { organiseId: data.id, loginName: 'stopped_two', menus: ['2', '2.1'] }),
    ]
    const statusOf = async (who: Actor) => (await api.call(who.token, session.userInfo)).status
    const toggle = (status: 0 | 1) => api.call(root.token, organise.toggle, { body: { id: data.id, status } })
    for (const who of people) expect(await statusOf(who)).toBe(200)
    expect((await toggle(0)).status).toBe(200)
    for (const who of people) expect(await statusOf(who)).toBe(401)
    const open = await api.sql('select 1 from session where organise_id = $1 and ended_at is null', [data.id])
    expect(open).toEqual([])
    expect(await enter('stopped_one', 'Plug-in-2026!')).toMatchObject({ status: 401 })
    expect((await toggle(0)).status).toBe(409)
    expect((await toggle(1)).status).toBe(200)
    for (const who of people) expect(await statusOf(who)).toBe(401)
    expect((await enter('stopped_one', 'Plug-in-2026!')).status).toBe(200)
  })

  it('is refused for the platform itself, as are removing it and restricting its rights', async () => {
    for (const call of [
      api.call(root.token, organise.toggle, { body: { id: '1', status: 0 } }),
      api.call(root.token, organise.remove, { body: { id: '1' } }),
      api.call(root.token, organise.savePrivilege, { body: { id: '1', canUnmask: false } }),
    ])
      expect((await call).status).toBe(409)
  })
})

describe('the administrator', () => {
  it('gets a new first password; the old one and the open sessions become invalid', async () => {
    const body = newcomer()
    const { data } = await api.call(root.token, organise.add, { body: body as never })
    const reset = await api.call(root.token, organise.resetPassword, { body: { id: data.id } })
    expect((await enter(body.adminLoginName, data.initialPassword)).status).toBe(401)
    expect((await enter(body.adminLoginName, reset.data.initialPassword)).data.stage).toBe('password')
  })

  it('can be represented by a link that works once and records its issuer', async () => {
    const { data } = await add({ menuIds: await menuIds('2', '2.1') })
    const issued = await api.call(root.token, organise.quickLogin, { body: { id: data.id } })
    const body = { ticket: issued.data.ticket }
    const entered = await api.call(undefined, login.byTicket, { body })
    expect(entered.status).toBe(200)
    expect((await api.call(undefined, login.byTicket, { body })).status).toBe(401)
    const [opened] = await api.sql(
      'select acted_by, organise_id from session where organise_id = $1 order by id desc limit 1',
      [data.id],
    )
    expect(opened).toEqual({ acted_by: root.id, organise_id: data.id })
  })

  it('that is missing, as for an old organisation, is reported', async () => {
    for (const route of [organise.resetPassword, organise.quickLogin])
      expect(await api.call(root.token, route, { body: { id: fixture.swift.id } })).toMatchObject({
        status: 409,
        message: '该机构没有管理员账号',
      })
  })

  it('cannot be represented by a user who lacks some of their rights', async () => {
    const { data } = await add({ menuIds: await menuIds('1', '1.1', '1.1.3') })
    const limited = await makePerson(api, { organiseId: '1', loginName: 'limited_desk', menus, topLevel: 1 })
    for (const route of [organise.resetPassword, organise.quickLogin])
      expect((await api.call(limited.token, route, { body: { id: data.id } })).status).toBe(403)
  })
})

describe('the ceiling', () => {
  it('is what the administrator holds: a right that they lose is removed from every role of the organisation', async () => {
    const keys = ['1', '1.1', '1.1.3', '1.1.6', '2', '2.1']
    const codes = ['1.1.3:add', '1.1.3:edit', '1.1.6:add']
    const granted = { menuIds: await menuIds(...keys), resourceIds: await resourceIds(...codes), canUnmask: true }
    const { data } = await add(granted)
    const place = { organiseId: data.id }
    const other = await makePerson(api, { ...place, loginName: 'under_ceiling', menus: keys, canUnmask: true })
    const outside = await makePerson(api, { organiseId: fixture.green.id, loginName: 'elsewhere', menus: keys })
    const save = (body: object) =>
      api.call(root.token, organise.savePrivilege, { body: { id: data.id, ...body } as never })

    const fewer = {
      menuIds: await menuIds('1', '1.1', '1.1.3', '2', '2.1'),
      resourceIds: await resourceIds('1.1.3:edit'),
    }
    expect((await save({ ...fewer, canUnmask: false })).status).toBe(200)
    const shown = (await api.call(root.token, organise.privilege, { query: { id: data.id } })).data
    expect(shown.grantedMenuIds.toSorted()).toEqual(fewer.menuIds.toSorted())
    expect(shown.grantedResourceIds).toEqual(fewer.resourceIds)
    for (const userId of [await adminOf(data.id), other.id]) {
      const rights = await rightsOf(userId)
      expect(rights.menuKeys).not.toContain('1.1.6')
      expect(rights.grants).toEqual(['1.1.3:edit'])
      expect(rights.unmask).toBe(false)
    }
    expect((await rightsOf(outside.id)).menuKeys).toContain('1.1.6')

    // Raising it again grants only to the administrator, who decides about the other roles.
    expect((await save(granted)).status).toBe(200)
    expect((await rightsOf(await adminOf(data.id))).grants.toSorted()).toEqual(codes)
    expect((await rightsOf(other.id)).grants).toEqual(['1.1.3:edit'])
  })

  it('applies to roles: no user of the organisation grants more than the administrator holds', async () => {
    const { data } = await add({
      menuIds: await menuIds('1', '1.1', '1.1.6'),
      resourceIds: await resourceIds('1.1.6:edit'),
    })
    const ticket = (await api.call(root.token, organise.quickLogin, { body: { id: data.id } })).data.ticket
    const { access_token } = (await api.call(undefined, login.byTicket, { body: { ticket } })).data
    const roleId = await makeRole(api, { organiseId: data.id, loginName: 'below', menus: [], userType: 2 })
    const give = async (...keys: string[]) =>
      api.call(access_token, role.savePrivilege, {
        body: { roleId, menuIds: await menuIds(...keys), resourceIds: undefined, canUnmask: false },
      })
    expect((await give('1', '1.1', '1.1.6')).status).toBe(200)
    expect((await give('1', '1.1', '1.1.3')).status).toBe(403)
  })

  it('is not set by a user who lacks a right in it', async () => {
    const { data } = await add({ menuIds: await menuIds('1', '1.1', '1.1.3') })
    const limited = await makePerson(api, { organiseId: '1', loginName: 'limited_three', menus, topLevel: 1 })
    const save = await api.call(limited.token, organise.savePrivilege, { body: { id: data.id, canUnmask: false } })
    expect(save.status).toBe(403)
    expect((await rightsOf(await adminOf(data.id))).menuKeys).toContain('1.1.3')
  })
})

describe('removing', () => {
  it('is refused while it has agents, sites or other users, and reports their number', async () => {
    expect(await api.call(root.token, organise.remove, { body: { id: fixture.green.id } })).toMatchObject({
      status: 409,
      message: expect.stringMatching(/下还有 2 个代理商、1 个站点、\d+ 个账号，不能删除/) as string,
    })
  })

  it('removes the administrator as well, frees the name, and keeps the row for the log', async () => {
    const body = newcomer()
    const { data } = await api.call(root.token, organise.add, { body: body as never })
    expect((await api.call(root.token, organise.remove, { body: { id: data.id } })).status).toBe(200)
    expect(await rowOf(data.id)).toBeUndefined()
    expect((await enter(body.adminLoginName, data.initialPassword)).status).toBe(401)
    expect((await api.call(root.token, organise.remove, { body: { id: data.id } })).status).toBe(404)
    expect((await api.call(root.token, organise.add, { body: body as never })).status).toBe(200)
  })
})

describe('the list', () => {
  it('is filtered by name, short name, whole code, region, status and day', async () => {
    const { data } = await add({ name: '锦绣能源', shortName: '锦能', ...hangzhou })
    const { code, createdAt } = (await rowOf(data.id)) ?? { code: '', createdAt: '' }
    const day = createdAt.slice(0, 10)
    for (const query of [
      { keyword: '绣能' },
      { keyword: '锦能' },
      { keyword: code.toLowerCase() },
      { districtCode: '330106', keyword: '锦绣' },
      { provinceCode: '330000', basicServiceStatus: 1, status: 1, keyword: '锦绣' },
      { from: day, to: day, keyword: '锦绣' },
    ])
      expect(
        (await list(query)).data.rows.map((row) => row.id),
        JSON.stringify(query),
      ).toEqual([data.id])
    for (const query of [{ keyword: '%' }, { from: '2100-01-01' }, { to: '2000-01-01' }, { keyword: code.slice(0, 4) }])
      expect((await list(query)).data.rows, JSON.stringify(query)).toEqual([])
  })

  it('counts existing agents and sites for each organisation on the page', async () => {
    await api.sql("insert into agent (organise_id, name, deleted_at) values ($1, '已删除', now())", [fixture.green.id])
    await api.sql("insert into site (organise_id, name) values ($1, '另一站点')", [fixture.green.id])
    const rows = new Map((await list({ pageSize: 500 })).data.rows.map((row) => [row.id, row]))
    expect(rows.get(fixture.green.id)).toMatchObject({ agentCount: 2, siteCount: 2 })
    expect(rows.get(fixture.swift.id)).toMatchObject({ agentCount: 2, siteCount: 1 })
    expect(rows.get('1')).toMatchObject({ agentCount: 0, siteCount: 0 })
  })

  it('is exported as a file by users with the right to export', async () => {
    const body = { columns: ['code', 'name', 'phone'], conditions: '全部' }
    const exported = await api.call(root.token, organise.exportList, { body: body as never })
    expect(exported).toMatchObject({ status: 200, message: '导出任务已提交，请前往「下载管理」查看' })
    await runExport(
      { pool: workerPool, files: api.deps.files, log: pino({ level: 'silent' }) },
      listExports,
      exported.data.id,
    )
    const [file] = await api.sql<{ status: number; title: string; rows: number; reason: string }>(
      'select status, title, rows, reason from download where id = $1',
      [exported.data.id],
    )
    const { total } = (await list()).data
    expect(file).toEqual({ status: downloadStatus.code.done, title: '机构列表', rows: total, reason: null })
    const unknown = await api.call(root.token, organise.exportList, { body: { columns: ['password'] } as never })
    expect(unknown.status).toBe(422)
  })
})
