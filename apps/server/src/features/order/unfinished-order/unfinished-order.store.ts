import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { chargeLimit, orderStatus } from '@wattdeck/contract/order/order-codes.ts'
import { type OpenOrder, openMark, type unfinishedOrder } from '@wattdeck/contract/order/unfinished-order.ts'
import { plugStatus } from '@wattdeck/contract/product/device-codes.ts'
import { type RawBuilder, sql } from 'kysely'
import { graceS } from '../../../core/charging/taken-port.store.ts'
import type { Db } from '../../../kit/db/db.ts'
import { byId, pageOf, type Paging } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { orderColumns, shownOrder, yuan } from '../_shared/order-columns.ts'
import { lookUp, ordersMatching } from '../_shared/order-filter.ts'

const { minutes, energy } = chargeLimit.code

/** By what was asked for, where that says when; otherwise when it must end at the latest. */
const expectedEnd = sql<string | null>`case
  when charging_order.limit_by = ${sql.lit(minutes)} then charging_order.started_at + make_interval(mins => charging_order.limit_value)
  when charging_order.limit_by = ${sql.lit(energy)} and open_charge.power_dw > 0 then open_charge.reported_at
    + make_interval(secs => greatest(0, charging_order.limit_value - coalesce(open_charge.energy_dwh, 0)) * 3600.0 / open_charge.power_dw)
  else open_charge.end_by - make_interval(secs => ${sql.lit(graceS)}) end`

/** So long a device may take to say that it has ended, and to send its bill. */
const patience = sql`interval '5 minutes'`

const conditions: Record<OpenOrder['marks'][number], RawBuilder<boolean>> = {
  offline: sql<boolean>`not coalesce(device.online, false)`,
  overdue: sql<boolean>`coalesce(${expectedEnd} + ${patience} < now(), false)`,
  // The port works no longer, and no bill has come.
  noBill: sql<boolean>`(charging_order.status = ${sql.lit(orderStatus.code.charging)} and device.online
    and port.status <> ${sql.lit(plugStatus.code.working)}
    and coalesce(open_charge.reported_at, charging_order.started_at) < now() - ${patience})`,
}
const marks = sql<OpenOrder['marks']>`array_remove(array[${sql.join(
  openMark.options.map(({ value }) => sql`case when ${conditions[value]} then ${sql.lit(value)} end`),
)}], null)`

type Filter = QueryOf<typeof unfinishedOrder.list>

/** Written out, because an index of its own serves it. */
const isOpen = sql<boolean>`charging_order.status in (1, 2)`

export async function listOpenOrders(db: Db, scope: Scope, filter: Filter & Paging) {
  const known = await lookUp(db, scope, filter)
  const matching = ordersMatching(db, scope, filter, known, [isOpen])
    .leftJoin('open_charge', 'open_charge.order_id', 'charging_order.id')
    .leftJoin('device', 'device.id', 'charging_order.device_id')
    .leftJoin('port', (join) =>
      join
        .onRef('port.device_id', '=', 'charging_order.device_id')
        .onRef('port.port_no', '=', 'charging_order.port_no'),
    )
    .$if(filter.mark !== undefined, (query) => query.where(conditions[filter.mark ?? 'offline']))
  const found = await pageOf(db, matching, filter, {
    key: byId('charging_order.id'),
    columns: (query) =>
      query
        .select(orderColumns)
        .select([
          sql<string>`charging_order.held_paid_fen + charging_order.held_gift_fen`.as('heldFen'),
          'open_charge.power_dw as powerDw',
          'open_charge.reported_at as reportedAt',
          'open_charge.duration_s as reportedS',
          'open_charge.energy_dwh as reportedDwh',
          'open_charge.peak_power_dw as reportedPeakDw',
          expectedEnd.as('expectedEndAt'),
          marks.as('marks'),
        ]),
  })
  const rows = found.rows.map(({ heldFen, reportedS, reportedDwh, reportedPeakDw, ...row }) => ({
    ...shownOrder(row),
    durationS: row.durationS ?? reportedS,
    energyDwh: row.energyDwh ?? reportedDwh,
    peakPowerDw: row.peakPowerDw ?? reportedPeakDw,
    held: yuan(heldFen),
  }))
  return { ...found, rows: rows as OpenOrder[] }
}

/** Whether the device is there and tells of this charge. */
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
