import { consumeOrder } from '@wattdeck/contract/order/consume-order.ts'
import type { TestApi } from './api.ts'
import { makePayer, makeStation } from './charging.ts'
import type { Models } from './devices.ts'

type Brand = { id: string; subAgentId: string; siteId: string }
type Said = { durationS?: number; energyWh?: number }

/** The menus of the order centre. */
export const orderMenus = ['7', '7.2', '7.4', '7.6', '7.16']

/** A charge that somebody at the console has started for a member, for 3 yuan of the 10 they have. */
export async function startedOrder(api: TestApi, token: string, brand: Brand, models: Models, paidFen = 1000n) {
  const station = await makeStation(api, brand, models)
  const memberId = await makePayer(api, brand.id, paidFen)
  const phone = `139${String(Date.now() % 1e4).padStart(4, '0')}${memberId.slice(-4)}`
  await api.sql(`update member set phone = $2, nickname = $3 where id = $1`, [memberId, phone, `会员${memberId}`])
  const body = { deviceNo: station.deviceNo, portNo: '1', memberId, limitBy: '1', amount: '3.00' }
  const { status, message, data } = await api.call(token, consumeOrder.start, { body: body as never })
  if (status !== 200) throw new Error(message)
  return { ...station, memberId, phone, id: data.id }
}

/** The device has begun an hour ago, reported every five minutes up to what it says now, and has gone since. */
export async function chargingOrder(api: TestApi, token: string, brand: Brand, models: Models, said: Said = {}) {
  const order = await startedOrder(api, token, brand, models)
  const { durationS = 3600, energyWh = 500 } = said
  await api.sql(`update charging_order set status = 2, started_at = now() - interval '1 hour' where id = $1`, [
    order.id,
  ])
  await api.sql(
    `update open_charge set confirm_by = null, reported_at = now() - interval '6 minutes', duration_s = $2, energy_dwh = $3, power_dw = 5000, peak_power_dw = 5200
     where order_id = $1`,
    [order.id, durationS, energyWh * 10],
  )
  await api.sql(
    `insert into charge_sample (order_id, at, organise_id, agent_id, site_id, energy_dwh, power_dw)
     select $1, started_at + make_interval(secs => $2 * n / 12), organise_id, agent_id, site_id, $3 * n / 12, 5000 + n
     from charging_order, generate_series(1, 12) n where id = $1`,
    [order.id, durationS, energyWh * 10],
  )
  await api.sql('update device set online = false where id = $1', [order.deviceId])
  return order
}

/** A bill came that nobody may be billed by unseen. */
export async function doubtedOrder(
  api: TestApi,
  token: string,
  brand: Brand,
  models: Models,
  reason = 'tooMuchEnergy',
) {
  const order = await chargingOrder(api, token, brand, models)
  const settlement = {
    kind: 'settlement',
    port: 1,
    orderNo: order.id,
    durationS: 3600,
    energyWh: 900,
    maxPowerDw: 5200,
    stopReason: { name: 'full', raw: 1 },
  }
  await api.sql(
    `update charging_order set status = 5, review_reasons = array[$2::text], settlement = $3, duration_s = 3600, energy_dwh = 9000, stop_reason = 'full',
       ended_at = started_at + interval '1 hour' where id = $1`,
    [order.id, reason, JSON.stringify(settlement)],
  )
  await api.sql('delete from open_charge where order_id = $1', [order.id])
  return order
}

/** An order and a member of an organisation, as strangers would look for them. */
export async function plantOrder(api: TestApi, deviceId: string, name: string) {
  const [member] = await api.sql<{ id: string }>(
    'insert into member (organise_id, nickname) select organise_id, $2 from device where id = $1 returning id',
    [deviceId, `会员${name}`],
  )
  const [order] = await api.sql<{ id: string }>(
    `insert into charging_order (organise_id, agent_id, site_id, device_id, port_no, device_no, device_type_id, wire_no, member_id, start_mode, billing_type, status,
       limit_by, limit_value, held_paid_fen, started_at)
     select organise_id, agent_id, site_id, id, 1, device_no, device_type_id, $3, $2, 1, 0, 2, 1, 300, 0, now() from device where id = $1 returning id`,
    [deviceId, member?.id, `wire${name}`],
  )
  return { order: order?.id ?? '', member: member?.id ?? '' }
}

type Worlds = { green: Brand; platform: { root: { token: string } } }

/** The order, or the member, that a change of this feature is about. */
export async function makeOrderFor(api: TestApi, world: Worlds, models: Models, feature: string, route: string) {
  const { token } = world.platform.root
  if (feature === 'consumeOrder' && route === 'start') {
    const { deviceId } = await makeStation(api, world.green, models)
    await api.sql("update device set device_no = 'START0001' where id = $1", [deviceId])
    return makePayer(api, world.green.id, 1000n)
  }
  if (feature === 'orderReview') return (await doubtedOrder(api, token, world.green, models)).id
  if (feature !== 'unfinishedOrder' && feature !== 'chargingOrder') return ''
  const { id, deviceId } = await chargingOrder(api, token, world.green, models)
  if (route === 'stop' || route === 'query') await api.sql('update device set online = true where id = $1', [deviceId])
  return id
}
