import { enabledStatus } from '@wattdeck/contract/common.ts'
import { type AttributeTemplate, attributeTemplate } from '@wattdeck/contract/product/attribute-template.ts'
import { deviceType, deviceTypesOf } from '@wattdeck/contract/product/device-type.ts'
import { useState } from 'react'
import { auditColumns } from '../../../kit/list/audit-columns.tsx'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { ListPage } from '../../../kit/list/ListPage.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'
import { AddButton } from '../../../kit/crud/AddButton.tsx'
import type { TemplateDraft } from './attribute-template.edit-dialog.tsx'
import { useRowChanges } from '../_shared/catalogue-actions.ts'

const TemplateDialog = lazyPart(async () => (await import('./attribute-template.edit-dialog.tsx')).TemplateDialog)
const ItemsDrawer = lazyPart(async () => (await import('./attribute-template.drawer.tsx')).ItemsDrawer)

const columns: Column<AttributeTemplate>[] = [
  { key: 'name', title: '模板名称', width: 220, fixed: 'start', render: (row) => row.name },
  { key: 'version', title: '版本', width: 80, render: (row) => row.version },
  { key: 'typeNames', title: '设备类型', render: (row) => cells.names(row.typeNames) },
  { key: 'attributeCount', title: '属性数', width: 80, align: 'end', render: (row) => row.attributeCount },
  { key: 'groupNames', title: '分组', width: 260, render: (row) => cells.names(row.groupNames) },
  { key: 'uses', title: '引用数', width: 80, align: 'end', render: (row) => row.typeNames.length },
  { key: 'status', title: '状态', width: 80, card: 'tag', render: (row) => cells.status(enabledStatus, row.status) },
  { key: 'remark', title: '备注', width: 220, hidden: true, render: (row) => cells.text(row.remark) },
  ...auditColumns,
]
const refresh = [attributeTemplate.list, attributeTemplate.options]

export default function AttributeTemplatePage() {
  const types = deviceTypesOf(useDetail(deviceType.all).data ?? [])
  const [draft, setDraft] = useState<TemplateDraft>()
  const [items, setItems] = useState<AttributeTemplate>()
  useReturnFocus(draft !== undefined || items !== undefined)
  const changes = useRowChanges({ toggle: attributeTemplate.toggle, remove: attributeTemplate.remove, refresh })
  const add = <AddButton route={attributeTemplate.add} label="新增模板" onClick={() => setDraft({ what: 'new' })} />

  const rowActions = (row: AttributeTemplate): RowAction[] => [
    { label: '属性维护', route: attributeTemplate.items, onClick: () => setItems(row) },
    { label: '编辑', route: attributeTemplate.edit, onClick: () => setDraft({ what: 'edit', row }) },
    { label: '复制', route: attributeTemplate.copy, onClick: () => setDraft({ what: 'copy', row }) },
    ...changes(row, {
      what: `模板「${row.name}」`,
      stopped: '停用后不能再为设备类型选择该模板，已关联的设备类型不受影响',
      used: row.typeNames.length > 0 ? `模板正被 ${row.typeNames.length} 个设备类型使用，不能删除` : undefined,
    }),
  ]
  return (
    <>
      <ListPage
        title="属性模板库"
        listKey="attribute-template"
        liveKey="attributeTemplate"
        route={attributeTemplate.list}
        columns={columns}
        nameOf={(row) => row.name}
        filters={[
          { kind: 'text', name: 'keyword', label: '模板名称' },
          {
            kind: 'select',
            name: 'deviceTypeId',
            label: '设备类型',
            options: types.map(({ id, name }) => ({ value: id, label: name })),
          },
          { kind: 'select', name: 'status', label: '状态', options: enabledStatus.options },
        ]}
        actions={add}
        emptyAction={add}
        rowActions={rowActions}
      />
      {draft && <TemplateDialog draft={draft} refresh={refresh} onClose={() => setDraft(undefined)} />}
      {items && <ItemsDrawer of={items} refresh={refresh} onClose={() => setItems(undefined)} />}
    </>
  )
}
