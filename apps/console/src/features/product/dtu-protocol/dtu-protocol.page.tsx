import {
  type DtuProtocol,
  dtuProtocol,
  dtuProtocolCrud,
  protocolAdapter,
} from '@wattdeck/contract/product/dtu-protocol.ts'
import { Select } from 'antd'
import { CrudDialog } from '../../../kit/crud/CrudDialog.tsx'
import { useCrud } from '../../../kit/crud/use-crud.tsx'
import * as cells from '../../../kit/display/cells.tsx'
import { Tag } from '../../../kit/display/StatusTag.tsx'
import { ListPage } from '../../../kit/list/ListPage.tsx'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { useOpen } from '../../../kit/form/use-return-focus.ts'

const DebugDrawer = lazyPart(async () => (await import('./dtu-protocol.debug-drawer.tsx')).DebugDrawer)

/** Devices copy the adapter of their protocol, so it is fixed once a device type uses it. */
const boundAdapter = {
  help: '已有设备类型使用该协议，不能更改',
  input: <Select disabled options={protocolAdapter.options} />,
}

export default function DtuProtocolPage() {
  const [debugging, setDebugging, close] = useOpen<DtuProtocol>()
  const { list, dialog } = useCrud(dtuProtocolCrud, {
    nameOf: (row) => row.name,
    columns: {
      adapter: {
        render: ({ adapter }) =>
          adapter === null ? <Tag tone="off">仅登记</Tag> : cells.label(protocolAdapter, adapter),
      },
      missedHeartbeats: { render: (row) => `漏 ${row.missedHeartbeats} 次心跳` },
    },
    disableWarning: '停用后不能再为设备类型选择该协议，已接入的设备不受影响',
    removeProblem: (row) =>
      row.typeNames.length + row.setCount > 0 ? '协议正被设备类型或指令集使用，不能删除' : undefined,
    actions: (row) => [
      {
        label: '报文调试',
        route: dtuProtocol.decode,
        disabled: row.adapter === null ? '该协议没有解析程序，不能调试报文' : undefined,
        onClick: () => setDebugging(row),
      },
    ],
    refresh: [dtuProtocol.options],
  })
  const isBound = dialog?.row !== undefined && dialog.row.adapter !== null && dialog.row.typeNames.length > 0
  return (
    <>
      <ListPage {...list} />
      {dialog && <CrudDialog {...dialog} changes={isBound ? { adapter: boundAdapter } : {}} />}
      {debugging && <DebugDrawer of={debugging} onClose={close} />}
    </>
  )
}
