import { savedView } from '@wattdeck/contract/auth/saved-view.ts'
import { log } from '@wattdeck/contract/system/log.ts'
import { role } from '@wattdeck/contract/system/role.ts'
import { staff } from '@wattdeck/contract/system/staff.ts'
import { describe, expect, it } from 'vitest'
import { startApi } from '../../../../test/harness/api.ts'
import { type Actor, makePerson, makeFixture, tenantMenus } from '../../../../test/harness/people.ts'

const api = await startApi()
const fixture = await makeFixture(api)

const listKey = staff.list.path
const list = async (who: Actor, key = listKey) =>
  (await api.call(who.token, savedView.list, { query: { listKey: key } })).data
const names = async (who: Actor, key = listKey) => (await list(who, key)).views.map((view) => view.name)
type Body = { listKey?: string; name: string; query?: string; shared?: boolean; isDefault?: boolean }
const save = (who: Actor, body: Body) =>
  api.call(who.token, savedView.save, { body: { listKey, query: 'status=1', ...body } as never })
const saved = async (who: Actor, body: Body) => (await save(who, body)).data.id
const edit = (who: Actor, body: { id: string; [field: string]: unknown }) =>
  api.call(who.token, savedView.edit, { body: body as never })
const remove = (who: Actor, id: string) => api.call(who.token, savedView.remove, { body: { id } })

let people = 0
const colleague = (place: { agentId?: string; siteId?: string } = {}, menus: string[] = tenantMenus) =>
  makePerson(api, { organiseId: fixture.green.id, ...place, loginName: `colleague${++people}`, menus })

describe('a stranger', () => {
  it('neither sees nor changes the view of another organisation, shared or not', async () => {
    const { admin } = fixture.swift
    for (const shared of [true, false]) {
      const id = await saved(admin, { name: `别家 ${shared}`, shared })
      for (const who of [fixture.green.admin, fixture.green.agent, fixture.green.site]) {
        expect(await names(who)).toEqual([])
        expect((await edit(who, { id, name: '改' })).status).toBe(404)
        expect((await remove(who, id)).status).toBe(404)
        const order = await api.call(who.token, savedView.order, { body: { listKey, ids: [id] } })
        expect(order.status).toBe(404)
      }
    }
    expect(await names(admin)).toEqual(['别家 true', '别家 false'])
  })

  it('of the same organisation sees no private view, and cannot remove it even as administrator', async () => {
    const maker = await colleague()
    const id = await saved(maker, { name: '私有' })
    expect(await names(fixture.green.admin)).not.toContain('私有')
    expect((await remove(fixture.green.admin, id)).status).toBe(404)
    expect((await remove(fixture.platform.root, id)).status).toBe(404)
    expect(await names(maker)).toContain('私有')
  })

  it('cannot save a view of a list without the right to read it', async () => {
    expect((await save(fixture.green.withoutRights, { name: '无权' })).status).toBe(403)
    expect((await save(fixture.green.admin, { name: '无此', listKey: '/seeker/api/none' })).status).toBe(422)
    expect((await save(fixture.green.admin, { name: '非列表', listKey: staff.roleOptions.path })).status).toBe(422)
  })
})

describe('a shared view', () => {
  it('is visible to everyone at the same place, and not above, below or beside it', async () => {
    const { green } = fixture
    const place = { organise: {}, agent: { agentId: green.agentId }, subAgent: { agentId: green.subAgentId } }
    const site = { agentId: green.subAgentId, siteId: green.siteId }
    const places = { ...place, site }
    const makers = await Promise.all(Object.values(places).map((at) => colleague(at)))
    const readers = await Promise.all(Object.values(places).map((at) => colleague(at)))
    for (const [at, maker] of makers.entries())
      await saved(maker, { name: `共享${at}`, listKey: role.list.path, shared: true })
    for (const [at, reader] of readers.entries()) {
      expect(await names(reader, role.list.path)).toEqual([`共享${at}`])
      expect((await list(reader, role.list.path)).views).toMatchObject([{ own: false, isDefault: false, shared: true }])
    }
    expect(await names(fixture.platform.root, role.list.path)).toEqual([])
  })

  it('is changed by its creator only; removed by its creator or an administrator of the organisation', async () => {
    const maker = await colleague()
    const other = await colleague({}, ['1', '1.1', '1.1.3'])
    const id = await saved(maker, { name: '公用', shared: true })
    expect((await list(other)).views.find((view) => view.id === id)).toMatchObject({ own: false, mayRemove: false })
    expect((await edit(other, { id, name: '他改' })).status).toBe(404)
    expect((await edit(fixture.green.admin, { id, shared: false })).status).toBe(404)
    expect((await remove(other, id)).status).toBe(403)
    expect((await list(fixture.green.admin)).views.find((view) => view.id === id)).toMatchObject({ mayRemove: true })
    expect((await remove(fixture.green.admin, id)).status).toBe(200)
    expect(await names(maker)).not.toContain('公用')
  })

  it('of a site is removed by the administrator of its organisation, not by its agent', async () => {
    const { site, agent, subAgent, admin } = fixture.green
    const id = await saved(site, { name: '站点共享', shared: true })
    expect((await remove(agent, id)).status).toBe(404)
    expect((await remove(subAgent, id)).status).toBe(404)
    expect((await remove(admin, id)).status).toBe(200)
  })

  it('for the whole organisation is created by its staff, not by an installer', async () => {
    const installer = await makePerson(api, {
      organiseId: fixture.green.id,
      loginName: 'loose_installer',
      userType: 4,
      menus: tenantMenus,
    })
    expect((await list(installer)).mayShare).toBe(false)
    expect((await save(installer, { name: '共享', shared: true })).status).toBe(403)
    const id = await saved(installer, { name: '自用' })
    expect((await edit(installer, { id, shared: true })).status).toBe(403)
    const atAgent = await makePerson(api, {
      organiseId: fixture.green.id,
      agentId: fixture.green.agentId,
      loginName: 'agent_installer',
      userType: 4,
      menus: tenantMenus,
    })
    expect((await list(atAgent)).mayShare).toBe(true)
    expect((await save(atAgent, { name: '共享', shared: true })).status).toBe(200)
  })
})

describe('a view', () => {
  it('stores its filter in normalised form, and can be renamed, changed and removed', async () => {
    const who = await colleague()
    const query = 'status=1&departmentId=5'
    const id = await saved(who, { name: '启用', query })
    expect((await list(who)).views).toEqual([
      {
        id,
        name: '启用',
        query: 'departmentId=5&status=1',
        shared: false,
        isDefault: false,
        own: true,
        maker: `姓名${who.loginName}`,
        mayRemove: true,
      },
    ])
    expect((await edit(who, { id, name: '停用', query: 'status=0' })).status).toBe(200)
    expect((await list(who)).views).toMatchObject([{ name: '停用', query: 'status=0', shared: false }])
    expect((await remove(who, id)).status).toBe(200)
    expect(await names(who)).toEqual([])
    expect((await remove(who, id)).status).toBe(404)
  })

  it('has a unique name per person and list', async () => {
    const [who, other] = [await colleague(), await colleague()]
    const first = await saved(who, { name: '一' })
    const second = await saved(who, { name: '二' })
    expect(await save(who, { name: '一' })).toMatchObject({ status: 409, message: '视图名称已存在' })
    expect(await edit(who, { id: second, name: '一' })).toMatchObject({ status: 409, message: '视图名称已存在' })
    expect((await edit(who, { id: first, name: '一' })).status).toBe(200)
    expect((await save(other, { name: '一' })).status).toBe(200)
    expect((await save(who, { name: '一', listKey: role.list.path })).status).toBe(200)
    expect((await save(who, { name: '字'.repeat(21) })).status).toBe(422)
  })

  it('is the default of its list, one at most', async () => {
    const who = await colleague()
    const first = await saved(who, { name: '一', isDefault: true })
    const second = await saved(who, { name: '二', isDefault: true })
    const defaults = async () => (await list(who)).views.filter((view) => view.isDefault).map((view) => view.id)
    expect(await defaults()).toEqual([second])
    await edit(who, { id: first, isDefault: true })
    expect(await defaults()).toEqual([first])
    await edit(who, { id: first, isDefault: false })
    expect(await defaults()).toEqual([])
  })

  it('keeps the order that its owner sets', async () => {
    const who = await colleague()
    const ids = [await saved(who, { name: '一' }), await saved(who, { name: '二' }), await saved(who, { name: '三' })]
    const order = (orderedIds: string[]) => api.call(who.token, savedView.order, { body: { listKey, ids: orderedIds } })
    expect((await order(ids.toReversed())).status).toBe(200)
    expect((await names(who)).slice(0, 3)).toEqual(['三', '二', '一'])
    const foreign = await saved(fixture.green.admin, { name: '别人的' })
    expect((await order([...ids, foreign])).status).toBe(404)
    expect((await names(who)).slice(0, 3)).toEqual(['三', '二', '一'])
  })

  it('is one of twenty at most, also under concurrent requests', async () => {
    const who = await colleague()
    for (let n = 1; n < 20; n++) await saved(who, { name: `视图${n}` })
    const last = await Promise.all([save(who, { name: '甲' }), save(who, { name: '乙' })])
    expect(new Set(last.map(({ status }) => status))).toEqual(new Set([200, 409]))
    expect((await save(who, { name: '丙' })).message).toBe('每个列表最多保存20个视图')
    expect((await save(who, { name: '丙', listKey: role.list.path })).status).toBe(200)
  })

  it.each([
    ['a name somebody is looked for by', listKey, 'keyword=%E5%BC%A0%E4%BC%9F'],
    ['who did something', log.list.path, 'operator=zhang'],
    ['a phone', log.list.path, 'module=13812345678'],
    ['a phone with gaps', log.list.path, 'module=138+1234-5678'],
    ['an e-mail address', role.list.path, 'name=zhang%40example.cn'],
    ['the number of an identity card', role.list.path, 'name=33010619900101123X'],
    ['a number plate', role.list.path, 'name=%E6%B5%99A12345'],
  ])('contains no %s', async (_, key, query) => {
    expect(await save(fixture.green.admin, { name: '个人', listKey: key, query })).toMatchObject({
      status: 422,
      message: '筛选条件含有姓名、手机号等个人信息，不能保存为视图',
    })
  })

  it.each(['pageNum=2', 'status=1&status=0', 'status=7', 'nobodyAsked=1', 'status=1&cursor=abc'])(
    'contains only filters of its list: not %s',
    async (query) => {
      expect(await save(fixture.green.admin, { name: '错误', query })).toMatchObject({ status: 422 })
      const id = await saved(fixture.green.admin, { name: `好 ${query.slice(0, 15)}` })
      expect((await edit(fixture.green.admin, { id, query })).status).toBe(422)
    },
  )

  it('cannot have a phone as its name', async () => {
    expect((await save(fixture.green.admin, { name: '13812345678' })).status).toBe(422)
  })
})
