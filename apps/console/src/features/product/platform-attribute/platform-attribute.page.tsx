import {
  type PlatformAttribute,
  platformAttribute,
  platformAttributeList,
} from '@wattdeck/contract/product/platform-attribute.ts'
import type { ColumnChanges } from '../../../kit/crud/field-columns.tsx'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { ListPage } from '../../../kit/list/ListPage.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { MainButton } from '../../../kit/crud/MainButton.tsx'
import { rangeText, valueText } from '../_shared/attribute-text.ts'
import { useRowChanges } from '../_shared/catalogue-actions.ts'
import { useOpen } from '../../../kit/form/use-return-focus.ts'

const AttributeDialog = lazyPart(async () => (await import('./platform-attribute.edit-dialog.tsx')).AttributeDialog)

const columns: ColumnChanges<PlatformAttribute> = {
  identifier: { render: (row) => <CopyId value={row.identifier} what="属性标识" /> },
  defaultValue: { render: (row) => cells.text(valueText(row, row.defaultValue)) },
}
const rangeColumn: Column<PlatformAttribute> = {
  key: 'range',
  title: '范围',
  render: (row) => cells.text(rangeText(row)),
}
const refresh = [platformAttribute.list, platformAttribute.groups]

export default function PlatformAttributePage() {
  const { data: groups = [] } = useDetail(platformAttribute.groups)
  const list = useFieldList(platformAttributeList, {
    listKey: 'platform-attribute',
    liveKey: 'platformAttribute',
    columns,
  })
  const [editing, setEditing, close] = useOpen<PlatformAttribute | 'new'>()
  const changes = useRowChanges({ toggle: platformAttribute.toggle, remove: platformAttribute.remove, refresh })
  const add = <MainButton route={platformAttribute.add} label="新增属性" onClick={() => setEditing('new')} />

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
        {...list}
        columns={list.columns.toSpliced(4, 0, rangeColumn)}
        nameOf={(row) => row.name}
        filters={list.filters.toSpliced(2, 0, {
          kind: 'select',
          name: 'groupName',
          label: '分组',
          options: groups.map((name) => ({ value: name, label: name })),
        })}
        actions={add}
        emptyAction={add}
        rowActions={rowActions}
      />
      {editing && (
        <AttributeDialog
          {...(editing === 'new' ? {} : { of: editing })}
          groups={groups}
          refresh={refresh}
          onClose={close}
        />
      )}
    </>
  )
}
