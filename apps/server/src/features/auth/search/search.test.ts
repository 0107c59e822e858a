import { search } from '@wattdeck/contract/auth/search.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../../../test/harness/api.ts'
import { type Actor, makePerson, makeFixture, type Fixture } from '../../../../test/harness/people.ts'

let api: TestApi
let fixture: Fixture
beforeAll(async () => {
  api = await startApi()
  fixture = await makeFixture(api)
})

const find = async (who: Actor, q: string) => (await api.call(who.token, search.records, { query: { q } })).data

describe('a stranger', () => {
  it.each(['swift', '机构', 'HQ', '总部', 'a'])('finds nothing of another organisation by %s', async (q) => {
    expect(JSON.stringify(await find(fixture.green.admin, q))).not.toContain('swift')
  })

  it('finds nobody of another organisation by phone', async () => {
    expect(await find(fixture.green.admin, fixture.swift.admin.phone)).toEqual([])
  })

  it('finds no kind of record whose menu they lack', async () => {
    expect(await find(fixture.green.clerk, 'green')).toEqual([])
  })
})

describe('search', () => {
  it('finds staff, departments and roles by name, login name and code', async () => {
    const found = await find(fixture.green.admin, 'green_cl')
    expect(found).toEqual([
      { kind: 'staff', id: fixture.green.clerk.id, title: '姓名green_clerk', note: '机构green' },
      { kind: 'role', id: fixture.green.clerk.roleId, title: '角色green_clerk', note: '机构green' },
    ])
    expect(await find(fixture.green.admin, 'hq')).toEqual([
      { kind: 'department', id: fixture.green.departmentId, title: '总部green', note: '机构green' },
    ])
    expect((await find(fixture.green.admin, 'GZHGLJS')).map((row) => row.kind)).toEqual(['role'])
  })

  it('names the department of a person where there is one', async () => {
    const person = await makePerson(api, { organiseId: fixture.green.id, loginName: 'with_department' })
    await api.sql('update user_account set department_id = $1 where id = $2', [fixture.green.departmentId, person.id])
    expect(await find(fixture.green.admin, 'with_department')).toMatchObject([{ note: '总部green' }])
  })

  it('finds a person by the whole phone only, and never answers with it', async () => {
    const { clerk } = fixture.green
    const found = await find(fixture.green.admin, clerk.phone)
    expect(found.map((row) => row.id)).toEqual([clerk.id])
    expect(JSON.stringify(found)).not.toContain(clerk.phone)
    expect(await find(fixture.green.admin, clerk.phone.slice(0, 10))).toEqual([])
  })

  it('finds no more than five of a kind, and takes % and _ for themselves', async () => {
    for (let n = 0; n < 6; n++) await makePerson(api, { organiseId: fixture.green.id, loginName: `many${n}` })
    expect(await find(fixture.green.admin, 'many')).toHaveLength(5)
    expect(await find(fixture.green.admin, '%')).toEqual([])
    expect((await find(fixture.green.admin, 'green_admin')).map((row) => row.id)).toContain(fixture.green.admin.id)
    expect(await find(fixture.green.admin, 'many_')).toEqual([])
  })

  it('does not find who was removed', async () => {
    const person = await makePerson(api, { organiseId: fixture.green.id, loginName: 'removed_one' })
    await api.sql('update user_account set deleted_at = now() where id = $1', [person.id])
    expect(await find(fixture.green.admin, 'removed_one')).toEqual([])
  })
})

describe('organisations, agents and sites', () => {
  const menus = ['1.4', '1.4.1', '1.4.3', '1.4.4']
  let root: Actor
  let admin: Actor
  beforeAll(async () => {
    await api.sql(
      'insert into menu (menu_key, title, kind, sort) select key, key, 2, 1 from unnest($1::text[]) key on conflict do nothing',
      [menus],
    )
    root = await makePerson(api, { organiseId: '1', loginName: 'root_finder', menus: '*', topLevel: 0, code: 'ADMIN' })
    admin = await makePerson(api, { organiseId: fixture.green.id, loginName: 'finder', menus })
  })
  const kinds = async (who: Actor, q: string) =>
    (await find(who, q)).filter(({ kind }) => kind === 'organise' || kind === 'agent' || kind === 'site')

  it('of another organisation are found by the platform only', async () => {
    expect(JSON.stringify(await find(admin, 'swift'))).not.toContain('swift')
    expect(await kinds(admin, '站点')).toEqual([
      { kind: 'site', id: fixture.green.siteId, title: '站点green', note: '机构green' },
    ])
    expect((await kinds(root, '站点')).map(({ title }) => title)).toEqual(['站点green', '站点swift'])
    expect(await kinds(fixture.green.clerk, '站点')).toEqual([])
  })

  it('are found by their names; only the platform finds organisations', async () => {
    expect(await kinds(root, '机构gr')).toEqual([
      { kind: 'organise', id: fixture.green.id, title: '机构green', note: `编号 ${fixture.green.id}` },
    ])
    expect(await kinds(admin, '机构')).toEqual([])
    expect((await kinds(admin, 'green')).map(({ title }) => title)).toEqual(['下级green', '代理商green', '站点green'])
  })

  it('are found by the beginning of the name where there are sites of all organisations', async () => {
    expect((await kinds(root, '点green')).map(({ kind }) => kind)).toEqual([])
    expect((await kinds(root, '站点s')).map(({ title }) => title)).toEqual(['站点swift'])
    expect(await kinds(root, '%')).toEqual([])
  })
})
