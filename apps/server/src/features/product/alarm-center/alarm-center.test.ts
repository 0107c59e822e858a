import { alarmCenter } from '@wattdeck/contract/product/alarm-center.ts'
import { alarmKind, alarmStatus } from '@wattdeck/contract/product/alarm-codes.ts'
import { deviceManage } from '@wattdeck/contract/product/device-manage.ts'
import { describe, expect, it } from 'vitest'
import { makeAlarm, makeTicket } from '../../../../test/fixtures/alarms.ts'
import { exportSheet } from '../../../../test/fixtures/export-sheet.ts'
import { startApi } from '../../../../test/harness/api.ts'
import { makeDevice, makeModels } from '../../../../test/fixtures/devices.ts'
import { makeFixture } from '../../../../test/harness/people.ts'

const api = await startApi()
const fixture = await makeFixture(api)
const mqtt = (await makeModels(api)).mqtt

const device = (owner: 'green' | 'swift' = 'green') => {
  const { id, subAgentId, siteId } = fixture[owner]
  return makeDevice(api, { organiseId: id, agentId: subAgentId, siteId, typeId: mqtt })
}
const close = (token: string, ids: string[], reason = '现场已处理') =>
  api.call(token, alarmCenter.close, { body: { ids, reason } })

describe('a stranger', () => {
  it('neither sees nor changes an alarm of another organisation', async () => {
    const deviceId = await device('swift')
    const id = await makeAlarm(api, deviceId)
    const { token } = fixture.green.admin
    const seen = (await api.call(token, alarmCenter.list, { query: { pageSize: 500 } })).data.rows
    expect(seen.some((row) => row.id === id)).toBe(false)
    expect((await api.call(token, alarmCenter.acknowledge, { body: { ids: [id] } })).status).toBe(404)
    expect((await close(token, [id])).status).toBe(404)
    expect((await api.call(token, alarmCenter.ofDevice, { params: { id: deviceId } })).status).toBe(404)
  })

  it('below the organisation neither reads nor writes its rules', async () => {
    for (const who of ['agent', 'site'] as const)
      expect((await api.call(fixture.green[who].token, alarmCenter.rules)).status).toBe(403)
    const foreign = { query: { organiseId: fixture.swift.id } }
    expect((await api.call(fixture.green.admin.token, alarmCenter.rules, foreign)).status).toBe(404)
  })
})

describe('the list', () => {
  it('lists open before closed, severe before minor, old before new, on every page', async () => {
    const { token } = fixture.swift.admin
    const deviceId = await device('swift')
    const alarmIds: Record<string, string> = {}
    for (const [name, severity, status] of [
      ['closed critical', 1, 3],
      ['minor', 3, 1],
      ['old critical', 1, 1],
      ['acknowledged major', 2, 2],
      ['new critical', 1, 2],
      ['closed minor', 3, 3],
    ] as const)
      alarmIds[name] = await makeAlarm(api, deviceId, { severity, status, portNo: Object.keys(alarmIds).length + 2 })
    const ours = new Set(Object.values(alarmIds))
    const expected = ['old critical', 'new critical', 'acknowledged major', 'minor', 'closed minor', 'closed critical']
    const read = (query: object) => api.call(token, alarmCenter.list, { query: query as never })
    const all = (await read({ pageSize: 500 })).data.rows.map(({ id }) => id)
    expect(all.filter((id) => ours.has(id))).toEqual(expected.map((name) => alarmIds[name]))
    const paged: string[] = []
    let cursor: string | undefined
    for (let pageNum = 1; paged.length < all.length; pageNum++) {
      const { data } = await read({ pageSize: 2, pageNum, ...(cursor === undefined ? {} : { cursor }) })
      paged.push(...data.rows.map(({ id }) => id))
      cursor = data.cursor ?? undefined
      if (data.rows.length === 0) break
    }
    expect(paged).toEqual(all)
  })

  it('is ordered by an index, for an organisation and for the platform', async () => {
    const plan = async (where: string) => {
      const [read] = await api.sql<{ plan: string }>('select test_plan($1) as plan', [
        `select id from alarm where ${where} order by (case when status < 3 then 4 - severity else 0 end) desc,
           (case when status < 3 then 999999999999999999 - id else id end) desc limit 20`,
      ])
      return read?.plan
    }
    await api.sql(`create function test_plan(asked text) returns text language plpgsql
      set enable_seqscan = off set enable_sort = off set enable_bitmapscan = off as $$
      declare line text; lines text := ''; begin
        for line in execute 'explain ' || asked loop lines := lines || line || E'\\n'; end loop;
        return lines;
      end $$`)
    expect(await plan('organise_id = 2')).toMatch(/Index .*Scan using alarm_worst on alarm/)
    expect(await plan('true')).toMatch(/Index .*Scan using alarm_worst_of_all on alarm/)
  })
})

describe('an alarm', () => {
  it('is acknowledged once, then closed once, with a reason', async () => {
    const id = await makeAlarm(api, await device())
    const { token } = fixture.green.admin
    const acknowledge = () => api.call(token, alarmCenter.acknowledge, { body: { ids: [id] } })
    expect((await acknowledge()).data).toEqual({ changed: 1 })
    expect(await acknowledge()).toMatchObject({ status: 409, message: '所选告警已被处理，请刷新后重试' })
    expect((await close(token, [id], ' ')).status).toBe(422)
    expect((await close(token, [id])).data).toEqual({ changed: 1 })
    expect((await close(token, [id])).status).toBe(409)
    const { rows } = (await api.call(token, alarmCenter.list, { query: { pageSize: 500 } })).data
    expect(rows.find((row) => row.id === id)).toMatchObject({
      status: alarmStatus.code.closed,
      closeReason: '现场已处理',
      acknowledgedBy: '姓名green_admin',
      closedBy: '姓名green_admin',
    })
  })

  it('changes together with others, all or none', async () => {
    const { token } = fixture.green.admin
    const [open, closed] = [await makeAlarm(api, await device()), await makeAlarm(api, await device(), { status: 3 })]
    expect((await api.call(token, alarmCenter.acknowledge, { body: { ids: [open, closed] } })).status).toBe(409)
    expect(await api.sql('select status from alarm where id = $1', [open])).toEqual([{ status: alarmStatus.code.open }])
  })

  it('is the only open one of its kind at a port: the database refuses a second', async () => {
    const deviceId = await device()
    await makeAlarm(api, deviceId)
    await expect(makeAlarm(api, deviceId, { status: 2 })).rejects.toThrow(/alarm_open/)
    await makeAlarm(api, deviceId, { status: 3 })
    await makeAlarm(api, deviceId, { portNo: 2 })
  })

  it('moves with its device to another owner, and ends when the device is removed', async () => {
    const deviceId = await device()
    const id = await makeAlarm(api, deviceId)
    const place = () => api.sql('select agent_id, site_id, status, close_reason from alarm where id = $1', [id])
    await api.sql('update device set agent_id = $2, site_id = null where id = $1', [deviceId, fixture.green.agentId])
    expect(await place()).toEqual([{ agent_id: fixture.green.agentId, site_id: null, status: 1, close_reason: null }])
    await api.sql('update device set status = 0 where id = $1', [deviceId])
    const { token } = fixture.green.admin
    expect((await api.call(token, deviceManage.remove, { body: { ids: [deviceId] } })).status).toBe(200)
    expect(await place()).toMatchObject([{ status: alarmStatus.code.closed, close_reason: '设备已删除' }])
  })

  it('is found by each of its fields, and counted', async () => {
    const deviceId = await device()
    await makeAlarm(api, deviceId, { kind: alarmKind.code.smoke, portNo: 0, severity: 1 })
    const [row] = await api.sql<{ device_no: string }>('select device_no from device where id = $1', [deviceId])
    const find = async (query: object) =>
      (await api.call(fixture.green.site.token, alarmCenter.list, { query: { keyword: row?.device_no, ...query } }))
        .data.rows.length
    expect(await find({})).toBe(1)
    expect(await find({ kind: 4, severity: 1, status: 1, unclosed: 'true', siteId: fixture.green.siteId })).toBe(1)
    expect(await find({ kind: 5 })).toBe(0)
    expect(await find({ status: 3 })).toBe(0)
    expect(await find({ provinceCode: '330000' })).toBe(0)
    expect(await find({ to: '2020-01-01' })).toBe(0)
    const totals = await api.call(fixture.green.site.token, alarmCenter.totals, {
      query: { keyword: row?.device_no ?? '' },
    })
    expect(totals.data).toEqual({ count: 1, sums: { open: '1', acknowledged: '0', critical: '1' } })
  })
})

describe('a file of alarms', () => {
  it('has codes and details as text, and the newest ticket', async () => {
    const deviceId = await device()
    const id = await makeAlarm(api, deviceId, { kind: alarmKind.code.overTemperature, portNo: 0 })
    await api.sql(`update alarm set detail = '{"temperatureC": 81}' where id = $1`, [id])
    await makeTicket(api, deviceId, id)
    const [alarm] = await api.sql<{ device_no: string; ticket_no: string }>(
      'select device_no, ticket_no from repair_ticket where alarm_id = $1',
      [id],
    )
    const columns = ['deviceNo', 'kind', 'severity', 'status', 'portNo', 'detail', 'count', 'ticketNo', 'attempts']
    const query = `keyword=${alarm?.device_no ?? ''}`
    const { token } = fixture.green.admin
    expect(await exportSheet(api, token, { route: alarmCenter.exportList, columns, query })).toEqual([
      ['设备编号', '告警类型', '级别', '状态', '端口', '说明', '次数', '维修工单', '自动恢复'],
      [alarm?.device_no, '温度过高', '重要', '未处理', null, '81℃', 1, alarm?.ticket_no, 0],
    ])
  })
})

describe('rules', () => {
  const rule = { enabled: true, holdDownMin: 7, severity: 1, recovers: false, opensTicket: true } as const
  const read = async (token: string, kind: number) =>
    (await api.call(token, alarmCenter.rules)).data.find((one) => one.kind === kind)

  it('of an organisation override those of the platform until they are reset', async () => {
    const { token } = fixture.green.admin
    const body = { ...rule, kind: alarmKind.code.offline, threshold: 25, notifyTypes: [1, 2] as (1 | 2)[] }
    expect((await read(token, 1))?.own).toBe(false)
    expect((await api.call(token, alarmCenter.saveRule, { body })).status).toBe(200)
    expect(await read(token, 1)).toMatchObject({ own: true, threshold: 25, holdDownMin: 7, notifyTypes: [1, 2] })
    expect(await read(fixture.swift.admin.token, 1)).toMatchObject({ own: false, threshold: 10 })
    expect((await api.call(token, alarmCenter.resetRule, { body: { kind: 1 } })).status).toBe(200)
    expect(await read(token, 1)).toMatchObject({ own: false, threshold: 10 })
  })

  it('of the platform apply to every organisation without its own', async () => {
    const body = { ...rule, kind: alarmKind.code.doorOpen }
    expect((await api.call(fixture.platform.root.token, alarmCenter.saveRule, { body })).status).toBe(200)
    expect(await read(fixture.swift.admin.token, alarmKind.code.doorOpen)).toMatchObject({ own: false, holdDownMin: 7 })
  })

  it('keep their numbers within bounds', async () => {
    const save = (body: object) =>
      api.call(fixture.green.admin.token, alarmCenter.saveRule, { body: { ...rule, kind: 3, ...body } as never })
    expect(await save({})).toMatchObject({ status: 422 })
    expect(await save({ threshold: 20 })).toMatchObject({ status: 422, message: '温度达到须在50到120℃之间' })
    expect((await save({ threshold: 80, minutes: 9 })).status).toBe(200)
    expect(await read(fixture.green.admin.token, 3)).toMatchObject({ threshold: 80, minutes: null })
  })
})
