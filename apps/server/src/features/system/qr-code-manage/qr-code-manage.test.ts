import { deviceManage } from '@wattdeck/contract/product/device-manage.ts'
import { deviceScan } from '@wattdeck/contract/product/device-scan.ts'
import { download, downloadStatus } from '@wattdeck/contract/system/download.ts'
import { packColumns, qrBatchStatus, qrCodeKind, qrCodeManage } from '@wattdeck/contract/system/qr-code-manage.ts'
import { decodeQR } from 'qr/decode.js'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../../../test/harness/api.ts'
import { makeDevice, makeModels, type Models } from '../../../../test/fixtures/devices.ts'
import { type Actor, makePerson, makeFixture, type Fixture } from '../../../../test/harness/people.ts'
import { startWorkerProcess } from '../../../../test/harness/process.ts'
import { makeCode, makeSuspicion } from '../../../../test/fixtures/qr-rows.ts'
import { until } from '../../../../test/harness/until.ts'
import { unpackZip } from '../../../../test/harness/unpack-zip.ts'

let api: TestApi
let fixture: Fixture
let models: Models
let keeper: Actor
let worker: Awaited<ReturnType<typeof startWorkerProcess>>
const menus = ['1', '1.1', '1.1.5', '1.2', '1.2.2', '4', '4.1', '4.1.1']
beforeAll(async () => {
  api = await startApi()
  fixture = await makeFixture(api)
  models = await makeModels(api)
  keeper = await makePerson(api, { organiseId: fixture.green.id, loginName: 'green_codes', menus })
  worker = await startWorkerProcess(api.config)
})
afterAll(() => worker.stop())

const green = () => ({ organiseId: fixture.green.id })
let serial = 0
async function device(more: { organiseId?: string; siteId?: string; agentId?: string; typeId?: string } = {}) {
  const deviceNo = `QR${String(++serial).padStart(6, '0')}`
  const id = await makeDevice(api, { ...green(), typeId: models.dny, deviceNo, ...more })
  return { id, deviceNo }
}
const bind = (body: { id: string; deviceNo: string; reason?: string }, { token } = keeper) =>
  api.call(token, qrCodeManage.bind, { body })
const codesOf = async (query: object, { token } = keeper) =>
  (await api.call(token, qrCodeManage.list, { query: query as never })).data.rows
const generate = (body: object, { token } = keeper) => api.call(token, qrCodeManage.generate, { body: body as never })
const made = (batchNo: string) =>
  until(async () => {
    const { data } = await api.call(keeper.token, qrCodeManage.batches)
    const batch = data.rows.find((row) => row.batchNo === batchNo)
    return batch?.status === qrBatchStatus.code.done ? batch : undefined
  })

describe('a stranger', () => {
  it('neither sees, uses, binds nor unbinds a code of another organisation, nor binds to its devices', async () => {
    const other = await makePerson(api, { organiseId: fixture.swift.id, loginName: 'swift_codes', menus })
    const own = await device()
    const bound = await makeCode(api, { ...green(), deviceId: own.id })
    const free = await makeCode(api, green())
    expect(await codesOf({}, other)).toEqual([])
    const body = { ids: [free.id] }
    expect((await api.call(other.token, qrCodeManage.use, { body })).status).toBe(404)
    expect((await bind({ id: free.id, deviceNo: own.deviceNo }, other)).status).toBe(404)
    const unbind = { ids: [bound.id], reason: '试试' }
    expect((await api.call(other.token, qrCodeManage.unbind, { body: unbind })).status).toBe(404)
    const theirs = await makeCode(api, { organiseId: fixture.swift.id })
    expect(await bind({ id: theirs.id, deviceNo: own.deviceNo }, other)).toMatchObject({
      status: 422,
      message: '设备不存在',
    })
    const query = { text: bound.content }
    expect((await api.call(other.token, deviceScan.resolve, { query })).status).toBe(404)
  })
})

describe('a batch', () => {
  it('is made by a worker: numbers that cannot be counted, each signed', async () => {
    const body = { kind: qrCodeKind.code.ordinary, units: 30, prefix: 'HZ' }
    const { data } = await generate(body)
    expect(await made(data.batchNo)).toMatchObject({ total: 30, made: 30, createdBy: `姓名${keeper.loginName}` })
    const codes = await codesOf({ batchNo: data.batchNo, pageSize: 100 })
    expect(codes).toHaveLength(30)
    expect(new Set(codes.map((code) => code.codeNo)).size).toBe(30)
    for (const code of codes) {
      expect(code).toMatchObject({ type: 0, kind: 1, status: 0, portNo: null, deviceNo: null })
      expect(code.codeNo).toMatch(/^HZ[0-9A-HJKMNP-TV-Z]{10}$/)
      expect(api.deps.codes.read(code.content)).toBe(code.codeNo)
    }
  })

  it('of ports has a code for each port of each device', async () => {
    const { data } = await generate({ kind: qrCodeKind.code.miniApp, units: 3, ports: 2 })
    await made(data.batchNo)
    const query = { batchNo: data.batchNo, pageSize: 100 } as never
    const { rows } = (await api.call(keeper.token, qrCodeManage.miniAppList, { query })).data
    expect(
      rows
        .map((code) => String(code.portNo))
        .toSorted()
        .join(''),
    ).toBe('111222')
    // The other lists are of other kinds.
    for (const route of [qrCodeManage.mainBoardList, qrCodeManage.namePlateList, qrCodeManage.unifiedPileList])
      expect((await api.call(keeper.token, route, { query })).data.rows).toEqual([])
  })

  it('of 50,000 codes is the largest, and is made whole', async () => {
    const body = { kind: 1, units: 25_001, ports: 2 }
    expect(await generate(body)).toMatchObject({ status: 422, message: '一次最多生成50000个二维码' })
    const { data } = await generate({ ...body, units: 25_000 })
    expect(await made(data.batchNo)).toMatchObject({ made: 50_000 })
  })

  it('can be ordered for another place inside the scope only', async () => {
    const body = { kind: 1, units: 1, siteId: fixture.swift.siteId }
    expect((await generate(body)).status).toBe(404)
    const { data } = await generate({ ...body, siteId: fixture.green.siteId })
    await made(data.batchNo)
    expect(await codesOf({ batchNo: data.batchNo })).toMatchObject([{ siteName: '站点green' }])
  })
})

describe('a code', () => {
  it('is marked as used once; of mini-program codes by a call of their own', async () => {
    const [plain, mini] = [await makeCode(api, green()), await makeCode(api, { ...green(), kind: 2 })]
    const use = (route: typeof qrCodeManage.use, id: string) => api.call(keeper.token, route, { body: { ids: [id] } })
    expect((await use(qrCodeManage.miniAppUse, plain.id)).status).toBe(404)
    expect((await use(qrCodeManage.miniAppUse, mini.id)).data).toEqual({ changed: 1 })
    expect((await use(qrCodeManage.use, plain.id)).data).toEqual({ changed: 1 })
    expect((await use(qrCodeManage.use, plain.id)).status).toBe(409)
    expect(await codesOf({ codeNo: plain.codeNo })).toMatchObject([{ status: 1, usedBy: `姓名${keeper.loginName}` }])
  })

  it('goes to the owner of the device it is bound to, and moves and is freed with it', async () => {
    const code = await makeCode(api, { organiseId: '1' })
    const { siteId, subAgentId, agentId, id: organiseId } = fixture.green
    const target = await device({ organiseId, siteId, agentId: subAgentId })
    const root = fixture.platform.root
    expect((await bind({ id: code.id, deviceNo: target.deviceNo }, root)).data).toEqual({ bound: 1 })
    expect(await codesOf({ codeNo: code.codeNo })).toMatchObject([
      { deviceNo: target.deviceNo, status: 1, organiseName: '机构green', siteName: '站点green' },
    ])
    await api.sql('update device set agent_id = $2, site_id = null where id = $1', [target.id, agentId])
    expect(await codesOf({ codeNo: code.codeNo })).toMatchObject([{ agentName: '代理商green', siteName: null }])
    await api.sql('update device set status = 0 where id = $1', [target.id])
    const removed = await api.call(root.token, deviceManage.remove, { body: { ids: [target.id] } })
    expect(removed.status).toBe(200)
    expect(await codesOf({ codeNo: code.codeNo })).toMatchObject([{ deviceNo: null, boundAt: null, status: 1 }])
  })

  it('that was used is bound again only with a reason, which stands in the log with both devices', async () => {
    const [first, second] = [await device(), await device()]
    const code = await makeCode(api, green())
    expect((await bind({ id: code.id, deviceNo: first.deviceNo })).status).toBe(200)
    expect(await bind({ id: code.id, deviceNo: first.deviceNo })).toMatchObject({ status: 409 })
    expect(await bind({ id: code.id, deviceNo: second.deviceNo })).toMatchObject({
      status: 422,
      message: '该二维码已使用过，请填写重新绑定的原因',
    })
    expect((await bind({ id: code.id, deviceNo: second.deviceNo, reason: '更换主板' })).status).toBe(200)
    const [log] = await api.sql<{ content: string; changes: { table: string; before: object; after: object }[] }>(
      "select content, changes from audit_log where content like '绑定二维码：%更换主板' and result = 1",
    )
    expect(log?.content).toBe(`绑定二维码：${code.codeNo}，${second.deviceNo}，更换主板`)
    const change = log?.changes.find(({ table }) => table === 'qr_code')
    expect(change).toMatchObject({
      before: { device_id: Number(first.id) },
      after: { device_id: Number(second.id) },
    })
  })

  it('is the only one of its kind on a device or port', async () => {
    const target = await device()
    const [one, other, plate] = [
      await makeCode(api, green()),
      await makeCode(api, green()),
      await makeCode(api, { ...green(), kind: 4 }),
    ]
    expect((await bind({ id: one.id, deviceNo: target.deviceNo })).status).toBe(200)
    expect(await bind({ id: other.id, deviceNo: target.deviceNo })).toMatchObject({
      status: 409,
      message: '该设备或端口已绑定同类二维码，请先解绑',
    })
    expect((await bind({ id: plate.id, deviceNo: target.deviceNo })).status).toBe(200)
    const body = { ids: [one.id], reason: '损坏' }
    expect((await api.call(keeper.token, qrCodeManage.unbind, { body })).data).toEqual({ changed: 1 })
    expect((await api.call(keeper.token, qrCodeManage.unbind, { body })).status).toBe(409)
    expect((await bind({ id: other.id, deviceNo: target.deviceNo })).status).toBe(200)
  })

  it('is found by its device, of whatever kind it is, and not by a device of another organisation', async () => {
    const [own, beside] = [await device(), await device()]
    const plate = await makeCode(api, { ...green(), kind: 4, deviceId: own.id })
    const ports = [
      await makeCode(api, { ...green(), deviceId: own.id, portNo: 1 }),
      await makeCode(api, { ...green(), deviceId: own.id, portNo: 2 }),
    ]
    const other = await makeCode(api, { ...green(), deviceId: beside.id })
    await makeCode(api, green())
    const numbers = async (deviceIds: string[]) =>
      (await codesOf({ deviceIds: deviceIds.join(',') })).map((code) => code.codeNo).toSorted()
    expect(await numbers([own.id])).toEqual([plate, ...ports].map((code) => code.codeNo).toSorted())
    expect(await numbers([own.id, beside.id])).toContain(other.codeNo)
    const foreign = await device({ organiseId: fixture.swift.id })
    await makeCode(api, { organiseId: fixture.swift.id, deviceId: foreign.id })
    expect(await numbers([foreign.id])).toEqual([])
  })

  it('of a port brings those of its set along, as far as ports have none', async () => {
    const { data } = await generate({ kind: 1, units: 1, ports: 2 })
    await made(data.batchNo)
    const [one] = await codesOf({ batchNo: data.batchNo })
    const target = await device()
    expect((await bind({ id: one?.id ?? '', deviceNo: target.deviceNo })).data).toEqual({ bound: 2 })
    const wide = await makeCode(api, { ...green(), portNo: 9 })
    expect(await bind({ id: wide.id, deviceNo: target.deviceNo })).toMatchObject({
      status: 422,
      message: '设备没有9号端口',
    })
  })
})

/** What a camera reads off it. */
async function seenBy(svg: string): Promise<string> {
  const drawn = sharp(Buffer.from(svg), { density: 300 }).resize(400).ensureAlpha().raw()
  const { data, info } = await drawn.toBuffer({ resolveWithObject: true })
  return decodeQR({ width: info.width, height: info.height, data })
}

describe('an archive', () => {
  it('holds a picture of each code and a table of them', async () => {
    const { data: batch } = await generate({ kind: 1, units: 12 })
    await made(batch.batchNo)
    const asked = await api.call(keeper.token, qrCodeManage.pack, {
      body: { query: `batchNo=${batch.batchNo}`, columns: packColumns } as never,
    })
    const row = await until(async () => {
      const { rows } = (await api.call(keeper.token, download.list)).data
      const found = rows.find((one) => one.id === asked.data.id)
      return found !== undefined && found.status >= downloadStatus.code.done ? found : undefined
    })
    expect(row).toMatchObject({ status: downloadStatus.code.done, format: 'zip', rows: 12 })
    const reply = await fetch(`${api.url}${download.file.path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keeper.token}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: `id=${row.id}`,
    })
    const files = unpackZip(Buffer.from(await reply.arrayBuffer()))
    const codes = await codesOf({ batchNo: batch.batchNo, pageSize: 100 })
    expect([...files.keys()].toSorted()).toEqual(
      [...codes.map((code) => `${batch.batchNo}/${code.codeNo}.svg`), 'list.csv'].toSorted(),
    )
    const table = files.get('list.csv') ?? ''
    for (const code of codes) {
      expect(table).toContain(code.content)
      const picture = files.get(`${batch.batchNo}/${code.codeNo}.svg`) ?? ''
      expect(picture).toContain(`>${code.codeNo}</text>`)
      expect(await seenBy(picture)).toBe(code.content)
    }
  })
})

describe('a suspicion', () => {
  it('is judged once, by those who see it', async () => {
    const [expected, likely] = [await device(), await device()]
    const code = await makeCode(api, { ...green(), deviceId: expected.id })
    const id = await makeSuspicion(api, code.id, expected.id, likely.id)
    const other = await makePerson(api, { organiseId: fixture.swift.id, loginName: 'swift_judge', menus })
    const judge = (token: string) =>
      api.call(token, qrCodeManage.judge, { body: { id, confirmed: true, remark: '现场已核实' } })
    expect((await judge(other.token)).status).toBe(404)
    expect((await judge(keeper.token)).status).toBe(200)
    expect(await judge(keeper.token)).toMatchObject({ status: 409, message: '该记录已核实' })
    const { rows } = (await api.call(keeper.token, qrCodeManage.suspicions)).data
    expect(rows[0]).toMatchObject({
      codeNo: code.codeNo,
      likelyDeviceNo: likely.deviceNo,
      state: 2,
      remark: '现场已核实',
    })
  })
})
