import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { chargeLimit, orderStatus } from '@wattdeck/contract/order/order-codes.ts'
import { type OpenOrder, openMark, type unfinishedOrder } from '@wattdeck/contract/order/unfinished-order.ts'
import { plugStatus } from '@wattdeck/contract/product/device-codes.ts'
import { sql } from 'kysely'
import { confirmS, graceS } from '../../../core/charging/occupied-port.store.ts'
import type { Db } from '../../../kit/db/db.ts'
import type { Condition, Source } from '../../../kit/db/list-query.ts'
import { orderSource } from '../_shared/order-source.ts'

const { minutes, energy } = chargeLimit.code

/** Computed from the limit where that determines the end; otherwise the latest possible end. */
const expectedEnd = sql`case
  when charging_order.limit_by = ${sql.lit(minutes)} then charging_order.started_at + make_interval(mins => charging_order.limit_value)
  when charging_order.limit_by = ${sql.lit(energy)} and open_charge.power_dw > 0 then open_charge.reported_at
    + make_interval(secs => greatest(0, charging_order.limit_value - coalesce(open_charge.energy_dwh, 0)) * 3600.0 / open_charge.power_dw)
  else open_charge.end_by - make_interval(secs => ${sql.lit(graceS)}) end`

/** Time that a device may take to report the end and to send its bill. */
const patience = sql`interval '5 minutes'`

const conditions: Record<OpenOrder['marks'][number], Condition> = {
  offline: sql<boolean>`not coalesce(device.online, false)`,
  overdue: sql<boolean>`coalesce(${expectedEnd} + ${patience} < now(), false)`,
  // The port has stopped working, and no bill has arrived.
  noBill: sql<boolean>`(charging_order.status = ${sql.lit(orderStatus.code.charging)} and device.online
    and port.status <> ${sql.lit(plugStatus.code.working)}
    and coalesce(open_charge.reported_at, charging_order.started_at) < now() - ${patience})`,
}
const marks = sql`array_remove(array[${sql.join(
  openMark.options.map(({ value }) => sql`case when ${conditions[value]} then ${sql.lit(value)} end`),
)}], null)`

const latest = (column: string) =>
  sql`coalesce(${sql.ref(`charging_order.${column}`)}, ${sql.ref(`open_charge.${column}`)})`

export const openSource: Source = {
  ...orderSource,
  computed: {
    ...orderSource.computed,
    durationS: latest('duration_s'),
    energyDwh: latest('energy_dwh'),
    peakPowerDw: latest('peak_power_dw'),
    powerDw: sql`open_charge.power_dw`,
    reportedAt: sql`open_charge.reported_at`,
    expectedEndAt: expectedEnd,
    marks,
  },
  // A literal instead of a parameter, so that the partial index applies.
  where: sql<boolean>`charging_order.status in (1, 2)`,
  joins: [
    { table: 'open_charge', kind: 'left', on: sql`open_charge.order_id = charging_order.id` },
    { table: 'device', kind: 'left', on: sql`device.id = charging_order.device_id` },
    {
      table: 'port',
      kind: 'left',
      on: sql`port.device_id = charging_order.device_id and port.port_no = charging_order.port_no`,
    },
  ],
  own: ({ mark }: QueryOf<typeof unfinishedOrder.list>) => (mark === undefined ? [] : [conditions[mark]]),
}

/** Whether the device is online and reports this charge. */
export async function isTalking(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql<{ talking: boolean }>`
    select device.online and open_charge.reported_at > now() - ${patience} as talking
    from open_charge join device on device.id = open_charge.device_id where open_charge.order_id = ${id}`.execute(db)
  return rows[0]?.talking === true
}

export async function isOnline(db: Db, deviceId: string): Promise<boolean> {
  const { rows } = await sql<{ online: boolean }>`select online from device where id = ${deviceId}`.execute(db)
  return rows[0]?.online === true
}

/** Facts about the start of an order. */
export type StartFacts = {
  commandStatus: number | null
  /** The time for the device to start has passed. */
  isOverdue: boolean
  /** The device has reported this charge. */
  isKnown: boolean
}

/**
 * Call it after locking the order. A separate statement locks the open charge, because device reports are written without the lock of the
 * order; the next statement sees the last committed report.
 */
export async function readStart(db: Db, id: string): Promise<StartFacts | undefined> {
  await sql`select from open_charge where order_id = ${id} for update`.execute(db)
  const { rows } = await sql<StartFacts>`
    select
      command.status as "commandStatus",
      coalesce(open.confirm_by, app.message_time(o.id) + make_interval(secs => ${confirmS})) <= now() as "isOverdue",
      open.reported_at is not null or coalesce(port.order_no = o.wire_no, false) as "isKnown"
    from charging_order o
    left join open_charge open on open.order_id = o.id
    left join device_command command on command.id = o.command_id
    left join port on port.device_id = o.device_id and port.port_no = o.port_no
    where o.id = ${id}`.execute(db)
  return rows[0]
}
