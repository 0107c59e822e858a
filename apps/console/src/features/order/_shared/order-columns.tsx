import type { orderFields, OrderRow } from '@wattdeck/contract/order/order-row.ts'
import type { ColumnChanges } from '../../../kit/crud/field-columns.tsx'
import * as shown from './order-cells.tsx'

const end = { align: 'end' } as const

/** What every page of orders changes of the columns that the contract declares. */
export const orderColumns: ColumnChanges<OrderRow, keyof typeof orderFields> = {
  duration: end,
  energy: end,
  peakPower: end,
  refunded: { render: shown.refunded },
}
