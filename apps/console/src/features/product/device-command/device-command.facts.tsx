import { commandKind, commandStatus, type DeviceCommandRow } from '@wattdeck/contract/product/device-command.ts'
import { Descriptions } from 'antd'
import * as cells from '../../../kit/display/cells.tsx'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import { contentText, labelledFields } from '../../../kit/display/message-labels.ts'
import '../_shared/product.css'

const kinds = new Map<string, string>(commandKind.options.map(({ value, label }) => [value, label]))
export const kindText = (kind: string) => kinds.get(kind) ?? kind

/** A command, the device's reply, and the frames of both. */
export function CommandFacts({ command }: { command: DeviceCommandRow }) {
  const { status, reason, result } = command
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
    <Descriptions
      bordered
      size="small"
      column={1}
      items={[
        { key: 'id', label: '指令编号', children: <CopyId value={command.id} what="指令编号" /> },
        { key: 'status', label: '结果', children: cells.status(commandStatus, status) },
        ...(reason === null ? [] : [{ key: 'reason', label: '原因', children: reason }]),
        ...labelledFields(command.content).map(({ key, label, value }) => ({
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
  )
}
