import type { OrderRow } from '@wattdeck/contract/order/order-row.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { sql } from 'kysely'
import { endText } from '../../../core/charging/order-labels.ts'
import { ownerNames } from '../../../kit/db/ownership.ts'

/** What every list of orders shows. As sub-selects: only the rows of the page are looked up. */
export const orderColumns = [
  'charging_order.id',
  'charging_order.member_id as memberId',
  sql<string | null>`(app.order_payer(charging_order.member_id)).nickname`.as('memberName'),
  sql<string | null>`(app.order_payer(charging_order.member_id)).phone`.as('memberPhone'),
  'charging_order.card_no as cardNo',
  ...ownerNames('charging_order'),
  'charging_order.device_id as deviceId',
  'charging_order.device_no as deviceNo',
  sql<string | null>`(select name from device where device.id = charging_order.device_id)`.as('deviceName'),
  'charging_order.port_no as portNo',
  sql<string>`(select name from device_type where device_type.id = charging_order.device_type_id)`.as('typeName'),
  sql<OrderRow['startMode']>`charging_order.start_mode`.as('startMode'),
  sql<string | null>`(app.order_tariff(charging_order.tariff_version_id)).name`.as('tariffName'),
  sql<OrderRow['status']>`charging_order.status`.as('status'),
  sql<string>`app.message_time(charging_order.id)`.as('createdAt'),
  'charging_order.started_at as startedAt',
  'charging_order.ended_at as endedAt',
  'charging_order.duration_s as durationS',
  'charging_order.energy_dwh as energyDwh',
  'charging_order.peak_power_dw as peakPowerDw',
  'charging_order.electricity_fen as electricityFen',
  'charging_order.service_fen as serviceFen',
  'charging_order.occupancy_fen as occupancyFen',
  'charging_order.total_fen as totalFen',
  'charging_order.paid_fen as paidFen',
  'charging_order.gift_fen as giftFen',
  'charging_order.refunded_fen as refundedFen',
  'charging_order.stop_reason as reason',
] as const

type Amounts = {
  electricityFen: string
  serviceFen: string
  occupancyFen: string
  totalFen: string
  paidFen: string
  giftFen: string
  refundedFen: string
}
type Raw = Amounts & { status: number; reason: string | null; durationS: number | null }

export const yuan = (fen: string) => yuanText(BigInt(fen))

/** A row of the database as it leaves: amounts as yuan, the reason in words. */
export function shownOrder<R extends Raw>(row: R) {
  const { electricityFen, serviceFen, occupancyFen, totalFen, paidFen, giftFen, refundedFen, reason, ...rest } = row
  return {
    ...rest,
    electricity: yuan(electricityFen),
    service: yuan(serviceFen),
    occupancy: yuan(occupancyFen),
    total: yuan(totalFen),
    paid: yuan(paidFen),
    gift: yuan(giftFen),
    refunded: yuan(refundedFen),
    stopReason: endText(row.status, reason, row.durationS !== null),
  }
}
