import { deviceType, deviceTypesOf } from '@wattdeck/contract/product/device-type.ts'
import { type InstructionSet, instructionSet, instructionSetList } from '@wattdeck/contract/product/instruction-set.ts'
import { useState } from 'react'
import { ImportButton } from '../../../kit/bulk/ImportButton.tsx'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { ListPage } from '../../../kit/list/ListPage.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'
import { MainButton } from '../../../kit/crud/MainButton.tsx'
import { useRowChanges } from '../_shared/catalogue-actions.ts'

const SetDialog = lazyPart(async () => (await import('./instruction-set.edit-dialog.tsx')).SetDialog)
const InstructionsDrawer = lazyPart(async () => (await import('./instruction-set.drawer.tsx')).InstructionsDrawer)
const ImportWizard = lazyPart(async () => (await import('../../../kit/bulk/ImportWizard.tsx')).ImportWizard)

type Open = { what: 'edit'; row?: InstructionSet } | { what: 'instructions'; row: InstructionSet } | { what: 'import' }
const refresh = [instructionSet.list, instructionSet.options, instructionSet.instructions]

export default function InstructionSetPage() {
  const types = deviceTypesOf(useDetail(deviceType.all).data ?? [])
  const list = useFieldList(instructionSetList, { listKey: 'instruction-set', liveKey: 'instructionSet' })
  const [open, setOpen] = useState<Open>()
  useReturnFocus(open !== undefined)
  const close = () => setOpen(undefined)
  const changes = useRowChanges({ toggle: instructionSet.toggle, remove: instructionSet.remove, refresh })
  const add = <MainButton route={instructionSet.add} label="新增指令集" onClick={() => setOpen({ what: 'edit' })} />

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
        {...list}
        nameOf={(row) => row.name}
        filters={list.filters.toSpliced(1, 0, {
          kind: 'select',
          name: 'deviceTypeId',
          label: '设备类型',
          options: types.map(({ id, name }) => ({ value: id, label: name })),
        })}
        actions={
          <>
            <ImportButton route={instructionSet.importSheet} onClick={() => setOpen({ what: 'import' })} />
            {add}
          </>
        }
        emptyAction={add}
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
