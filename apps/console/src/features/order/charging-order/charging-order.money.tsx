import { accountKind, postingKind } from '@wattdeck/contract/accounting/ledger-codes.ts'
import { chargingOrder, type OrderPosting } from '@wattdeck/contract/order/charging-order.ts'
import { Empty } from 'antd'
import * as cells from '../../../kit/display/cells.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import { States } from '../../../kit/display/States.tsx'
import '../_shared/order.css'

/** All postings of this order, oldest first; the lines of each add up to zero. */
export function OrderMoney({ id }: { id: string }) {
  const read = useDetail(chargingOrder.postings, { params: { id } })
  return (
    <section className="panel order-section">
      <h2>资金流水</h2>
      <States query={read} rows={5}>
        {(postings) =>
          postings.length === 0 ? (
            <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="没有资金变动" />
          ) : (
            <div className="order-scroll">
              <table className="order-table">
                <thead>
                  <tr>
                    <th>时间</th>
                    <th>类型</th>
                    <th>账户</th>
                    <th className="amount">金额（元）</th>
                    <th>操作人与说明</th>
                    <th>校验值</th>
                  </tr>
                </thead>
                <tbody>
                  {postings.map((posting) => (
                    <PostingRow key={posting.id} posting={posting} />
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </States>
    </section>
  )
}

const PostingRow = ({ posting: { at, kind, lines, by, memo, digest } }: { posting: OrderPosting }) => (
  <tr>
    <td>{cells.time(at)}</td>
    <td>{cells.status(postingKind, kind)}</td>
    <td>
      <Lines lines={lines} of={({ account }) => accountKind.show(account).label} />
    </td>
    <td className="amount">
      <Lines lines={lines} of={({ amount }) => amount} />
    </td>
    <td>{cells.text([by, memo].filter((part) => part !== null).join('：'))}</td>
    <td className="order-digest">
      {digest === null ? (
        cells.dash
      ) : (
        <details>
          <summary>查看</summary>
          {digest}
        </details>
      )}
    </td>
  </tr>
)

type Line = OrderPosting['lines'][number]

/** Each account occurs once in a posting. */
const Lines = ({ lines, of }: { lines: readonly Line[]; of: (line: Line) => string }) => (
  <ul className="order-lines">
    {lines.map((line) => (
      <li key={line.account}>{of(line)}</li>
    ))}
  </ul>
)
