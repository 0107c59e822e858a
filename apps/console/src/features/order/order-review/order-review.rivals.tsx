import { orderStatus } from '@wattdeck/contract/order/order-codes.ts'
import type { ReviewOrder } from '@wattdeck/contract/order/order-review.ts'
import * as shown from '../_shared/order-cells.tsx'

/** Competing bills of the same charge, with their figures and status. */
export function Rivals({ rivals }: Pick<ReviewOrder, 'rivals'>) {
  return rivals.map(({ id, status, energyDwh, total }) => (
    <div key={id} className="meta">
      另一账单：{shown.orderNo(id)}，电量 {shown.energy(energyDwh)} kWh，{shown.yuan(total)}，
      {orderStatus.show(status).label}
    </div>
  ))
}
