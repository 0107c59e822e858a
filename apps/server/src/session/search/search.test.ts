import { search } from '@wattdeck/contract/session/search.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../../test/api.ts'
import { type Actor, makePerson, makeWorld, type World } from '../../../test/people.ts'

let api: TestApi
let world: World
beforeAll(async () => {
  api = await startApi()
  world = await makeWorld(api)
})

const find = async (who: Actor, q: string) => (await api.call(who.token, search.records, { query: { q } })).data

describe('a stranger', () => {
  it.each(['swift', '机构', 'HQ', '总部', 'a'])('finds nothing of another organisation by %s', async (q) => {
    expect(JSON.stringify(await find(world.green.admin, q))).not.toContain('swift')
  })

  it('finds nobody of another organisation by phone', async () => {
    expect(await find(world.green.admin, world.swift.admin.phone)).toEqual([])
  })

  it('finds no kind of record whose menu they lack', async () => {
    expect(await find(world.green.clerk, 'green')).toEqual([])
  })
})

describe('search', () => {
  it('finds staff, departments and roles by name, login name and code', async () => {
    const found = await find(world.green.admin, 'green_cl')
    expect(found).toEqual([
      { kind: 'staff', id: world.green.clerk.id, title: '姓名green_clerk', note: '机构green' },
      { kind: 'role', id: world.green.clerk.roleId, title: '角色green_clerk', note: '机构green' },
    ])
    expect(await find(world.green.admin, 'hq')).toEqual([
      { kind: 'department', id: world.green.departmentId, title: '总部green', note: '机构green' },
    ])
    expect((await find(world.green.admin, 'GZHGLJS')).map((row) => row.kind)).toEqual(['role'])
  })

  it('names the department of a person where there is one', async () => {
    const person = await makePerson(api, { organiseId: world.green.id, loginName: 'with_department' })
    await api.sql('update user_account set department_id = $1 where id = $2', [world.green.departmentId, person.id])
    expect(await find(world.green.admin, 'with_department')).toMatchObject([{ note: '总部green' }])
  })

  it('finds a person by the whole phone only, and never answers with it', async () => {
    const { clerk } = world.green
    const found = await find(world.green.admin, clerk.phone)
    expect(found.map((row) => row.id)).toEqual([clerk.id])
    expect(JSON.stringify(found)).not.toContain(clerk.phone)
    expect(await find(world.green.admin, clerk.phone.slice(0, 10))).toEqual([])
  })

  it('finds no more than five of a kind, and takes % and _ for themselves', async () => {
    for (let n = 0; n < 6; n++) await makePerson(api, { organiseId: world.green.id, loginName: `many${n}` })
    expect(await find(world.green.admin, 'many')).toHaveLength(5)
    expect(await find(world.green.admin, '%')).toEqual([])
    expect((await find(world.green.admin, 'green_admin')).map((row) => row.id)).toContain(world.green.admin.id)
    expect(await find(world.green.admin, 'many_')).toEqual([])
  })

  it('does not find who was removed', async () => {
    const person = await makePerson(api, { organiseId: world.green.id, loginName: 'removed_one' })
    await api.sql('update user_account set deleted_at = now() where id = $1', [person.id])
    expect(await find(world.green.admin, 'removed_one')).toEqual([])
  })
})
