import { chargingOrder } from '@wattdeck/contract/order/charging-order.ts'
import { messageDirection } from '@wattdeck/contract/product/device-codes.ts'
import type { DeviceMessage } from '@wattdeck/contract/product/device-detail.ts'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { useLocalListState } from '../../../kit/list/list-state.ts'
import { ListPanel } from '../../../kit/list/ListPanel.tsx'
import { contentText, kindText } from '../../../kit/display/message-labels.ts'

const oneLine = (text: string) => (
  <span className="one-line" title={text}>
    {text}
  </span>
)
const columns: Column<DeviceMessage>[] = [
  { key: 'at', title: '时间', width: 170, render: (row) => cells.time(row.at) },
  {
    key: 'direction',
    title: '方向',
    width: 70,
    card: 'tag',
    render: (row) => cells.status(messageDirection, row.direction),
  },
  { key: 'kind', title: '指令', width: 110, render: (row) => kindText(row.kind) },
  { key: 'content', title: '解析', width: 480, render: (row) => oneLine(contentText(row.content)) },
  { key: 'frame', title: '报文', width: 320, render: (row) => (row.frame === null ? cells.dash : oneLine(row.frame)) },
]

/** Device messages during the order, as long as the message journal retains them. */
export function OrderMessages({ id }: { id: string }) {
  const state = useLocalListState(chargingOrder.messages)
  return (
    <ListPanel
      listKey="order-message"
      route={chargingOrder.messages}
      params={{ id }}
      state={state}
      columns={columns}
      nameOf={(row) => `${row.at} ${kindText(row.kind)}`}
      toolbar={<span className="meta">原始报文保存 7 天</span>}
    />
  )
}
