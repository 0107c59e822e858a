import { refundStatus } from '@wattdeck/contract/order/refund-codes.ts'
import { refundOrder } from '@wattdeck/contract/order/refund-order.ts'
import { Button, Empty } from 'antd'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { PageFrame } from '../../../kit/display/PageFrame.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import { States } from '../../../kit/display/States.tsx'
import { RefundDecision } from './refund-review.decision.tsx'
import { RefundEvidence } from './refund-review.evidence.tsx'
import { nextRefund } from './refund-queue.ts'
import '../_shared/order.css'

const waiting = { status: refundStatus.code.waiting, pageSize: 100 } as const
const listPath = '/order/refundOrder'

/** What waits, one after the other, with the evidence of its order beside it: when one is decided the next stands there. */
export default function RefundReviewPage() {
  const [search] = useSearchParams()
  const [passed, setPassed] = useState<readonly string[]>([])
  const queue = useDetail(refundOrder.list, { query: waiting })
  const wanted = /^[1-9]\d{0,17}$/.exec(search.get('id') ?? '')?.[0]
  // A link may lead to one that has waited longer than all that were read. Once it is decided nobody asks for it again: the
  // next one stands there, and somebody may be writing why it is declined.
  const isBehind =
    wanted !== undefined && !passed.includes(wanted) && queue.data?.rows.every(({ id }) => id !== wanted) === true
  const single = useDetail(refundOrder.list, {
    query: { status: refundStatus.code.waiting, refundNo: wanted },
    enabled: isBehind,
  })
  const rows = [...(queue.data?.rows ?? []), ...((isBehind && single.data?.rows) || [])]
  const { next, left } = nextRefund(rows, passed, wanted)
  return (
    <PageFrame
      title="退款审批"
      note={queue.data && <span data-testid="refunds-left">待处理 {left} 笔</span>}
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
