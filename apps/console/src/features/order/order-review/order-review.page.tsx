import { reviewReason } from '@wattdeck/contract/order/order-codes.ts'
import { orderReview, type ReviewOrder } from '@wattdeck/contract/order/order-review.ts'
import { orderColumns } from '@wattdeck/contract/order/order-row.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'
import { useUser } from '../../../kit/api/user.ts'
import * as shown from '../_shared/order-cells.tsx'
import { orderTableColumns } from '../_shared/order-columns.tsx'
import { Rivals } from './order-review.rivals.tsx'
import { useOrderFilters } from '../_shared/order-filters.ts'
import { OrderListPage } from '../_shared/OrderListPage.tsx'

const DecideDialog = lazyPart(async () => (await import('./order-review.decide-dialog.tsx')).DecideDialog)

const own: Column<ReviewOrder>[] = [
  {
    key: 'reviewReasons',
    title: '复核原因',
    width: 240,
    render: (row) => (
      <>
        {cells.names(row.reviewReasons.map((reason) => reviewReason.show(reason).label))}
        <Rivals rivals={row.rivals} />
      </>
    ),
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
      {deciding && <DecideDialog id={deciding.id} rivals={deciding.rivals} onClose={() => setDeciding(undefined)} />}
    </>
  )
}
