import { orderStatus, startMode } from '@wattdeck/contract/order/order-codes.ts'
import { orderColumns, type OrderRow, payerText } from '@wattdeck/contract/order/order-row.ts'
import { durationText, energyText, wattText } from '@wattdeck/domain/tariff/labels.ts'
import type { Cell } from '../../../kit/bulk/sheets/cell.ts'

const money = (decimal: string): Cell => ({ decimal })
type Key = keyof typeof orderColumns

/** Columns that a file does not hold as the row has them. */
const worded: Partial<Record<Key, (row: OrderRow) => Cell>> = {
  status: (row) => orderStatus.show(row.status).label,
  startMode: (row) => startMode.show(row.startMode).label,
  member: (row) => payerText(row) || null,
  duration: (row) => (row.durationS === null ? null : durationText(row.durationS)),
  energy: (row) => (row.energyDwh === null ? null : { decimal: energyText(row.energyDwh) }),
  peakPower: (row) => (row.peakPowerDw === null ? null : wattText(row.peakPowerDw)),
  electricity: (row) => money(row.electricity),
  service: (row) => money(row.service),
  occupancy: (row) => money(row.occupancy),
  total: (row) => money(row.total),
  paid: (row) => money(row.paid),
  gift: (row) => money(row.gift),
  refunded: (row) => money(row.refunded),
}
const plain = (key: Key) => (row: OrderRow) => row[key as keyof OrderRow] as Cell

/** What a file of orders holds, the same for each of their lists. */
export const orderCells = Object.fromEntries(
  Object.entries(orderColumns).map(([key, title]) => [key, { title, of: worded[key as Key] ?? plain(key as Key) }]),
)
