import { completedOrder, completedOrderList } from '@wattdeck/contract/order/completed-order.ts'
import { useNavigate } from 'react-router'
import { useDayPresets } from '../../kit/list/views/presets.ts'
import { useFieldList } from '../../kit/crud/use-field-list.ts'
import { orderPath } from '../../kit/objects/object-types.ts'
import { orderColumns } from './_shared/order-columns.tsx'
import { useOrderFilters } from './_shared/order-filters.ts'
import { OrderListPage } from './_shared/OrderListPage.tsx'
import { useAskRefund } from './_shared/use-ask-refund.tsx'

export default function CompletedOrderPage() {
  const list = useFieldList(completedOrderList, { listKey: 'completed-order', liveKey: 'order', columns: orderColumns })
  const navigate = useNavigate()
  const refund = useAskRefund()
  return (
    <>
      <OrderListPage
        {...list}
        presets={useDayPresets('近7天')}
        totalsRoute={completedOrder.totals}
        filters={useOrderFilters(list.filters)}
        rowActions={(row) => [{ label: '详情', onClick: () => void navigate(orderPath(row.id)) }, refund.action(row)]}
      />
      {refund.dialog}
    </>
  )
}
