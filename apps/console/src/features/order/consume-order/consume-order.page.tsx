import { PoweroffOutlined } from '@ant-design/icons'
import { consumeOrder } from '@wattdeck/contract/order/consume-order.ts'
import { orderStatus } from '@wattdeck/contract/order/order-codes.ts'
import { orderColumns } from '@wattdeck/contract/order/order-row.ts'
import { Button } from 'antd'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { Can } from '../../../kit/api/Can.tsx'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'
import { useUser } from '../../../kit/api/user.ts'
import { detailPath } from '../_shared/order-cells.tsx'
import { orderTableColumns } from '../_shared/order-columns.tsx'
import { useOrderFilters } from '../_shared/order-filters.ts'
import { OrderListPage } from '../_shared/OrderListPage.tsx'
import { useAskRefund } from '../_shared/use-ask-refund.tsx'

const StartDialog = lazyPart(async () => (await import('./consume-order.start-dialog.tsx')).StartDialog)

export default function ConsumeOrderPage() {
  const user = useUser()
  const navigate = useNavigate()
  const [starting, setStarting] = useState(false)
  useReturnFocus(starting)
  const refund = useAskRefund()
  const filters = useOrderFilters<QueryOf<typeof consumeOrder.list>>([
    { kind: 'select', name: 'status', label: '状态', options: orderStatus.options },
  ])
  return (
    <>
      <OrderListPage
        title="消费订单"
        listKey="consume-order"
        liveKey="order"
        route={consumeOrder.list}
        totalsRoute={consumeOrder.totals}
        columns={orderTableColumns(user)}
        filters={filters}
        exporting={{ route: consumeOrder.exportList, keys: Object.keys(orderColumns) }}
        rowActions={(row) => [{ label: '详情', onClick: () => void navigate(detailPath(row.id)) }, refund.action(row)]}
        actions={
          <Can route={consumeOrder.start}>
            <Button type="primary" icon={<PoweroffOutlined />} data-shortcut="n" onClick={() => setStarting(true)}>
              远程启动
            </Button>
          </Can>
        }
      />
      {refund.dialog}
      {starting && <StartDialog onClose={() => setStarting(false)} />}
    </>
  )
}
