import { attributeTemplate } from '@wattdeck/contract/product/attribute-template.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApi } from '../../../../test/harness/api.ts'
import { makeFixture } from '../../../../test/harness/people.ts'

let ids: Map<string, string>
const api = await startApi()
const fixture = await makeFixture(api)
const root = fixture.platform.root.token
beforeAll(async () => {
  const rows = await api.sql<{ identifier: string; id: string }>('select identifier, id from platform_attribute')
  ids = new Map(rows.map(({ identifier, id }) => [identifier, id]))
})

const add = (name: string, token = root) => api.call(token, attributeTemplate.add, { body: { name, version: 'V1' } })
const item = (identifier: string, defaultValue?: string) => ({
  attributeId: ids.get(identifier) ?? '999999',
  ...(defaultValue === undefined ? {} : { defaultValue }),
})
const save = (id: string, items: ReturnType<typeof item>[], token = root) =>
  api.call(token, attributeTemplate.saveItems, { body: { id, items } })
const itemsOf = async (id: string) => {
  const { data } = await api.call(root, attributeTemplate.items, { params: { id } })
  return data.map(({ identifier, defaultValue }) => [identifier, defaultValue])
}
const delivered = async () => {
  const { data } = await api.call(root, attributeTemplate.list, { query: { keyword: '通用模板' } })
  const [row] = data.rows
  if (row === undefined) throw new Error('no delivered template')
  return row
}

describe('users of an organisation', () => {
  it('read templates but cannot change any, although their role grants it', async () => {
    const { token } = fixture.green.admin
    const { id } = await delivered()
    expect((await api.call(token, attributeTemplate.items, { params: { id } })).data).toHaveLength(18)
    const refused = { status: 403, message: '您没有该操作的权限' }
    expect(await add('别处', token)).toMatchObject(refused)
    expect(await save(id, [], token)).toMatchObject(refused)
    const body = { id, name: '副本', version: 'V1' }
    expect(await api.call(token, attributeTemplate.copy, { body })).toMatchObject(refused)
  })
})

describe('a template', () => {
  it('is listed with its attributes, groups and types', async () => {
    const row = await delivered()
    expect(row.groupNames).toEqual(['充电参数', '安全保护', '通信参数', '显示参数'])
    expect([row.attributeCount, row.typeNames.length]).toEqual([18, 4])
    const [type] = await api.sql<{ id: string }>("select id from device_type where code = '02-05-02'")
    const byType = await api.call(root, attributeTemplate.list, { query: { deviceTypeId: type?.id ?? '' } })
    expect(byType.data.rows.map(({ id }) => id)).toEqual([row.id])
  })

  it('has a unique name, and is not removed while types use it', async () => {
    const { id, name } = await delivered()
    expect(await add(name)).toMatchObject({ status: 409, message: '模板名称已存在' })
    const { data } = await add('另一个')
    const edit = (to: string) =>
      api.call(root, attributeTemplate.edit, { body: { id: data.id, name: to, version: 'V2' } })
    expect((await edit(name)).status).toBe(409)
    expect((await edit('又一个')).status).toBe(200)
    expect(await api.call(root, attributeTemplate.remove, { body: { id } })).toMatchObject({
      status: 409,
      message: `模板「${name}」正被 4 个设备类型使用，不能删除`,
    })
    expect((await api.call(root, attributeTemplate.remove, { body: { id: data.id } })).status).toBe(200)
  })

  it('keeps its attributes in the given order, with valid defaults', async () => {
    const { data } = await add('顺序')
    expect(
      (await save(data.id, [item('underVoltage', '110'), item('overVoltage'), item('codeLightOff', '0')])).status,
    ).toBe(200)
    expect((await save(data.id, [item('codeLightOff', '1'), item('underVoltage', '110')])).status).toBe(200)
    expect(await itemsOf(data.id)).toEqual([
      ['codeLightOff', '1'],
      ['underVoltage', '110'],
    ])
    expect(await save(data.id, [item('overVoltage', '999')])).toMatchObject({
      status: 422,
      message: '「过压值」的默认值不能大于300',
    })
    expect((await save(data.id, [item('codeLightOff'), item('codeLightOff')])).message).toBe('模板中的属性不能重复')
    expect((await save(data.id, [item('nothing')])).status).toBe(404)
    expect(await itemsOf(data.id)).toHaveLength(2)
  })

  it('keeps an attribute that was disabled later, and refuses to add a disabled one', async () => {
    const { data } = await add('停用')
    await save(data.id, [item('floatTime')])
    await api.sql("update platform_attribute set status = 0 where identifier in ('floatTime', 'minPower')")
    expect((await save(data.id, [item('floatTime', '60')])).status).toBe(200)
    expect(await save(data.id, [item('floatTime'), item('minPower')])).toMatchObject({
      status: 409,
      message: '属性「最小功率」已停用',
    })
    const offered = await api.call(root, attributeTemplate.attributes)
    expect(offered.data.map(({ identifier }) => identifier)).not.toContain('minPower')
    await api.sql('update platform_attribute set status = 1')
  })

  it('is copied with its attributes, under another name', async () => {
    const { id, name } = await delivered()
    const copy = (to: string) => api.call(root, attributeTemplate.copy, { body: { id, name: to, version: 'V9' } })
    expect((await copy(name)).status).toBe(409)
    const { data } = await copy('副本')
    expect(await itemsOf(data.id)).toEqual(await itemsOf(id))
    const { rows } = (await api.call(root, attributeTemplate.list, { query: { keyword: '副本' } })).data
    expect(rows).toMatchObject([{ version: 'V9', attributeCount: 18, typeNames: [] }])
    await api.call(root, attributeTemplate.toggle, { body: { id: data.id, status: 0 } })
    const offered = await api.call(root, attributeTemplate.options)
    expect(offered.data.map((one) => one.name)).not.toContain('副本')
  })
})
