import type { TestApi } from './api.ts'
import { makeDevice, type Models } from './devices.ts'
import type { World } from './people.ts'

type Charge = { daysAgo: number; fen: [electricity: number, service: number, occupancy: number]; gift?: number }
const noonAgo = (days: number) => {
  const day = new Date(Date.now() + 8 * 3_600_000 - days * 86_400_000).toISOString().slice(0, 10)
  return days === 0 ? new Date().toISOString() : `${day}T12:00:00+08:00`
}

let made = 0
/** A charge at a device that was billed, or, without a bill, let go. */
async function billedCharge(api: TestApi, deviceId: string, charge: Charge | { daysAgo: number; fen?: never }) {
  const count = ++made
  const [member] = await api.sql<{ id: string }>(
    "insert into member (organise_id, nickname) select organise_id, '会员' from device where id = $1 returning id",
    [deviceId],
  )
  const [order] = await api.sql<{ id: string }>(
    `insert into charging_order (organise_id, agent_id, site_id, device_id, port_no, device_no, device_type_id, wire_no, member_id, start_mode, billing_type, status,
       limit_by, limit_value, held_paid_fen, held_gift_fen, started_at)
     select organise_id, agent_id, site_id, id, 1, device_no, device_type_id, $2, $4, 1, 0, 2, 1, 300, 100000, 100000, $3::timestamptz - interval '1 hour'
     from device where id = $1 returning id`,
    [deviceId, `stat${count}`, noonAgo(charge.daysAgo), member?.id],
  )
  if (charge.fen === undefined) {
    await api.sql('update charging_order set status = 4, settled_at = $2 where id = $1', [
      order?.id,
      noonAgo(charge.daysAgo),
    ])
    return
  }
  const { fen, gift = 0 } = charge
  await api.sql(
    `update charging_order set status = 3, energy_dwh = $2, duration_s = $3, electricity_fen = $4::bigint, service_fen = $5::bigint, occupancy_fen = $6::bigint,
       total_fen = $4::bigint + $5::bigint + $6::bigint, paid_fen = $4::bigint + $5::bigint + $6::bigint - $7::bigint, gift_fen = $7::bigint, ended_at = $8, settled_at = now() where id = $1`,
    [order?.id, 10_000 + count * 7, 1800 + count * 13, ...fen, gift, noonAgo(charge.daysAgo)],
  )
}

type Paid = { organiseId: string; agentId: string; siteId: string; memberId: string; daysAgo: number }
/** A recharge that was paid on a day, asked for a minute before. */
export async function paidRecharge(api: TestApi, at: Paid, provider: 1 | 2, amount: number, gift = 0): Promise<string> {
  const [recharge] = await api.sql<{ id: string }>(
    `insert into recharge_order (id, organise_id, agent_id, site_id, target, member_id, provider, amount_fen, gift_fen, status, created_at, paid_at)
     values (app.message_id($1::timestamptz - interval '1 minute') | $2, $3, $4, $5, 1, $6, $7, $8, $9, 2, $1::timestamptz - interval '1 minute', $1) returning id`,
    [noonAgo(at.daysAgo), ++made, at.organiseId, at.agentId, at.siteId, at.memberId, provider, amount, gift],
  )
  return recharge?.id ?? ''
}

/**
 * Charges of the last days and of the last month at two sites of one organisation, each below another agent, of two models
 * of devices, and some of another organisation.
 */
export async function makeCharges(api: TestApi, world: World, models: Models) {
  const { green, swift } = world
  const [upper] = await api.sql<{ id: string }>(
    "insert into site (organise_id, agent_id, name) values ($1, $2, '上级站点') returning id",
    [green.id, green.agentId],
  )
  const upperSiteId = upper?.id ?? ''
  const own = { organiseId: green.id, agentId: green.subAgentId, siteId: green.siteId }
  const above = { organiseId: green.id, agentId: green.agentId, siteId: upperSiteId }
  const other = { organiseId: swift.id, agentId: swift.subAgentId, siteId: swift.siteId }
  const devices = [
    await makeDevice(api, { ...own, typeId: models.dny }),
    await makeDevice(api, { ...own, typeId: models.mqtt }),
    await makeDevice(api, { ...above, typeId: models.dny }),
    await makeDevice(api, { ...other, typeId: models.mqtt }),
    // At no site yet.
    await makeDevice(api, { organiseId: green.id, typeId: models.dny }),
  ]
  for (const [place, device] of devices.entries()) {
    for (const daysAgo of [0, 1, 1, 3, 35]) {
      await billedCharge(api, device, { daysAgo, fen: [100 + place, 50 + daysAgo, place], gift: place * 3 })
    }
    await billedCharge(api, device, { daysAgo: 1 })
  }
  return { upperSiteId }
}
