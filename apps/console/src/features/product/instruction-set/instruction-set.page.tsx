import { ImportOutlined } from '@ant-design/icons'
import { enabledStatus } from '@wattdeck/contract/common.ts'
import { deviceType, deviceTypesOf } from '@wattdeck/contract/product/device-type.ts'
import {
  type InstructionSet,
  instructionSet,
  instructionSetColumns,
} from '@wattdeck/contract/product/instruction-set.ts'
import { Button } from 'antd'
import { useState } from 'react'
import { auditColumns } from '../../../kit/list/audit-columns.tsx'
import { Can } from '../../../kit/api/Can.tsx'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { ListPage } from '../../../kit/list/ListPage.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'
import { AddButton } from '../../../kit/crud/AddButton.tsx'
import { useRowChanges } from '../_shared/catalogue-actions.ts'

const SetDialog = lazyPart(async () => (await import('./instruction-set.edit-dialog.tsx')).SetDialog)
const InstructionsDrawer = lazyPart(async () => (await import('./instruction-set.drawer.tsx')).InstructionsDrawer)
const ImportWizard = lazyPart(async () => (await import('../../../kit/bulk/ImportWizard.tsx')).ImportWizard)

const columns: Column<InstructionSet>[] = [
  { key: 'name', title: '指令集名称', width: 180, fixed: 'start', render: (row) => row.name },
  { key: 'code', title: '指令集编码', width: 150, render: (row) => <CopyId value={row.code} what="指令集编码" /> },
  { key: 'version', title: '版本', width: 80, render: (row) => row.version },
  { key: 'protocolName', title: '协议', width: 130, render: (row) => cells.text(row.protocolName) },
  { key: 'typeNames', title: '设备类型', render: (row) => cells.names(row.typeNames) },
  { key: 'instructionCount', title: '指令数', width: 80, align: 'end', render: (row) => row.instructionCount },
  { key: 'status', title: '状态', width: 80, card: 'tag', render: (row) => cells.status(enabledStatus, row.status) },
  { key: 'remark', title: '备注', width: 220, hidden: true, render: (row) => cells.text(row.remark) },
  ...auditColumns,
]

type Open = { what: 'edit'; row?: InstructionSet } | { what: 'instructions'; row: InstructionSet } | { what: 'import' }
const refresh = [instructionSet.list, instructionSet.options, instructionSet.instructions]

export default function InstructionSetPage() {
  const types = deviceTypesOf(useDetail(deviceType.all).data ?? [])
  const [open, setOpen] = useState<Open>()
  useReturnFocus(open !== undefined)
  const close = () => setOpen(undefined)
  const changes = useRowChanges({ toggle: instructionSet.toggle, remove: instructionSet.remove, refresh })
  const add = <AddButton route={instructionSet.add} label="新增指令集" onClick={() => setOpen({ what: 'edit' })} />

  const rowActions = (row: InstructionSet): RowAction[] => [
    { label: '指令维护', route: instructionSet.instructions, onClick: () => setOpen({ what: 'instructions', row }) },
    { label: '编辑', route: instructionSet.edit, onClick: () => setOpen({ what: 'edit', row }) },
    ...changes(row, {
      what: `指令集「${row.name}」`,
      stopped: '停用后不能再为设备类型选择该指令集，已使用的设备类型不受影响',
      used: row.typeNames.length > 0 ? `指令集正被 ${row.typeNames.length} 个设备类型使用，不能删除` : undefined,
    }),
  ]
  return (
    <>
      <ListPage
        title="指令集"
        listKey="instruction-set"
        liveKey="instructionSet"
        route={instructionSet.list}
        columns={columns}
        nameOf={(row) => row.name}
        filters={[
          { kind: 'text', name: 'keyword', label: '编码/名称' },
          {
            kind: 'select',
            name: 'deviceTypeId',
            label: '设备类型',
            options: types.map(({ id, name }) => ({ value: id, label: name })),
          },
          { kind: 'select', name: 'status', label: '状态', options: enabledStatus.options },
        ]}
        actions={
          <>
            <Can route={instructionSet.importSheet}>
              <Button icon={<ImportOutlined />} onClick={() => setOpen({ what: 'import' })}>
                导入
              </Button>
            </Can>
            {add}
          </>
        }
        emptyAction={add}
        exporting={{ route: instructionSet.exportList, keys: Object.keys(instructionSetColumns) }}
        rowActions={rowActions}
      />
      {open?.what === 'edit' && <SetDialog row={open.row} refresh={refresh} onClose={close} />}
      {open?.what === 'instructions' && <InstructionsDrawer of={open.row} refresh={refresh} onClose={close} />}
      {open?.what === 'import' && (
        <ImportWizard
          title="导入指令集"
          upload={instructionSet.importSheet}
          template={instructionSet.importTemplate}
          refresh={refresh}
          onClose={close}
        />
      )}
    </>
  )
}
