import { chargingOrder } from '@wattdeck/contract/order/charging-order.ts'
import { refundStatus } from '@wattdeck/contract/order/refund-codes.ts'
import { refundOrder, type RefundOrder } from '@wattdeck/contract/order/refund-order.ts'
import * as cells from '../../../kit/display/cells.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import { States } from '../../../kit/display/States.tsx'
import { OrderOverview } from '../charging-order/charging-order.overview.tsx'
import * as shown from '../_shared/order-cells.tsx'

/** The evidence for a decision: earlier refunds of the member, and the order with its curve and bill. */
export function RefundEvidence({ row }: { row: RefundOrder }) {
  const order = useDetail(chargingOrder.read, { params: { id: row.orderNo } })
  return (
    <div className="order-sections">
      {row.memberId !== null && <Earlier memberId={row.memberId} id={row.id} />}
      <States query={order} rows={8}>
        {(data) => <OrderOverview order={data} />}
      </States>
    </div>
  )
}

function Earlier({ memberId, id }: { memberId: string; id: string }) {
  const read = useDetail(refundOrder.list, { query: { memberId, pageSize: 20 } })
  return (
    <section className="panel order-section">
      <h2>该用户的其他退款</h2>
      <States query={read} rows={3}>
        {({ rows }) => <EarlierTable rows={rows.filter((one) => one.id !== id)} />}
      </States>
    </section>
  )
}

const EarlierTable = ({ rows }: { rows: readonly RefundOrder[] }) =>
  rows.length === 0 ? (
    <span className="meta">没有其他退款</span>
  ) : (
    <div className="order-scroll">
      <table className="order-table">
        <thead>
          <tr>
            <th>申请时间</th>
            <th>订单号</th>
            <th>状态</th>
            <th className="amount">金额</th>
            <th>原因</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((one) => (
            <tr key={one.id}>
              <td>{cells.time(one.createdAt)}</td>
              <td>{shown.orderNo(one.orderNo)}</td>
              <td>{cells.status(refundStatus, one.status)}</td>
              <td className="amount">{shown.yuan(one.amount)}</td>
              <td>{one.reason}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
