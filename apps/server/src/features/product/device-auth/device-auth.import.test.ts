import { createHash } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { deviceAuth } from '@wattdeck/contract/product/device-auth.ts'
import { batch, batchStatus } from '@wattdeck/contract/system/batch.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../../../test/harness/api.ts'
import { makeDevice, makeModels, type Models } from '../../../../test/fixtures/devices.ts'
import { type Actor, makePerson, makeFixture, type Fixture } from '../../../../test/harness/people.ts'
import { startWorkerProcess } from '../../../../test/harness/process.ts'
import { until } from '../../../../test/harness/until.ts'
import { writeXlsx } from '../../../kit/bulk/sheets/write-xlsx.ts'

/** Import of keys that manufacturers have written into devices. */
let api: TestApi
let fixture: Fixture
let models: Models
let keeper: Actor
let worker: Awaited<ReturnType<typeof startWorkerProcess>>
const menus = ['4', '4.1', '4.1.1', '4.1.5']
beforeAll(async () => {
  api = await startApi()
  fixture = await makeFixture(api)
  models = await makeModels(api)
  keeper = await makePerson(api, { organiseId: fixture.green.id, loginName: 'green_keys', menus })
  worker = await startWorkerProcess(api.config)
})
afterAll(() => worker.stop())

let serial = 0
const keyOf = (name: string) => `maker-secret-${name}-${++serial}`.padEnd(24, 'x')
async function device(adapter = 'ocpp16', organiseId = fixture.green.id): Promise<string> {
  const deviceNo = `KEY${String(++serial).padStart(6, '0')}`
  const id = await makeDevice(api, { organiseId, typeId: models.mqtt, deviceNo })
  await api.sql('update device set adapter = $2 where id = $1', [id, adapter])
  return deviceNo
}

async function upload(rows: readonly string[][], head = ['设备编号*', '密钥*', '允许不加密连接'], { token } = keeper) {
  async function* each() {
    for (const cells of rows) yield cells
  }
  const through = new PassThrough()
  const [bytes] = await Promise.all([buffer(through), writeXlsx(head, each(), through)])
  return api.call(token, deviceAuth.importSheet, { file: new Blob([new Uint8Array(bytes)]) } as never)
}
const mapColumns = (id: string, mapping: Record<string, number>) =>
  api.call(keeper.token, batch.mapColumns, {
    body: {
      id,
      mapping: Object.entries(mapping)
        .map(([key, place]) => `${key}:${place}`)
        .join(',') as never,
    },
  })
const failures = async (id: string) =>
  (await api.call(keeper.token, batch.items, { params: { id }, query: { status: 2, pageSize: 500 } as never })).data
    .rows
async function commit(id: string) {
  expect((await api.call(keeper.token, batch.commit, { body: { id } })).status).toBe(200)
  return until(async () => {
    const { data } = await api.call(keeper.token, batch.detail, { query: { id } })
    return data.status > batchStatus.code.running ? data : undefined
  })
}
const credentials = async (deviceNo: string) =>
  (await api.call(keeper.token, deviceAuth.list, { query: { deviceNo } as never })).data.rows

/** Every table that could contain a value of a sheet. */
async function tablesContaining(text: string): Promise<string[]> {
  const tables = ['batch_item', 'batch_job', 'audit_log', 'device_credential', 'device', 'outbox', 'idempotency_key']
  const found = await Promise.all(
    tables.map((table) => api.sql(`select 1 from ${table} t where t::text like $1 limit 1`, [`%${text}%`])),
  )
  return tables.filter((_, at) => (found[at]?.length ?? 0) > 0)
}

describe('a stranger', () => {
  it('sets no key for a device of another organisation, and none without the right to import', async () => {
    const theirs = await device('ocpp16', fixture.swift.id)
    const { data } = await upload([[theirs, keyOf('stranger')]])
    await mapColumns(data.jobId, data.mapping)
    expect((await failures(data.jobId)).map(({ reason }) => reason)).toEqual(['设备不存在'])
    const reader = await makePerson(api, {
      organiseId: fixture.green.id,
      loginName: 'green_readers',
      menus,
      actions: false,
    })
    expect((await upload([[await device(), keyOf('reader')]], undefined, reader)).status).toBe(403)
  })
})

describe('a sheet of keys', () => {
  it('sets the key of each device, stored as a hash and never shown; each bad row is named with its reason', async () => {
    const [first, second, twice, same, mqtt, short, has] = [
      await device(),
      await device(),
      await device(),
      await device(),
      await device('mqtt-json'),
      await device(),
      await device(),
    ]
    await api.call(keeper.token, deviceAuth.setPassword, { body: { deviceNo: has } })
    const [one, other, third] = [keyOf('one'), keyOf('other'), keyOf('third')]
    const sheet = await upload([
      [first, one, '是'],
      [second, other],
      [twice, third],
      [twice, keyOf('again')],
      [same, one],
      [mqtt, keyOf('mqtt')],
      [short, 'sh0rt-key'],
      [has, keyOf('has')],
      ['KEYNOBODY', keyOf('nobody')],
    ])
    expect(sheet.data.sample[0]).toEqual([first, '********', '是'])
    expect((await mapColumns(sheet.data.jobId, sheet.data.mapping)).data).toMatchObject({ total: 9, failed: 6 })
    const failed = await failures(sheet.data.jobId)
    expect(failed.map(({ reason }) => reason)).toEqual([
      '设备编号在表格中重复',
      '密钥与表格中另一台设备相同',
      '设备的协议不使用口令',
      '密钥：应为16-40位字母、数字或符号',
      '设备已有有效口令，请先吊销',
      '设备不存在',
    ])
    expect(failed.every(({ values }) => values?.['key'] === '********')).toBe(true)
    expect(await commit(sheet.data.jobId)).toMatchObject({ done: 3 })

    expect(await credentials(first)).toMatchObject([
      { kind: 'password', way: 0, state: 0, keyText: '********', createdBy: `姓名${keeper.loginName}` },
    ])
    const stored = await api.sql(
      `select device_no, device.password_hash as hash, ocpp_profile from device
       join device_credential made on made.device_id = device.id and made.password_hash = device.password_hash
       where device_no = any($1) order by device_no`,
      [[first, second]],
    )
    const hash = (key: string) => createHash('sha256').update(key).digest('hex')
    expect(stored).toEqual([
      { device_no: first, hash: hash(one), ocpp_profile: 1 },
      { device_no: second, hash: hash(other), ocpp_profile: 2 },
    ])
    for (const key of ['maker-secret', 'sh0rt-key']) expect(await tablesContaining(key), key).toEqual([])
  })

  it('is corrected row by row without storing a key, and reports a missing key column', async () => {
    const deviceNo = await device()
    const { data } = await upload([[deviceNo, 'short']])
    await mapColumns(data.jobId, data.mapping)
    const fix = (values: object) =>
      api.call(keeper.token, batch.fixRow, { body: { id: data.jobId, seq: 1, values } as never })
    expect((await fix({ key: 'too-short' })).data.reason).toContain('16-40位')
    const mended = keyOf('mended')
    expect((await fix({ key: mended })).data).toMatchObject({ reason: null, failed: 0 })
    expect(await tablesContaining(mended)).toEqual([])
    expect(await commit(data.jobId)).toMatchObject({ done: 1, failed: 0 })
    expect(await credentials(deviceNo)).toHaveLength(1)

    const unnamed = await upload([[await device(), keyOf('unnamed')]], ['设备编号', '说明'])
    expect(unnamed).toMatchObject({ status: 422, message: '表格中没有「密钥」列，请使用导入模板' })
    const secret = keyOf('beside')
    await upload([[await device(), keyOf('named'), secret]], ['设备编号', '密钥', '备注'])
    expect(await tablesContaining(secret)).toEqual([])
    // The mapped column is not the key column, so it was not sealed.
    const wrong = await upload([[await device(), keyOf('wrong')]])
    await mapColumns(wrong.data.jobId, { deviceNo: 0, key: 0 })
    expect((await failures(wrong.data.jobId)).map(({ reason }) => reason)).toEqual([
      '密钥：应为16-40位字母、数字或符号',
    ])
  })

  it('sets no second key where two sheets name the same device', async () => {
    const deviceNo = await device()
    const jobs = await Promise.all([upload([[deviceNo, keyOf('a')]]), upload([[deviceNo, keyOf('b')]])])
    for (const { data } of jobs) expect((await mapColumns(data.jobId, data.mapping)).data.failed).toBe(0)
    const ended = await Promise.all(jobs.map(({ data }) => commit(data.jobId)))
    expect(ended.map(({ done, failed }) => [done, failed])).toEqual(
      expect.arrayContaining([
        [0, 1],
        [1, 0],
      ]),
    )
    expect(await credentials(deviceNo)).toHaveLength(1)
  })
})
