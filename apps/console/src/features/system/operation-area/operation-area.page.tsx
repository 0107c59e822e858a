import { enabledStatus } from '@wattdeck/contract/common.ts'
import { areaList, type OperationArea, operationArea } from '@wattdeck/contract/system/operation-area.ts'
import { useState } from 'react'
import { MainButton } from '../../../kit/crud/MainButton.tsx'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import * as cells from '../../../kit/display/cells.tsx'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { ListPage } from '../../../kit/list/ListPage.tsx'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { useConfirmedSubmit } from '../../../kit/form/use-confirm.ts'
import { useUndoable } from '../../../kit/form/use-undoable.tsx'
import { toggleOf } from '../../../kit/list/enabled-toggle.ts'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'

const AreaDialog = lazyPart(async () => (await import('./operation-area.edit-dialog.tsx')).AreaDialog)
const AreaSitesDialog = lazyPart(async () => (await import('./operation-area.sites-dialog.tsx')).AreaSitesDialog)
const AreaUsersDialog = lazyPart(async () => (await import('./operation-area.users-dialog.tsx')).AreaUsersDialog)

type Status = OperationArea['status']
type Open = { what: 'edit'; row?: OperationArea } | { what: 'sites' | 'users'; of: OperationArea }
const refresh = [operationArea.list]
const bodyOf = (id: string, status: Status) => ({ id, status })

export default function OperationAreaPage() {
  const [open, setOpen] = useState<Open>()
  useReturnFocus(open !== undefined)
  const close = () => setOpen(undefined)
  const remove = useConfirmedSubmit(operationArea.remove, { refresh })
  const { shown, change } = useUndoable(operationArea.toggle, { bodyOf, refresh })
  const statusOf = (row: OperationArea) => shown(row.id) ?? row.status
  const list = useFieldList(areaList, {
    listKey: 'operation-area',
    liveKey: 'operationArea',
    personal: 'operationArea',
    // Optimistic update: shows a switched status before the server confirms it.
    columns: { status: { render: (row) => cells.status(enabledStatus, statusOf(row)) } },
  })

  function rowActions(row: OperationArea): RowAction[] {
    const what = `运营区域「${row.name}」`
    const before = statusOf(row)
    const { label, status: after } = toggleOf(before, what)
    const ask = { title: `确定要删除${what}吗？`, content: '站点和人员本身不受影响', danger: true, okText: '删除' }
    return [
      { label: '编辑', route: operationArea.edit, onClick: () => setOpen({ what: 'edit', row }) },
      { label: '分配站点', route: operationArea.assignSites, onClick: () => setOpen({ what: 'sites', of: row }) },
      { label: '分配人员', route: operationArea.assignUsers, onClick: () => setOpen({ what: 'users', of: row }) },
      {
        label,
        route: operationArea.toggle,
        onClick: () => change({ key: row.id, before, after, text: `已${label}${what}` }),
      },
      {
        label: '删除',
        route: operationArea.remove,
        danger: true,
        onClick: () => remove(ask, { body: { id: row.id } }),
      },
    ]
  }
  return (
    <>
      <ListPage
        {...list}
        nameOf={(row) => row.name}
        actions={<MainButton route={operationArea.add} label="新增区域" onClick={() => setOpen({ what: 'edit' })} />}
        rowActions={rowActions}
      />
      {open?.what === 'edit' && <AreaDialog row={open.row} onClose={close} />}
      {open?.what === 'sites' && <AreaSitesDialog of={open.of} onClose={close} />}
      {open?.what === 'users' && <AreaUsersDialog of={open.of} onClose={close} />}
    </>
  )
}
