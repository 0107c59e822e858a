import {
  commandFlow,
  commandKind,
  commandStatus,
  type DeviceCommandRow,
  deviceCommand,
} from '@wattdeck/contract/product/device-command.ts'
import { Descriptions, Drawer } from 'antd'
import { useState } from 'react'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import { useLocalListState } from '../../../kit/list/list-state.ts'
import { ListPanel } from '../../../kit/list/ListPanel.tsx'
import { useConfirmedSubmit } from '../../../kit/form/use-confirm.ts'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'
import { contentText, saidFields } from '../../../kit/display/message-labels.ts'
import '../_shared/product.css'

const kinds = new Map<string, string>(commandKind.options.map(({ value, label }) => [value, label]))
const kindText = (kind: string) => kinds.get(kind) ?? kind

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

/** What the device was told, and what became of it. */
export function DeviceCommands({ id }: { id: string }) {
  const state = useLocalListState(deviceCommand.list)
  const [open, setOpen] = useState<DeviceCommandRow>()
  useReturnFocus(open !== undefined)
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
      {open && <CommandDrawer command={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}

function CommandDrawer({ command, onClose }: { command: DeviceCommandRow; onClose: () => void }) {
  const { kind, status, reason, result } = command
  const hex = (key: string, label: string, value: string | null) =>
    value === null
      ? []
      : [
          {
            key,
            label,
            children: (
              <span className="frame-hex">
                <CopyId value={value.replaceAll(/(..)(?=.)/g, '$1 ')} what={label} />
              </span>
            ),
          },
        ]
  return (
    <Drawer open title={`指令：${kindText(kind)}`} size={680} onClose={onClose}>
      <Descriptions
        bordered
        size="small"
        column={1}
        items={[
          { key: 'id', label: '指令编号', children: <CopyId value={command.id} what="指令编号" /> },
          { key: 'status', label: '结果', children: cells.status(commandStatus, status) },
          ...(reason === null ? [] : [{ key: 'reason', label: '原因', children: reason }]),
          ...saidFields(command.content).map(({ key, label, value }) => ({
            key: `said ${key}`,
            label,
            children: value,
          })),
          ...(result === null || contentText(result) === ''
            ? []
            : [{ key: 'result', label: '设备应答', children: contentText(result) }]),
          { key: 'by', label: '操作人', children: command.issuedBy },
          { key: 'at', label: '下发时间', children: cells.time(command.at) },
          { key: 'sent', label: '发送时间', children: cells.time(command.sentAt) },
          { key: 'ended', label: '结束时间', children: cells.time(command.endedAt) },
          { key: 'expires', label: '有效期至', children: cells.time(command.expiresAt) },
          ...hex('frame', '下发报文', command.frame),
          ...hex('answer', '应答报文', command.answer),
        ]}
      />
    </Drawer>
  )
}
