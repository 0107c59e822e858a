import { dtuProtocol } from '@wattdeck/contract/product/dtu-protocol.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../../test/api.ts'
import { makeWorld, type World } from '../../../test/people.ts'

let api: TestApi
let world: World
let root: string
beforeAll(async () => {
  api = await startApi()
  world = await makeWorld(api)
  root = world.platform.root.token
})

const fields = {
  name: '测试协议',
  version: 'V1',
  transport: 1,
  accessWay: 0,
  heartbeatS: 60,
  missedHeartbeats: 3,
} as const
const add = (code: string, token = root) => api.call(token, dtuProtocol.add, { body: { ...fields, code } })
const byCode = async (code: string) => {
  const { data } = await api.call(root, dtuProtocol.list, { query: { keyword: code } })
  const row = data.rows.find((one) => one.code === code)
  if (row === undefined) throw new Error(`no protocol ${code}`)
  return row
}

describe('people of an organisation', () => {
  it('read the protocols and change none, although their role says that they may', async () => {
    const { token } = world.green.admin
    expect((await api.call(token, dtuProtocol.list)).data.rows.map(({ code }) => code)).toContain('DNY')
    expect(await add('OTHER', token)).toMatchObject({ status: 403, message: '您没有该操作的权限' })
    const { id } = await byCode('DNY')
    expect((await api.call(token, dtuProtocol.edit, { body: { ...fields, id } })).status).toBe(403)
    expect((await api.call(token, dtuProtocol.remove, { body: { id } })).status).toBe(403)
  })
})

describe('the delivered protocols', () => {
  it('are those that devices speak, and those that are described for now', async () => {
    const { data } = await api.call(root, dtuProtocol.list, { query: { pageSize: 50 } })
    const told = data.rows.map(({ code, adapter, transport, heartbeatS, missedHeartbeats }) =>
      [code, adapter, transport, heartbeatS, missedHeartbeats].join(' '),
    )
    expect(told.toSorted()).toEqual([
      'DNY dny 1 180 2',
      'MQTT-JSON mqtt-json 6 60 2',
      'OCPP-16J  4 300 2',
      'YKC-15  1 10 3',
    ])
  })
})

describe('a protocol', () => {
  it('is added once, edited, and filtered by transport, access and status', async () => {
    const { data } = await add('TEST-1')
    expect(await add('TEST-1')).toMatchObject({ status: 409, message: '协议编码已存在' })
    expect((await add('test')).status).toBe(422)
    const edit = { ...fields, id: data.id, transport: 2, accessWay: 1, endpoint: '9001' } as const
    expect((await api.call(root, dtuProtocol.edit, { body: edit })).status).toBe(200)
    const { rows } = (await api.call(root, dtuProtocol.list, { query: { transport: 2, accessWay: 1, status: 1 } })).data
    expect(rows).toMatchObject([{ code: 'TEST-1', endpoint: '9001', typeNames: [], createdBy: '姓名root' }])
  })

  it('is chosen from only while it is enabled', async () => {
    const { data } = await add('TEST-2')
    const body = { id: data.id, status: 0 } as const
    expect((await api.call(root, dtuProtocol.toggle, { body })).status).toBe(200)
    expect((await api.call(root, dtuProtocol.toggle, { body })).status).toBe(409)
    const options = await api.call(world.green.admin.token, dtuProtocol.options)
    expect(options.data.map(({ code }) => code)).not.toContain('TEST-2')
  })

  it('that types use keeps its adapter and is not removed', async () => {
    const { id, typeNames, setCount, heartbeatS, missedHeartbeats, name, version } = await byCode('DNY')
    expect(typeNames).toEqual(['双路智能插座', '十路智能插座', '十二路立式充电桩'])
    expect(setCount).toBe(2)
    expect(await api.call(root, dtuProtocol.remove, { body: { id } })).toMatchObject({
      status: 409,
      message: '协议「AP3000 DNY」正被 3 个设备类型、2 个指令集使用，不能删除',
    })
    const body = { id, name, version, transport: 1, accessWay: 0, heartbeatS, missedHeartbeats } as const
    expect(await api.call(root, dtuProtocol.edit, { body: { ...body, adapter: 'mqtt-json' } })).toMatchObject({
      status: 409,
      message: '协议「AP3000 DNY」正被 3 个设备类型使用，不能更改解析程序',
    })
    expect((await api.call(root, dtuProtocol.edit, { body: { ...body, adapter: 'dny' } })).status).toBe(200)
  })
})
