import { enabledStatus } from '@wattdeck/contract/common.ts'
import {
  attributeAccess,
  attributeType,
  type PlatformAttribute,
  platformAttribute,
} from '@wattdeck/contract/product/platform-attribute.ts'
import { useState } from 'react'
import { auditColumns } from '../../../kit/list/audit-columns.tsx'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { ListPage } from '../../../kit/list/ListPage.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'
import { AddButton } from '../../../kit/crud/AddButton.tsx'
import { rangeText, valueText } from '../_shared/attribute-text.ts'
import { useRowChanges } from '../_shared/catalogue-actions.ts'

const AttributeDialog = lazyPart(async () => (await import('./platform-attribute.edit-dialog.tsx')).AttributeDialog)

const columns: Column<PlatformAttribute>[] = [
  { key: 'name', title: '属性名称', width: 130, fixed: 'start', render: (row) => row.name },
  { key: 'identifier', title: '标识', width: 190, render: (row) => <CopyId value={row.identifier} what="属性标识" /> },
  { key: 'dataType', title: '数据类型', width: 80, render: (row) => cells.label(attributeType, row.dataType) },
  { key: 'unit', title: '单位', width: 55, render: (row) => cells.text(row.unit) },
  { key: 'range', title: '范围', render: (row) => cells.text(rangeText(row)) },
  { key: 'defaultValue', title: '默认值', width: 80, render: (row) => cells.text(valueText(row, row.defaultValue)) },
  { key: 'access', title: '读写', width: 60, render: (row) => cells.label(attributeAccess, row.access) },
  { key: 'groupName', title: '分组', width: 90, render: (row) => row.groupName },
  { key: 'status', title: '状态', width: 70, card: 'tag', render: (row) => cells.status(enabledStatus, row.status) },
  { key: 'templateCount', title: '模板数', width: 80, align: 'end', hidden: true, render: (row) => row.templateCount },
  ...auditColumns,
]
const refresh = [platformAttribute.list, platformAttribute.groups]

export default function PlatformAttributePage() {
  const { data: groups = [] } = useDetail(platformAttribute.groups)
  const [editing, setEditing] = useState<PlatformAttribute | 'new'>()
  useReturnFocus(editing !== undefined)
  const changes = useRowChanges({ toggle: platformAttribute.toggle, remove: platformAttribute.remove, refresh })
  const add = <AddButton route={platformAttribute.add} label="新增属性" onClick={() => setEditing('new')} />

  const rowActions = (row: PlatformAttribute): RowAction[] => [
    { label: '编辑', route: platformAttribute.edit, onClick: () => setEditing(row) },
    ...changes(row, {
      what: `属性「${row.name}」`,
      stopped: '停用后不能再加入模板，已使用的模板不受影响',
      used: row.templateCount > 0 ? `属性正被 ${row.templateCount} 个模板使用，不能删除` : undefined,
    }),
  ]
  return (
    <>
      <ListPage
        title="平台属性"
        listKey="platform-attribute"
        liveKey="platformAttribute"
        route={platformAttribute.list}
        columns={columns}
        nameOf={(row) => row.name}
        filters={[
          { kind: 'text', name: 'keyword', label: '名称/标识' },
          { kind: 'select', name: 'dataType', label: '数据类型', options: attributeType.options },
          {
            kind: 'select',
            name: 'groupName',
            label: '分组',
            options: groups.map((name) => ({ value: name, label: name })),
          },
          { kind: 'select', name: 'status', label: '状态', options: enabledStatus.options },
        ]}
        actions={add}
        emptyAction={add}
        rowActions={rowActions}
      />
      {editing && (
        <AttributeDialog
          {...(editing === 'new' ? {} : { of: editing })}
          groups={groups}
          refresh={refresh}
          onClose={() => setEditing(undefined)}
        />
      )}
    </>
  )
}
