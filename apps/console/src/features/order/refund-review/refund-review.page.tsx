import { refundStatus } from '@wattdeck/contract/order/refund-codes.ts'
import { refundOrder } from '@wattdeck/contract/order/refund-order.ts'
import { Button, Empty } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useSearch } from '../../../kit/routing/use-search.ts'
import { PageFrame } from '../../../kit/display/PageFrame.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import { States } from '../../../kit/display/States.tsx'
import { RefundDecision } from './refund-review.decision.tsx'
import { RefundEvidence } from './refund-review.evidence.tsx'
import { nextRefund } from './refund-queue.ts'
import '../_shared/order.css'

const waiting = { status: refundStatus.code.waiting, pageSize: 100 } as const
const listPath = '/order/refundOrder'

/** The waiting refunds one by one, with the evidence of their orders: after a decision the next one is shown. */
export default function RefundReviewPage() {
  const [search] = useSearch()
  const [passed, setPassed] = useState<readonly string[]>([])
  const queue = useDetail(refundOrder.list, { query: waiting })
  const linkedId = /^[1-9]\d{0,17}$/.exec(search.get('id') ?? '')?.[0]
  // A link may name a refund beyond the fetched page. It is not fetched again after its decision: the next one is
  // shown, and the user may be typing a reason.
  const isBehind =
    linkedId !== undefined && !passed.includes(linkedId) && queue.data?.rows.every(({ id }) => id !== linkedId) === true
  const single = useDetail(refundOrder.list, {
    query: { status: refundStatus.code.waiting, refundNo: linkedId },
    enabled: isBehind,
  })
  const rows = [...(queue.data?.rows ?? []), ...((isBehind && single.data?.rows) || [])]
  const { next, left: remaining } = nextRefund(rows, passed, linkedId)
  return (
    <PageFrame
      title="退款审批"
      note={queue.data && <span data-testid="refunds-left">待处理 {remaining} 笔</span>}
      actions={
        <Link to={listPath}>
          <Button>返回列表</Button>
        </Link>
      }
    >
      <States query={isBehind ? single : queue} rows={10}>
        {() =>
          next === undefined ? (
            <section className="panel order-section">
              <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="没有需要您审批的退款">
                <Link to={listPath}>
                  <Button type="primary">返回退款订单</Button>
                </Link>
              </Empty>
            </section>
          ) : (
            <div className="refund-review" key={next.id}>
              <RefundDecision row={next} onPassed={() => setPassed((now) => [...now, next.id])} />
              <RefundEvidence row={next} />
            </div>
          )
        }
      </States>
    </PageFrame>
  )
}
