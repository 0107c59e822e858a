import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { department } from '@wattdeck/contract/system/department.ts'
import { describe, expect, it } from 'vitest'
import { startApi } from '../../../../test/harness/api.ts'
import { type Actor, makePerson, makeFixture } from '../../../../test/harness/people.ts'

const api = await startApi()
const fixture = await makeFixture(api)
const idOf = async (key: string) =>
  (await api.sql<{ id: string }>('select id from menu where menu_key = $1', [key]))[0]?.id ?? ''
const staffMenu = await idOf(menuKey.staff)
const logMenu = await idOf(menuKey.log)
const resourceMenu = await idOf(menuKey.resource)

let serial = 0
type More = { organiseId?: string; parentId?: string; code?: string; name?: string; phone?: string; leader?: string }
const fieldsWith = (more: More) => ({ name: `部门${++serial}`, code: `D${serial}`, type: 1 as const, ...more })
const add = (who: Actor, more: More = {}) => api.call(who.token, department.add, { body: fieldsWith(more) })
const addOne = async (who: Actor, more: More = {}) => (await add(who, more)).data.id
const edit = (who: Actor, id: string, more: More = {}) =>
  api.call(who.token, department.edit, { body: { id, ...fieldsWith(more) } })
const remove = (who: Actor, id: string) => api.call(who.token, department.remove, { body: { id } })
const saveMenus = (who: Actor, departmentId: string, menuIds: string[]) =>
  api.call(who.token, department.saveMenus, { body: { departmentId, ...(menuIds.length > 0 ? { menuIds } : {}) } })
const list = async (who: Actor, query: object = {}) =>
  (await api.call(who.token, department.list, { query: { pageSize: 500, ...query } })).data
const snapshot = (organiseId: string) =>
  api.sql(
    `select department.*, array(select menu_id from department_menu where department_id = department.id order by 1) as menus
     from department where organise_id = $1 order by id`,
    [organiseId],
  )
const menusOf = async (id: string) =>
  (await api.sql<{ menu_id: string }>('select menu_id from department_menu where department_id = $1', [id]))
    .map((row) => row.menu_id)
    .toSorted()

describe('a stranger', () => {
  it('neither sees nor changes a department of another organisation', async () => {
    const { green, swift } = fixture
    const before = await snapshot(swift.id)
    expect((await list(green.admin)).rows.map((row) => row.organiseId)).not.toContain(swift.id)
    expect((await list(green.admin, { organiseId: swift.id })).rows).toEqual([])
    expect((await list(green.admin, { parentId: swift.departmentId })).rows).toEqual([])
    const tries = [
      await api.call(green.admin.token, department.tree, { params: { organiseId: swift.id } }),
      await add(green.admin, { organiseId: swift.id }),
      await add(green.admin, { parentId: swift.departmentId }),
      await edit(green.admin, swift.departmentId),
      await edit(green.admin, green.departmentId, { parentId: swift.departmentId }),
      await remove(green.admin, swift.departmentId),
      await saveMenus(green.admin, swift.departmentId, [staffMenu]),
    ]
    expect(tries.map((reply) => reply.status)).toEqual(tries.map(() => 404))
    expect(await snapshot(swift.id)).toEqual(before)
  })

  it('an agent sees its own departments and not those of the organisation', async () => {
    const id = await addOne(fixture.green.agent)
    expect((await list(fixture.green.agent)).rows.map((row) => row.id)).toEqual([id])
    expect((await list(fixture.green.admin)).rows.map((row) => row.id)).toContain(id)
    expect((await remove(fixture.green.agent, fixture.green.departmentId)).status).toBe(404)
  })
})

describe('reading', () => {
  it('shows the tree of an organisation, and to the platform that of any', async () => {
    const top = await addOne(fixture.swift.admin, { name: '上级' })
    const below = await addOne(fixture.swift.admin, { name: '下级', parentId: top })
    for (const who of [fixture.swift.admin, fixture.platform.admin]) {
      const { data } = await api.call(who.token, department.tree, { params: { organiseId: fixture.swift.id } })
      expect(data.find((node) => node.id === top)).toEqual({
        id: top,
        name: '上级',
        parentId: null,
        children: [{ id: below, name: '下级', parentId: top, children: [] }],
      })
    }
  })

  it('places a department with an invisible parent at the top', async () => {
    const below = await addOne(fixture.swift.agent)
    await api.sql('update department set parent_id = $1 where id = $2', [fixture.swift.departmentId, below])
    const { data } = await api.call(fixture.swift.agent.token, department.tree, {
      params: { organiseId: fixture.swift.id },
    })
    expect(data.map((node) => node.id)).toContain(below)
  })

  it('filters by name, type and parent, with staff counted and the phone masked', async () => {
    const top = await addOne(fixture.green.admin, { name: '百分%百', phone: '13812345678', leader: '李雷' })
    const below = await addOne(fixture.green.admin, { parentId: top })
    const person = await makePerson(api, { organiseId: fixture.green.id, loginName: 'counted' })
    const former = await makePerson(api, { organiseId: fixture.green.id, loginName: 'not_counted' })
    await api.sql('update user_account set department_id = $1 where id = any($2)', [top, [person.id, former.id]])
    await api.sql('update user_account set deleted_at = now() where id = $1', [former.id])
    const { rows } = await list(fixture.green.admin, { name: '分%百' })
    expect(rows).toMatchObject([
      { id: top, organiseName: '机构green', phone: '138****5678', leader: '李雷', staffCount: 1, menuIds: [] },
    ])
    expect((await list(fixture.green.admin, { parentId: top })).rows.map((row) => row.id)).toEqual([below, top])
    expect((await list(fixture.green.admin, { type: 4 })).total).toBe(0)
  })
})

describe('adding and editing', () => {
  it('creates a department in the organisation of the caller, or where the platform selects', async () => {
    const own = await addOne(fixture.green.admin, { organiseId: fixture.green.id })
    const chosen = await addOne(fixture.platform.admin, { organiseId: fixture.green.id })
    const rows = await api.sql('select organise_id, created_by from department where id = any($1) order by id', [
      [own, chosen],
    ])
    expect(rows).toEqual([
      { organise_id: fixture.green.id, created_by: '姓名green_admin' },
      { organise_id: fixture.green.id, created_by: '姓名platform' },
    ])
    expect((await add(fixture.platform.admin, { organiseId: '999999' })).status).toBe(404)
  })

  it('assigns a department below one of an agent to that agent', async () => {
    const top = await addOne(fixture.green.agent)
    const below = await addOne(fixture.green.admin, { parentId: top })
    expect((await list(fixture.green.agent, { parentId: top })).rows.map((row) => row.id)).toEqual([below, top])
  })

  it('refuses a parent of another organisation, also from the platform', async () => {
    const reply = await add(fixture.platform.admin, {
      organiseId: fixture.green.id,
      parentId: fixture.swift.departmentId,
    })
    expect(reply.status).toBe(404)
  })

  it('refuses a code that the organisation already has, and allows it in another organisation', async () => {
    const conflict = { status: 409, message: '部门编码已存在' }
    expect(await add(fixture.green.admin, { code: 'HQ' })).toMatchObject(conflict)
    const id = await addOne(fixture.green.admin, { code: 'TWIN' })
    expect(await edit(fixture.green.admin, id, { code: 'HQ' })).toMatchObject(conflict)
    expect((await edit(fixture.green.admin, id, { code: 'TWIN' })).status).toBe(200)
    expect((await add(fixture.swift.admin, { code: 'TWIN' })).status).toBe(200)
  })

  it('keeps an omitted phone, because the editor has seen it only masked', async () => {
    const id = await addOne(fixture.green.admin, { phone: '13812345678', leader: '李雷' })
    await edit(fixture.green.admin, id)
    expect(await api.sql('select phone, leader from department where id = $1', [id])).toEqual([
      { phone: '13812345678', leader: null },
    ])
  })

  it('never creates a cycle', async () => {
    const top = await addOne(fixture.green.admin)
    const middle = await addOne(fixture.green.admin, { parentId: top })
    const low = await addOne(fixture.green.admin, { parentId: middle })
    const ring = { status: 409, message: '上级部门不能是本部门或其下级部门' }
    for (const parentId of [top, middle, low])
      expect(await edit(fixture.green.admin, top, { parentId })).toMatchObject(ring)
    expect((await edit(fixture.green.admin, low, { parentId: top })).status).toBe(200)
  })

  it('never creates a cycle by two concurrent moves', async () => {
    for (let round = 0; round < 5; round++) {
      const one = await addOne(fixture.green.admin)
      const other = await addOne(fixture.green.admin)
      const replies = await Promise.all([
        edit(fixture.green.admin, one, { parentId: other }),
        edit(fixture.green.admin, other, { parentId: one }),
      ])
      expect(replies.map((reply) => reply.status).toSorted((a, b) => a - b)).toEqual([200, 409])
    }
  })

  it('does not mix the departments of an agent with those of another', async () => {
    const own = await addOne(fixture.green.agent)
    const sub = await addOne(fixture.green.subAgent)
    expect((await edit(fixture.green.admin, own, { parentId: sub })).status).toBe(409)
    expect((await edit(fixture.green.admin, own, { parentId: fixture.green.departmentId })).status).toBe(200)
  })
})

describe('removing', () => {
  it('is refused while a department is below it or a user belongs to it', async () => {
    const top = await addOne(fixture.green.admin)
    const below = await addOne(fixture.green.admin, { parentId: top })
    const person = await makePerson(api, { organiseId: fixture.green.id, loginName: 'employed' })
    await api.sql('update user_account set department_id = $1 where id = $2', [below, person.id])
    expect(await remove(fixture.green.admin, top)).toMatchObject({ status: 409, message: '请先删除下级部门' })
    expect(await remove(fixture.green.admin, below)).toMatchObject({ status: 409, message: '部门下还有员工，不能删除' })
    await api.sql('update user_account set deleted_at = now() where id = $1', [person.id])
    const replies = [
      await remove(fixture.green.admin, below),
      await remove(fixture.green.admin, top),
      await remove(fixture.green.admin, top),
    ]
    expect(replies.map((reply) => reply.status)).toEqual([200, 200, 404])
  })
})

describe('the menus of a department', () => {
  it('are saved exactly, and the log shows only the difference', async () => {
    const id = await addOne(fixture.green.admin)
    await saveMenus(fixture.green.admin, id, [staffMenu])
    await saveMenus(fixture.green.admin, id, [staffMenu, logMenu])
    expect(await menusOf(id)).toEqual([staffMenu, logMenu].toSorted())
    expect((await list(fixture.green.admin, { parentId: id })).rows[0]?.menuIds.toSorted()).toEqual(
      [staffMenu, logMenu].toSorted(),
    )
    const [last] = await api.sql<{ changes: { after: { menu_id: number } }[] }>(
      "select changes from audit_log where content = '分配部门菜单' order by id desc limit 1",
    )
    expect(last?.changes.map((change) => String(change.after.menu_id))).toEqual([logMenu])
  })

  it('include only menus that exist and that the caller holds', async () => {
    const id = await addOne(fixture.green.admin)
    expect((await saveMenus(fixture.green.admin, id, [staffMenu, resourceMenu])).status).toBe(403)
    expect((await saveMenus(fixture.green.admin, id, ['999999'])).status).toBe(404)
    expect(await menusOf(id)).toEqual([])
    expect((await saveMenus(fixture.platform.root, id, [resourceMenu])).status).toBe(200)
  })

  it('cannot be lifted, or left by a move, by a user whose colleagues would gain more than that user holds', async () => {
    const capped = await addOne(fixture.green.admin)
    const inner = await addOne(fixture.green.admin, { parentId: capped })
    const departmentMenu = ['1', '1.1', menuKey.department]
    const [colleague, own] = [
      await makePerson(api, { organiseId: fixture.green.id, loginName: 'gains', menus: [menuKey.staff, menuKey.role] }),
      await makePerson(api, { organiseId: fixture.green.id, loginName: 'lifter', menus: departmentMenu }),
    ]
    await api.sql('update user_account set department_id = $1 where id = $2', [inner, colleague.id])
    await saveMenus(fixture.green.admin, capped, [staffMenu])
    expect((await saveMenus(own, capped, [])).status).toBe(403)
    expect((await edit(own, inner)).status).toBe(403)
    expect(await menusOf(capped)).toEqual([staffMenu])
    expect((await saveMenus(fixture.green.admin, capped, [])).status).toBe(200)
  })
})
