import { z } from 'zod'
import { codes } from '../kit/codes.ts'
import { f } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import { type DataOf, get } from '../kit/route.ts'
import { screenRoutes } from '../kit/screen-routes.ts'
import { id, money, row, text } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { orderStatus, reviewReason } from './order-codes.ts'
import { orderBody, orderFilter, orderHead, displayedTotal } from './order-row.ts'

/** The possible decisions. The server calculates their amounts; the reviewer enters none. */
export const reviewChoice = codes({
  device: { code: 'device', label: '按设备账单结算' },
  sample: { code: 'sample', label: '按最后可信读数结算' },
  release: { code: 'release', label: '不计费，全额退回' },
})

export type ReviewOption = z.infer<typeof ReviewOption>
export const ReviewOption = row({
  choice: reviewChoice.schema,
  problem: z.string().nullable().describe('why the option is unavailable, as text'),
  durationS: z.int().nullable(),
  energyDwh: z.int().nullable(),
  electricity: z.string(),
  service: z.string(),
  occupancy: z.string(),
  total: z.string(),
  returned: z.string(),
  newHold: z.boolean().describe('the reservation was released; the wallet is charged again, up to its balance'),
  explanation: z.array(z.string()),
})

const menu = menuKey.orderReview
const module = '异常订单复核'
const { approve } = screenRoutes({ menu, module })
const rival = row({ id: z.string(), status: orderStatus.schema, energyDwh: z.int().nullable(), total: money })

export const orderReviewList = defineList('/seeker/api/orderReview', {
  menu,
  module,
  fields: {
    ...orderHead,
    reviewReasons: f.codes('复核原因', reviewReason, { width: 240 }),
    held: f.money('预付金额', { width: 100 }),
    ...orderBody,
    rivals: f.data(z.array(rival).describe('other bills of the same charge')),
  },
  decided: [
    ['id', 'createdAt'],
    ['status', 'reviewReasons'],
    ['member', 'startMode'],
    ['deviceNo', 'siteName'],
    ['portNo'],
    ['energy', 'duration'],
    ['total', 'held'],
    ['startedAt', 'endedAt'],
  ],
  filter: {
    ...orderFilter,
    own: { ...orderFilter.own, reason: { title: '复核原因', schema: reviewReason.wire, codes: reviewReason } },
  },
  exports: true,
})
export type ReviewOrder = DataOf<typeof orderReviewList.routes.list>['rows'][number]

/** Orders that are not billed before a review. */
export const orderReview = {
  ...orderReviewList.routes,
  options: get('/seeker/api/orderReview/options/{id}', {
    access: { menu, action: 'approve' },
    params: row({ id }),
    data: z.array(ReviewOption),
  }),
  decide: approve(
    '/seeker/api/orderReview/decide',
    '复核订单',
    {
      id,
      choice: reviewChoice.wire,
      total: displayedTotal,
      reason: text(200, '复核说明'),
    },
    { idempotent: true },
  ),
}
