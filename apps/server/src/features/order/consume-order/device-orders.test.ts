import { consumeOrder } from '@wattdeck/contract/order/consume-order.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { makePayer, makeStation } from '../../../../test/fixtures/charging.ts'
import { makeModels, type Models } from '../../../../test/fixtures/devices.ts'
import { orderMenus } from '../../../../test/fixtures/orders.ts'
import { billedOrder } from '../../../../test/fixtures/refunds.ts'
import { startApi, type TestApi } from '../../../../test/harness/api.ts'
import { type Actor, type Fixture, makeFixture, makePerson } from '../../../../test/harness/people.ts'

let api: TestApi
let fixture: Fixture
let models: Models
let operator: Actor
beforeAll(async () => {
  api = await startApi()
  fixture = await makeFixture(api)
  models = await makeModels(api)
  operator = await makePerson(api, {
    organiseId: fixture.green.id,
    loginName: 'green_device_orders',
    menus: orderMenus,
  })
})

const day = (offset: number) => new Date(Date.now() + (8 + offset * 24) * 3_600_000).toISOString().slice(0, 10)

describe('the orders of a device', () => {
  it('are shown on its page with the figures of today, filtered by status and days', async () => {
    const memberId = await makePayer(api, fixture.green.id, 0n)
    const first = await billedOrder(api, fixture.green, models, memberId, {
      paid: 700,
      gift: 300,
      durationS: 600,
      energyDwh: 2500,
    })
    const [device] = await api.sql<{ id: string }>('select device_id as id from charging_order where id = $1', [first])
    const id = device?.id ?? ''
    await api.sql('update charging_order set ended_at = now(), started_at = now() where id = $1', [first])
    const second = await billedOrder(api, fixture.green, models, memberId, {})
    await api.sql(
      "update charging_order set device_id = $2, ended_at = now() - interval '2 days', started_at = now() - interval '2 days' where id = $1",
      [second, id],
    )
    const listed = async (query: object = {}, token = operator.token) =>
      api.call(token, consumeOrder.ofDevice, { params: { deviceId: id }, query: query as never })
    const ids = async (query: object = {}) => (await listed(query)).data.rows.map((row) => row.id)
    expect(await ids()).toEqual([second, first])
    expect(await ids({ status: '4' })).toEqual([])
    expect(await ids({ status: '3', from: day(0), to: day(0) })).toEqual([second, first])
    expect(await ids({ to: day(-1) })).toEqual([])
    const today = await api.call(operator.token, consumeOrder.deviceToday, { params: { deviceId: id } })
    expect(today.data).toEqual({ orders: 1, energyDwh: 2500, total: '10.00' })
  })

  it('are hidden from another organisation, and from users without the right to read orders', async () => {
    const { deviceId: id } = await makeStation(api, fixture.green, models)
    const stranger = await makePerson(api, {
      organiseId: fixture.swift.id,
      loginName: 'swift_device_orders',
      menus: orderMenus,
    })
    const reader = await makePerson(api, {
      organiseId: fixture.green.id,
      loginName: 'green_devices_only',
      menus: ['4', '4.1', '4.1.1'],
    })
    for (const route of [consumeOrder.ofDevice, consumeOrder.deviceToday]) {
      expect((await api.call(stranger.token, route, { params: { deviceId: id } })).status).toBe(404)
      expect((await api.call(reader.token, route, { params: { deviceId: id } })).status).toBe(403)
      expect((await api.call(operator.token, route, { params: { deviceId: id } })).status).toBe(200)
    }
  })
})
