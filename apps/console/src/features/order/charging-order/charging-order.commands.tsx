import { chargingOrder } from '@wattdeck/contract/order/charging-order.ts'
import { commandKind, commandStatus, type DeviceCommandRow } from '@wattdeck/contract/product/device-command.ts'
import { Empty } from 'antd'
import * as cells from '../../../kit/display/cells.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import { States } from '../../../kit/display/States.tsx'
import '../_shared/order.css'

const kinds = new Map<string, string>(commandKind.options.map(({ value, label }) => [value, label]))

/** The commands to the device for this order, and their results. */
export function OrderCommands({ id }: { id: string }) {
  const read = useDetail(chargingOrder.commands, { params: { id } })
  return (
    <section className="panel order-section">
      <h2>指令记录</h2>
      <States query={read} rows={4}>
        {(commands) =>
          commands.length === 0 ? (
            <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="没有下发过指令" />
          ) : (
            <div className="order-scroll">
              <table className="order-table">
                <thead>
                  <tr>
                    <th>下发时间</th>
                    <th>指令</th>
                    <th>结果</th>
                    <th>原因</th>
                    <th>操作人</th>
                    <th>结束时间</th>
                  </tr>
                </thead>
                <tbody>
                  {commands.map((command) => (
                    <CommandRow key={command.id} command={command} />
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

const CommandRow = ({ command: { at, kind, status, reason, issuedBy, endedAt } }: { command: DeviceCommandRow }) => (
  <tr>
    <td>{cells.time(at)}</td>
    <td>{kinds.get(kind) ?? kind}</td>
    <td>{cells.status(commandStatus, status)}</td>
    <td>{cells.text(reason)}</td>
    <td>{issuedBy}</td>
    <td>{cells.time(endedAt)}</td>
  </tr>
)
