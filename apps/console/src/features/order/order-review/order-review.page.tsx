import { reviewReason } from '@wattdeck/contract/order/order-codes.ts'
import { orderReview, orderReviewList, type ReviewOrder } from '@wattdeck/contract/order/order-review.ts'
import { useNavigate } from 'react-router'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import * as cells from '../../../kit/display/cells.tsx'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { orderPath } from '../../../kit/objects/object-types.ts'
import { orderColumns } from '../_shared/order-columns.tsx'
import { Rivals } from './order-review.rivals.tsx'
import { useOrderFilters } from '../_shared/order-filters.ts'
import { OrderListPage } from '../_shared/OrderListPage.tsx'
import { useOpen } from '../../../kit/form/use-return-focus.ts'

const DecideDialog = lazyPart(async () => (await import('./order-review.decide-dialog.tsx')).DecideDialog)

const columns = {
  ...orderColumns,
  reviewReasons: {
    render: ({ reviewReasons, rivals }: ReviewOrder) => (
      <>
        {cells.names(reviewReasons.map((reason) => reviewReason.show(reason).label))}
        <Rivals rivals={rivals} />
      </>
    ),
  },
}

export default function OrderReviewPage() {
  const list = useFieldList(orderReviewList, { listKey: 'order-review', liveKey: 'order', columns })
  const navigate = useNavigate()
  const [deciding, setDeciding, close] = useOpen<ReviewOrder>()
  return (
    <>
      <OrderListPage
        {...list}
        filters={useOrderFilters(list.filters)}
        rowActions={(row) => [
          { label: '复核', route: orderReview.decide, onClick: () => setDeciding(row) },
          { label: '详情', onClick: () => void navigate(orderPath(row.id)) },
        ]}
      />
      {deciding && <DecideDialog id={deciding.id} rivals={deciding.rivals} onClose={close} />}
    </>
  )
}
