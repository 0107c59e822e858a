import { type DeviceOperationRow, deviceDetail } from '@wattdeck/contract/product/device-detail.ts'
import { log, logKind } from '@wattdeck/contract/system/log.ts'
import { useNavigate } from 'react-router'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { useLocalListState } from '../../../kit/list/list-state.ts'
import { ListPanel } from '../../../kit/list/ListPanel.tsx'

const columns: Column<DeviceOperationRow>[] = [
  { key: 'at', title: '操作时间', width: 170, render: (row) => cells.time(row.at) },
  { key: 'userName', title: '操作人', width: 120, render: (row) => cells.text(row.userName) },
  { key: 'module', title: '模块', width: 110, render: (row) => row.module },
  { key: 'kind', title: '操作类型', width: 100, render: (row) => cells.label(logKind, row.kind) },
  { key: 'content', title: '操作内容', render: (row) => cells.text(row.content) },
]

/** Operations on the device. The audit log has the complete entry, for users who may read it. */
export function DeviceOperations({ id }: { id: string }) {
  const state = useLocalListState(deviceDetail.operations)
  const navigate = useNavigate()
  return (
    <ListPanel
      listKey="device-operation"
      route={deviceDetail.operations}
      params={{ id }}
      state={state}
      columns={columns}
      nameOf={(row) => `${row.at} ${row.content}`}
      filters={[
        { kind: 'select', name: 'kind', label: '操作类型', options: logKind.options },
        { kind: 'dates', from: 'from', to: 'to', label: '操作时间' },
      ]}
      rowActions={(row) => [
        { label: '日志', route: log.detail, onClick: () => void navigate(`/system/log?open=${row.id}`) },
      ]}
    />
  )
}
