import { dtuProtocol } from '@wattdeck/contract/product/dtu-protocol.ts'
import { describe, expect, it } from 'vitest'
import { startApi } from '../../../../test/harness/api.ts'
import { makeFixture } from '../../../../test/harness/people.ts'

const api = await startApi()
const fixture = await makeFixture(api)
const root = fixture.platform.root.token

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

describe('users of an organisation', () => {
  it('read protocols but cannot change any, although their role grants it', async () => {
    const { token } = fixture.green.admin
    expect((await api.call(token, dtuProtocol.list)).data.rows.map(({ code }) => code)).toContain('DNY')
    expect(await add('OTHER', token)).toMatchObject({ status: 403, message: '您没有该操作的权限' })
    const { id } = await byCode('DNY')
    expect((await api.call(token, dtuProtocol.edit, { body: { ...fields, id } })).status).toBe(403)
    expect((await api.call(token, dtuProtocol.remove, { body: { id } })).status).toBe(403)
  })
})

describe('the delivered protocols', () => {
  it('are those that devices use, and those that are only described so far', async () => {
    const { data } = await api.call(root, dtuProtocol.list, { query: { pageSize: 50 } })
    const protocols = data.rows.map(({ code, adapter, transport, heartbeatS, missedHeartbeats }) =>
      [code, adapter, transport, heartbeatS, missedHeartbeats].join(' '),
    )
    expect(protocols.toSorted()).toEqual([
      'DNY dny 1 180 2',
      'MQTT-JSON mqtt-json 6 180 2',
      'OCPP-16J ocpp16 4 300 2',
      'YKC-15 ykc 1 10 3',
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

  it('is offered only while it is enabled', async () => {
    const { data } = await add('TEST-2')
    const body = { id: data.id, status: 0 } as const
    expect((await api.call(root, dtuProtocol.toggle, { body })).status).toBe(200)
    expect((await api.call(root, dtuProtocol.toggle, { body })).status).toBe(409)
    const options = await api.call(fixture.green.admin.token, dtuProtocol.options)
    expect(options.data.map(({ code }) => code)).not.toContain('TEST-2')
  })

  it('keeps its adapter and is not removed while types use it', async () => {
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

describe('a pasted frame', () => {
  const decode = async (code: string, direction: 1 | 2, frame: string, token = fixture.green.admin.token) =>
    api.call(token, dtuProtocol.decode, { body: { id: (await byCode(code)).id, direction, frame } })

  it('of DNY is split into parts, with the reported values', async () => {
    const { data } = await decode('DNY', 1, '444e59 1000 40aace04 0700 21 a408 02 01 02 00 5a ea03')
    expect(data).toMatchObject({ problem: null, kind: '心跳' })
    expect(data.parts.map(({ label, raw, note }) => [label, raw, note])).toEqual([
      ['帧头', '44 4E 59', 'DNY'],
      ['长度', '10 00', '整帧 21 字节'],
      ['物理ID', '40 AA CE 04', '双路插座，编号 13544000'],
      ['消息ID', '07 00', '7'],
      ['命令', '21', '0x21'],
      ['数据', 'A4 08 02 01 02 00 5A', '7 字节'],
      ['累加和', 'EA 03', '03EA'],
    ])
    expect(data.fields.map(({ label, value }) => `${label} ${value}`)).toEqual(
      expect.arrayContaining(['电压 221.2 V', '端口状态 1路 工作中（1），2路 已连接（2）', '温度 25 ℃']),
    )
  })

  it('of DNY to a device is decoded as its command', async () => {
    const { data } = await decode('DNY', 2, '444e5909 00 40aace04 0100 87 3803')
    expect(data).toMatchObject({ problem: null, kind: '重启', fields: [] })
  })

  it('that is broken is reported with its problem', async () => {
    const problem = async (frame: string) => (await decode('DNY', 1, frame)).data.problem
    expect(await problem('xyz')).toBe('报文不是十六进制文本')
    expect(await problem('44 4e 59')).toBe('一帧至少 14 字节，实际 3 字节')
    expect(await problem('444e59090040aace040100873903')).toBe('累加和不正确，应为 38 03')
    expect(await problem('444e590a0040aace040100873803')).toBe('长度字段表示整帧 15 字节，实际 14 字节')
    expect(await problem('544e59090040aace040100873803')).toBe('帧头不是 44 4E 59（DNY）')
  })

  it('of YKC is split into parts, in both directions', async () => {
    const { data } = await decode('YKC-15', 1, '680D 0100 00 03 55031412782305 01 00 9F4F')
    expect(data).toMatchObject({ problem: null, kind: '心跳' })
    expect(data.parts.map(({ label, raw, note }) => [label, raw, note])).toEqual([
      ['起始标志', '68', '68'],
      ['长度', '0D', '整帧 17 字节'],
      ['序列号', '01 00', '1'],
      ['加密标志', '00', '不加密'],
      ['帧类型', '03', '0x03'],
      ['消息体', '55 03 14 12 78 23 05 01 00', '9 字节'],
      ['CRC', '9F 4F', '4F9F'],
    ])
    expect(data.fields.map(({ label, value }) => `${label} ${value}`)).toEqual(['端口 1', '桩编号 55031412782305'])
    expect((await decode('YKC-15', 2, '680C0300003655031412782305017949')).data).toMatchObject({ kind: '停止端口' })
    const problem = async (frame: string) => (await decode('YKC-15', 1, frame)).data.problem
    expect(await problem('680D0100000355031412782305010000')).toBe('长度字段表示整帧 17 字节，实际 16 字节')
    expect(await problem('680D010000035503141278230501009F4E')).toBe('CRC 不正确，应为 9F 4F')
  })

  it('of our own protocol is decoded in both directions', async () => {
    const up = {
      v: 1,
      k: 'settle',
      boot: 3,
      seq: 9,
      t: 1_767_225_600,
      port: 2,
      order: 'A1',
      s: 600,
      wh: 250,
      pmax: 2205,
      why: 1,
    }
    const { data } = await decode('MQTT-JSON', 1, JSON.stringify(up))
    expect(data).toMatchObject({ problem: null, kind: '结算' })
    const lines = data.fields.map(({ label, value }) => `${label} ${value}`)
    for (const line of ['启动次数 3', '设备时间 2026-01-01 08:00:00', '电量 0.25 kWh', '停止原因 充满自停（1）'])
      expect(lines).toContain(line)
    const { why: _why, ...short } = up
    expect((await decode('MQTT-JSON', 1, JSON.stringify(short))).data.problem).toBe('缺少字段 why')
    expect((await decode('MQTT-JSON', 1, '[1]')).data.problem).toBe('报文不是 JSON 对象')
    expect((await decode('MQTT-JSON', 2, '{"v":1,"k":"nothing"}')).data.problem).not.toBeNull()
  })

  it('of OCPP is decoded in both directions, and a wrong field is named', async () => {
    const boot = '[2,"19223201","BootNotification",{"chargePointVendor":"VendorX","chargePointModel":"SingleSocket"}]'
    const { data } = await decode('OCPP-16J', 1, boot)
    expect(data).toMatchObject({ problem: null, kind: '注册' })
    expect(data.parts.map(({ label, raw, note }) => [label, raw, note]).slice(0, 3)).toEqual([
      ['类型', '2', '请求'],
      ['消息ID', '"19223201"', null],
      ['动作', '"BootNotification"', null],
    ])
    expect(data.fields.map(({ label, value }) => `${label} ${value}`)).toEqual(['型号 VendorX SingleSocket'])
    const stop = await decode('OCPP-16J', 2, '[2,"1","RemoteStopTransaction",{"transactionId":77}]')
    expect(stop.data.fields.map(({ label, value }) => `${label} ${value}`)).toEqual(['交易号 77'])
    expect((await decode('OCPP-16J', 2, '[3,"1",{"status":"Accepted"}]')).data.kind).toBe('应答')
    const problem = async (frame: string) => (await decode('OCPP-16J', 1, frame)).data.problem
    expect(await problem('[2,"1","BootNotification",{"chargePointVendor":"VendorX"}]')).toBe(
      '缺少字段 chargePointModel',
    )
    expect(await problem('[2,"1","Fly",{}]')).toBe('不支持的动作 Fly')
    expect(await problem('{}')).toBe('报文不是 JSON 数组')
  })

  it('of a protocol without a decoder is refused', async () => {
    const { id } = (await add('TEST-3')).data
    expect(await api.call(root, dtuProtocol.decode, { body: { id, direction: 1, frame: '68' } })).toMatchObject({
      status: 409,
      message: '协议「测试协议」没有解析程序，不能调试报文',
    })
  })
})
