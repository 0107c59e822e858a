import { deviceCategory } from '@wattdeck/contract/product/device-category.ts'
import { describe, expect, it } from 'vitest'
import { startApi } from '../../../../test/harness/api.ts'
import { makeFixture } from '../../../../test/harness/people.ts'

const api = await startApi()
const fixture = await makeFixture(api)
const root = fixture.platform.root.token

const add = (body: { code: string; name: string; parentId?: string }, token = root) =>
  api.call(token, deviceCategory.add, { body })
const idOf = async (code: string) =>
  (await api.sql<{ id: string }>('select id from device_category where code = $1', [code]))[0]?.id ?? ''

describe('users of an organisation', () => {
  it('read categories but cannot change any, although their role grants it', async () => {
    const { token } = fixture.green.admin
    expect((await api.call(token, deviceCategory.list)).data.rows.length).toBeGreaterThan(5)
    const refused = { status: 403, message: '您没有该操作的权限' }
    const id = await idOf('02')
    expect(await add({ code: '88', name: '别处' }, token)).toMatchObject(refused)
    expect(await api.call(token, deviceCategory.edit, { body: { id, name: '别名' } })).toMatchObject(refused)
    expect(await api.call(token, deviceCategory.toggle, { body: { id, disabled: true } })).toMatchObject(refused)
    expect(await api.call(token, deviceCategory.remove, { body: { id } })).toMatchObject(refused)
  })
})

describe('the lists to choose from', () => {
  it('are the big categories in use by default', async () => {
    const { data } = await api.call(fixture.green.clerk.token, deviceCategory.bigList)
    expect(data.map(({ code }) => code)).toEqual(['01', '02', '03', '04'])
    const small = await api.call(fixture.green.clerk.token, deviceCategory.bigList, { query: { level: 2 } })
    expect(small.data.map(({ code }) => code)).toContain('02-02')
    const none = await api.call(fixture.green.clerk.token, deviceCategory.bigList, { query: { disabled: true } })
    expect(none.data).toEqual([])
  })

  it('are the small categories in use below a big one', async () => {
    const small = (code: string) => api.call(fixture.green.clerk.token, deviceCategory.smallList, { params: { code } })
    const codes = async () => (await small('02')).data.map(({ code }) => code)
    expect(await codes()).toEqual(['02-01', '02-02', '02-03', '02-05'])
    const id = await idOf('02-03')
    await api.call(root, deviceCategory.toggle, { body: { id, disabled: true } })
    expect(await codes()).toEqual(['02-01', '02-02', '02-05'])
    await api.call(root, deviceCategory.toggle, { body: { id, disabled: false } })
    expect((await small('99')).status).toBe(404)
  })
})

describe('a category', () => {
  it('has a code that starts with the code of its big category', async () => {
    const big = await add({ code: '60', name: '饮水机' })
    const small = await add({ code: '07', name: '直饮机', parentId: big.data.id })
    const { data } = await api.call(root, deviceCategory.list, { query: { parentId: big.data.id } })
    expect(data.rows.map(({ code, level, parentName, smallCount }) => [code, level, parentName, smallCount])).toEqual([
      ['60', 1, null, 1],
      ['60-07', 2, '饮水机', 0],
    ])
    expect(await add({ code: '01', name: '再下级', parentId: small.data.id })).toMatchObject({
      status: 409,
      message: '小类下不能再添加分类',
    })
    expect(await add({ code: '60', name: '重复' })).toMatchObject({ status: 409, message: '分类编码已存在' })
    expect((await add({ code: '6', name: '短' })).status).toBe(422)
  })

  it('is not removed while it is in use, and reports how often', async () => {
    const remove = async (code: string) => api.call(root, deviceCategory.remove, { body: { id: await idOf(code) } })
    expect(await remove('02')).toMatchObject({
      status: 409,
      message: '分类「电动自行车充电」正被 4 个小类、4 个设备类型使用，不能删除',
    })
    expect(await remove('02-02')).toMatchObject({
      status: 409,
      message: '分类「多路插座」正被 3 个设备类型使用，不能删除',
    })
    await add({ code: '61', name: '空的' })
    expect((await remove('61')).status).toBe(200)
  })

  it('counts the devices that the caller sees', async () => {
    await addDevice(fixture.green.id, 'GREEN001')
    await addDevice(fixture.swift.id, 'SWIFT001')
    const seen = async (token: string) => {
      const { data } = await api.call(token, deviceCategory.list, { query: { keyword: '02' } })
      return data.rows.filter(({ code }) => code === '02' || code === '02-02').map(({ deviceCount }) => deviceCount)
    }
    expect(await seen(root)).toEqual([2, 2])
    expect(await seen(fixture.green.admin.token)).toEqual([1, 1])
  })

  it('is found by a part of its name, by the beginning of its code, and by its status', async () => {
    const found = async (query: { keyword?: string; disabled?: 0 | 1 }) =>
      (await api.call(root, deviceCategory.list, { query })).data.rows.map(({ code }) => code)
    expect(await found({ keyword: '波轮' })).toEqual(['04-01'])
    expect(await found({ keyword: '04-' })).toEqual(['04-01', '04-02'])
    expect(await found({ disabled: 1 })).toEqual([])
  })
})

async function addDevice(organiseId: string, no: string): Promise<void> {
  await api.sql(
    `insert into device (organise_id, device_no, name, device_type_id, category_id, small_category_id, adapter, wire_id, port_count)
     select $1, $2, $2, id, category_id, small_category_id, 'dny', $2, port_count from device_type where code = '02-02-02'`,
    [organiseId, no],
  )
}
