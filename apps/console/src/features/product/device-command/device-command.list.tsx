import {
  commandFlow,
  commandKind,
  commandStatus,
  type DeviceCommandRow,
  deviceCommand,
} from '@wattdeck/contract/product/device-command.ts'
import { Drawer } from 'antd'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { useLocalListState } from '../../../kit/list/list-state.ts'
import { ListPanel } from '../../../kit/list/ListPanel.tsx'
import { useConfirmedSubmit } from '../../../kit/form/use-confirm.ts'
import { useOpen } from '../../../kit/form/use-return-focus.ts'
import { CommandFacts, kindText } from './device-command.facts.tsx'

const columns: Column<DeviceCommandRow>[] = [
  { key: 'at', title: '下发时间', width: 170, render: (row) => cells.time(row.at) },
  { key: 'kind', title: '指令', width: 110, render: (row) => kindText(row.kind) },
  { key: 'portNo', title: '端口', width: 60, render: (row) => cells.text(row.portNo) },
  { key: 'status', title: '结果', width: 100, card: 'tag', render: (row) => cells.status(commandStatus, row.status) },
  { key: 'reason', title: '原因', width: 180, render: (row) => cells.text(row.reason) },
  { key: 'issuedBy', title: '操作人', width: 100, render: (row) => row.issuedBy },
  { key: 'sentAt', title: '发送时间', width: 170, render: (row) => cells.time(row.sentAt) },
  { key: 'endedAt', title: '结束时间', width: 170, render: (row) => cells.time(row.endedAt) },
]

/** The commands to the device, and their results. */
export function DeviceCommands({ id }: { id: string }) {
  const state = useLocalListState(deviceCommand.list)
  const [open, setOpen, close] = useOpen<DeviceCommandRow>()
  const cancel = useConfirmedSubmit(deviceCommand.cancel, { refresh: [deviceCommand.list] })
  return (
    <>
      <ListPanel
        listKey="device-command"
        route={deviceCommand.list}
        params={{ id }}
        state={state}
        columns={columns}
        nameOf={(row) => `${row.at} ${kindText(row.kind)}`}
        filters={[
          { kind: 'select', name: 'kind', label: '指令', options: commandKind.options },
          { kind: 'select', name: 'status', label: '结果', options: commandStatus.options },
        ]}
        rowActions={(row) => [
          { label: '详情', onClick: () => setOpen(row) },
          {
            label: '取消',
            route: deviceCommand.cancel,
            disabled: commandFlow.can('cancel', row.status) ? undefined : '指令已发送或已结束',
            onClick: () =>
              cancel(
                { title: `确定要取消该${kindText(row.kind)}指令吗？`, okText: '取消指令' },
                { body: { id: row.id } },
              ),
          },
        ]}
      />
      {open && <CommandDrawer command={open} onClose={close} />}
    </>
  )
}

const CommandDrawer = ({ command, onClose }: { command: DeviceCommandRow; onClose: () => void }) => (
  <Drawer open title={`指令：${kindText(command.kind)}`} size={680} onClose={onClose}>
    <CommandFacts command={command} />
  </Drawer>
)
