import { type UpItem, messageEpochMs } from '@wattdeck/contract/events/device-bus.ts'
import { chargingOrder as detail } from '@wattdeck/contract/order/charging-order.ts'
import { unfinishedOrder } from '@wattdeck/contract/order/unfinished-order.ts'
import { commandStatus } from '@wattdeck/contract/product/device-command.ts'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { superuserUrl } from '../../../../../../tools/ops/database.ts'
import { makeModels, type Models } from '../../../../test/fixtures/devices.ts'
import { chargingOrder, endStart, orderMenus, startedOrder, unstartedOrder } from '../../../../test/fixtures/orders.ts'
import { proveLedger } from '../../../../test/fixtures/refunds.ts'
import { startApi, type TestApi } from '../../../../test/harness/api.ts'
import { type Actor, type Fixture, makeFixture, makePerson } from '../../../../test/harness/people.ts'
import { until } from '../../../../test/harness/until.ts'
import { ingestEffects } from '../../../app/ingest-effects.ts'
import { advanceOrders } from '../../../core/charging/advance.jobs.ts'
import { ingestInto } from '../../../core/devices/ingest.jobs.ts'
import { createPool } from '../../../kit/db/db.ts'

let api: TestApi
let fixture: Fixture
let models: Models
let operator: Actor
let other: Actor
let viewer: Actor
let pool: pg.Pool
let blocker: pg.Client
beforeAll(async () => {
  api = await startApi()
  fixture = await makeFixture(api)
  models = await makeModels(api)
  const { id: organiseId, agentId } = fixture.green
  operator = await makePerson(api, { organiseId, loginName: 'green_open', menus: orderMenus })
  other = await makePerson(api, { organiseId, agentId, loginName: 'green_agent_open', menus: orderMenus })
  viewer = await makePerson(api, { organiseId, loginName: 'green_open_looks', menus: orderMenus, actions: false })
  pool = createPool(api.config.workerDatabaseUrl, 4)
  blocker = new pg.Client({ connectionString: superuserUrl(api.database) })
  await blocker.connect()
})
afterAll(async () => {
  await blocker.end()
  await pool.end()
})
afterEach(() => proveLedger(api))

const { sent, done, refused, timedOut } = commandStatus.code
const unstarted = () => unstartedOrder(api, operator.token, fixture.green, models)
const close = (id: string, who: Actor = operator) =>
  api.call(who.token, unfinishedOrder.close, { body: { id, reason: '设备拒绝启动' } })
const read = async (id: string) => (await api.call(operator.token, detail.read, { params: { id } })).data
const balancesOf = async (memberId: string) => {
  const rows = await api.sql<{ fen: string }>(
    'select balance_fen as fen from account where owner_id = $1 and kind in (1, 3) order by kind',
    [memberId],
  )
  return rows.map(({ fen }) => Number(fen))
}
const isOpen = async (id: string) => (await api.sql('select from open_charge where order_id = $1', [id])).length === 1

describe('an order that never started', () => {
  it('is closed by an operator: the money is released once, the port is free, and the log has the reason', async () => {
    const { id, memberId } = await unstarted()
    expect(await balancesOf(memberId)).toEqual([700, 300])
    expect(await close(id)).toMatchObject({ status: 200, message: '订单已关闭，预付的3.00元已退回' })
    expect(await balancesOf(memberId)).toEqual([1000, 0])
    expect(await isOpen(id)).toBe(false)
    expect(await read(id)).toMatchObject({
      status: 4,
      total: '0.00',
      held: '0.00',
      stopReason: '人工关闭',
      decision: '设备拒绝启动',
      decidedBy: '姓名green_open',
    })
    const [line] = await api.sql('select content, result from audit_log where user_id = $1 order by id desc limit 1', [
      operator.id,
    ])
    expect(line?.['content']).toContain(`订单${id}，退回3.00元，设备拒绝启动`)
    expect(line?.['result']).toBe(1)
    expect(await close(id)).toMatchObject({ status: 409, message: '订单已结束' })
  })

  it('is not closed by a reader, nor by another organisation', async () => {
    const { id } = await unstarted()
    expect((await close(id, viewer)).status).toBe(403)
    const stranger = await makePerson(api, {
      organiseId: fixture.swift.id,
      loginName: 'swift_open',
      menus: orderMenus,
    })
    expect((await close(id, stranger)).status).toBe(404)
    expect((await close(id)).status).toBe(200)
  })

  it('is not closed while its device may still answer the start', async () => {
    const { id } = await startedOrder(api, operator.token, fixture.green, models)
    const problem = async () => (await close(id)).message
    expect(await problem()).toBe('启动指令尚未结束，请稍后再试')
    await api.sql(
      `update device_command set status = $2, sent_at = now(), answer_by = now(), counter = 1
       where id = (select command_id from charging_order where id = $1)`,
      [id, sent],
    )
    expect(await problem()).toBe('启动指令尚未结束，请稍后再试')
    await endStart(api, id, timedOut)
    expect(await problem()).toBe('设备仍可能启动，请在下单90秒后再试')
    await endStart(api, id, done)
    expect(await problem()).toBe('设备已接受启动指令，不能关闭')
    await endStart(api, id, timedOut)
    await api.sql("update open_charge set confirm_by = now() - interval '1 second' where order_id = $1", [id])
    expect((await close(id)).status).toBe(200)
  })

  it('is not closed where its device has reported it, or charges', async () => {
    const reported = await unstarted()
    await api.sql('update open_charge set reported_at = now() where order_id = $1', [reported.id])
    expect(await close(reported.id)).toMatchObject({ status: 409, message: '设备已上报该订单，不能关闭' })
    const atPort = await unstarted()
    await api.sql('update port set order_no = $2 where device_id = $1 and port_no = 1', [atPort.deviceId, atPort.id])
    expect(await close(atPort.id)).toMatchObject({ status: 409, message: '设备已上报该订单，不能关闭' })
    const charging = await chargingOrder(api, operator.token, fixture.green, models)
    expect(await close(charging.id)).toMatchObject({ status: 409, message: '订单已开始充电，请远程停止或强制结算' })
    expect(await balancesOf(charging.memberId)).toEqual([700, 300])
  })

  it('is closed once by two operators at the same moment', async () => {
    const { id, memberId } = await unstarted()
    const both = await Promise.all([close(id), close(id, other)])
    expect(both.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409'])
    expect(await balancesOf(memberId)).toEqual([1000, 0])
    const kinds = (await api.call(operator.token, detail.postings, { params: { id } })).data.map(({ kind }) => kind)
    expect(kinds).toEqual([3, 4])
  })

  it('is not closed by an operator whose request waited while the device reported it', async () => {
    const { id, memberId } = await unstarted()
    await blocker.query('begin')
    await blocker.query('update open_charge set reported_at = now() where order_id = $1', [id])
    const closing = close(id)
    await until(async () => {
      const [waits] = await api.sql("select from pg_stat_activity where wait_event_type = 'Lock' and datname = $1", [
        api.database,
      ])
      return waits
    })
    await blocker.query('commit')
    expect(await closing).toMatchObject({ status: 409, message: '设备已上报该订单，不能关闭' })
    expect(await balancesOf(memberId)).toEqual([700, 300])
  })
})

describe('a device that starts after its order was closed', () => {
  const publishEvent = async (deviceId: string, event: object) => {
    const id = String((BigInt(Date.now() - messageEpochMs) << 22n) | BigInt(Math.floor(Math.random() * 1024)))
    const item: UpItem = { id, d: deviceId, o: id, e: event as UpItem['e'] }
    await ingestInto(pool, ingestEffects)([{ ...item, gateway: 9 }], Date.now())
  }

  it('receives a stop command, and no member is billed', async () => {
    const { id, deviceId, memberId } = await unstarted()
    await endStart(api, id, refused)
    expect((await close(id)).status).toBe(200)
    const stopWorker = advanceOrders(pool, api.config.workerDatabaseUrl, pino({ level: 'silent' }))
    await publishEvent(deviceId, { kind: 'started', port: 1, orderNo: id })
    const status = { name: 'working', raw: 2 }
    const report = { kind: 'portReport', port: 1, orderNo: id, status, powerDw: 5000, durationS: 60, energyWh: 10 }
    await publishEvent(deviceId, report)
    const stop = await until(async () => {
      const [command] = await api.sql<{ kind: string; orderNo: string }>(
        `select kind, content ->> 'orderNo' as "orderNo" from device_command
         where device_id = $1 and kind = 'stopPort'`,
        [deviceId],
      )
      return command
    })
    await stopWorker()
    expect(stop).toEqual({ kind: 'stopPort', orderNo: id })
    expect(await read(id)).toMatchObject({ status: 4, total: '0.00' })
    expect(await isOpen(id)).toBe(false)
    expect(await balancesOf(memberId)).toEqual([1000, 0])
  })
})

const day = (offset: number) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' }).format(Date.now() + offset * 86_400_000)

describe('the totals of running charges', () => {
  it('sum the last reports and the reserved money, within a month, over the rows that the reader sees', async () => {
    const totals = (query: object, who: Actor = operator) =>
      api.call(who.token, unfinishedOrder.totals, { query: query as never })
    const { id, deviceNo } = await chargingOrder(api, operator.token, fixture.green, models)
    const found = await totals({ from: day(-1), to: day(0), deviceNo })
    expect(found.data).toEqual({ count: 1, sums: { energy: '0.50', power: '500', held: '3.00' } })
    const all = (await totals({ from: day(-30), to: day(0) })).data
    expect(all.count).toBeGreaterThan(1)
    expect((await totals({ from: day(-31), to: day(0) })).status).toBe(422)
    expect((await totals({ from: day(0) })).status).toBe(422)
    const stranger = await makePerson(api, {
      organiseId: fixture.swift.id,
      loginName: 'swift_totals',
      menus: orderMenus,
    })
    expect((await totals({ from: day(-1), to: day(0) }, stranger)).data).toEqual({
      count: 0,
      sums: { energy: '0.00', power: '0', held: '0.00' },
    })
    await api.call(operator.token, unfinishedOrder.settle, { body: { id, total: '0.51', reason: '设备失联' } })
    expect((await totals({ from: day(-1), to: day(0), deviceNo })).data.count).toBe(0)
  })
})
