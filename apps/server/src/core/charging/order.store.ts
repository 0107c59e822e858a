import { orderFlow, orderStatus } from '@wattdeck/contract/order/order-codes.ts'
import { type Benefit, discountFen } from '@wattdeck/domain/tariff/benefit.ts'
import type { Bill } from '@wattdeck/domain/tariff/bill.ts'
import { billText } from '@wattdeck/domain/tariff/bill-json.ts'
import type { TariffRules } from '@wattdeck/domain/tariff/rules.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'
import type { PortCondition } from '../devices/port-problem.ts'
import { mayHaveBlocks } from './member-block.store.ts'

type Action = Parameters<typeof orderFlow.from>[0]

/** A port with all data that a start depends on. */
export type Startable = PortCondition & {
  deviceId: string
  organiseId: string
  agentId: string | null
  siteId: string | null
  deviceNo: string
  deviceTypeId: string
  adapter: string
  wireId: string
  ratedW: number
  versionId: string | null
  rules: TariffRules | null
  /** Whether the organisation may bar people from charging. */
  hasBlocks: boolean
}

/** Ports share the power of the device: one port gets at most the full power, and at most twice its equal share. */
const portRatedWatts = sql`least(device_type.rated_w, ceil(2.0 * device_type.rated_w / device_type.port_count))::int`

export async function findStartable(db: Db, deviceId: string, portNo: number) {
  const { rows } = await sql<Startable>`
    select device.id as "deviceId", device.organise_id as "organiseId", device.agent_id as "agentId", device.site_id as "siteId",
      device.device_no as "deviceNo", device.device_type_id as "deviceTypeId", device.adapter, device.wire_id as "wireId", device.online,
      device.status, port.status as "portStatus", port.enabled as "portEnabled",
      device.line_confirmed_at is not null as "isConfirmed", ${portRatedWatts} as "ratedW",
      version.id as "versionId", version.rules, ${mayHaveBlocks('device.organise_id')} as "hasBlocks"
    from device join port on port.device_id = device.id and port.port_no <= device.port_count
    join device_type on device_type.id = device.device_type_id
    left join tariff_version version on version.id = app.version_in_force(${deviceId})
    where device.id = ${deviceId} and device.deleted_at is null and port.port_no = ${portNo}`.execute(db)
  return rows[0]
}

export const newOrderId = async (db: Db): Promise<string> => {
  const { rows } = await sql<{ id: string }>`select app.order_id()::text as id`.execute(db)
  return rows[0]?.id ?? ''
}

export type NewOrder = {
  id: string
  port: Pick<
    Startable,
    'deviceId' | 'organiseId' | 'agentId' | 'siteId' | 'deviceNo' | 'deviceTypeId' | 'versionId' | 'rules'
  >
  portNo: number
  wireNo: string
  memberId: string | null
  /** For a charge by card: the paying card, and its printed number or the number from the reader. */
  cardId?: string | null | undefined
  cardNo?: string | null | undefined
  startMode: number
  limit: { by: number; value: number }
  held: { paidFen: bigint; giftFen: bigint }
  /** What lowers the price, as granted at the start. */
  benefits?: readonly Benefit[] | undefined
  commandId: string | null
  /** For a charge that began without the platform and is already running. */
  startedAtMs?: number | undefined
}

export async function addOrder(db: Db, order: NewOrder): Promise<void> {
  const { id, port, portNo, wireNo, limit, held, benefits = [], commandId, startedAtMs } = order
  const started = startedAtMs === undefined ? null : startedAtMs / 1000
  const { starting, charging } = orderStatus.code
  await sql`insert into charging_order (id, organise_id, agent_id, site_id, device_id, port_no, device_no, device_type_id, wire_no, member_id, card_id, card_no,
      start_mode, tariff_version_id, billing_type, status, limit_by, limit_value, held_paid_fen, held_gift_fen, benefits, command_id, started_at)
    values (${id}, ${port.organiseId}, ${port.agentId}, ${port.siteId}, ${port.deviceId}, ${portNo}, ${port.deviceNo}, ${port.deviceTypeId}, ${wireNo},
      ${order.memberId}, ${order.cardId ?? null}, ${order.cardNo ?? null}, ${order.startMode}, ${port.versionId}, ${port.rules?.billingType ?? 0},
      ${started === null ? starting : charging}, ${limit.by}, ${limit.value}, ${held.paidFen}, ${held.giftFen},
      ${benefits.length === 0 ? null : JSON.stringify(benefits)}::jsonb, ${commandId}, to_timestamp(${started}))`.execute(
    db,
  )
}

/** Records the stop command that was sent to the device. */
export async function recordStop(db: Db, id: string, commandId: string): Promise<void> {
  await sql`update charging_order set stop_command_id = ${commandId} where id = ${id}`.execute(db)
}

const stopPauseS = 60

/** Whether a stop is pending or ended less than a minute ago. A port that continues after that gets another stop. */
export async function isStopping(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`select from charging_order o join device_command stop on stop.id = o.stop_command_id
    where o.id = ${id} and (stop.ended_at is null or stop.ended_at > now() - make_interval(secs => ${stopPauseS}))`.execute(
    db,
  )
  return rows.length > 0
}

/** An order with the tariff rules of its start, locked until the transaction ends. */
export type LockedOrder = {
  id: string
  atMs: number
  organiseId: string
  agentId: string | null
  siteId: string | null
  deviceId: string
  portNo: number
  wireNo: string
  adapter: string
  ratedW: number
  memberId: string | null
  cardId: string | null
  status: number
  limitBy: number
  limitValue: number
  heldPaidFen: bigint
  heldGiftFen: bigint
  benefits: readonly Benefit[]
  startedMs: number | null
  endedMs: number | null
  settlement: unknown
  reviewReasons: string[] | null
  rules: TariffRules | null
  /** Whether the order still occupies its port. */
  open: boolean
  reportedMs: number | null
  reportedDwh: number | null
  reportedS: number | null
  peakPowerDw: number | null
  doubts: string[]
  contestedMs: number | null
}
type Row = Omit<LockedOrder, 'heldPaidFen' | 'heldGiftFen'> & { heldPaidFen: string; heldGiftFen: string }

export const lockOrder = (db: Db, id: string): Promise<LockedOrder | undefined> => orderBy(db, id, sql`for update of o`)

/** Reads the order without a lock, for display only: it may change before a decision. */
export const peekOrder = (db: Db, id: string): Promise<LockedOrder | undefined> => orderBy(db, id, sql``)

async function orderBy(db: Db, id: string, lock: RawBuilder<unknown>): Promise<LockedOrder | undefined> {
  const ms = (column: string) => sql.raw(`(extract(epoch from ${column}) * 1000)::float8`)
  const { rows } = await sql<Row>`
    select o.id, ${ms('app.message_time(o.id)')} as "atMs", o.organise_id as "organiseId", o.agent_id as "agentId", o.site_id as "siteId",
      o.device_id as "deviceId", o.port_no as "portNo", o.wire_no as "wireNo", coalesce(device.adapter, '') as adapter, ${portRatedWatts} as "ratedW",
      o.member_id as "memberId", case when o.card_id is not null then app.card_in_use(o.card_id) end as "cardId", o.status, o.limit_by as "limitBy", o.limit_value as "limitValue",
      o.held_paid_fen as "heldPaidFen", o.held_gift_fen as "heldGiftFen", coalesce(o.benefits, '[]') as benefits, ${ms('o.started_at')} as "startedMs", ${ms('o.ended_at')} as "endedMs",
      o.settlement, o.review_reasons as "reviewReasons", version.rules, open.order_id is not null as open, ${ms('open.reported_at')} as "reportedMs",
      open.energy_dwh as "reportedDwh", open.duration_s as "reportedS", coalesce(open.peak_power_dw, o.peak_power_dw) as "peakPowerDw",
      coalesce(open.doubts, '{}') as doubts, ${ms('state.contested_at')} as "contestedMs"
    from charging_order o
    -- It may be somebody else's by now; the order is not.
    left join device on device.id = o.device_id
    left join device_state state on state.device_id = o.device_id
    join device_type on device_type.id = o.device_type_id
    left join tariff_version version on version.id = o.tariff_version_id
    left join open_charge open on open.order_id = o.id
    where o.id = ${id} ${lock}`.execute(db)
  const [row] = rows
  return row && { ...row, heldPaidFen: BigInt(row.heldPaidFen), heldGiftFen: BigInt(row.heldGiftFen) }
}

/** Orders of late bills are searched this far back. */
export const lookBackDays = 45

/** The order that a device refers to: by its number, or else the open order at the port. */
export async function findOrder(db: Db, deviceId: string, reference: { wireNo?: string; portNo?: number }) {
  const { rows } = await sql<{ id: string }>`
    select order_id as id from open_charge where device_id = ${deviceId}
      and case when ${reference.wireNo ?? null}::text is null then port_no = ${reference.portNo ?? null} else wire_no = ${reference.wireNo ?? null} end
    union all
    select id from (select id from charging_order where device_id = ${deviceId} and wire_no = ${reference.wireNo ?? null}::text
      and id > app.message_id(now() - make_interval(days => ${lookBackDays})) order by id desc limit 1) past
    limit 1`.execute(db)
  return rows[0]?.id
}

/** The most readings that price one order. */
export const maxSamples = 20_000

export async function samplesOf(db: Db, orderId: string) {
  const { rows } = await sql<{ atMs: number; energyDwh: number; powerDw: number | null }>`
    select (extract(epoch from at) * 1000)::float8 as "atMs", energy_dwh as "energyDwh", power_dw as "powerDw"
    from charge_sample where order_id = ${orderId} order by at limit ${maxSamples}`.execute(db)
  return rows.map(({ powerDw, atMs, ...rest }) => ({ ...rest, atMs: Math.round(atMs), powerDw: powerDw ?? undefined }))
}

/** Whether another billed order of this port overlaps the given time. */
export async function overlapsAnother(db: Db, order: LockedOrder, startMs: number, endMs: number) {
  // Device clocks differ from the server clock by some seconds at both ends.
  const slackS = 60
  const { rows } = await sql<{ id: string }>`select id from charging_order
    where device_id = ${order.deviceId} and port_no = ${order.portNo} and id <> ${order.id} and status = ${orderStatus.code.billed}
      and wire_no <> ${order.wireNo}
      and id > app.message_id(now() - make_interval(days => ${lookBackDays}))
      and started_at + make_interval(secs => ${slackS}) < to_timestamp(${endMs / 1000})
      and ended_at - make_interval(secs => ${slackS}) > to_timestamp(${startMs / 1000}) limit 1`.execute(db)
  return rows.length > 0
}

const allowed = (action: Action) => sql`o.status = any(${orderFlow.from(action)}::smallint[])`

/** Records the start of the charge at the device. */
export async function confirmOrder(db: Db, id: string, atMs: number): Promise<boolean> {
  const { numAffectedRows } =
    await sql`update charging_order o set status = ${orderFlow.to('confirm')}, started_at = to_timestamp(${atMs / 1000})
    where id = ${id} and ${allowed('confirm')}`.execute(db)
  await sql`update open_charge set confirm_by = null where order_id = ${id}`.execute(db)
  return numAffectedRows === 1n
}

export type Measured = {
  startedMs: number
  endedMs: number
  durationS: number
  energyDwh: number
  peakPowerDw: number | null
}
type Billed = {
  measured: Measured
  bill: Bill
  /** The part of the discounts that others than the site bear. */
  subsidyFen: bigint
  paidFen: bigint
  giftFen: bigint
  held: { paidFen: bigint; giftFen: bigint }
  stopReason: string | null
  settlement: object | null
  decided?: { by: string; why: string } | undefined
}

export async function writeBill(db: Db, id: string, billed: Billed): Promise<boolean> {
  const { measured, bill, subsidyFen, paidFen, giftFen, held, decided } = billed
  const { numAffectedRows } = await sql`update charging_order o set status = ${orderFlow.to('bill')},
      started_at = to_timestamp(${measured.startedMs / 1000}), ended_at = to_timestamp(${measured.endedMs / 1000}), duration_s = ${measured.durationS},
      energy_dwh = ${measured.energyDwh}, peak_power_dw = ${measured.peakPowerDw}, stop_reason = ${billed.stopReason},
      electricity_fen = ${bill.electricityFen}, service_fen = ${bill.serviceFen}, occupancy_fen = ${bill.occupancyFen}, total_fen = ${bill.totalFen},
      paid_fen = ${paidFen}, gift_fen = ${giftFen}, discount_fen = ${discountFen(bill.discounts, 'price')}, coupon_fen = ${discountFen(bill.discounts, 'coupon')},
      pass_fen = ${discountFen(bill.discounts, 'pass')}, subsidy_fen = ${subsidyFen}, held_paid_fen = ${held.paidFen}, held_gift_fen = ${held.giftFen}, bill = ${billText(bill)}::jsonb,
      settlement = coalesce(${billed.settlement === null ? null : JSON.stringify(billed.settlement)}::jsonb, settlement),
      decided_by = ${decided?.by ?? null}, decision = ${decided?.why ?? null}, settled_at = now()
    where id = ${id} and ${allowed('bill')}`.execute(db)
  await freePort(db, id)
  return numAffectedRows === 1n
}

type Release = { reason: string; decided?: { by: string; why: string } | undefined }
export async function writeRelease(db: Db, id: string, { reason, decided }: Release) {
  const { numAffectedRows } =
    await sql`update charging_order o set status = ${orderFlow.to('release')}, held_paid_fen = 0, held_gift_fen = 0,
      stop_reason = coalesce(stop_reason, ${reason}), decided_by = ${decided?.by ?? null}, decision = ${decided?.why ?? null}, settled_at = now()
    where id = ${id} and ${allowed('release')}`.execute(db)
  await freePort(db, id)
  return numAffectedRows === 1n
}

type Doubted = {
  reasons: readonly string[]
  measured: Partial<Measured>
  stopReason: string | null
  settlement: object | null
}

/** Sends the order to review, with the reported data and the reasons for doubt. */
export async function writeDoubt(db: Db, id: string, { reasons, measured, stopReason, settlement }: Doubted) {
  const { startedMs, endedMs, durationS, energyDwh, peakPowerDw } = measured
  const seconds = (ms: number | undefined) => (ms === undefined ? null : ms / 1000)
  await sql`update charging_order o set status = ${orderFlow.to('doubt')}, review_reasons = ${reasons}, settled_at = null,
      started_at = coalesce(to_timestamp(${seconds(startedMs)}), started_at), ended_at = coalesce(to_timestamp(${seconds(endedMs)}), ended_at),
      duration_s = coalesce(${durationS ?? null}::int, duration_s), energy_dwh = coalesce(${energyDwh ?? null}::int, energy_dwh),
      peak_power_dw = coalesce(${peakPowerDw ?? null}::int, peak_power_dw), stop_reason = coalesce(${stopReason}, stop_reason),
      settlement = coalesce(${settlement === null ? null : JSON.stringify(settlement)}::jsonb, settlement)
    where id = ${id} and ${allowed('doubt')}`.execute(db)
  await freePort(db, id)
}

/** Postpones the next step of an open charge with exponential back-off, at most one minute. */
export async function postponeStep(db: Db, id: string): Promise<void> {
  await sql`
    update open_charge
    set tries = least(tries + 1, 30), retry_at = now() + make_interval(secs => least(60, 2 ^ tries))
    where order_id = ${id}`.execute(db)
}

const freePort = async (db: Db, id: string) => {
  await sql`delete from open_charge where order_id = ${id}`.execute(db)
}

/** Updates the consumption figures that member lists show. */
export async function countConsumption(db: Db, order: LockedOrder, fen: bigint): Promise<void> {
  const { memberId, agentId, siteId } = order
  // A member without a site is assigned to the site of the first charge.
  await sql`update member set consumed_fen = consumed_fen + ${fen}, last_consumed_at = now(),
      agent_id = case when site_id is null then ${agentId} else agent_id end, site_id = coalesce(site_id, ${siteId})
    where id = ${memberId}`.execute(db)
}
