import { alarmStatus } from '@wattdeck/contract/product/alarm-codes.ts'
import { repairStatus, repairTicket } from '@wattdeck/contract/product/repair-ticket.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeAlarm, makeTicket } from '../../../../test/fixtures/alarms.ts'
import { exportSheet } from '../../../../test/fixtures/export-sheet.ts'
import { startApi } from '../../../../test/harness/api.ts'
import { makeDevice, makeModels } from '../../../../test/fixtures/devices.ts'
import { type Actor, makePerson, makeFixture } from '../../../../test/harness/people.ts'

let mender: Actor
const menus = ['4', '4.1', '4.1.3']
const api = await startApi()
const fixture = await makeFixture(api)
const mqtt = (await makeModels(api)).mqtt
beforeAll(async () => {
  const { id: organiseId, agentId } = fixture.green
  mender = await makePerson(api, { organiseId, agentId, loginName: 'green_mender', userType: 4, menus })
})

const device = async (owner: 'green' | 'swift' = 'green') => {
  const { id, subAgentId, siteId } = fixture[owner]
  const deviceId = await makeDevice(api, { organiseId: id, agentId: subAgentId, siteId, typeId: mqtt })
  const [row] = await api.sql<{ device_no: string }>('select device_no from device where id = $1', [deviceId])
  return { id: deviceId, deviceNo: row?.device_no ?? '' }
}
const body = (deviceNo: string) => ({ deviceNo, fault: 2 as const, priority: 2 as const, description: '插上没有反应' })
const add = (deviceNo: string, more: object = {}) =>
  api.call(fixture.green.admin.token, repairTicket.add, { body: { ...body(deviceNo), ...more } as never })
const read = async (id: string) =>
  (await api.call(fixture.green.admin.token, repairTicket.read, { params: { id } })).data
const complete = (token: string, id: string, more: object = {}) =>
  api.call(token, repairTicket.complete, { body: { id, result: '更换继电器', ...more } as never })
const picture = async (userId: string, organiseId: string) => {
  const [file] = await api.sql<{ id: string }>(
    `insert into stored_file (organise_id, agent_id, user_id, kind, object_key, name, type, bytes, width, height)
     select organise_id, agent_id, id, 'picture', $2, 'a.webp', 'image/webp', 1, 1, 1 from user_account where id = $1 returning id`,
    [userId, `picture/${organiseId}/${crypto.randomUUID()}`],
  )
  return file?.id ?? ''
}

describe('a stranger', () => {
  it('neither sees nor changes a ticket of another organisation, nor opens one for its devices', async () => {
    const foreign = await device('swift')
    const id = await makeTicket(api, foreign.id)
    const { token } = fixture.green.admin
    expect((await api.call(token, repairTicket.list)).data.rows.some((row) => row.id === id)).toBe(false)
    expect((await api.call(token, repairTicket.read, { params: { id } })).status).toBe(404)
    expect((await api.call(token, repairTicket.people, { query: { id } })).status).toBe(404)
    expect((await complete(token, id)).status).toBe(404)
    expect(await add(foreign.deviceNo)).toMatchObject({ status: 422, message: '没有找到该设备' })
    const alarmId = await makeAlarm(api, foreign.id)
    expect((await add((await device()).deviceNo, { alarmId })).status).toBe(404)
  })
})

describe('a ticket', () => {
  it('is opened by hand, assigned with a notification, reassigned, and completed once with pictures', async () => {
    const { deviceNo } = await device()
    const ticket = (await add(deviceNo, { portNo: 3, reporter: '李雷', phone: '13911112222' })).data
    expect(await read(ticket.id)).toMatchObject({
      ticketNo: `WX${ticket.id.padStart(8, '0')}`,
      status: repairStatus.code.waiting,
      portNo: 3,
      source: 2,
      phone: '139****2222',
      assigneeId: null,
      healthy: null,
    })
    const { token } = fixture.green.admin
    const people = (await api.call(token, repairTicket.people, { query: { id: ticket.id } })).data
    expect(people[0]?.id).toBe(mender.id)
    // A user without the menu could not open it.
    expect(people.some((one) => one.id === fixture.green.clerk.id)).toBe(false)
    const assign = (assigneeId: string) => api.call(token, repairTicket.assign, { body: { id: ticket.id, assigneeId } })
    expect((await assign(fixture.green.clerk.id)).status).toBe(422)
    expect((await assign(fixture.swift.admin.id)).status).toBe(422)
    expect((await assign(mender.id)).status).toBe(200)
    expect((await assign(mender.id)).status).toBe(409)
    expect(await api.sql('select title, route from notification where user_id = $1', [mender.id])).toEqual([
      { title: '新的维修工单', route: `/product/repairTicket?ticket=${ticket.id}` },
    ])
    const mine = await api.call(mender.token, repairTicket.list, { query: { assigneeId: mender.id } })
    expect(mine.data.rows.map((row) => row.id)).toEqual([ticket.id])
    expect((await assign(fixture.green.admin.id)).status).toBe(200)
    expect((await assign(mender.id)).status).toBe(200)

    const shown = await picture(mender.id, fixture.green.id)
    const stolen = await picture(fixture.green.admin.id, fixture.green.id)
    expect(await complete(mender.token, ticket.id, { pictureIds: [stolen] })).toMatchObject({ status: 422 })
    expect((await complete(mender.token, ticket.id, { parts: '继电器 1 个', pictureIds: [shown] })).status).toBe(200)
    expect(await complete(mender.token, ticket.id)).toMatchObject({ status: 409, message: '工单已完成，请刷新后重试' })
    expect(await read(ticket.id)).toMatchObject({
      status: repairStatus.code.complete,
      result: '更换继电器',
      parts: '继电器 1 个',
      resultPictureIds: [shown],
      completedBy: '姓名green_mender',
    })
    expect((await assign(fixture.green.admin.id)).status).toBe(409)
  })

  it('can be closed without a repair, with a reason', async () => {
    const { data } = await add((await device()).deviceNo)
    const close = (reason: string) =>
      api.call(fixture.green.admin.token, repairTicket.close, { body: { id: data.id, reason } })
    expect((await close('')).status).toBe(422)
    expect((await close('重复报修')).status).toBe(200)
    expect(await read(data.id)).toMatchObject({ status: repairStatus.code.complete, result: null, reason: '重复报修' })
  })

  it('needs an existing port of the device', async () => {
    expect(await add((await device()).deviceNo, { portNo: 11 })).toMatchObject({ status: 422 })
  })
})

describe('the ticket of an alarm', () => {
  const open = async () => {
    const own = await device()
    const alarmId = await makeAlarm(api, own.id)
    const reply = await add(own.deviceNo, { alarmId })
    return { ...own, alarmId, id: reply.data.id }
  }
  const alarm = async (id: string) =>
    (
      await api.sql<{ status: number; close_reason: string | null }>(
        'select status, close_reason from alarm where id = $1',
        [id],
      )
    )[0]

  it('acknowledges it, and is the only open one', async () => {
    const { alarmId, deviceNo, id } = await open()
    expect(await alarm(alarmId)).toMatchObject({ status: alarmStatus.code.acknowledged })
    expect((await add(deviceNo, { alarmId })).status).toBe(409)
    await api.call(fixture.green.admin.token, repairTicket.close, { body: { id, reason: '误报' } })
    // Closed without a repair, so the alarm stays open.
    expect(await alarm(alarmId)).toMatchObject({ status: alarmStatus.code.acknowledged })
    expect((await add(deviceNo, { alarmId })).status).toBe(200)
  })

  it('is completed when the device is healthy, and closes the alarm', async () => {
    const { alarmId, id } = await open()
    await api.sql('update alarm set healthy_since = now() where id = $1', [alarmId])
    expect((await read(id)).healthy).toBe(true)
    expect((await complete(fixture.green.admin.token, id)).status).toBe(200)
    expect(await alarm(alarmId)).toMatchObject({ status: alarmStatus.code.closed })
  })

  it('is not completed while the device is unhealthy, except with a reason, which ticket and alarm record', async () => {
    const { alarmId, id } = await open()
    expect(await complete(fixture.green.admin.token, id)).toMatchObject({
      status: 422,
      message: '设备尚未恢复正常，请填写原因',
    })
    expect((await read(id)).status).toBe(repairStatus.code.waiting)
    expect((await complete(fixture.green.admin.token, id, { reason: '等待供电公司送电' })).status).toBe(200)
    expect((await read(id)).reason).toBe('等待供电公司送电')
    expect((await alarm(alarmId))?.close_reason).toContain('等待供电公司送电')
  })

  it('requires only what a device can prove', async () => {
    const { id: deviceId } = await device()
    await api.sql('update device set online = true where id = $1', [deviceId])
    const healthOf = async (kind: number) => {
      const alarmId = await makeAlarm(api, deviceId, { kind })
      const id = await makeTicket(api, deviceId, alarmId)
      const before = (await read(id)).healthy
      await api.sql(
        "update alarm set first_at = now() - interval '1 hour', last_at = now() - interval '1 hour' where id = $1",
        [alarmId],
      )
      return [before, (await read(id)).healthy]
    }
    expect(await healthOf(3)).toEqual([false, true])
    expect(await healthOf(4)).toEqual([null, null])
  })

  it('cannot be opened for a closed alarm', async () => {
    const own = await device()
    const alarmId = await makeAlarm(api, own.id, { status: 3 })
    expect((await add(own.deviceNo, { alarmId })).status).toBe(409)
  })
})

describe('a file of tickets', () => {
  it('counts pictures, gives minutes in its header, and has no phone in the clear', async () => {
    const { id: deviceId, deviceNo } = await device()
    const id = await makeTicket(api, deviceId)
    const [row] = await api.sql<{ ticket_no: string }>(
      `update repair_ticket set status = 3, result = '更换继电器', completed_by = '张伟',
         completed_at = created_at + interval '90 minutes', phone = '13911112222',
         picture_ids = '{1,2}', result_picture_ids = '{3}'
       where id = $1 returning ticket_no`,
      [id],
    )
    const columns = ['ticketNo', 'status', 'fault', 'minutes', 'pictures', 'source', 'phone']
    const { token } = fixture.green.admin
    const query = `keyword=${deviceNo}`
    expect(await exportSheet(api, token, { route: repairTicket.exportList, columns, query })).toEqual([
      ['工单号', '状态', '故障类型', '时长（分钟）', '图片', '来源', '报修人手机'],
      [row?.ticket_no, '已完成', '端口故障', 90, 3, '人工', '139****2222'],
    ])
  })
})
