import {
  type AttributeTemplate,
  attributeTemplate,
  attributeTemplateCrud,
} from '@wattdeck/contract/product/attribute-template.ts'
import { deviceType, deviceTypesOf } from '@wattdeck/contract/product/device-type.ts'
import { Input } from 'antd'
import { useDetail } from '../../../kit/api/queries.ts'
import { CrudDialog } from '../../../kit/crud/CrudDialog.tsx'
import { useCrud } from '../../../kit/crud/use-crud.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { ListPage } from '../../../kit/list/ListPage.tsx'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { useOpen } from '../../../kit/form/use-return-focus.ts'

const CopyDialog = lazyPart(async () => (await import('./attribute-template.copy-dialog.tsx')).CopyDialog)
const ItemsDrawer = lazyPart(async () => (await import('./attribute-template.drawer.tsx')).ItemsDrawer)

type Open = { what: 'copy' | 'items'; row: AttributeTemplate }

const usesColumn: Column<AttributeTemplate> = {
  key: 'uses',
  title: '引用数',
  width: 80,
  align: 'end',
  render: (row) => row.typeNames.length,
}
const version = { input: <Input autoComplete="off" placeholder="V1.0" /> }
const refresh = [attributeTemplate.list, attributeTemplate.options]

export default function AttributeTemplatePage() {
  const types = deviceTypesOf(useDetail(deviceType.all).data ?? [])
  const [open, setOpen, close] = useOpen<Open>()
  const { list, dialog } = useCrud(attributeTemplateCrud, {
    nameOf: (row) => row.name,
    disableWarning: '停用后不能再为设备类型选择该模板，已关联的设备类型不受影响',
    removeProblem: ({ typeNames }) =>
      typeNames.length > 0 ? `模板正被 ${typeNames.length} 个设备类型使用，不能删除` : undefined,
    actions: (row) => [{ label: '复制', route: attributeTemplate.copy, onClick: () => setOpen({ what: 'copy', row }) }],
    refresh: [attributeTemplate.options],
  })
  const typeOptions = types.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <>
      <ListPage
        {...list}
        columns={list.columns.toSpliced(5, 0, usesColumn)}
        filters={list.filters.toSpliced(1, 0, {
          kind: 'select',
          name: 'deviceTypeId',
          label: '设备类型',
          options: typeOptions,
        })}
        rowActions={(row) => [
          { label: '属性维护', route: attributeTemplate.items, onClick: () => setOpen({ what: 'items', row }) },
          ...list.rowActions(row),
        ]}
      />
      {dialog && <CrudDialog {...dialog} changes={{ version }} />}
      {open?.what === 'copy' && <CopyDialog row={open.row} refresh={refresh} onClose={close} />}
      {open?.what === 'items' && <ItemsDrawer of={open.row} refresh={refresh} onClose={close} />}
    </>
  )
}
