import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { deviceManage } from '@wattdeck/contract/product/device-manage.ts'
import { batch, batchStatus } from '@wattdeck/contract/system/batch.ts'
import { site } from '@wattdeck/contract/system/site.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../../../test/harness/api.ts'
import { type Models, makeModels, makeDevice } from '../../../../test/fixtures/devices.ts'
import { type Actor, makePerson, makeFixture, type Fixture } from '../../../../test/harness/people.ts'
import { startWorkerProcess } from '../../../../test/harness/process.ts'
import { makeTariff } from '../../../../test/fixtures/tariffs.ts'
import { until } from '../../../../test/harness/until.ts'
import { writeXlsx } from '../../../kit/bulk/sheets/write-xlsx.ts'

/** Batches over devices: the worker handles each row by itself, in the scope of the requester. */
let api: TestApi
let fixture: Fixture
let models: Models
let editor: Actor
let worker: Awaited<ReturnType<typeof startWorkerProcess>>
beforeAll(async () => {
  api = await startApi()
  fixture = await makeFixture(api)
  models = await makeModels(api)
  const menus = ['1', '1.4', '1.4.4', '4', '4.1', '4.1.1']
  editor = await makePerson(api, { organiseId: fixture.green.id, loginName: 'green_batches', menus })
  worker = await startWorkerProcess(api.config)
})
afterAll(() => worker.stop())

const ended = (token: string, id: string) =>
  until(async () => {
    const { data } = await api.call(token, batch.detail, { query: { id } })
    return data.status > batchStatus.code.running ? data : undefined
  })
const failures = async (token: string, id: string) =>
  (await api.call(token, batch.items, { params: { id }, query: { status: 2, pageSize: 500 } as never })).data.rows
const placeOf = async (id: string) =>
  (
    await api.sql(
      `select device.organise_id, device.agent_id, device.site_id, count(*)::int as ports from device join port on port.device_id = device.id
       and port.organise_id = device.organise_id and port.site_id is not distinct from device.site_id where device.id = $1 group by 1, 2, 3`,
      [id],
    )
  )[0]

describe('moved devices', () => {
  it('go to a site with their ports; a device at work does not change its organisation', async () => {
    const { green, swift, platform } = fixture
    const [idle, busy] = [
      await makeDevice(api, { organiseId: green.id, typeId: models.dny }),
      await makeDevice(api, { organiseId: green.id, typeId: models.dny }),
    ]
    await api.sql('update device set working_ports = 1, free_ports = 1 where id = $1', [busy])
    const within = await api.call(editor.token, deviceManage.changePlot, {
      body: { ids: [idle, busy], siteId: green.siteId },
    })
    expect(await ended(editor.token, within.data.jobId)).toMatchObject({ done: 2, failed: 0 })
    const there = { organise_id: green.id, agent_id: green.subAgentId, site_id: green.siteId, ports: 2 }
    expect(await placeOf(idle)).toEqual(there)

    const foreign = { ids: [idle], organiseId: swift.id }
    expect((await api.call(editor.token, deviceManage.changePlot, { body: foreign })).status).toBe(404)
    const across = await api.call(platform.root.token, deviceManage.changePlot, {
      body: { ids: [idle, busy], organiseId: swift.id, siteId: swift.siteId },
    })
    expect(await ended(platform.root.token, across.data.jobId)).toMatchObject({ done: 1, failed: 1 })
    expect(await failures(platform.root.token, across.data.jobId)).toMatchObject([
      { reason: '设备有端口正在工作，不能更换机构' },
    ])
    expect(await placeOf(idle)).toMatchObject({ organise_id: swift.id, site_id: swift.siteId, ports: 2 })
    expect(await placeOf(busy)).toEqual(there)
  })

  it('take over the tariff of the site on request, and stay in place if it does not suit them', async () => {
    const { green } = fixture
    const own = await makeTariff(api, { organiseId: green.id })
    const [plain, changed, unchanged] = [
      await makeDevice(api, { organiseId: green.id, typeId: models.dny }),
      await makeDevice(api, { organiseId: green.id, typeId: models.dny }),
      await makeDevice(api, { organiseId: green.id, typeId: models.dny }),
    ]
    await api.sql('update device set tariff_id = $1 where id = any($2)', [own.id, [changed, unchanged]])
    const siteOf = async (tariffId: string | null) => {
      const [row] = await api.sql<{ id: string }>(
        `insert into site (organise_id, name, tariff_id) values ($1, '站点' || random(), $2) returning id`,
        [green.id, tariffId],
      )
      return row?.id ?? ''
    }
    const move = (ids: string[], siteId: string | undefined, syncTariff: boolean) =>
      api.call(editor.token, deviceManage.changePlot, { body: { ids, siteId, syncTariff } as never })
    const tariffOf = async (id: string) =>
      (await api.sql('select site_id, tariff_id from device where id = $1', [id]))[0]

    const general = await makeTariff(api, { organiseId: green.id })
    const target = await siteOf(general.id)
    const synced = await move([plain, changed], target, true)
    expect(await ended(editor.token, synced.data.jobId)).toMatchObject({ done: 2, failed: 0 })
    expect(await tariffOf(changed)).toEqual({ site_id: target, tariff_id: null })
    const inForce = await api.sql('select app.version_in_force($1) as version', [changed])
    expect(inForce).toEqual([{ version: general.versionId }])
    const moved = await move([unchanged], target, false)
    expect(await ended(editor.token, moved.data.jobId)).toMatchObject({ done: 1 })
    expect(await tariffOf(unchanged)).toEqual({ site_id: target, tariff_id: own.id })

    // A tariff that does not suit these devices prevents the move.
    const [other] = await api.sql<{ id: string }>('select id from device_type where id <> $1 limit 1', [models.dny])
    const unfit = await makeTariff(api, { organiseId: green.id })
    await api.sql('update tariff set device_type_ids = array[$2::bigint] where id = $1', [unfit.id, other?.id])
    const barred = await move([unchanged], await siteOf(unfit.id), true)
    expect(await ended(editor.token, barred.data.jobId)).toMatchObject({ done: 0, failed: 1 })
    expect(await failures(editor.token, barred.data.jobId)).toMatchObject([
      { reason: '不能使用目标站点的消费标准：消费标准不适用于该设备型号' },
    ])
    expect(await tariffOf(unchanged)).toEqual({ site_id: target, tariff_id: own.id })

    expect(await move([unchanged], undefined, true)).toMatchObject({ status: 422, message: '同步消费标准须选择站点' })
    expect(await move([unchanged], await siteOf(null), true)).toMatchObject({
      status: 409,
      message: '目标站点没有消费标准',
    })
    const mover = await makePerson(api, {
      organiseId: green.id,
      loginName: 'green_movers',
      menus: ['4', '4.1', '4.1.1'],
    })
    await api.sql(
      `delete from role_resource where role_id = any(select role_id from user_role where user_id = $1)
       and resource_id = any(select id from resource where action = 'setStandard')`,
      [mover.id],
    )
    const body = { ids: [unchanged], siteId: target, syncTariff: true } as never
    expect((await api.call(mover.token, deviceManage.changePlot, { body })).status).toBe(403)
  })

  it('are counted at their site, which is not removed while it has them', async () => {
    const [own] = await api.sql<{ id: string }>('insert into site (organise_id, name) values ($1, $2) returning id', [
      fixture.green.id,
      '带设备的站点',
    ])
    const siteId = own?.id ?? ''
    await makeDevice(api, { organiseId: fixture.green.id, siteId, typeId: models.dny })
    const { data } = await api.call(editor.token, site.list, { query: { keyword: '带设备' } as never })
    expect(data.rows).toMatchObject([{ deviceCount: 1 }])
    expect(await api.call(editor.token, site.remove, { body: { ids: [siteId] } })).toMatchObject({ status: 409 })
  })
})

describe('all devices of a filter', () => {
  it('get the end of service that the platform sets, with the reason in the log', async () => {
    const { token } = fixture.platform.root
    const id = await makeDevice(api, { organiseId: fixture.swift.id, typeId: models.dny, deviceNo: 'TIME0001' })
    const filter = `keyword=TIME&organiseId=${fixture.swift.id}`
    const body = { filter, serviceUntil: '2031-02-03', reason: '合同续签' }
    const { data } = await api.call(token, deviceManage.serviceTime, { body })
    expect(await ended(token, data.jobId)).toMatchObject({ done: 1, failed: 0 })
    expect(await api.sql('select service_until::text as day from device where id = $1', [id])).toEqual([
      { day: '2031-02-03' },
    ])
    expect(await api.sql("select 1 as found from audit_log where content like '%2031-02-03，合同续签%'")).toHaveLength(
      1,
    )
  })
})

describe('a sheet of devices', () => {
  it('creates devices in their place; each bad row is named with its reason', async () => {
    const { green } = fixture
    await makeDevice(api, { organiseId: green.id, typeId: models.dny, deviceNo: 'SHEET000' })
    const head = ['设备编号*', '设备名称', '型号编码', '所属机构', '所属站点', 'IMEI', 'ICCID']
    const row = (no: string, more: string[] = []) => [no, '导入桩', '91-01-02', '', '站点green', ...more]
    const rows = [
      row('SHEET001', ['869000000000001', '8986000000000000001F']),
      row('SHEET002').with(2, '91-01-01').with(0, '13544321'),
      row('SHEET000'),
      row('SHEET001'),
      row('SHEET003').with(2, '99-99-99'),
      row('SHEET004').with(4, '没有的站点'),
      row('SHEET005', ['12345']),
    ]
    async function* each() {
      for (const cells of rows) yield cells
    }
    const through = new PassThrough()
    const [bytes] = await Promise.all([buffer(through), writeXlsx(head, each(), through)])
    const file = new Blob([new Uint8Array(bytes)])
    const { data } = await api.call(editor.token, deviceManage.importSheet, { file } as never)
    const mapping = Object.entries(data.mapping)
      .map(([key, place]) => `${key}:${place}`)
      .join(',')
    const id = data.jobId
    const checked = await api.call(editor.token, batch.mapColumns, { body: { id, mapping: mapping as never } })
    expect(checked.data).toMatchObject({ total: 7, failed: 5 })
    expect((await failures(editor.token, id)).map(({ reason }) => reason)).toEqual([
      '设备编号已存在',
      '设备编号在表格中重复',
      '型号编码不存在',
      '所属站点不存在',
      'IMEI：请输入15位IMEI',
    ])
    await api.call(editor.token, batch.commit, { body: { id } })
    expect(await ended(editor.token, id)).toMatchObject({ done: 2 })
    const devices = await api.sql(
      "select device_no, wire_id, site_id, agent_id, imei from device where name = '导入桩' order by device_no",
    )
    const at = { site_id: green.siteId, agent_id: green.subAgentId }
    expect(devices).toEqual([
      { device_no: '13544321', wire_id: '81abce04', ...at, imei: null },
      { device_no: 'SHEET001', wire_id: 'SHEET001', ...at, imei: '869000000000001' },
    ])
  })
})
