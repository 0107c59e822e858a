import { attributeSetting } from '@wattdeck/contract/product/attribute-setting.ts'
import { deviceCommand } from '@wattdeck/contract/product/device-command.ts'
import { deviceManage } from '@wattdeck/contract/product/device-manage.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../../../test/harness/api.ts'
import { type Models, makeModels, makeDevice } from '../../../../test/fixtures/devices.ts'
import { type Actor, makePerson, makeFixture, type Fixture } from '../../../../test/harness/people.ts'

let api: TestApi
let fixture: Fixture
let models: Models
let editor: Actor
const menus = ['4', '4.1', '4.1.1']
beforeAll(async () => {
  api = await startApi()
  fixture = await makeFixture(api)
  models = await makeModels(api)
  editor = await makePerson(api, { organiseId: fixture.green.id, loginName: 'green_devices', menus })
})

let serial = 0
const number = () => `AA${String(++serial).padStart(6, '0')}`
const add = (values: object = {}, token = editor.token) =>
  api.call(token, deviceManage.add, {
    body: { deviceNo: number(), name: '一号桩', deviceTypeId: models.mqtt, ...values } as never,
  })
const list = (query: object = {}, token = editor.token) =>
  api.call(token, deviceManage.list, { query: { pageSize: 500, ...query } as never })
const idsOf = async (query: object, token = editor.token) => (await list(query, token)).data.rows.map((row) => row.id)

describe('a stranger', () => {
  it('neither sees nor changes a device of another organisation', async () => {
    const { data } = await add()
    const other = await makePerson(api, { organiseId: fixture.swift.id, loginName: 'swift_devices', menus })
    expect(await idsOf({}, other.token)).not.toContain(data.id)
    const ids = [data.id]
    for (const call of [
      () => api.call(other.token, deviceManage.edit, { body: { id: data.id, name: 'x', deviceTypeId: models.mqtt } }),
      () => api.call(other.token, deviceCommand.operate, { body: { deviceId: data.id, operation: 2, whenOffline: 2 } }),
      () => api.call(other.token, deviceCommand.startPort, { body: { deviceId: data.id, portNo: 1, minutes: 5 } }),
      () => api.call(other.token, deviceCommand.list, { params: { id: data.id } }),
      () => api.call(other.token, attributeSetting.list, { params: { id: data.id } }),
      () => api.call(other.token, deviceManage.remove, { body: { ids } }),
      () => api.call(other.token, deviceCommand.batchOperate, { body: { ids, operation: 2, whenOffline: 2 } }),
      () => api.call(other.token, deviceManage.changePlot, { body: { ids } }),
      () => api.call(other.token, deviceManage.serviceFee, { body: { ids } }),
    ])
      expect((await call()).status).toBe(404)
  })

  it('at an agent or a site of the same organisation sees only the devices there', async () => {
    const { green } = fixture
    const mine = await makeDevice(api, {
      organiseId: green.id,
      agentId: green.subAgentId,
      siteId: green.siteId,
      typeId: models.dny,
    })
    const { data } = await add()
    for (const { token } of [green.agent, green.subAgent, green.site]) {
      const seen = await idsOf({}, token)
      expect(seen).toContain(mine)
      expect(seen).not.toContain(data.id)
    }
  })
})

describe('a new device', () => {
  it('has its ports, the category of its model, and a wire id that is derived from its number', async () => {
    const { data } = await add({ deviceNo: '13544000', deviceTypeId: models.dny, imei: '860000000000001' })
    const [row] = (await list({ keyword: '13544000' })).data.rows
    expect(row).toMatchObject({
      id: data.id,
      categoryName: '测试充电桩',
      smallCategoryName: '测试两轮桩',
      typeCode: '91-01-01',
      online: false,
      serviceStatus: 1,
      ports: [
        { portNo: 1, status: 1 },
        { portNo: 2, status: 1 },
      ],
    })
    const stored = await api.sql('select wire_id, adapter, free_ports from device where id = $1', [data.id])
    expect(stored).toEqual([{ wire_id: '40aace04', adapter: 'dny', free_ports: 2 }])
  })

  it.each([
    ['a number that says nothing on its wire', () => ({ deviceNo: 'ABCDEF', deviceTypeId: models.dny })],
    ['a wire id that its protocol does not have', () => ({ deviceTypeId: models.dny, wireId: 'xyz12345' })],
    ['a model that does not exist', () => ({ deviceTypeId: '999999' })],
    ['a number with a space', () => ({ deviceNo: 'A B C D' })],
    ['a longitude without a latitude', () => ({ lng: 120.1 })],
    ['an IMEI of 14 digits', () => ({ imei: '12345678901234' })],
  ])('is refused with %s', async (_, values) => {
    expect((await add(values())).status).toBe(422)
  })

  it('refuses a number, IMEI or ICCID of another device, and names the field', async () => {
    const existing = { deviceNo: number(), imei: '860000000000002', iccid: '8986001234567890123f' }
    expect((await add(existing)).status).toBe(200)
    expect(await add({ deviceNo: existing.deviceNo })).toMatchObject({
      status: 409,
      message: '设备编号或通信标识已被其他设备使用',
    })
    expect(await add({ imei: existing.imei })).toMatchObject({ status: 409, message: 'IMEI已被其他设备使用' })
    expect(await add({ iccid: existing.iccid.toUpperCase() })).toMatchObject({ status: 409 })
  })

  it('belongs to a site with its agent and region; only the platform sets the end of its service', async () => {
    await api.sql(
      "update site set province_code = '330000', city_code = '330100', district_code = '330106' where id = $1",
      [fixture.green.siteId],
    )
    const { data } = await add({ siteId: fixture.green.siteId })
    expect(await idsOf({ districtCode: '330106', siteId: fixture.green.siteId })).toContain(data.id)
    expect(await idsOf({ agentId: fixture.green.agentId })).toContain(data.id)
    expect((await add({ serviceUntil: '2099-01-01' })).status).toBe(403)
    const byPlatform = await add(
      { organiseId: fixture.swift.id, serviceUntil: '2030-01-01' },
      fixture.platform.root.token,
    )
    expect(byPlatform.status).toBe(200)
  })
})

describe('the first connection of a device without credentials', () => {
  const confirm = (id: string, token = editor.token) => api.call(token, deviceManage.confirmLine, { body: { id } })
  const lineOf = async (id: string) => (await list()).data.rows.find((row) => row.id === id)?.lineStatus
  const connect = (id: string) => api.sql('update device set online = true where id = $1', [id])
  const start = async (id: string) =>
    (await api.call(editor.token, deviceCommand.startPort, { body: { deviceId: id, portNo: 1, minutes: 5 } })).message

  it('starts no charge until a user confirms it, which requires the device to be online', async () => {
    const { data } = await add({ deviceNo: '13545001', deviceTypeId: models.dny })
    expect(await lineOf(data.id)).toBe(0)
    expect(await idsOf({ lineStatus: 0 })).toContain(data.id)
    expect((await confirm(data.id)).message).toBe('设备不在线或已确认，请刷新后重试')
    await connect(data.id)
    expect(await start(data.id)).toBe('设备首次接入待确认，不能启动')
    const other = await makePerson(api, { organiseId: fixture.swift.id, loginName: 'swift_confirm', menus })
    expect((await confirm(data.id, other.token)).status).toBe(404)
    expect((await confirm(data.id)).status).toBe(200)
    expect((await confirm(data.id)).status).toBe(409)
    expect(await lineOf(data.id)).toBe(1)
    expect(await idsOf({ lineStatus: 0 })).not.toContain(data.id)
    expect(await start(data.id)).not.toBe('设备首次接入待确认，不能启动')
  })

  it('must be confirmed again after a change of the wire id, but never with a certificate', async () => {
    const { data } = await add({ deviceNo: '13545002', deviceTypeId: models.dny })
    await connect(data.id)
    await confirm(data.id)
    const edit = (more: object) =>
      api.call(editor.token, deviceManage.edit, { body: { id: data.id, name: '二号桩', ...more } as never })
    expect((await edit({ deviceTypeId: models.dny })).status).toBe(200)
    expect(await lineOf(data.id)).toBe(1)
    expect((await edit({ deviceTypeId: models.dny, wireId: '04ceaa41' })).status).toBe(200)
    expect(await lineOf(data.id)).toBe(0)
    const certified = await add()
    expect(await lineOf(certified.data.id)).toBe(1)
  })
})

describe('a device', () => {
  it('with a changed model has the ports of that model', async () => {
    const { data } = await add({ deviceNo: '01000002', deviceTypeId: models.mqtt })
    const body = { id: data.id, name: '改为双路', deviceTypeId: models.dny }
    expect((await api.call(editor.token, deviceManage.edit, { body })).status).toBe(200)
    expect((await list({ keyword: '01000002' })).data.rows).toMatchObject([{ name: '改为双路', portCount: 2 }])
    expect(await api.sql('select free_ports, wire_id from device where id = $1', [data.id])).toEqual([
      { free_ports: 2, wire_id: '42420f04' },
    ])
  })

  it('with a working port is not removed; otherwise it is, and its number is available again', async () => {
    const deviceNo = number()
    const { data } = await add({ deviceNo })
    const remove = () => api.call(editor.token, deviceManage.remove, { body: { ids: [data.id] } })
    await api.sql('update device set working_ports = 1 where id = $1', [data.id])
    expect((await remove()).status).toBe(409)
    await api.sql('update device set working_ports = 0 where id = $1', [data.id])
    expect((await remove()).status).toBe(200)
    expect(await idsOf({ keyword: deviceNo })).toEqual([])
    expect((await add({ deviceNo })).status).toBe(200)
  })

  it('is disabled and enabled again', async () => {
    const { data } = await add()
    const operate = (operation: 2 | 3) =>
      api.call(editor.token, deviceCommand.operate, { body: { deviceId: data.id, operation, whenOffline: 1 } })
    expect((await operate(2)).status).toBe(200)
    expect(await idsOf({ status: 0 })).toContain(data.id)
    expect((await operate(3)).status).toBe(200)
    expect(await idsOf({ status: 1 })).toContain(data.id)
  })

  it('has its end of service set by the platform only', async () => {
    const { data } = await add()
    const body = { ids: [data.id], serviceUntil: '2030-05-06', reason: '赠送' }
    expect((await api.call(editor.token, deviceManage.serviceTime, { body })).status).toBe(403)
    expect((await api.call(fixture.platform.root.token, deviceManage.serviceTime, { body })).status).toBe(200)
  })
})

describe('the list', () => {
  it('finds a device by each matching filter, and by no other', async () => {
    const { data } = await add({
      deviceNo: 'FIND0001',
      name: '翠湖东门1号',
      imei: '861111111111111',
      iccid: '89861111111111111111',
      siteId: fixture.green.siteId,
    })
    await api.sql(
      `update device set online = true, fault_ports = 1, software_version = '1.26', install_status = 2,
         service_until = current_date - 5 where id = $1`,
      [data.id],
    )
    const today = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)
    const meets = [
      { keyword: 'FIND' },
      { keyword: '翠湖东' },
      { keyword: '86111111' },
      { keyword: '8986111111' },
      { categoryId: models.category },
      { smallCategoryId: models.small },
      { deviceTypeId: models.mqtt },
      { online: 1 },
      { plugStatus: 1 },
      { plugStatus: 3 },
      { softwareVersion: '1.26' },
      { serviceStatus: 3 },
      { serviceFrom: '2020-01-01', serviceTo: today },
      { installStatus: 2 },
      { status: 1 },
      { provinceCode: '330000' },
      { cityCode: '330100', keyword: 'FIND' },
      { createdFrom: today, createdTo: today },
      { createdFrom: '2025-01-01' },
      { organiseId: fixture.green.id },
    ]
    const misses = [
      { keyword: 'IND0' },
      { keyword: '湖东门' },
      { online: 0 },
      { plugStatus: 2 },
      { softwareVersion: '1.2' },
      { serviceStatus: 1 },
      { serviceStatus: 2 },
      { installStatus: 1 },
      { status: 0 },
      { cityCode: '330200' },
      { createdTo: '2025-01-01' },
      { createdFrom: '2099-01-01' },
      { organiseId: fixture.swift.id },
    ]
    for (const { token } of [editor, fixture.platform.root, fixture.green.agent, fixture.green.site]) {
      for (const query of meets) expect(await idsOf(query, token), JSON.stringify(query)).toContain(data.id)
      for (const query of misses) expect(await idsOf(query, token), JSON.stringify(query)).not.toContain(data.id)
    }
  })

  it('filters by day of creation although pages follow ids, also for old devices', async () => {
    const createdIds: string[] = []
    for (let day = 0; day < 6; day++) createdIds.push((await add({ remark: '按日' })).data.id)
    // Creation times follow the ids; all other devices are younger.
    await api.sql(
      `update device set created_at = timestamptz '2024-03-01 12:00+08' + make_interval(days => (id - $1)::int) where id = any($2)`,
      [createdIds[0], createdIds],
    )
    await api.sql("update device set created_at = '2024-02-01' where organise_id = $1 and id < $2", [
      fixture.green.id,
      createdIds[0],
    ])
    const ids = await idsOf({ createdFrom: '2024-03-02', createdTo: '2024-03-04' })
    expect(ids).toEqual(createdIds.slice(1, 4).toReversed())
  })

  it('pages to its end, each row once, newest first', async () => {
    for (let count = 0; count < 12; count++) await add({ deviceNo: `WALK${String(count).padStart(4, '0')}` })
    const seen: string[] = []
    let cursor: string | undefined
    for (let pageNum = 1; ; pageNum++) {
      const { data } = await list({ keyword: 'WALK', pageNum, pageSize: 5, ...(cursor ? { cursor } : {}) })
      seen.push(...data.rows.map((row) => row.deviceNo))
      if (data.cursor === null) break
      cursor = data.cursor
    }
    expect(seen).toEqual(Array.from({ length: 12 }, (_, place) => `WALK${String(11 - place).padStart(4, '0')}`))
    const { data } = await api.call(editor.token, deviceManage.totals, { query: { keyword: 'WALK' } as never })
    expect(data).toEqual({ count: 12, sums: { ports: '120', online: '0', free: '120', working: '0', fault: '0' } })
  })

  it('returns the catalogue as a tree', async () => {
    const { data } = await api.call(editor.token, deviceManage.deviceClass)
    const types = data.find(({ id }) => id === models.category)?.children[0]?.types
    expect(types).toMatchObject([
      { code: '91-01-01', portCount: 2, usable: true },
      { code: '91-01-02', portCount: 10, usable: true },
    ])
  })
})

describe('the fee of chosen devices', () => {
  it('follows from the terms of their organisation, and is none across organisations', async () => {
    const root = fixture.platform.root.token
    const [one, two, foreign] = [
      await makeDevice(api, { organiseId: fixture.swift.id, typeId: models.dny }),
      await makeDevice(api, { organiseId: fixture.swift.id, typeId: models.dny }),
      (await add()).data.id,
    ]
    const fee = (body: object) => api.call(root, deviceManage.serviceFee, { body: body as never })
    expect((await fee({ ids: [one] })).data).toMatchObject({ count: 1, organises: 1, terms: null, due: null })
    await api.sql(
      `insert into organise_base_service (id, organise_id, unit_price_fen, free_devices, cycle, expires_on, grace_days, warn_days, expiry_policy)
       values ($1, $1, 3650, 1, 12, '2030-01-01', 7, 30, 1)`,
      [fixture.swift.id],
    )
    const { data } = await fee({ ids: [one, two] })
    expect(data).toMatchObject({ count: 2, organises: 1, organiseName: '机构swift' })
    const all = data.terms?.organiseDevices ?? 0
    expect(data.chargeable).toBe(Math.min(2, all - 1))
    expect(data.due).toBe((data.chargeable === 2 ? 73 : 36.5).toFixed(2))
    expect((await fee({ filter: `organiseId=${fixture.swift.id}` })).data).toMatchObject({
      count: all,
      chargeable: all - 1,
    })
    expect((await fee({ ids: [one, foreign] })).data).toMatchObject({ count: 2, organises: 2, due: null })
    expect((await fee({})).status).toBe(422)
  })
})
