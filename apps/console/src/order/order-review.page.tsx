import { reviewReason } from '@wattdeck/contract/order/order-codes.ts'
import { orderReview, type ReviewOrder } from '@wattdeck/contract/order/order-review.ts'
import { orderColumns } from '@wattdeck/contract/order/order-row.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import * as cells from '../kit/cells.tsx'
import type { Column } from '../kit/columns.ts'
import { later } from '../kit/later.tsx'
import { useReturnFocus } from '../kit/use-return-focus.ts'
import { useUser } from '../kit/user.ts'
import * as shown from './order-cells.tsx'
import { orderTableColumns } from './order-columns.tsx'
import { useOrderFilters } from './order-filters.ts'
import { OrderListPage } from './OrderListPage.tsx'

const DecideDialog = later(async () => (await import('./order-review.decide-dialog.tsx')).DecideDialog)

const own: Column<ReviewOrder>[] = [
  {
    key: 'reviewReasons',
    title: '复核原因',
    width: 240,
    render: (row) => cells.names(row.reviewReasons.map((reason) => reviewReason.show(reason).label)),
  },
  { key: 'held', title: '预付金额', width: 100, align: 'end', render: (row) => shown.yuan(row.held) },
]

export default function OrderReviewPage() {
  const user = useUser()
  const navigate = useNavigate()
  const [deciding, setDeciding] = useState<ReviewOrder>()
  useReturnFocus(deciding !== undefined)
  return (
    <>
      <OrderListPage
        title="复核队列"
        listKey="order-review"
        liveKey="order"
        route={orderReview.list}
        columns={orderTableColumns(user, own)}
        filters={useOrderFilters<QueryOf<typeof orderReview.list>>([
          { kind: 'select', name: 'reason', label: '复核原因', options: reviewReason.options },
        ])}
        exporting={{ route: orderReview.exportList, keys: [...Object.keys(orderColumns), 'held', 'reviewReasons'] }}
        rowActions={(row) => [
          { label: '复核', route: orderReview.decide, onClick: () => setDeciding(row) },
          { label: '详情', onClick: () => void navigate(shown.detailPath(row.id)) },
        ]}
      />
      {deciding && <DecideDialog id={deciding.id} onClose={() => setDeciding(undefined)} />}
    </>
  )
}
