import { deviceCategory } from '@wattdeck/contract/product/device-category.ts'
import { type DeviceType, deviceType, deviceTypeList } from '@wattdeck/contract/product/device-type.ts'
import { dtuProtocol } from '@wattdeck/contract/product/dtu-protocol.ts'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { useListState } from '../../../kit/list/list-state.ts'
import { ListPanel } from '../../../kit/list/ListPanel.tsx'
import { PageFrame } from '../../../kit/display/PageFrame.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { MainButton } from '../../../kit/crud/MainButton.tsx'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import { useRowChanges } from '../_shared/catalogue-actions.ts'
import { deviceTypeColumns, pictureColumn } from './device-type.columns.tsx'
import { useOpen } from '../../../kit/form/use-return-focus.ts'

const TypeDialog = lazyPart(async () => (await import('./device-type.edit-dialog.tsx')).TypeDialog)
const TemplateDialog = lazyPart(async () => (await import('./device-type.template-dialog.tsx')).TemplateDialog)

type Open = { what: 'edit'; row?: DeviceType } | { what: 'template'; row: DeviceType }
const refresh = [deviceType.list, deviceType.all]
const optionOf = ({ id, name }: { id: string; name: string }) => ({ value: id, label: name })

export default function DeviceTypePage() {
  const state = useListState(deviceType.list)
  const { data: tree = [] } = useDetail(deviceCategory.tree)
  const { data: protocols = [] } = useDetail(dtuProtocol.options)
  const list = useFieldList(deviceTypeList, {
    listKey: 'device-type',
    liveKey: 'deviceType',
    columns: deviceTypeColumns,
  })
  const [open, setOpen, close] = useOpen<Open>()
  const changes = useRowChanges({ toggle: deviceType.toggle, remove: deviceType.remove, refresh })

  const { categoryId } = state.query
  const small = tree.filter((big) => categoryId === undefined || big.id === categoryId).flatMap((big) => big.children)
  const filters: typeof list.filters = [
    ...list.filters.slice(0, 1),
    { kind: 'select', name: 'categoryId', label: '设备大类', options: tree.map((big) => optionOf(big)) },
    { kind: 'select', name: 'smallCategoryId', label: '设备小类', options: small.map((one) => optionOf(one)) },
    { kind: 'select', name: 'protocolId', label: '协议', options: protocols.map((one) => optionOf(one)) },
    ...list.filters.slice(1),
  ]
  const add = <MainButton route={deviceType.add} label="新增设备类型" onClick={() => setOpen({ what: 'edit' })} />

  const rowActions = (row: DeviceType): RowAction[] => [
    { label: '编辑', route: deviceType.edit, onClick: () => setOpen({ what: 'edit', row }) },
    { label: '关联模板', route: deviceType.bindTemplate, onClick: () => setOpen({ what: 'template', row }) },
    ...changes(row, {
      what: `设备类型「${row.name}」`,
      stopped: '停用后不能再新增该类型的设备，已有设备不受影响',
      used: row.deviceCount > 0 ? `还有 ${row.deviceCount} 台设备属于该类型，不能删除` : undefined,
    }),
  ]

  return (
    <PageFrame title={list.title} actions={add}>
      <ListPanel
        {...list}
        state={state}
        columns={list.columns.toSpliced(8, 0, pictureColumn)}
        nameOf={(row) => row.name}
        filters={filters}
        rowActions={rowActions}
        emptyAction={add}
      />
      {open?.what === 'edit' && <TypeDialog row={open.row} tree={tree} refresh={refresh} onClose={close} />}
      {open?.what === 'template' && <TemplateDialog of={open.row} refresh={refresh} onClose={close} />}
    </PageFrame>
  )
}
