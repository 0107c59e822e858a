import { workTable } from '@wattdeck/contract/dashboard/work-table.ts'
import { menuKey, type MenuName } from '@wattdeck/contract/menu-keys.ts'
import { unfinishedOrder } from '@wattdeck/contract/order/unfinished-order.ts'
import { alarmCenter } from '@wattdeck/contract/product/alarm-center.ts'
import { unclosedAlarms } from '@wattdeck/contract/product/alarm-codes.ts'
import { repairStatus, repairTicket } from '@wattdeck/contract/product/repair-ticket.ts'
import { site } from '@wattdeck/contract/system/site.ts'
import { siteDetail } from '@wattdeck/contract/system/site-detail.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { makeAlarm, makeTicket } from '../../../../test/fixtures/alarms.ts'
import { makePayer } from '../../../../test/fixtures/charging.ts'
import { makeDevice, makeModels } from '../../../../test/fixtures/devices.ts'
import { chargingOrder, orderInReview, startedOrder } from '../../../../test/fixtures/orders.ts'
import { startApi } from '../../../../test/harness/api.ts'
import { makeFixture, makePerson } from '../../../../test/harness/people.ts'

const api = await startApi()
const fixture = await makeFixture(api)
const models = await makeModels(api)
const { green, swift } = fixture
const { token } = green.admin

const read = (id: string, as = token) => api.call(as, siteDetail.read, { params: { id } })
const trendOf = (id: string, as = token) => api.call(as, siteDetail.trend, { params: { id } })

async function addSite(name: string, agentId: string | null = green.subAgentId): Promise<string> {
  const [row] = await api.sql<{ id: string }>(
    'insert into site (organise_id, agent_id, name) values ($1, $2, $3) returning id',
    [green.id, agentId, name],
  )
  return row?.id ?? ''
}
/** The brand in the form of the fixtures, at another of its sites. */
const brandAt = (siteId: string) => ({ id: green.id, subAgentId: green.subAgentId, siteId })
const deviceAt = (siteId: string) =>
  makeDevice(api, { organiseId: green.id, agentId: green.subAgentId, siteId, typeId: models.mqtt })
const person = (loginName: string, names: MenuName[], place: object = {}) =>
  makePerson(api, {
    organiseId: green.id,
    loginName,
    menus: ['1', '1.4', '2', '2.1', '4', '4.1', '7', menuKey.site, ...names.map((name) => menuKey[name])],
    ...place,
  })

describe('a stranger', () => {
  it('reads nothing of a site of another organisation, of a sibling agent, of another site or of a removed one', async () => {
    const upper = await addSite('上级直营', green.agentId)
    const [sibling] = await api.sql<{ id: string }>(
      "insert into agent (organise_id, name) values ($1, '同级代理商') returning id",
      [green.id],
    )
    const beside = await person('site_beside', ['orderStatistics'], { agentId: sibling?.id })
    const removed = await addSite('已删除')
    await api.sql('update site set deleted_at = now() where id = $1', [removed])
    for (const [id, as] of [
      [green.siteId, swift.admin.token],
      [green.siteId, beside.token],
      [upper, green.subAgent.token],
      [upper, green.site.token],
      [removed, token],
      ['999999', token],
    ] as const) {
      expect((await read(id, as)).status).toBe(404)
      expect((await trendOf(id, as)).status).toBe(404)
    }
    for (const { token: as } of [green.agent, green.subAgent, green.site])
      expect((await read(green.siteId, as)).status).toBe(200)
  })
})

describe('the page of a site', () => {
  it('shows the row of the list of sites', async () => {
    const id = await addSite('同一行')
    await api.sql("update site set phone = '13812345678', address = '文一路', lng = 120.1, lat = 30.2 where id = $1", [
      id,
    ])
    await deviceAt(id)
    const { data } = await read(id)
    const { data: list } = await api.call(token, site.list, { query: { siteId: id } })
    expect(data).toMatchObject(list.rows[0] ?? expect.unreachable('the list has no such site'))
    expect(data.phone).toBe('138****5678')
  })

  it('shows zeros and thirty empty days for an empty site', async () => {
    const id = await addSite('空站点')
    const nothing = { total: 0, online: 0, ports: 0, offlinePorts: 0, free: 0, working: 0, fault: 0, other: 0 }
    const { data } = await read(id)
    expect(data).toMatchObject({
      devices: nothing,
      charging: { orders: 0, powerDw: 0 },
      alarms: { critical: 0, major: 0, minor: 0 },
      tickets: 0,
      today: { revenue: { value: '0.00' }, orders: { value: '0' }, energy: { value: '0' } },
    })
    const { data: days } = await trendOf(id)
    expect(days).toHaveLength(30)
    expect(days.every((day) => day.revenue === '0.00' && day.orders === 0 && day.energyDwh === 0)).toBe(true)
  })

  it('counts devices and ports by status, without removed devices and those of other sites', async () => {
    const id = await addSite('端口站点')
    const [one, two, removed] = [await deviceAt(id), await deviceAt(id), await deviceAt(id)]
    await deviceAt(await addSite('旁边的站点'))
    await api.sql(
      'update device set online = true, free_ports = 5, working_ports = 3, fault_ports = 1, appointed_ports = 1 where id = $1',
      [one],
    )
    await api.sql('update device set free_ports = 8, fault_ports = 2 where id = $1', [two])
    await api.sql('update device set deleted_at = now() where id = $1', [removed])
    expect((await read(id)).data.devices).toEqual({
      total: 2,
      online: 1,
      ports: 20,
      offlinePorts: 10,
      free: 13,
      working: 3,
      fault: 3,
      other: 1,
    })
    await api.sql('select app.fold_stats()')
    expect((await read(id)).data.devices).toMatchObject({ total: 2, online: 1, free: 13, other: 1 })
  })

  it('counts exactly the charges that the list of unfinished orders shows, and adds up their power', async () => {
    const id = await addSite('充电站点')
    const brand = brandAt(id)
    await chargingOrder(api, token, brand, models)
    await chargingOrder(api, token, brand, models)
    await startedOrder(api, token, brand, models)
    await orderInReview(api, token, brand, models)
    await chargingOrder(api, token, brandAt(await addSite('别处充电')), models)
    const { data } = await read(id)
    const { data: list } = await api.call(token, unfinishedOrder.list, { query: { siteId: id } })
    expect(data.charging).toEqual({ orders: 3, powerDw: 10_000 })
    expect(list.total).toBe(3)
  })

  it('counts exactly the alarms and tickets that their lists show', async () => {
    const id = await addSite('告警站点')
    const device = await deviceAt(id)
    const other = await deviceAt(await addSite('别处告警'))
    const alarms = [
      { severity: 1, kind: 4 },
      { severity: 2, kind: 1 },
      { severity: 2, kind: 2, status: 2 },
      { severity: 3, kind: 9 },
      { severity: 1, kind: 5, status: 3 },
    ] as const
    for (const alarm of alarms) await makeAlarm(api, device, alarm)
    await makeAlarm(api, other, { severity: 1 })
    await makeTicket(api, device)
    await makeTicket(api, other)
    const done = await makeTicket(api, await deviceAt(id))
    await api.sql("update repair_ticket set status = 3, result = '已更换', completed_at = now() where id = $1", [done])
    const { data } = await read(id)
    expect(data).toMatchObject({ alarms: { critical: 1, major: 2, minor: 1 }, tickets: 1 })
    const siteId = id
    const unclosed = await api.call(token, alarmCenter.list, { query: { siteId, unclosed: unclosedAlarms.code.only } })
    expect(unclosed.data.total).toBe(4)
    const waiting = await api.call(token, repairTicket.list, { query: { siteId, status: repairStatus.code.waiting } })
    expect(waiting.data.total).toBe(1)
  })
})

const dayMs = 86_400_000
const shanghaiDay = (atMs: number) => new Date(atMs + 8 * 3_600_000).toISOString().slice(0, 10)
const momentOf = (day: string, time: string) => Date.parse(`${day}T${time}:00+08:00`)

describe('the figures of today', () => {
  afterEach(() => {
    vi.useRealTimers()
  })
  const today = shanghaiDay(Date.now())
  const yesterday = shanghaiDay(Date.now() - dayMs)
  /** Charges that ended then: day, time, revenue in fen, energy in 1/10000 kWh. */
  const bills = [
    [yesterday, '00:05', 100, 1000],
    [yesterday, '08:59', 230, 2000],
    [yesterday, '09:01', 470, 4000],
    [yesterday, '23:30', 510, 8000],
    [today, '00:10', 1000, 10_000],
    [today, '08:30', 2100, 20_000],
    [today, '09:05', 4300, 40_000],
  ] as const
  const sumOf = (day: string, upto = '24:00') => {
    const found = bills.filter(([of, time]) => of === day && time < upto)
    return {
      revenue: yuanText(BigInt(found.reduce((sum, [, , fen]) => sum + fen, 0))),
      orders: String(found.length),
      energy: String(found.reduce((sum, [, , , energy]) => sum + energy, 0)),
    }
  }

  async function makeBilledSite(): Promise<string> {
    const id = await addSite('营收站点')
    const device = await deviceAt(id)
    const member = await makePayer(api, green.id, 0n)
    for (const [place, [day, time, fen, energy]] of bills.entries())
      await api.sql(
        `insert into charging_order (organise_id, agent_id, site_id, device_id, port_no, device_no, device_type_id, wire_no, member_id,
           start_mode, billing_type, status, limit_by, limit_value, held_paid_fen, started_at, ended_at, settled_at, energy_dwh,
           electricity_fen, total_fen, paid_fen)
         select organise_id, agent_id, site_id, id, 1, device_no, device_type_id, $3, $2, 1, 0, 3, 1, 300, $5, $4, $4, $4, $6, $5, $5, $5
         from device where id = $1`,
        [device, member, `bill${place}`, new Date(momentOf(day, time)).toISOString(), fen, energy],
      )
    return id
  }

  it('equal those of the work table at every hour, and are compared with yesterday up to the same full hour', async () => {
    const id = await makeBilledSite()
    for (const [now, upto] of [
      ['00:20', undefined],
      ['08:40', '08:00'],
      ['09:10', '09:00'],
      ['23:59', '23:00'],
    ] as const) {
      vi.useFakeTimers({ toFake: ['Date'], now: momentOf(today, now) })
      const { data } = await read(id)
      const shown = data.today ?? expect.unreachable('the reader has the menus')
      for (const name of ['revenue', 'orders', 'energy'] as const) {
        const { data: figure } = await api.call(token, workTable.figure, {
          params: { name },
          query: { siteId: id },
        })
        expect(shown[name], `${name} at ${now}`).toEqual(figure)
        expect(shown[name].value).toBe(sumOf(today)[name])
        expect(shown[name].compared, `${name} at ${now}`).toEqual(
          upto === undefined
            ? null
            : { upto: `${today} ${upto}:00`, now: sumOf(today, upto)[name], before: sumOf(yesterday, upto)[name] },
        )
      }
    }
  })

  it('end the trend, whose days add up to the bills', async () => {
    const id = await makeBilledSite()
    vi.useFakeTimers({ toFake: ['Date'], now: momentOf(today, '12:00') })
    const { data } = await trendOf(id)
    const dayOf = (day: string) => ({
      period: day,
      revenue: sumOf(day).revenue,
      orders: Number(sumOf(day).orders),
      energyDwh: Number(sumOf(day).energy),
    })
    expect(data.slice(-2)).toEqual([dayOf(yesterday), dayOf(today)])
    expect(data.slice(0, -2).every((day) => day.orders === 0)).toBe(true)
    expect(data[0]?.period).toBe(shanghaiDay(momentOf(today, '12:00') - 29 * dayMs))
  })
})

describe('a reader', () => {
  const nothing = { devices: null, charging: null, alarms: null, tickets: null, today: null }

  it('with only the menu of sites gets no figure and no trend', async () => {
    const { token: as } = await person('site_only', [])
    const { data } = await read(green.siteId, as)
    expect(data).toMatchObject({ name: '站点green', ...nothing })
    expect((await trendOf(green.siteId, as)).status).toBe(403)
  })

  it.each([
    ['deviceManage', ['devices']],
    ['unfinishedOrder', ['charging']],
    ['consumeOrder', ['charging', 'today']],
    ['completedOrder', ['today']],
    ['orderStatistics', ['today']],
    ['alarmCenter', ['alarms']],
    ['repairTicket', ['tickets']],
    ['refundOrder', []],
  ] as const)('with %s beside it gets just %j', async (menu, parts) => {
    const { token: as } = await person(`site_${menu}`, [menu])
    const { data } = await read(green.siteId, as)
    const visibleParts = Object.keys(nothing).filter((part) => data[part as keyof typeof nothing] !== null)
    expect(visibleParts).toEqual(Object.keys(nothing).filter((part) => (parts as readonly string[]).includes(part)))
    expect((await trendOf(green.siteId, as)).status).toBe(visibleParts.includes('today') ? 200 : 403)
  })
})
