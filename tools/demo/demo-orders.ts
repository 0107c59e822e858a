import { chargeLimit, orderStatus } from '@wattdeck/contract/order/order-codes.ts'
import { billText } from '@wattdeck/domain/tariff/bill-json.ts'
import type pg from 'pg'
import { randomOf } from '../../apps/simulator/src/faults.ts'
import { addTrail } from './demo-order-trail.ts'
import type { Order } from './demo-order-ends.ts'
import { type Brand, planOrders } from './demo-order-plan.ts'
import { type Member, readMembers, readPorts } from './demo-order-fixture.ts'
import { type Ledger, postAll } from './demo-wallets.ts'

/** A month of charges, priced by the product's own function and posted through its ledger functions. */
const brands = [
  { organise: 2, perDay: 9, open: 8 },
  { organise: 3, perDay: 4, open: 4 },
  { organise: 4, perDay: 2, open: 2 },
]
const days = 30

/** Adds them where no order exists yet, all or none. */
export async function addDemoOrders(client: pg.Client, more: readonly Brand[]): Promise<void> {
  const { rowCount } = await client.query('select from charging_order where device_id < 1000 limit 1')
  if (rowCount !== 0) return
  await client.query('begin')
  try {
    await addOrders(client, [...brands, ...more])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

async function addOrders(client: pg.Client, all: readonly Brand[]): Promise<void> {
  const organises = all.map(({ organise }) => organise)
  const ledger: Ledger = []
  const [ports, members] = [await readPorts(client, organises), await readMembers(client, organises, ledger)]
  const nowMs = Date.now()
  const fixture = { ports, members, ledger, random: randomOf(20_261_115), nowMs }
  const orders = planOrders(fixture, all, await oldest(client))
  const rows = JSON.stringify(orders.map(rowOf))
  await client.query(insertOrders, [rows])
  await client.query(insertSamples, [JSON.stringify(orders.flatMap(samplesOf))])
  const open = orders.filter(({ status }) => status === orderStatus.code.charging)
  await client.query(takePorts, [JSON.stringify(open.map(openOf))])
  await client.query(showPorts)
  await postAll(client, ledger)
  await client.query(countMoney, [JSON.stringify(membersWithMoney(members, orders))])
  await addTrail(client, orders)
}

/** Orders are partitioned by month, and the previous month is the oldest partition. */
async function oldest(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ ms: number }>(
    `select extract(epoch from greatest(now() - make_interval(days => $1),
       (date_trunc('month', now() at time zone 'Asia/Shanghai') - interval '1 month') at time zone 'Asia/Shanghai'))::float8 * 1000 as ms`,
    [days],
  )
  return rows[0]?.ms ?? 0
}

const limitOf = ({ limit }: Order): [number, number] => {
  if (limit.by === 'money') return [chargeLimit.code.money, limit.fen]
  if (limit.by === 'minutes') return [chargeLimit.code.minutes, limit.minutes]
  return limit.by === 'energy' ? [chargeLimit.code.energy, limit.energyDwh] : [chargeLimit.code.full, 0]
}

function rowOf(order: Order) {
  const { id, port, startMs, status, held, paid, charged, bill } = order
  const { released, charging } = orderStatus.code
  const [limitBy, limitValue] = limitOf(order)
  const ended = status === charging ? undefined : charged?.usage
  return {
    id,
    ...port.place,
    device: port.deviceId,
    port: port.portNo,
    no: port.deviceNo,
    type: port.typeId,
    member: order.memberId,
    mode: order.mode,
    version: port.versionId,
    billing: port.rules.billingType,
    status,
    limitBy,
    limitValue,
    heldPaid: held.paidFen.toString(),
    heldGift: held.giftFen.toString(),
    // As soon as the device has accepted.
    started: status === released ? null : startMs / 1000,
    ended: ended === undefined ? null : ended.endMs / 1000,
    duration: ended?.durationS ?? null,
    energy: ended?.energyDwh ?? null,
    peak: ended?.peakPowerDw ?? null,
    stop: order.stop,
    electricity: (bill?.electricityFen ?? 0n).toString(),
    service: (bill?.serviceFen ?? 0n).toString(),
    occupancy: (bill?.occupancyFen ?? 0n).toString(),
    total: (bill?.totalFen ?? 0n).toString(),
    paid: paid.paidFen.toString(),
    gift: paid.giftFen.toString(),
    bill: bill === undefined ? null : (JSON.parse(billText(bill)) as object),
    settlement: order.said ?? null,
    reasons: order.reasons ?? null,
    by: order.decided?.by ?? null,
    why: order.decided?.why ?? null,
    settled: order.settledMs === null ? null : order.settledMs / 1000,
  }
}

const samplesOf = ({ id, port, charged }: Order) =>
  (charged?.usage.samples ?? []).map(({ atMs, energyDwh, powerDw }) => ({
    id,
    ...port.place,
    at: atMs / 1000,
    energy: energyDwh,
    power: powerDw,
  }))

const openOf = ({ id, port, charged }: Order) => ({
  id,
  ...port.place,
  device: port.deviceId,
  port: port.portNo,
  end: (port.sinceMs + (port.rules.maxMinutes + 30) * 60_000) / 1000,
  energy: charged?.usage.energyDwh,
  duration: charged?.usage.durationS,
  power: charged?.usage.samples?.at(-1)?.powerDw,
  peak: charged?.usage.peakPowerDw,
})

function membersWithMoney(members: readonly Member[], orders: readonly Order[]) {
  const billed = Map.groupBy(
    orders.filter(({ bill }) => bill !== undefined),
    ({ memberId }) => memberId,
  )
  return members.map(({ id, wallet }) => {
    const own = billed.get(id) ?? []
    const last = own.reduce((latest, { settledMs }) => Math.max(latest, settledMs ?? 0), 0)
    const consumed = own.reduce((sum, { bill }) => sum + (bill?.totalFen ?? 0n), 0n)
    return {
      id,
      consumed: consumed.toString(),
      recharged: wallet.rechargedFen.toString(),
      last: last === 0 ? null : last / 1000,
    }
  })
}

const insertOrders = `
  insert into charging_order (id, organise_id, agent_id, site_id, device_id, port_no, device_no, device_type_id, wire_no, member_id, start_mode,
    tariff_version_id, billing_type, status, limit_by, limit_value, held_paid_fen, held_gift_fen, started_at, ended_at, duration_s, energy_dwh,
    peak_power_dw, stop_reason, electricity_fen, service_fen, occupancy_fen, total_fen, paid_fen, gift_fen, bill, settlement, review_reasons,
    decided_by, decision, settled_at)
  select id, "organiseId", "agentId", "siteId", device, port, no, type, id::text, member, mode, version, billing, status, "limitBy", "limitValue",
    "heldPaid", "heldGift", to_timestamp(started), to_timestamp(ended), duration, energy, peak, stop, electricity, service, occupancy, total,
    paid, gift, bill, settlement, reasons, by, why, to_timestamp(settled)
  from jsonb_to_recordset($1::jsonb) as demo (id bigint, "organiseId" bigint, "agentId" bigint, "siteId" bigint, device bigint, port smallint, no text,
    type bigint, member bigint, mode smallint, version bigint, billing smallint, status smallint, "limitBy" smallint, "limitValue" int,
    "heldPaid" bigint, "heldGift" bigint, started float8, ended float8, duration int, energy int, peak int, stop text, electricity bigint,
    service bigint, occupancy bigint, total bigint, paid bigint, gift bigint, bill jsonb, settlement jsonb, reasons text[], by text, why text,
    settled float8)`

const insertSamples = `
  insert into charge_sample (order_id, at, organise_id, agent_id, site_id, energy_dwh, power_dw)
  select id, to_timestamp(at), "organiseId", "agentId", "siteId", energy, power
  from jsonb_to_recordset($1::jsonb) as demo (id bigint, at float8, "organiseId" bigint, "agentId" bigint, "siteId" bigint, energy int, power int)`

const takePorts = `
  insert into open_charge (device_id, port_no, order_id, organise_id, agent_id, site_id, wire_no, end_by, reported_at, energy_dwh, duration_s, power_dw, peak_power_dw)
  select device, port, id, "organiseId", "agentId", "siteId", id::text, to_timestamp("end"), now() - interval '40 seconds', energy, duration, power, peak
  from jsonb_to_recordset($1::jsonb) as demo (id bigint, "organiseId" bigint, "agentId" bigint, "siteId" bigint, device bigint, port smallint,
    "end" float8, energy int, duration int, power int, peak int)`

/** A port shows its current charge. */
const showPorts = `
  update port set order_no = open.wire_no, power_dw = open.power_dw, energy_wh = open.energy_dwh / 10, minutes = open.duration_s / 60
  from open_charge open where open.device_id = port.device_id and open.port_no = port.port_no and port.device_id < 1000`

const countMoney = `
  update member set consumed_fen = consumed_fen + demo.consumed, recharged_fen = recharged_fen + demo.recharged,
    last_consumed_at = coalesce(to_timestamp(demo.last), last_consumed_at)
  from jsonb_to_recordset($1::jsonb) as demo (id bigint, consumed bigint, recharged bigint, last float8) where member.id = demo.id`
