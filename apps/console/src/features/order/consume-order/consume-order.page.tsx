import { PoweroffOutlined } from '@ant-design/icons'
import { consumeOrder, consumeOrderList } from '@wattdeck/contract/order/consume-order.ts'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { MainButton } from '../../../kit/crud/MainButton.tsx'
import { useDayPresets } from '../../../kit/list/views/presets.ts'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'
import { orderPath } from '../../../kit/objects/object-types.ts'
import { orderColumns } from '../_shared/order-columns.tsx'
import { useOrderFilters } from '../_shared/order-filters.ts'
import { OrderListPage } from '../_shared/OrderListPage.tsx'
import { useAskRefund } from '../_shared/use-ask-refund.tsx'

const StartDialog = lazyPart(async () => (await import('./consume-order.start-dialog.tsx')).StartDialog)

export default function ConsumeOrderPage() {
  const list = useFieldList(consumeOrderList, { listKey: 'consume-order', liveKey: 'order', columns: orderColumns })
  const navigate = useNavigate()
  const [starting, setStarting] = useState(false)
  useReturnFocus(starting)
  const refund = useAskRefund()
  return (
    <>
      <OrderListPage
        {...list}
        presets={useDayPresets('近7天')}
        totalsRoute={consumeOrder.totals}
        filters={useOrderFilters(list.filters)}
        rowActions={(row) => [{ label: '详情', onClick: () => void navigate(orderPath(row.id)) }, refund.action(row)]}
        actions={
          <MainButton
            route={consumeOrder.start}
            label="远程启动"
            icon={<PoweroffOutlined />}
            onClick={() => setStarting(true)}
          />
        }
      />
      {refund.dialog}
      {starting && <StartDialog onClose={() => setStarting(false)} />}
    </>
  )
}
