import { readFileSync } from 'node:fs'
import { menuKey, menuSeeds } from '@wattdeck/contract/menu-keys.ts'
import { helpDocument } from '@wattdeck/contract/system/help-document.ts'
import { describe, expect, it } from 'vitest'
import { asSuperuser } from '../../../../../../tools/ops/database.ts'
import { startApi } from '../../../../test/harness/api.ts'
import { type Actor, makePerson, makeFixture } from '../../../../test/harness/people.ts'
import { deliveredHelp, ensureHelp } from '../../../seed/delivered-help.ts'

const api = await startApi()
const fixture = await makeFixture(api)
const editor = fixture.platform.admin

const fields = { type: 1, title: '站点巡检', body: '每周检查一次插座。' } as const
const add = async (more: Partial<{ type: 1 | 2 | 3; title: string; body: string; screen: string }> = {}) =>
  (await api.call(editor.token, helpDocument.add, { body: { ...fields, ...more } })).data.id
const publish = (id: string, status: 0 | 1 = 1) => api.call(editor.token, helpDocument.toggle, { body: { id, status } })
const addPublished = async (more: Parameters<typeof add>[0] = {}) => {
  const id = await add(more)
  await publish(id)
  return id
}
const list = async (actor: Actor, query: object = {}) =>
  (await api.call(actor.token, helpDocument.list, { query })).data
const detail = (actor: Actor, id: string) => api.call(actor.token, helpDocument.detail, { params: { id } })
const think = (actor: Actor, id: string, helpful: boolean) =>
  api.call(actor.token, helpDocument.feedback, { body: { id, helpful } })
const snapshot = () => api.sql('select * from help_document order by id')

describe('a stranger', () => {
  it('reads nothing without a login', async () => {
    expect((await api.call(undefined, helpDocument.list)).status).toBe(401)
  })

  it('sees no draft and cannot rate it', async () => {
    const id = await add({ title: '未公开的草稿' })
    for (const reader of [fixture.green.admin, fixture.green.withoutRights, fixture.green.agent, fixture.green.site]) {
      expect((await list(reader)).map((one) => one.id)).not.toContain(id)
      expect(await list(reader, { keyword: '未公开' })).toEqual([])
      expect((await detail(reader, id)).status).toBe(404)
      expect((await think(reader, id, true)).status).toBe(404)
    }
  })

  it('changes nothing, even with a role of an organisation that holds every action', async () => {
    const tricked = await makePerson(api, { organiseId: fixture.green.id, loginName: 'help_tenant', menus: '*' })
    const id = await add({ title: '仅平台可改' })
    const before = await snapshot()
    const tries = [
      await api.call(tricked.token, helpDocument.add, { body: fields }),
      await api.call(tricked.token, helpDocument.edit, { body: { id, ...fields } }),
      await api.call(tricked.token, helpDocument.toggle, { body: { id, status: 1 } }),
      await api.call(tricked.token, helpDocument.move, { body: { id, direction: 'up' } }),
      await api.call(tricked.token, helpDocument.remove, { body: { id } }),
    ]
    expect(tries.map((reply) => reply.status)).toEqual([403, 403, 403, 403, 403])
    expect((await detail(tricked, id)).status).toBe(404)
    expect(await snapshot()).toEqual(before)
  })

  it('is refused by the database as well: the scope of an organisation cannot write a document', async () => {
    const write = asSuperuser(api.database, async (client) => {
      await client.query('set role wattdeck_api')
      await client.query(
        `select set_config('app.scope_level', '1', false), set_config('app.organise_id', $1, false),
         set_config('app.agent_ids', '{}', false), set_config('app.site_ids', '{}', false)`,
        [fixture.green.id],
      )
      return client.query("insert into help_document (type, title, body) values (1, 'x', 'x')")
    })
    await expect(write).rejects.toThrow(/row-level security/)
  })

  it('sees no opinions of another organisation; only the platform sees all of them', async () => {
    const id = await addPublished({ title: '众说' })
    await think(fixture.swift.admin, id, false)
    expect((await detail(fixture.green.admin, id)).data).toMatchObject({ helpful: null, opinions: null })
  })
})

describe('a reader', () => {
  it('finds published documents by type, by screen, and by a word of title or text', async () => {
    const inTitle = await addPublished({ type: 3, title: '代码ZX9说明', body: '见表。' })
    const inBody = await addPublished({
      type: 1,
      body: `${'铺垫。'.repeat(20)}\n\n**代码zx9**表示过载。`,
      screen: 'site',
    })
    const found = await list(fixture.green.clerk, { keyword: 'ZX9' })
    expect(found.map((one) => one.id)).toEqual([inTitle, inBody])
    expect(found[0]?.excerpt).toBeNull()
    expect(found[1]?.excerpt).toMatch(/^…(铺垫。)+ 代码zx9表示过载。$/)
    expect((await list(fixture.green.clerk, { keyword: 'zx9', type: 3 })).map((one) => one.id)).toEqual([inTitle])
    expect((await list(fixture.green.clerk, { keyword: 'zx9', screen: 'site' })).map((one) => one.id)).toEqual([inBody])
    expect(await list(fixture.green.clerk, { keyword: '%' })).not.toContainEqual(
      expect.objectContaining({ id: inTitle }),
    )
  })

  it('counts once, and can change their opinion', async () => {
    const id = await addPublished({ title: '是否有用' })
    const readers = [
      fixture.green.clerk,
      fixture.green.agent,
      fixture.green.site,
      fixture.green.installer,
      fixture.swift.admin,
    ]
    for (const reader of readers) expect((await think(reader, id, true)).message).toBe('感谢您的反馈')
    await think(fixture.green.site, id, true)
    await think(fixture.green.agent, id, false)
    expect((await detail(editor, id)).data.opinions).toEqual({ helpful: 4, notHelpful: 1 })
    expect((await detail(fixture.green.agent, id)).data.helpful).toBe(false)
    expect((await detail(fixture.green.site, id)).data.helpful).toBe(true)
    expect((await detail(editor, id)).data.helpful).toBeNull()
  })

  it('has the menu without a grant', async () => {
    const seed = menuSeeds.find(({ key }) => key === menuKey.helpDocument)
    expect(seed).toMatchObject({ route: '/helpDocument', alwaysVisible: true })
    const [row] = await api.sql('select always_visible from menu where menu_key = $1', [menuKey.helpDocument])
    expect(row).toEqual({ always_visible: true })
  })
})

describe('a platform admin', () => {
  it('creates a draft, publishes it, changes it and withdraws it', async () => {
    const id = await add({ title: '新文档', screen: 'staff' })
    expect((await detail(editor, id)).data).toMatchObject({ status: 0, screen: 'staff', body: fields.body })
    expect((await publish(id)).status).toBe(200)
    expect(await publish(id)).toMatchObject({ status: 409, message: '文档状态已变更，请刷新后重试' })
    const body = { id, type: 2, title: '改名', body: '第一段\n\n第二段' } as const
    expect((await api.call(editor.token, helpDocument.edit, { body })).status).toBe(200)
    expect((await detail(fixture.green.clerk, id)).data).toMatchObject({
      type: 2,
      title: '改名',
      body: body.body,
      screen: null,
    })
    expect((await publish(id, 0)).status).toBe(200)
    expect((await detail(fixture.green.clerk, id)).status).toBe(404)
  })

  it('sees why a document is refused', async () => {
    const tries = async (more: object) =>
      (await api.call(editor.token, helpDocument.add, { body: { ...fields, ...more } })).message
    expect(await tries({ title: ' ' })).toBe('请输入标题')
    expect(await tries({ title: '长'.repeat(61) })).toBe('标题不能超过60个字符')
    expect(await tries({ body: '字'.repeat(20_001) })).toBe('正文不能超过20000个字符')
    expect(await tries({ screen: '../x' })).toBe('请选择正确的适用页面')
    expect((await add({ body: '字'.repeat(20_000) })).length).toBeGreaterThan(0)
  })

  it('moves a document among those of its type, and not beyond the ends', async () => {
    await api.sql('update help_document set deleted_at = now() where type = 3')
    const [first, second, third] = [await add({ type: 3 }), await add({ type: 3 }), await add({ type: 3 })]
    await add({ type: 1 })
    const move = (id: string, direction: 'up' | 'down') =>
      api.call(editor.token, helpDocument.move, { body: { id, direction } })
    const order = async () => (await list(editor, { type: 3 })).map((one) => one.id)
    expect((await move(third, 'up')).status).toBe(200)
    expect(await order()).toEqual([first, third, second])
    expect((await move(first, 'down')).status).toBe(200)
    expect(await order()).toEqual([third, first, second])
    expect(await move(third, 'up')).toMatchObject({ status: 409, message: '已经是第一篇文档' })
    expect(await move(second, 'down')).toMatchObject({ status: 409, message: '已经是最后一篇文档' })
  })

  it('moves a document without changing its time of update', async () => {
    const [one, two] = [await add({ type: 2 }), await add({ type: 2 })]
    await api.sql("update help_document set updated_at = now() - interval '1 day' where id = any($1)", [[one, two]])
    const before = (await detail(editor, two)).data.updatedAt
    await api.call(editor.token, helpDocument.move, { body: { id: two, direction: 'up' } })
    await publish(two)
    expect((await detail(editor, two)).data.updatedAt).toBe(before)
    await api.call(editor.token, helpDocument.edit, { body: { id: two, ...fields, type: 2, body: '新内容' } })
    expect((await detail(editor, two)).data.updatedAt).not.toBe(before)
  })

  it('removes a document once, after which no reader can open it', async () => {
    const id = await addPublished()
    const remove = async () => (await api.call(editor.token, helpDocument.remove, { body: { id } })).status
    expect([await remove(), await remove()]).toEqual([200, 404])
    expect((await detail(fixture.green.clerk, id)).status).toBe(404)
    expect((await detail(editor, id)).status).toBe(404)
    expect((await publish(id)).status).toBe(404)
    expect((await api.call(editor.token, helpDocument.edit, { body: { id, ...fields } })).status).toBe(404)
  })
})

describe('the delivered documents', () => {
  it('are available to every user', async () => {
    const slugs = await api.sql<{ slug: string }>('select slug from help_document where slug is not null')
    expect(slugs.map(({ slug }) => slug).toSorted()).toEqual(
      deliveredHelp()
        .map(({ slug }) => slug)
        .toSorted(),
    )
    const [staff] = await list(fixture.green.withoutRights, { screen: 'staff' })
    expect((await detail(fixture.green.withoutRights, staff?.id ?? '')).data.title).toBe('员工管理')
  })

  it('name screens of the specification, or our own, and fit into the table', () => {
    const column = (file: string, place: number) =>
      readFileSync(new URL(`../../../../../../docs/spec/${file}`, import.meta.url), 'utf8')
        .split('\n')
        .map((line) => line.split(',')[place])
    const screens = new Set([...column('screens.csv', 2), ...column('own-screens.csv', 0)])
    for (const { slug, type, title, screen, sort, body } of deliveredHelp()) {
      expect({ slug, known: screen === null || screens.has(screen) }).toEqual({ slug, known: true })
      expect([1, 2, 3]).toContain(type)
      expect(Number.isInteger(sort)).toBe(true)
      expect(title.length).toBeLessThanOrEqual(60)
      expect(body.length, slug).toBeGreaterThan(150)
      expect(body.length, slug).toBeLessThanOrEqual(20_000)
    }
  })

  it('overwrite no edited document and restore no removed one', async () => {
    await api.sql("update help_document set title = '我们的说法' where slug = 'staff'")
    await api.sql("update help_document set deleted_at = now() where slug = 'role'")
    await api.sql("delete from help_document where slug = 'log'")
    await asSuperuser(api.database, (client) => ensureHelp(client))
    const rows = await api.sql(
      "select slug, title, deleted_at is null as there from help_document where slug in ('staff', 'role', 'log') order by slug",
    )
    expect(rows).toEqual([
      { slug: 'log', title: '日志管理', there: true },
      { slug: 'role', title: '角色管理', there: false },
      { slug: 'staff', title: '我们的说法', there: true },
    ])
  })
})
