import { platformAttribute } from '@wattdeck/contract/product/platform-attribute.ts'
import { dnyAttributeGroups } from '@wattdeck/device-protocol/dny/attributes.ts'
import { describe, expect, it } from 'vitest'
import { startApi } from '../../../../test/harness/api.ts'
import { makeFixture } from '../../../../test/harness/people.ts'

const api = await startApi()
const fixture = await makeFixture(api)
const root = fixture.platform.root.token

const fields = { name: '测试属性', dataType: 1, access: 3, groupName: '测试组' } as const
const add = (identifier: string, more: object = {}, token = root) =>
  api.call(token, platformAttribute.add, { body: { ...fields, identifier, ...more } })
const find = async (identifier: string) => {
  const { data } = await api.call(root, platformAttribute.list, { query: { keyword: identifier } })
  const row = data.rows.find((one) => one.identifier === identifier)
  if (row === undefined) throw new Error(`no attribute ${identifier}`)
  return row
}

describe('users of an organisation', () => {
  it('read attributes but cannot change any, although their role grants it', async () => {
    const { token } = fixture.green.admin
    expect((await api.call(token, platformAttribute.list)).data.rows.length).toBeGreaterThan(5)
    expect(await add('other', {}, token)).toMatchObject({ status: 403, message: '您没有该操作的权限' })
    const { id } = await find('overVoltage')
    expect((await api.call(token, platformAttribute.edit, { body: { ...fields, id } })).status).toBe(403)
    expect((await api.call(token, platformAttribute.remove, { body: { id } })).status).toBe(403)
  })
})

describe('the delivered attributes', () => {
  it('that can be written have the same names in the DNY protocol', async () => {
    const dnyIdentifiers = new Set(
      dnyAttributeGroups.flatMap(({ attributes }) => attributes.map(({ identifier }) => identifier)),
    )
    const { data } = await api.call(root, platformAttribute.list, { query: { pageSize: 100 } })
    const written = data.rows.filter(({ access }) => access !== 1).map(({ identifier }) => identifier)
    expect(written.length).toBeGreaterThan(10)
    expect(written.filter((identifier) => !dnyIdentifiers.has(identifier))).toEqual([])
  })
})

describe('an attribute', () => {
  it('keeps only the fields that its type uses', async () => {
    const all = { unit: 'V', minimum: 1, maximum: 9.5, options: '0=关\n1=开', defaultValue: '1' }
    await add('wholeOne', all)
    await add('chosenOne', { ...all, dataType: 3 })
    expect(await find('wholeOne')).toMatchObject({
      unit: 'V',
      minimum: 1,
      maximum: 9.5,
      options: [],
      defaultValue: '1',
    })
    expect(await find('chosenOne')).toMatchObject({
      unit: null,
      minimum: null,
      options: [
        { value: '0', label: '关' },
        { value: '1', label: '开' },
      ],
    })
  })

  it('has a unique identifier, ordered bounds, options for a choice, and a valid default', async () => {
    expect(await add('overVoltage')).toMatchObject({ status: 409, message: '属性标识已存在' })
    expect((await add('Upper')).status).toBe(422)
    const refusal = async (more: object) => (await add('refused', more)).message
    expect(await refusal({ minimum: 5, maximum: 4 })).toBe('最大值不能小于最小值')
    expect(await refusal({ dataType: 3 })).toBe('请填写枚举值')
    expect(await refusal({ dataType: 3, options: '开' })).toContain('请每行填写一个枚举值')
    expect(await refusal({ dataType: 3, options: '1=开', defaultValue: '2' })).toBe('默认值不是可选的枚举值')
    expect(await refusal({ maximum: 4, defaultValue: '5' })).toBe('默认值不能大于4')
    expect(await refusal({ dataType: 4, defaultValue: 'on' })).toBe('默认值开关只能为0或1')
  })

  it('is filtered by name, type, group and status', async () => {
    const { data } = await api.call(root, platformAttribute.list, { query: { groupName: '安全保护', dataType: 2 } })
    expect(data.rows.map(({ identifier }) => identifier)).toEqual(['overloadPower', 'overVoltage', 'underVoltage'])
    const groups = await api.call(root, platformAttribute.groups)
    expect(groups.data).toEqual(expect.arrayContaining(['充电参数', '安全保护', '通信参数', '显示参数']))
  })

  it('keeps its type while templates use it, suits their defaults, and is not removed', async () => {
    const { id, templateCount } = await find('overVoltage')
    expect(templateCount).toBe(1)
    expect(await api.call(root, platformAttribute.remove, { body: { id } })).toMatchObject({
      status: 409,
      message: '属性「过压值」正被 1 个属性模板使用，不能删除',
    })
    const edit = (more: object) =>
      api.call(root, platformAttribute.edit, { body: { ...fields, dataType: 2, id, ...more } })
    expect(await edit({ dataType: 5 })).toMatchObject({ message: '该属性正被 1 个模板使用，不能更改数据类型' })
    await api.sql("update attribute_template_item set default_value = '260' where platform_attribute_id = $1", [id])
    expect(await edit({ maximum: 250 })).toMatchObject({
      status: 409,
      message: '有 1 个模板中的默认值不符合新的取值范围，请先修改模板',
    })
    expect((await edit({ maximum: 280 })).status).toBe(200)
  })

  it('is removed when nothing uses it', async () => {
    const { data } = await add('unused')
    const off = { id: data.id, status: 0 } as const
    expect((await api.call(root, platformAttribute.toggle, { body: off })).status).toBe(200)
    expect((await api.call(root, platformAttribute.toggle, { body: off })).status).toBe(409)
    expect((await api.call(root, platformAttribute.remove, { body: { id: data.id } })).status).toBe(200)
  })
})
