import {
  type MessageReplay,
  messageReplay,
  replaySpeed,
  replayStatus,
} from '@wattdeck/contract/product/message-replay.ts'
import { Drawer } from 'antd'
import { ObjectLink } from '../../../kit/objects/ObjectLink.tsx'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { useLocalListState } from '../../../kit/list/list-state.ts'
import { ListPanel } from '../../../kit/list/ListPanel.tsx'

const columns: Column<MessageReplay>[] = [
  { key: 'createdAt', title: '发起时间', width: 170, render: (row) => cells.time(row.createdAt) },
  { key: 'status', title: '状态', width: 90, card: 'tag', render: (row) => cells.status(replayStatus, row.status) },
  { key: 'done', title: '进度', width: 110, render: (row) => `${cells.count(row.done)} / ${cells.count(row.total)}` },
  {
    key: 'target',
    title: '测试设备',
    render: (row) => (
      <ObjectLink
        kind="device"
        id={row.targetDeviceId}
      >{`${row.targetDeviceNo}（${row.targetOrganiseName}）`}</ObjectLink>
    ),
  },
  { key: 'beginAt', title: '首条报文', width: 170, render: (row) => cells.time(row.beginAt) },
  { key: 'endAt', title: '截止时间', width: 170, render: (row) => cells.time(row.endAt) },
  { key: 'speed', title: '速度', width: 90, render: (row) => cells.label(replaySpeed, row.speed) },
  { key: 'createdBy', title: '发起人', width: 100, render: (row) => row.createdBy },
]

type Props = { deviceId: string; onOpen: (id: string) => void; onClose: () => void }

/** Earlier replays of a device. */
export function ReplaysDrawer({ deviceId, onOpen, onClose }: Props) {
  const state = useLocalListState(messageReplay.list)
  return (
    <Drawer open title="重放记录" size={1100} onClose={onClose}>
      <ListPanel
        listKey="message-replay"
        route={messageReplay.list}
        params={{ deviceId }}
        state={state}
        columns={columns}
        nameOf={(row) => `${row.createdAt} 的重放`}
        filters={[{ kind: 'select', name: 'status', label: '状态', options: replayStatus.options }]}
        rowActions={(row) => [{ label: '结果', onClick: () => onOpen(row.id) }]}
      />
    </Drawer>
  )
}
