import { liveTarget, severityTarget } from '@wattdeck/contract/dashboard/live-links.ts'
import { chargeOrder, liveMost, liveOperations } from '@wattdeck/contract/dashboard/live-operations.ts'
import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { consumeOrder } from '@wattdeck/contract/order/consume-order.ts'
import { alarmCenter } from '@wattdeck/contract/product/alarm-center.ts'
import { alarmSeverity } from '@wattdeck/contract/product/alarm-codes.ts'
import { deviceManage } from '@wattdeck/contract/product/device-manage.ts'
import { describe, expect, it } from 'vitest'
import { makeAlarm, makeTicket } from '../../../../test/fixtures/alarms.ts'
import { makeDevice, makeModels } from '../../../../test/fixtures/devices.ts'
import { chargingOrder, startedOrder } from '../../../../test/fixtures/orders.ts'
import { startApi } from '../../../../test/harness/api.ts'
import { type Actor, makeFixture, makePerson } from '../../../../test/harness/people.ts'

const api = await startApi()
const { platform, green, swift } = await makeFixture(api)
const models = await makeModels(api)
const { critical, major, minor } = alarmSeverity.code

type Owner = { organiseId?: string; agentId?: string; siteId?: string }
const alarms = async ({ token }: Actor, query: Owner = {}) =>
  (await api.call(token, liveOperations.alarms, { query })).data
const charges = async ({ token }: Actor, query: Owner & { order?: string } = {}) =>
  (await api.call(token, liveOperations.charges, { query: query as never })).data
const devices = async ({ token }: Actor, query: Owner = {}) =>
  (await api.call(token, liveOperations.devices, { query })).data
const person = (loginName: string, menus: string[]) =>
  makePerson(api, { organiseId: green.id, loginName, menus: ['2', '2.1', '2.30', ...menus] })

async function makeSite(name: string): Promise<string> {
  const [inserted] = await api.sql<{ id: string }>(
    'insert into site (organise_id, agent_id, name) values ($1, $2, $3) returning id',
    [green.id, green.subAgentId, name],
  )
  return inserted?.id ?? ''
}
/** Alarms of these severities at a new device, the first of them so many minutes old. */
async function plantAlarms(siteId: string | null, severities: readonly number[], minutes = 1): Promise<string[]> {
  const agentId = siteId === null ? null : green.subAgentId
  const device = await makeDevice(api, { organiseId: green.id, agentId, siteId, typeId: models.mqtt })
  const ids: string[] = []
  for (const [at, severity] of severities.entries())
    ids.push(await makeAlarm(api, device, { severity, portNo: at + 1 }))
  await api.sql('update alarm set first_at = now() - make_interval(mins => $2::int) where id = any($1)', [ids, minutes])
  return ids
}

describe('a stranger', () => {
  it('sees nothing of another organisation with any owner filter', async () => {
    await plantAlarms(green.siteId, [critical])
    await chargingOrder(api, green.admin.token, green, models)
    for (const query of [{}, { organiseId: green.id }, { agentId: green.agentId }, { siteId: green.siteId }]) {
      const seen = await alarms(swift.admin, query)
      expect(seen).toMatchObject({ siteCount: 0, sites: [] })
      expect(seen.severities.every(({ count }) => count === 0)).toBe(true)
      expect(await charges(swift.admin, query)).toEqual({ count: 0, power: '0', rows: [] })
      expect(await devices(swift.admin, query)).toEqual({ devices: 0, online: 0, wentOffline: 0 })
    }
  })

  it('is refused a panel whose rows they cannot open on a page', async () => {
    const { alarms: ofAlarms, charges: ofCharges, devices: ofDevices } = liveOperations
    const statuses = async ({ token }: Actor) =>
      Promise.all([ofDevices, ofAlarms, ofCharges].map(async (route) => (await api.call(token, route, {})).status))
    expect(await statuses(green.withoutRights)).toEqual([403, 403, 403])
    expect(await statuses(green.clerk)).toEqual([403, 403, 403])
    expect(await statuses(await person('live_only', []))).toEqual([403, 403, 403])
    expect(await statuses(await person('live_devices', ['4', '4.1', '4.1.1']))).toEqual([200, 403, 403])
    expect(await statuses(await person('live_alarms', ['4', '4.1', '4.1.7']))).toEqual([403, 200, 403])
    expect(await statuses(await person('live_open', ['7', '7.4']))).toEqual([403, 403, 200])
    expect(await statuses(await person('live_orders', ['7', '7.2']))).toEqual([403, 403, 200])
  })
})

describe('the sites with alarms', () => {
  it('are sorted by the highest severity, then by its number of alarms, then by its oldest alarm', async () => {
    const names = ['major', 'one', 'two', 'old']
    const [many, one, two, old] = await Promise.all(names.map((name) => makeSite(`先后${name}`)))
    await plantAlarms(many ?? '', [major, major, major, minor], 600)
    await plantAlarms(one ?? '', [critical, minor], 5)
    await plantAlarms(two ?? '', [critical, critical], 1)
    await plantAlarms(old ?? '', [critical], 90)
    await plantAlarms(null, [minor])
    const { sites, siteCount } = await alarms(green.admin)
    const mine = sites.filter(({ siteId }) => siteId !== green.siteId)
    expect(mine.map(({ siteId }) => siteId)).toEqual([two, old, one, many, null])
    expect(mine.map(({ severity, count }) => [severity, count])).toEqual([
      [critical, 2],
      [critical, 1],
      [critical, 2],
      [major, 4],
      [minor, 1],
    ])
    expect(mine.map(({ siteName }) => siteName)).toEqual(['先后two', '先后old', '先后one', '先后major', null])
    expect(siteCount).toBe(sites.length)
    // The platform sees the same sites.
    expect((await alarms(platform.root, { organiseId: green.id })).sites.map(({ siteId }) => siteId)).toEqual(
      sites.map(({ siteId }) => siteId),
    )
  })

  it('show the worst alarms of each, at most five, with their ticket, and count all', async () => {
    const siteId = await makeSite('多告警')
    const ids = await plantAlarms(siteId, [minor, critical, major, minor, minor, major, minor])
    const [device] = await api.sql<{ id: string }>('select device_id as id from alarm where id = $1', [ids[1]])
    const ticket = await makeTicket(api, device?.id ?? '', ids[1])
    const found = (await alarms(green.admin, { siteId })).sites
    expect(found).toHaveLength(1)
    expect(found[0]).toMatchObject({ siteId, count: 7 })
    expect(found[0]?.alarms.map(({ id }) => id)).toEqual([ids[1], ids[2], ids[5], ids[0], ids[3]])
    expect(found[0]?.alarms).toHaveLength(liveMost.alarmsOfSite)
    expect(found[0]?.alarms[0]).toMatchObject({ ticketId: ticket, portNo: 2, severity: critical })
  })

  it('keep an acknowledged alarm and lose a closed one', async () => {
    const siteId = await makeSite('会处理')
    const [first = '', second = ''] = await plantAlarms(siteId, [major, major])
    const { token } = green.admin
    await api.call(token, alarmCenter.acknowledge, { body: { ids: [first] } as never })
    await api.call(token, alarmCenter.close, { body: { ids: [second], reason: '误报' } as never })
    const [site] = (await alarms(green.admin, { siteId })).sites
    expect(site?.alarms.map(({ id, status }) => [id, status])).toEqual([[first, 2]])
  })

  it('are those of the reader’s own place', async () => {
    const own = (await alarms(green.site)).sites.map(({ siteId }) => siteId)
    expect(own).toEqual([green.siteId])
    expect((await alarms(green.agent)).sites.every(({ siteId }) => siteId !== null)).toBe(true)
  })
})

describe('the running charges', () => {
  it('are those that have started, with a masked member, their usage and their amount so far', async () => {
    const waiting = await startedOrder(api, green.admin.token, green, models)
    const order = await chargingOrder(api, green.admin.token, green, models, { energyWh: 500 })
    const { rows } = await charges(green.agent)
    expect(rows.map(({ id }) => id)).not.toContain(waiting.id)
    const shown = rows.find(({ id }) => id === order.id)
    expect(shown).toMatchObject({
      deviceId: order.deviceId,
      portNo: 1,
      siteId: green.siteId,
      memberId: order.memberId,
      powerDw: 5000,
      energyDwh: 5000,
      // Half a kWh at 0.62 and 0.40.
      amount: '0.51',
      limitBy: 1,
      limitValue: 300,
      online: false,
    })
    expect(shown?.memberPhone).toMatch(/^139\*{4}\d{4}$/)
  })

  it('are sorted newest first or longest first', async () => {
    const [older, newer] = [
      await chargingOrder(api, green.admin.token, green, models),
      await chargingOrder(api, green.admin.token, green, models),
    ]
    await api.sql(`update charging_order set started_at = now() - interval '3 hours' where id = $1`, [older.id])
    const places = async (order?: string) => {
      const ids = (await charges(green.admin, order === undefined ? {} : { order })).rows.map(({ id }) => id)
      return [ids.indexOf(older.id), ids.indexOf(newer.id)]
    }
    const [oldAt = -1, newAt = -1] = await places()
    expect(newAt).toBeLessThan(oldAt)
    const [longAt = -1, shortAt = -1] = await places(String(chargeOrder.code.longest))
    expect(longAt).toBe(0)
    expect(shortAt).toBeGreaterThan(0)
  })
})

it('counts devices that went offline within the hour and are still offline', async () => {
  const siteId = await makeSite('掉线')
  const place = { organiseId: green.id, agentId: green.subAgentId, siteId, typeId: models.dny }
  const ids = [await makeDevice(api, place), await makeDevice(api, place), await makeDevice(api, place)]
  await api.sql('update device set install_status = 1, online = true where id = any($1)', [ids])
  await api.sql('update device set online = false where id = any($1)', [ids])
  expect(await devices(green.admin, { siteId })).toEqual({ devices: 3, online: 0, wentOffline: 3 })
  await api.sql(`update device_outage set began_at = began_at - interval '2 hours' where device_id = $1`, [ids[0]])
  await api.sql('update device set online = true where id = $1', [ids[1]])
  expect(await devices(green.admin, { siteId })).toEqual({ devices: 3, online: 1, wentOffline: 1 })
})

describe('each figure', () => {
  const everyMenu = { has: () => true }

  it('equals the total of the list behind its link', async () => {
    for (const reader of [platform.root, green.admin, green.agent, green.site])
      for (const owner of [{}, { organiseId: green.id }, { siteId: green.siteId }]) {
        const query = (target: { query: object } | undefined) => ({ query: { ...target?.query } as never })
        const { count, power } = await charges(reader, owner)
        const orders = await api.call(reader.token, consumeOrder.list, query(liveTarget('charging', owner, everyMenu)))
        expect(count).toBe(orders.data.total)
        expect(count).toBeGreaterThan(0)
        expect(Number(power)).toBe(500 * count)
        const now = await devices(reader, owner)
        for (const name of ['online', 'devices'] as const) {
          const list = await api.call(reader.token, deviceManage.list, query(liveTarget(name, owner, everyMenu)))
          expect(now[name]).toBe(list.data.total)
        }
        const { severities } = await alarms(reader, owner)
        for (const { severity, count: shown } of severities) {
          const target = severityTarget(severity, owner, everyMenu)
          const list = await api.call(reader.token, alarmCenter.list, query(target))
          expect(shown).toBe(list.data.total)
        }
      }
  })

  it('is no link for a reader without the menu of the list', () => {
    const menus = new Set<string>([menuKey.unfinishedOrder])
    expect(liveTarget('charging', {}, menus)).toBeUndefined()
    expect(severityTarget(critical, {}, menus)).toBeUndefined()
  })
})
