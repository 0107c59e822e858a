import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { batch, batchItemStatus, batchStatus } from '@wattdeck/contract/system/batch.ts'
import { site } from '@wattdeck/contract/system/site.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { atTier } from '../../../../tools/check/tier.ts'
import { writeXlsx } from '../../src/kit/bulk/sheets/write-xlsx.ts'
import { startApi, type TestApi } from '../harness/api.ts'
import { type Actor, makePerson, makeFixture, type Fixture } from '../harness/people.ts'
import { startWorkerProcess } from '../harness/process.ts'
import { until } from '../harness/until.ts'

/** An import: every bad row is listed with its reason, every good row is written once. */
let api: TestApi
let fixture: Fixture
let clerk: Actor
const menus = ['1', '1.4', '1.4.4']
beforeAll(async () => {
  api = await startApi()
  fixture = await makeFixture(api)
  clerk = await makePerson(api, { organiseId: fixture.green.id, loginName: 'green_imports', menus })
})

const head = ['站点名称*', '站点编号', '类型（小区/商业）', '省', '市', '区县', '电话', '车位数', '无关列']
const good = (n: number) => [
  `导入站点${n}`,
  `IM-${n}`,
  '小区',
  '浙江省',
  '杭州市',
  '西湖区',
  '13812345678',
  String(n % 50),
  'x',
]
async function sheetOf(rows: string[][]): Promise<Blob> {
  async function* each() {
    for (const row of rows) yield row
  }
  const through = new PassThrough()
  const [bytes] = await Promise.all([buffer(through), writeXlsx(head, each(), through)])
  return new Blob([new Uint8Array(bytes)])
}
const upload = async (rows: string[][], token = clerk.token) =>
  api.call(token, site.importSheet, { file: await sheetOf(rows) } as never)
const map = (sheet: { jobId: string; mapping: Record<string, number> }) =>
  api.call(clerk.token, batch.mapColumns, {
    body: {
      id: sheet.jobId,
      mapping: Object.entries(sheet.mapping)
        .map(([key, place]) => `${key}:${place}`)
        .join(','),
    } as never,
  })
const failures = async (id: string) =>
  (
    await api.call(clerk.token, batch.items, {
      params: { id },
      query: { status: batchItemStatus.code.failed, pageSize: 500 },
    })
  ).data

const total = atTier(1000, 5000)
const bad = total / 50

describe('a sheet in which one row in fifty is bad', () => {
  const wrong: [string, (row: string[]) => string[]][] = [
    ['缺少站点名称', (row) => ['', ...row.slice(1)]],
    ['类型：', (row) => row.with(2, '城堡')],
    ['省市区不存在', (row) => row.with(4, '苏州市')],
    ['电话：请输入正确的手机号', (row) => row.with(6, '12345')],
    ['车位数：', (row) => row.with(7, '-3')],
  ]
  const badAt = (n: number) => (n % 50 === 0 ? wrong[(n / 50) % wrong.length] : undefined)
  let jobId: string

  it('is matched by its titles and checked completely before any write', async () => {
    const rows = Array.from({ length: total }, (_, place) => badAt(place + 1)?.[1](good(place + 1)) ?? good(place + 1))
    const { status, data } = await upload(rows)
    expect(status).toBe(200)
    expect(data.mapping).toMatchObject({
      name: 0,
      code: 1,
      type: 2,
      province: 3,
      city: 4,
      district: 5,
      phone: 6,
      parkingSpaces: 7,
    })
    expect(JSON.stringify(data.sample)).not.toContain('13812345678')
    jobId = data.jobId
    const mapped = await map(data)
    expect(mapped.data).toMatchObject({ total, failed: bad })
    expect(await api.sql("select from site where name like '导入站点%'")).toEqual([])
  })

  it('lists each bad row with its reason, and shows no phone in the clear', async () => {
    const { total: failed, rows } = await failures(jobId)
    expect(failed).toBe(bad)
    for (const row of rows) {
      const [reason] = badAt(Number(row.id)) ?? ['?']
      expect(row.reason).toContain(reason)
    }
    expect(JSON.stringify(rows)).not.toContain('13812345678')
  })

  it('lets a row be corrected in place', async () => {
    const fixed = await api.call(clerk.token, batch.fixRow, { body: { id: jobId, seq: 50, values: { type: '商业' } } })
    expect(fixed.data).toEqual({ reason: null, failed: bad - 1 })
    const twice = await api.call(clerk.token, batch.fixRow, {
      body: { id: jobId, seq: 100, values: { city: '杭州市', code: 'IM-7' } },
    })
    expect(twice.data.reason).toBe('站点编号在表格中重复')
  })

  it('writes each good row once, also when the worker is killed midway', async () => {
    expect((await api.call(clerk.token, batch.commit, { body: { id: jobId } })).status).toBe(200)
    expect((await api.call(clerk.token, batch.commit, { body: { id: jobId } })).status).toBe(409)
    const jobNow = async () => (await api.call(clerk.token, batch.detail, { query: { id: jobId } })).data
    const first = await startWorkerProcess(api.config)
    await until(async () => ((await jobNow()).done > total / 10 ? true : undefined))
    await first.kill()
    const second = await startWorkerProcess(api.config)
    const end = await until(async () => {
      const job = await jobNow()
      return job.status > batchStatus.code.running ? job : undefined
    })
    await second.stop()
    expect(end).toMatchObject({ status: batchStatus.code.partly, done: total - bad + 1, failed: bad - 1 })
    const [count] = await api.sql<{ rows: number; codes: number }>(
      "select count(*)::int as rows, count(distinct code)::int as codes from site where name like '导入站点%' and organise_id = $1",
      [fixture.green.id],
    )
    expect(count).toEqual({ rows: total - bad + 1, codes: total - bad + 1 })
  })
})

describe('a sheet', () => {
  it('is not committed before it is checked', async () => {
    const { data } = await upload([good(9000)])
    const early = await api.call(clerk.token, batch.commit, { body: { id: data.jobId } })
    expect(early).toMatchObject({ status: 409, message: '请先匹配列并检查数据' })
  })

  it('masks a phone in an unknown column', async () => {
    const { data } = await upload([good(9010).with(8, '13987654321')])
    expect(JSON.stringify(data.sample)).not.toContain('13987654321')
  })

  it('lists the remaining faults after a retry, and accepts the rows that are valid by now', async () => {
    const withAgent = (n: number, agent: string) => good(n).with(8, agent)
    const rows = [withAgent(9020, ''), withAgent(9021, '').with(2, '城堡'), withAgent(9022, '新代理')]
    const { data } = await upload(rows)
    const mapping = 'name:0,code:1,type:2,province:3,city:4,agentName:8'
    await api.call(clerk.token, batch.mapColumns, { body: { id: data.jobId, mapping: mapping as never } })
    await api.call(clerk.token, batch.commit, { body: { id: data.jobId } })
    const worker = await startWorkerProcess(api.config)
    const ended = () =>
      until(async () => {
        const { data: job } = await api.call(clerk.token, batch.detail, { query: { id: data.jobId } })
        return job.status > batchStatus.code.running ? job : undefined
      })
    expect(await ended()).toMatchObject({ done: 1, failed: 2 })
    await api.sql("insert into agent (organise_id, name) values ($1, '新代理')", [fixture.green.id])
    await api.call(clerk.token, batch.retry, { body: { id: data.jobId } })
    expect(await ended()).toMatchObject({ status: batchStatus.code.partly, done: 2, failed: 1 })
    await worker.stop()
    expect((await failures(data.jobId)).rows.map((row) => row.reason)).toEqual([expect.stringContaining('类型：')])
  })

  it('of another person cannot be seen, matched, corrected or committed', async () => {
    const { data } = await upload([good(9001)])
    const other = await makePerson(api, { organiseId: fixture.swift.id, loginName: 'swift_imports', menus })
    const colleague = await makePerson(api, { organiseId: fixture.green.id, loginName: 'green_imports2', menus })
    for (const { token } of [other, colleague]) {
      const mapping = 'name:0' as never
      expect((await api.call(token, batch.mapColumns, { body: { id: data.jobId, mapping } })).status).toBe(404)
      expect((await api.call(token, batch.fixRow, { body: { id: data.jobId, seq: 1, values: {} } })).status).toBe(404)
      expect((await api.call(token, batch.commit, { body: { id: data.jobId } })).status).toBe(404)
    }
  })

  it('cannot reference an agent or an organisation out of scope', async () => {
    const { data } = await upload([good(9002)])
    await api.call(clerk.token, batch.mapColumns, {
      body: { id: data.jobId, mapping: 'name:0,type:2,province:3,city:4,organiseName:8' as never },
    })
    expect((await failures(data.jobId)).rows[0]?.reason).toBe('所属机构不存在')
  })

  it('requires its required columns, and at least one valid row', async () => {
    const { data } = await upload([good(9003).with(2, '城堡')])
    const partly = await api.call(clerk.token, batch.mapColumns, {
      body: { id: data.jobId, mapping: 'name:0' as never },
    })
    expect(partly).toMatchObject({ status: 422, message: '请选择「类型」对应的列' })
    await map(data)
    expect(await api.call(clerk.token, batch.commit, { body: { id: data.jobId } })).toMatchObject({
      status: 422,
      message: '没有可导入的行',
    })
    expect((await upload([])).status).toBe(422)
  })
})
