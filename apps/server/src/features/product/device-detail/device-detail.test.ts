import { deviceCommand } from '@wattdeck/contract/product/device-command.ts'
import { deviceDetail } from '@wattdeck/contract/product/device-detail.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../../../test/harness/api.ts'
import { type Models, makeModels, makeDevice, makeMessage } from '../../../../test/fixtures/devices.ts'
import { type Actor, makePerson, makeFixture, type Fixture } from '../../../../test/harness/people.ts'

let api: TestApi
let fixture: Fixture
let models: Models
let viewer: Actor
let id: string
const menus = ['4', '4.1', '4.1.1']
beforeAll(async () => {
  api = await startApi()
  fixture = await makeFixture(api)
  models = await makeModels(api)
  viewer = await makePerson(api, { organiseId: fixture.green.id, loginName: 'green_detail', menus })
  const { green } = fixture
  const at = { organiseId: green.id, agentId: green.subAgentId, siteId: green.siteId }
  id = await makeDevice(api, { ...at, typeId: models.dny, deviceNo: '13544000' })
})

const today = () => new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)
const shown = (atMs: number) => new Date(atMs + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')

describe('a stranger', () => {
  it('reads nothing of a device of another organisation', async () => {
    const other = await makePerson(api, { organiseId: fixture.swift.id, loginName: 'swift_detail', menus })
    const curve = { portNo: 1, beginAt: `${today()} 00:00:00`, endAt: `${today()} 01:00:00` }
    for (const call of [
      () => api.call(other.token, deviceDetail.read, { params: { id } }),
      () => api.call(other.token, deviceDetail.pileFields, { query: { deviceId: id } }),
      () => api.call(other.token, deviceDetail.messages, { params: { id } }),
      () => api.call(other.token, deviceDetail.events, { params: { id } }),
      () => api.call(other.token, deviceDetail.operations, { params: { id } }),
      () => api.call(other.token, deviceDetail.powerCurve, { params: { id }, query: curve }),
    ])
      expect((await call()).status).toBe(404)
  })
})

describe('a device', () => {
  it('is shown with its last reported values and each of its ports', async () => {
    await api.sql(
      "update device_state set csq = 21, temperature_c = 36, voltage_dv = 2203, address = '10.0.0.8:4001', last_seen_at = now() where device_id = $1",
      [id],
    )
    await api.sql(
      "update port set status = 2, power_dw = 1234, energy_wh = 560, minutes = 33, order_no = 'A1', temperature_c = 41 where device_id = $1 and port_no = 2",
      [id],
    )
    const { data } = await api.call(viewer.token, deviceDetail.read, { params: { id } })
    expect(data).toMatchObject({
      deviceNo: '13544000',
      siteName: '站点green',
      csq: 21,
      voltageDv: 2203,
      address: '10.0.0.8:4001',
      ports: [
        { portNo: 1, status: 1, powerDw: null, enabled: true },
        { portNo: 2, status: 2, powerDw: 1234, energyWh: 560, minutes: 33, orderNo: 'A1', temperatureC: 41 },
      ],
    })
  })

  it('has the fields of its model, and those of the model’s template as text', async () => {
    const [template] = await api.sql<{ id: string }>(
      "insert into attribute_template (name, version) values ('桩属性', '1') returning id",
    )
    const [attribute] = await api.sql<{ id: string }>(
      `insert into platform_attribute (identifier, name, data_type, options, default_value, access, group_name)
       values ('currentType', '交直流', 3, '[{"value": "1", "label": "交流"}, {"value": "2", "label": "直流"}]', '1', 1, '桩') returning id`,
    )
    await api.sql(
      'insert into attribute_template_item (attribute_template_id, platform_attribute_id) values ($1, $2)',
      [template?.id, attribute?.id],
    )
    await api.sql('update device_type set attribute_template_id = $1 where id = $2', [template?.id, models.dny])
    const { data } = await api.call(viewer.token, deviceDetail.pileFields, { query: { deviceId: id } })
    expect(data.map(({ label, value, unit }) => `${label} ${value}${unit ?? ''}`)).toEqual([
      '设备编号 13544000',
      '端口数 2路',
      '计量方式 按电量',
      '额定功率 1000W',
      '交直流 交流',
    ])
  })
})

describe('messages of a device', () => {
  it('are read newest first, by direction, kind, port and day, page by page', async () => {
    await makeMessage(api, id, { kind: 'heartbeat', content: { kind: 'heartbeat', csq: 20 }, frame: '444e59' })
    await makeMessage(api, id, { kind: 'alarm', content: { kind: 'alarm' }, portNo: 2 })
    await makeMessage(api, id, { kind: 'heartbeat', content: { kind: 'heartbeat' }, direction: 2 })
    const read = async (query: object) =>
      (await api.call(viewer.token, deviceDetail.messages, { params: { id }, query: query as never })).data
    const all = await read({ from: today(), to: today() })
    expect(all.rows.map((row) => [row.kind, row.direction])).toEqual([
      ['heartbeat', 2],
      ['alarm', 1],
      ['heartbeat', 1],
    ])
    expect(all.rows[2]).toMatchObject({ content: { csq: 20 }, frame: '444e59' })
    expect((await read({ kind: 'alarm' })).total).toBe(1)
    expect((await read({ direction: 2 })).total).toBe(1)
    expect((await read({ portNo: 2 })).total).toBe(1)
    expect((await read({ to: '2025-06-01' })).total).toBe(0)
    const first = await read({ pageSize: 2 })
    const second = await read({ pageSize: 2, pageNum: 2, cursor: first.cursor })
    expect([...first.rows, ...second.rows].map((row) => row.id)).toEqual(all.rows.map((row) => row.id))
  })

  it('become events, newest first, page by page, also where several have the same time', async () => {
    await api.sql(
      `insert into device_event (id, part, device_id, organise_id, agent_id, site_id, kind, port_no, detail, at)
       select 1000 + n, n % 2, id, organise_id, agent_id, site_id, case when n < 3 then 'online' else 'portStatus' end, n, jsonb_build_object('to', n), date_trunc('hour', now())
       from device, generate_series(1, 5) n where device.id = $1`,
      [id],
    )
    const read = async (query: object) =>
      (await api.call(viewer.token, deviceDetail.events, { params: { id }, query: query as never })).data
    expect((await read({ kind: 'portStatus' })).total).toBe(3)
    expect((await read({ from: '2099-01-01' })).rows).toEqual([])
    const first = await read({ pageSize: 3 })
    const second = await read({ pageSize: 3, pageNum: 2, cursor: first.cursor })
    expect([...first.rows, ...second.rows].map((row) => row.portNo)).toEqual([5, 4, 3, 2, 1])
  })

  it('draw a curve of at most 500 points that keeps each peak', async () => {
    const end = Date.now()
    await api.sql(
      `insert into device_message (id, device_id, organise_id, agent_id, site_id, direction, kind, port_no, content)
       select app.message_id(to_timestamp($2 / 1000.0) - make_interval(secs => n)) + 500000 + n, id, organise_id, agent_id, site_id, 1, 'portReport', 1,
         jsonb_build_object('kind', 'portReport', 'port', 1, 'powerDw', case when n = 1234 then 99999 else 1000 + n % 10 end, 'energyWh', n)
       from device, generate_series(1, 3000) n where device.id = $1`,
      [id, end],
    )
    const read = (beginAt: string, endAt: string) =>
      api.call(viewer.token, deviceDetail.powerCurve, { params: { id }, query: { portNo: 1, beginAt, endAt } })
    const { data } = await read(shown(end - 3_000_000), shown(end))
    expect(data.length).toBeGreaterThan(400)
    expect(data.length).toBeLessThanOrEqual(500)
    expect(Math.max(...data.map((point) => point.powerDw))).toBe(99_999)
    expect(data.map((point) => point.at)).toEqual(data.map((point) => point.at).toSorted())
    expect((await read(shown(end), shown(end - 1000))).status).toBe(422)
    expect((await read(shown(end - 8 * 86_400_000), shown(end))).status).toBe(422)
  })
})

describe('operations', () => {
  const operationsOf = async (token: string, query: object = {}) =>
    (await api.call(token, deviceDetail.operations, { params: { id }, query: query as never })).data.rows

  it('on a device are listed with their user, newest first: edits, commands, ports, and none of its neighbour', async () => {
    const person = await makePerson(api, { organiseId: fixture.green.id, loginName: 'green_hands', menus })
    const { green } = fixture
    const at = { organiseId: green.id, agentId: green.subAgentId, siteId: green.siteId }
    const neighbour = await makeDevice(api, { ...at, typeId: models.dny, deviceNo: '13544001' })
    const before = (await operationsOf(person.token)).length
    const command = { operation: 4 as const, whenOffline: 1 as const }
    const reply = await api.call(person.token, deviceCommand.operate, { body: { deviceId: id, ...command } })
    await api.call(person.token, deviceCommand.operate, { body: { deviceId: neighbour, ...command } })
    await api.call(person.token, deviceCommand.cancel, { body: { id: reply.data.commandId } })
    const closed = { deviceId: id, portNo: 1, enabled: '0' as const }
    expect((await api.call(person.token, deviceCommand.switchPort, { body: closed })).status).toBe(200)
    expect(
      (await api.call(person.token, deviceCommand.operate, { body: { deviceId: id, operation: 2, whenOffline: 1 } }))
        .status,
    ).toBe(200)
    const rows = await operationsOf(person.token)
    expect(rows.slice(0, rows.length - before).map(({ userName, content }) => `${userName ?? ''} ${content}`)).toEqual(
      ['操作设备：停用 13544000', '停用或启用端口：停用 13544000 1号端口', '取消指令', '操作设备：召测 13544000'].map(
        (did) => `姓名green_hands ${did}`,
      ),
    )
    expect((await operationsOf(person.token, { kind: 'control', to: today() })).length).toBe(rows.length)
    expect(await operationsOf(person.token, { from: '2031-01-01' })).toEqual([])
  })

  it('of a user above are shown only to readers of that user’s log entries', async () => {
    const { admin } = fixture.platform
    const body = { deviceId: id, operation: 4 as const, whenOffline: 1 as const }
    expect((await api.call(admin.token, deviceCommand.operate, { body })).status).toBe(200)
    const names = async (token: string) => (await operationsOf(token)).map(({ userName }) => userName)
    expect((await names(admin.token))[0]).toBe('姓名platform')
    expect(await names(viewer.token)).not.toContain('姓名platform')
  })
})
