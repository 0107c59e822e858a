import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { shownNames } from '@wattdeck/contract/kit/fields.ts'
import { instructionSet, instructionSetList } from '@wattdeck/contract/product/instruction-set.ts'
import { deviceCommand } from '@wattdeck/contract/product/device-command.ts'
import { batch, batchItemStatus, batchStatus } from '@wattdeck/contract/system/batch.ts'
import { download, downloadStatus } from '@wattdeck/contract/system/download.ts'
import readExcel from 'read-excel-file/node'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../../../test/harness/api.ts'
import { makeDevice, makeModels } from '../../../../test/fixtures/devices.ts'
import { makeFixture, makePerson, type Fixture } from '../../../../test/harness/people.ts'
import { startWorkerProcess } from '../../../../test/harness/process.ts'
import { until } from '../../../../test/harness/until.ts'
import { writeXlsx } from '../../../kit/bulk/sheets/write-xlsx.ts'

let api: TestApi
let fixture: Fixture
let root: string
beforeAll(async () => {
  api = await startApi()
  fixture = await makeFixture(api)
  root = fixture.platform.root.token
})

const add = (code: string, token = root) =>
  api.call(token, instructionSet.add, { body: { code, name: `指令集${code}`, version: 'V1' } })
const instruction = { name: '启动', commandWord: '0x82', direction: 2 } as const
const addTo = (instructionSetId: string, more: object = {}, token = root) =>
  api.call(token, instructionSet.addInstruction, { body: { instructionSetId, ...instruction, ...more } })
const byCode = async (code: string) => {
  const { data } = await api.call(root, instructionSet.list, { query: { keyword: code } })
  const row = data.rows.find((one) => one.code === code)
  if (row === undefined) throw new Error(`no set ${code}`)
  return row
}

describe('users of an organisation', () => {
  it('read sets and instructions but cannot change any, although their role grants it', async () => {
    const { token } = fixture.green.admin
    const { id } = await byCode('XY-2-V10')
    const read = await api.call(token, instructionSet.instructions, { params: { id } })
    expect(read.data.rows[0]).toMatchObject({ name: '设备注册', commandWord: '0x20', direction: 1 })
    const refused = { status: 403, message: '您没有该操作的权限' }
    expect(await add('OTHER', token)).toMatchObject(refused)
    expect(await addTo(id, {}, token)).toMatchObject(refused)
    expect(await api.call(token, instructionSet.remove, { body: { id } })).toMatchObject(refused)
    expect((await api.call(token, instructionSet.importTemplate)).status).toBe(403)
  })
})

describe('the delivered sets', () => {
  it('are the charging sets of the specification, the second with more instructions', async () => {
    const [first, second] = [await byCode('XY-2-V10'), await byCode('XY-2-V20')]
    expect([first.protocolName, first.instructionCount, first.typeNames]).toEqual(['AP3000 DNY', 12, ['双路智能插座']])
    expect([second.instructionCount, second.typeNames]).toEqual([22, ['十路智能插座', '十二路立式充电桩']])
  })
})

describe('a set', () => {
  it('is added once and edited', async () => {
    const { data } = await add('SET-1')
    expect(await add('SET-1')).toMatchObject({ status: 409, message: '指令集编码已存在' })
    const edit = { id: data.id, name: '改名', version: 'V2', remark: '备注' }
    expect((await api.call(root, instructionSet.edit, { body: edit })).status).toBe(200)
    expect(await byCode('SET-1')).toMatchObject({ name: '改名', version: 'V2', remark: '备注', protocolId: null })
    const refusal = await api.call(root, instructionSet.edit, { body: { ...edit, protocolId: '999999' } })
    expect(refusal).toMatchObject({ status: 422, message: '协议不存在' })
  })

  it('keeps its protocol and is not removed while types use it', async () => {
    const { id, name, version } = await byCode('XY-2-V20')
    const [other] = await api.sql<{ id: string }>("select id from dtu_protocol where code = 'MQTT-JSON'")
    const body = { id, name, version, protocolId: other?.id ?? '' }
    expect(await api.call(root, instructionSet.edit, { body })).toMatchObject({ status: 409 })
    expect(await api.call(root, instructionSet.remove, { body: { id } })).toMatchObject({
      status: 409,
      message: '指令集「充电指令集 V2.0」正被 2 个设备类型使用，不能删除',
    })
  })

  it('is found by the type that uses it', async () => {
    const [type] = await api.sql<{ id: string }>("select id from device_type where code = '02-02-01'")
    const { data } = await api.call(root, instructionSet.list, { query: { deviceTypeId: type?.id ?? '' } })
    expect(data.rows.map(({ code }) => code)).toEqual(['XY-2-V10'])
  })

  it('is removed with its instructions', async () => {
    const { data } = await add('SET-2')
    await addTo(data.id)
    expect((await api.call(root, instructionSet.remove, { body: { id: data.id } })).status).toBe(200)
    expect(await api.sql('select from instruction where instruction_set_id = $1', [data.id])).toEqual([])
  })
})

describe('an instruction', () => {
  it('has a unique word in each direction, and default times unless it sets its own', async () => {
    const { data } = await add('SET-3')
    const first = await addTo(data.id)
    expect(await addTo(data.id)).toMatchObject({ status: 409, message: '该指令集中已有相同方向的命令字' })
    const second = await addTo(data.id, { direction: 1, timeoutS: 60, retries: 0, sort: 5 })
    const { rows } = (await api.call(root, instructionSet.instructions, { params: { id: data.id } })).data
    expect(rows.map(({ direction, timeoutS, retries }) => [direction, timeoutS, retries])).toEqual([
      [2, 15, 1],
      [1, 60, 0],
    ])
    const edit = (id: string, direction: 1 | 2) =>
      api.call(root, instructionSet.editInstruction, { body: { instructionId: id, ...instruction, direction } })
    expect((await edit(second.data.id, 2)).status).toBe(409)
    expect((await edit(second.data.id, 1)).status).toBe(200)
    const body = { instructionId: first.data.id }
    expect((await api.call(root, instructionSet.removeInstruction, { body })).status).toBe(200)
    expect((await api.call(root, instructionSet.removeInstruction, { body })).status).toBe(404)
    expect((await byCode('SET-3')).instructionCount).toBe(1)
  })
})

describe('sheets', () => {
  const head = [
    '指令集编码',
    '指令集名称',
    '版本',
    '协议编码',
    '功能',
    '命令字',
    '方向',
    '参数',
    '超时(秒)',
    '重试次数',
  ]
  async function sheetOf(rows: string[][]): Promise<Blob> {
    async function* each() {
      for (const row of rows) yield row
    }
    const through = new PassThrough()
    const [bytes] = await Promise.all([buffer(through), writeXlsx(head, each(), through)])
    return new Blob([new Uint8Array(bytes)])
  }

  it('import instructions into sets, including new ones, and export them again', async () => {
    const rows = [
      ['IMP-1', '导入指令集', 'V3', 'DNY', '心跳', '0x21', '上行', '电压2', '20', '0'],
      ['IMP-1', '', '', '', '重启', '0x87', '下行', '', '', ''],
      ['IMP-2', '', '', '', '心跳', '0x21', '上行', '', '', ''],
      ['XY-2-V10', '', '', '', '注册', '0x20', '上行', '', '', ''],
      ['XY-2-V10', '', '', '', '对时', '0x12', '斜行', '', '', ''],
    ]
    const { data: sheet } = await api.call(root, instructionSet.importSheet, { file: await sheetOf(rows) } as never)
    const mapping = Object.entries(sheet.mapping).map(([key, place]) => `${key}:${place}`)
    await api.call(root, batch.mapColumns, { body: { id: sheet.jobId, mapping: mapping.join(',') } as never })
    const query = { status: batchItemStatus.code.failed }
    const failed = (await api.call(root, batch.items, { params: { id: sheet.jobId }, query })).data.rows
    expect(failed.map(({ reason }) => reason)).toEqual([
      '指令集不存在，新增时须填写指令集名称和版本',
      '指令集中已有相同方向的命令字',
      expect.stringContaining('方向：'),
    ])
    await api.call(root, batch.commit, { body: { id: sheet.jobId } })
    const worker = await startWorkerProcess(api.config)
    try {
      const job = () => api.call(root, batch.detail, { query: { id: sheet.jobId } })
      await until(async () => ((await job()).data.status === batchStatus.code.partly ? true : undefined))
      expect(await byCode('IMP-1')).toMatchObject({
        name: '导入指令集',
        protocolName: 'AP3000 DNY',
        instructionCount: 2,
      })
      const columns = shownNames(instructionSetList.fields)
      const body = { query: 'keyword=IMP', columns } as never
      const exported = await api.call(root, instructionSet.exportList, { body })
      const file = await until(async () => {
        const { data } = await api.call(root, download.list)
        const row = data.rows.find((one) => one.id === exported.data.id)
        return row?.status === downloadStatus.code.done ? row : undefined
      })
      expect(file).toMatchObject({ rows: 1, format: 'xlsx' })
      const reply = await fetch(`${api.url}${download.file.path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${root}`, 'content-type': 'application/x-www-form-urlencoded' },
        body: `id=${file.id}`,
      })
      const text = JSON.stringify(await readExcel(Buffer.from(await reply.arrayBuffer())))
      for (const word of ['指令集编码', 'IMP-1', '导入指令集', '启用']) expect(text).toContain(word)
    } finally {
      await worker.stop()
    }
  })
})

describe('a test of an instruction', () => {
  const wordsOf = async (id: string) => {
    const query = { pageSize: 100 } as never
    const { rows } = (await api.call(root, instructionSet.instructions, { params: { id }, query })).data
    return new Map(rows.map((row) => [`${row.direction} ${row.commandWord}`, row]))
  }
  async function deviceOfSet(organiseId: string, online = true) {
    const [type] = await api.sql<{ id: string }>(
      "select type.id from device_type type join instruction_set made on made.id = type.instruction_set_id where made.code = 'XY-2-V20' limit 1",
    )
    const id = await makeDevice(api, { organiseId, typeId: type?.id ?? '' })
    await api.sql('update device set online = $2, line_confirmed_at = now() where id = $1', [id, online])
    return id
  }
  const test = (body: object, token: string) => api.call(token, instructionSet.test, { body: body as never })

  it('is offered for commands that the platform can send, with a reason for the others', async () => {
    const words = await wordsOf((await byCode('XY-2-V20')).id)
    const shown = (key: string) => [words.get(key)?.test, words.get(key)?.testProblem]
    expect(shown('2 0x81')).toEqual([[], null])
    expect(shown('2 0x82')).toEqual([['portNo', 'on', 'minutes'], null])
    expect(shown('2 0x90')).toEqual([[], null])
    expect(shown('1 0x21')).toEqual([null, '上行指令由设备上报，不能下发'])
    expect(shown('2 0x83')).toEqual([null, '请在「属性设置」中下发参数'])
    expect(shown('2 0xE0')).toEqual([null, '平台尚不能下发该指令'])
    const { data } = await add('NO-PROTOCOL')
    await addTo(data.id)
    expect((await wordsOf(data.id)).get('2 0x82')?.testProblem).toBe('指令集未指定已接入的协议，不能在线测试')
  })

  it('is sent as a command, with its own right and within the scope, and is logged', async () => {
    const { green, swift } = fixture
    const set = await byCode('XY-2-V20')
    const words = await wordsOf(set.id)
    const idOf = (word: string) => words.get(`2 ${word}`)?.id ?? ''
    const deviceId = await deviceOfSet(green.id)
    const { token } = green.admin
    const devices = await api.call(token, instructionSet.testDevices, { params: { id: set.id } })
    expect(devices.data.map(({ id }) => id)).toContain(deviceId)
    const none = await api.call(swift.admin.token, instructionSet.testDevices, { params: { id: set.id } })
    expect(none.data.map(({ id }) => id)).not.toContain(deviceId)

    const query = await test({ instructionId: idOf('0x81'), deviceId }, token)
    const read = (id: string) => api.call(token, deviceCommand.read, { params: { id } })
    expect((await read(query.data.commandId)).data).toMatchObject({
      kind: 'query',
      issuedBy: `姓名${green.admin.loginName}`,
    })
    const settings = await test({ instructionId: idOf('0x92'), deviceId }, token)
    expect((await read(settings.data.commandId)).data.content).toMatchObject({
      kind: 'readAttributes',
      identifiers: expect.arrayContaining(['maxDuration', 'overloadPower']) as string[],
    })
    const port = { instructionId: idOf('0x82'), deviceId, portNo: 2 }
    expect(await test({ ...port, on: true }, token)).toMatchObject({ status: 422, message: '请填写充电时长' })
    expect(await test({ ...port, on: false }, token)).toMatchObject({ status: 409, message: '端口没有正在进行的订单' })
    const started = await test({ ...port, on: true, minutes: 3 }, token)
    expect((await read(started.data.commandId)).data).toMatchObject({
      kind: 'startPort',
      portNo: 2,
      content: { limit: { by: 'duration', durationS: 180 } },
    })
    const logged = await api.sql("select 1 from audit_log where content like '在线测试指令：「查询状态」（0x81） %'")
    expect(logged).toHaveLength(1)

    expect((await test({ instructionId: idOf('0x81'), deviceId }, swift.admin.token)).status).toBe(404)
    expect(await test({ instructionId: idOf('0x83'), deviceId }, token)).toMatchObject({ status: 409 })
    const away = await deviceOfSet(green.id, false)
    expect(await test({ instructionId: idOf('0x81'), deviceId: away }, token)).toMatchObject({
      status: 409,
      message: '设备离线，不能在线测试',
    })
    const other = await makeDevice(api, { organiseId: green.id, typeId: (await makeModels(api)).mqtt })
    await api.sql('update device set online = true where id = $1', [other])
    expect((await test({ instructionId: idOf('0x81'), deviceId: other }, token)).status).toBe(404)
    const reader = await makePerson(api, {
      organiseId: green.id,
      loginName: 'green_set_reader',
      menus: ['4', '4.1', '4.1.1', '4.2', '4.2.4'],
      actions: false,
    })
    expect((await test({ instructionId: idOf('0x81'), deviceId }, reader.token)).status).toBe(403)
  })
})
