import { deviceType, deviceTypesOf } from '@wattdeck/contract/product/device-type.ts'
import { file } from '@wattdeck/contract/auth/file.ts'
import { describe, expect, it } from 'vitest'
import { startApi } from '../../../../test/harness/api.ts'
import { makeFixture } from '../../../../test/harness/people.ts'

const api = await startApi()
const fixture = await makeFixture(api)
const root = fixture.platform.root.token
const idsBy = async (table: string) =>
  new Map(
    (await api.sql<{ code: string; id: string }>(`select code, id from ${table}`)).map(({ code, id }) => [code, id]),
  )
const protocols = await idsBy('dtu_protocol')
const categories = await idsBy('device_category')

const fields = () =>
  ({
    name: '测试类型',
    portCount: 10,
    metering: 0,
    ratedW: 3000,
    protocolId: protocols.get('DNY') ?? '',
  }) as const
const add = (more: object = {}, token = root) =>
  api.call(token, deviceType.add, {
    body: { ...fields(), smallCategoryId: categories.get('02-02') ?? '', ...more },
  })
const byCode = async (code: string, token = root) => {
  const { data } = await api.call(token, deviceType.list, { query: { keyword: code } })
  const row = data.rows.find((one) => one.code === code)
  if (row === undefined) throw new Error(`no type ${code}`)
  return row
}
const setId = async (code: string) =>
  (await api.sql<{ id: string }>('select id from instruction_set where code = $1', [code]))[0]?.id ?? ''

describe('users of an organisation', () => {
  it('read types but cannot change any, although their role grants it', async () => {
    const { token } = fixture.green.admin
    const { id } = await byCode('02-02-02', token)
    expect(await add({}, token)).toMatchObject({ status: 403, message: '您没有该操作的权限' })
    expect((await api.call(token, deviceType.edit, { body: { ...fields(), id } })).status).toBe(403)
    expect((await api.call(token, deviceType.bindTemplate, { body: { id } })).status).toBe(403)
    expect((await api.call(token, deviceType.toggle, { body: { id, status: 0 } })).status).toBe(403)
    expect((await api.call(token, deviceType.remove, { body: { id } })).status).toBe(403)
  })
})

describe('the delivered types', () => {
  it('have the codes that the dashboard names, with their ports and protocols', async () => {
    const { data } = await api.call(fixture.green.clerk.token, deviceType.all)
    expect(
      deviceTypesOf(data).map(({ code, portCount, metering, adapter }) => [code, portCount, metering, adapter]),
    ).toEqual([
      ['01-01-01', 1, 0, 'ocpp16'],
      ['01-01-02', 2, 0, 'ocpp16'],
      ['01-02-01', 2, 0, 'ykc'],
      ['02-02-01', 2, 1, 'dny'],
      ['02-02-02', 10, 0, 'dny'],
      ['02-02-03', 10, 0, 'mqtt-json'],
      ['02-05-02', 12, 0, 'dny'],
      ['04-01-05', 1, 1, 'mqtt-json'],
    ])
  })
})

describe('a new type', () => {
  it('gets the next code of its small category, or the requested one', async () => {
    expect((await add()).data.code).toBe('02-02-04')
    expect((await add({ modelNo: '66' })).data.code).toBe('02-02-66')
    expect(await add({ modelNo: '66' })).toMatchObject({ status: 409, message: '类型编码 02-02-66 已存在' })
    const row = await byCode('02-02-04')
    expect(row).toMatchObject({
      categoryName: '电动自行车充电',
      smallCategoryName: '多路插座',
      protocolName: 'AP3000 DNY',
    })
  })

  it('has a listed port count, an enabled small category, and matching parts', async () => {
    expect((await add({ portCount: 4 })).status).toBe(422)
    expect(await add({ smallCategoryId: categories.get('02') })).toMatchObject({
      status: 422,
      message: '设备小类不存在',
    })
    expect(await add({ protocolId: '999999' })).toMatchObject({ status: 422, message: '协议不存在' })
    const other = { protocolId: protocols.get('MQTT-JSON'), instructionSetId: await setId('XY-2-V10') }
    expect(await add(other)).toMatchObject({ status: 422, message: '指令集与所选协议不一致' })
    await api.sql("update device_category set disabled = true where code = '03-01'")
    expect(await add({ smallCategoryId: categories.get('03-01') })).toMatchObject({ message: '设备小类已停用' })
    await api.sql("update dtu_protocol set status = 0 where code = 'YKC-15'")
    expect(await add({ protocolId: protocols.get('YKC-15') })).toMatchObject({ message: '协议已停用' })
  })
})

describe('a type', () => {
  it('changes ports and protocol, and is removed, only while it has no device', async () => {
    const { data } = await add({ modelNo: '70' })
    const edit = (more: object) => api.call(root, deviceType.edit, { body: { ...fields(), id: data.id, ...more } })
    expect((await edit({ portCount: 12, protocolId: protocols.get('MQTT-JSON') })).status).toBe(200)
    expect((await edit({ portCount: 10 })).status).toBe(200)
    await api.sql(
      `insert into device (organise_id, device_no, name, device_type_id, category_id, small_category_id, adapter, wire_id, port_count)
       select $1, 'TYPE0001', '一', id, category_id, small_category_id, 'dny', 'TYPE0001', port_count from device_type where id = $2`,
      [fixture.green.id, data.id],
    )
    expect(await edit({ portCount: 12 })).toMatchObject({ message: '已有 1 台设备属于该类型，不能更改端口数' })
    expect(await edit({ protocolId: protocols.get('MQTT-JSON') })).toMatchObject({
      status: 409,
      message: '已有 1 台设备属于该类型，不能更改协议',
    })
    expect((await edit({ name: '改名', instructionSetId: await setId('XY-2-V20') })).status).toBe(200)
    const row = await byCode('02-02-70', fixture.swift.admin.token)
    expect(row).toMatchObject({ name: '改名', instructionSetName: '充电指令集 V2.0', deviceCount: 0 })
    expect((await byCode('02-02-70')).deviceCount).toBe(1)
    expect(await api.call(root, deviceType.remove, { body: { id: data.id } })).toMatchObject({
      status: 409,
      message: '设备类型「改名」正被 1 个设备使用，不能删除',
    })
  })

  it('gets a template and loses it again', async () => {
    const { id, attributeTemplateId } = await byCode('02-02-02')
    const bind = (body: object) => api.call(root, deviceType.bindTemplate, { body: { id, ...body } })
    expect((await bind({})).status).toBe(200)
    expect((await byCode('02-02-02')).attributeTemplateId).toBeNull()
    expect((await bind({ attributeTemplateId })).status).toBe(200)
    expect((await byCode('02-02-02')).attributeTemplateName).toBe('电动自行车插座通用模板')
    expect((await bind({ attributeTemplateId: '999999' })).status).toBe(422)
  })

  it('is offered only while it is enabled, and removed when nothing uses it', async () => {
    const { data } = await add({ modelNo: '80' })
    await api.call(root, deviceType.toggle, { body: { id: data.id, status: 0 } })
    const all = await api.call(root, deviceType.all)
    expect(deviceTypesOf(all.data).map(({ code }) => code)).not.toContain('02-02-80')
    expect((await api.call(root, deviceType.remove, { body: { id: data.id } })).status).toBe(200)
  })

  it('shows its picture to every user; a picture without a type is not found', async () => {
    const addPicture = async () => {
      const key = `picture/1/${crypto.randomUUID()}`
      await api.deps.files.put(key, Buffer.from('bytes'))
      const [row] = await api.sql<{ id: string }>(
        `insert into stored_file (organise_id, user_id, kind, object_key, name, type, bytes, width, height)
         values (1, $1, 'picture', $2, 'a.webp', 'image/webp', 5, 1, 1) returning id`,
        [fixture.platform.root.id, key],
      )
      return row?.id ?? ''
    }
    const [pictureId, stray] = [await addPicture(), await addPicture()]
    await api.sql('update stored_file set attached = true where id = $1', [stray])
    expect((await add({ modelNo: '90', pictureId })).status).toBe(200)
    const read = async (id: string) => {
      const reply = await api.app.inject({
        url: file.content.path.replace('{id}', id),
        headers: { authorization: `Bearer ${fixture.green.site.token}` },
      })
      return reply.statusCode
    }
    expect([await read(pictureId), await read(stray)]).toEqual([200, 404])
  })
})
