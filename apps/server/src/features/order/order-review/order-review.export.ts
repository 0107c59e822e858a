import { reviewReason } from '@wattdeck/contract/order/order-codes.ts'
import { orderReview, type ReviewOrder } from '@wattdeck/contract/order/order-review.ts'
import { listExport } from '../../../kit/bulk/exports.ts'
import { orderCells } from '../_shared/order-export.ts'
import { listReviews } from './order-review.store.ts'

export const orderReviewExport = listExport({
  list: 'orderReview',
  title: '复核队列',
  module: '复核队列',
  route: orderReview.list,
  read: listReviews,
  columns: {
    ...orderCells,
    held: { title: '预付金额', of: (row: ReviewOrder) => ({ decimal: row.held }) },
    reviewReasons: {
      title: '复核原因',
      of: (row: ReviewOrder) => row.reviewReasons.map((reason) => reviewReason.show(reason).label).join('、'),
    },
  },
})
