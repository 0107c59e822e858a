import { completedOrder } from '@wattdeck/contract/order/completed-order.ts'
import { orderColumns } from '@wattdeck/contract/order/order-row.ts'
import { useNavigate } from 'react-router'
import { useUser } from '../../kit/api/user.ts'
import { detailPath } from './_shared/order-cells.tsx'
import { orderTableColumns } from './_shared/order-columns.tsx'
import { useOrderFilters } from './_shared/order-filters.ts'
import { OrderListPage } from './_shared/OrderListPage.tsx'
import { useAskRefund } from './_shared/use-ask-refund.tsx'

export default function CompletedOrderPage() {
  const user = useUser()
  const navigate = useNavigate()
  const refund = useAskRefund()
  return (
    <>
      <OrderListPage
        title="已完成订单"
        listKey="completed-order"
        liveKey="order"
        route={completedOrder.list}
        totalsRoute={completedOrder.totals}
        columns={orderTableColumns(user)}
        filters={useOrderFilters()}
        exporting={{ route: completedOrder.exportList, keys: Object.keys(orderColumns) }}
        rowActions={(row) => [{ label: '详情', onClick: () => void navigate(detailPath(row.id)) }, refund.action(row)]}
      />
      {refund.dialog}
    </>
  )
}
