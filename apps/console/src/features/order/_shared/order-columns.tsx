import type { orderFields, OrderRow } from '@wattdeck/contract/order/order-row.ts'
import type { ColumnChanges } from '../../../kit/crud/field-columns.tsx'
import * as shown from './order-cells.tsx'

const end = { align: 'end' } as const

/** Changes to the declared columns of the contract for every order page. */
export const orderColumns: ColumnChanges<OrderRow, keyof typeof orderFields> = {
  duration: end,
  energy: end,
  peakPower: end,
  refunded: { render: shown.refunded },
}
