import { enabledStatus } from '@wattdeck/contract/common.ts'
import {
  accessWay,
  type DtuProtocol,
  dtuProtocol,
  protocolAdapter,
  transport,
} from '@wattdeck/contract/product/dtu-protocol.ts'
import { useState } from 'react'
import { auditColumns } from '../kit/audit-columns.tsx'
import * as cells from '../kit/cells.tsx'
import type { Column } from '../kit/columns.ts'
import { CopyId } from '../kit/CopyId.tsx'
import { later } from '../kit/later.tsx'
import { ListPage } from '../kit/ListPage.tsx'
import type { RowAction } from '../kit/RowActions.tsx'
import { Tag } from '../kit/StatusTag.tsx'
import { useReturnFocus } from '../kit/use-return-focus.ts'
import { AddButton } from './add-button.tsx'
import { useRowChanges } from './catalogue-actions.ts'

const ProtocolDialog = later(async () => (await import('./dtu-protocol.edit-dialog.tsx')).ProtocolDialog)
const DebugDrawer = later(async () => (await import('./dtu-protocol.debug-drawer.tsx')).DebugDrawer)

const columns: Column<DtuProtocol>[] = [
  { key: 'name', title: '协议名称', width: 120, fixed: 'start', render: (row) => row.name },
  { key: 'code', title: '协议编码', width: 130, render: (row) => <CopyId value={row.code} what="协议编码" /> },
  { key: 'version', title: '版本', width: 65, render: (row) => row.version },
  { key: 'transport', title: '传输', width: 75, render: (row) => cells.label(transport, row.transport) },
  { key: 'accessWay', title: '接入方式', width: 85, render: (row) => cells.label(accessWay, row.accessWay) },
  { key: 'endpoint', title: '端口/主题', width: 120, render: (row) => cells.text(row.endpoint) },
  { key: 'heartbeat', title: '心跳间隔', width: 85, align: 'end', render: (row) => `${row.heartbeatS} 秒` },
  {
    key: 'adapter',
    title: '解析程序',
    width: 110,
    render: (row) => (row.adapter === null ? <Tag tone="off">仅登记</Tag> : cells.label(protocolAdapter, row.adapter)),
  },
  { key: 'status', title: '状态', width: 70, card: 'tag', render: (row) => cells.status(enabledStatus, row.status) },
  { key: 'typeNames', title: '设备类型', render: (row) => cells.names(row.typeNames) },
  { key: 'offline', title: '离线判定', width: 110, hidden: true, render: (row) => `漏 ${row.missedHeartbeats} 次心跳` },
  { key: 'frameFormat', title: '帧格式', width: 320, hidden: true, render: (row) => cells.text(row.frameFormat) },
  { key: 'remark', title: '备注', width: 220, hidden: true, render: (row) => cells.text(row.remark) },
  ...auditColumns,
]
const refresh = [dtuProtocol.list, dtuProtocol.options]

export default function DtuProtocolPage() {
  const [editing, setEditing] = useState<DtuProtocol | 'new'>()
  const [debugging, setDebugging] = useState<DtuProtocol>()
  useReturnFocus(editing !== undefined || debugging !== undefined)
  const changes = useRowChanges({ toggle: dtuProtocol.toggle, remove: dtuProtocol.remove, refresh })
  const startNew = () => setEditing('new')

  const rowActions = (row: DtuProtocol): RowAction[] => [
    { label: '编辑', route: dtuProtocol.edit, onClick: () => setEditing(row) },
    {
      label: '报文调试',
      route: dtuProtocol.decode,
      disabled: row.adapter === null ? '该协议没有解析程序，不能调试报文' : undefined,
      onClick: () => setDebugging(row),
    },
    ...changes(row, {
      what: `协议「${row.name}」`,
      stopped: '停用后不能再为设备类型选择该协议，已接入的设备不受影响',
      used: row.typeNames.length + row.setCount > 0 ? '协议正被设备类型或指令集使用，不能删除' : undefined,
    }),
  ]
  return (
    <>
      <ListPage
        title="DTU协议"
        listKey="dtu-protocol"
        liveKey="dtuProtocol"
        route={dtuProtocol.list}
        columns={columns}
        nameOf={(row) => row.name}
        filters={[
          { kind: 'text', name: 'keyword', label: '名称/编码' },
          { kind: 'select', name: 'transport', label: '传输', options: transport.options },
          { kind: 'select', name: 'accessWay', label: '接入方式', options: accessWay.options },
          { kind: 'select', name: 'status', label: '状态', options: enabledStatus.options },
        ]}
        actions={<AddButton route={dtuProtocol.add} label="新增协议" onClick={startNew} />}
        emptyAction={<AddButton route={dtuProtocol.add} label="新增协议" onClick={startNew} />}
        rowActions={rowActions}
      />
      {editing && (
        <ProtocolDialog
          {...(editing === 'new' ? {} : { of: editing })}
          refresh={refresh}
          onClose={() => setEditing(undefined)}
        />
      )}
      {debugging && <DebugDrawer of={debugging} onClose={() => setDebugging(undefined)} />}
    </>
  )
}
