import {
  type DeviceCategory,
  categoryLevel,
  categoryUse,
  deviceCategory,
  deviceCategoryList,
} from '@wattdeck/contract/product/device-category.ts'
import type { ColumnChanges } from '../../../kit/crud/field-columns.tsx'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import * as cells from '../../../kit/display/cells.tsx'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { useListState } from '../../../kit/list/list-state.ts'
import { ListPanel } from '../../../kit/list/ListPanel.tsx'
import { PageFrame } from '../../../kit/display/PageFrame.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { TreeRetry } from '../../../kit/tree/tree-retry.tsx'
import { TreePanel } from '../../../kit/tree/TreePanel.tsx'
import { useConfirmedSubmit, removal } from '../../../kit/form/use-confirm.ts'
import { MainButton } from '../../../kit/crud/MainButton.tsx'
import { CategoryIcon } from '../_shared/category-icon.tsx'
import type { CategoryDraft } from './device-category.edit-dialog.tsx'
import { useOpen } from '../../../kit/form/use-return-focus.ts'

const CategoryDialog = lazyPart(async () => (await import('./device-category.edit-dialog.tsx')).CategoryDialog)

const { big } = categoryLevel.code
const columns: ColumnChanges<DeviceCategory> = {
  name: {
    render: (row) => (
      <>
        <CategoryIcon name={row.icon} /> {row.name}
      </>
    ),
  },
  code: { render: (row) => <CopyId value={row.code} what="分类编码" /> },
  smallCount: { render: (row) => (row.level === big ? cells.count(row.smallCount) : cells.dash) },
  disabled: {
    card: 'tag',
    render: (row) => cells.status(categoryUse, row.disabled ? categoryUse.code.disabled : categoryUse.code.inUse),
  },
  sort: { render: (row) => row.sort },
}
const refresh = [deviceCategory.list, deviceCategory.tree]

export default function DeviceCategoryPage() {
  const state = useListState(deviceCategory.list)
  const list = useFieldList(deviceCategoryList, {
    listKey: 'device-category',
    liveKey: 'deviceCategory',
    columns,
  })
  const { parentId } = state.query
  const { data: tree = [], error, isFetching, refetch } = useDetail(deviceCategory.tree)
  const [draft, setDraft, close] = useOpen<CategoryDraft>()
  const toggle = useConfirmedSubmit(deviceCategory.toggle, { refresh })
  const remove = useConfirmedSubmit(deviceCategory.remove, { refresh })
  const startNew = () => setDraft({ parentId })

  function rowActions(row: DeviceCategory): RowAction[] {
    const what = `分类「${row.name}」`
    const label = row.disabled ? '启用' : '停用'
    const content = row.disabled ? undefined : '停用后不能再为新的设备类型选择该分类，已有设备不受影响'
    const question = { title: `确定要${label}${what}吗？`, danger: !row.disabled, okText: label }
    const body = { id: row.id, disabled: !row.disabled }
    const below: RowAction = {
      label: '新增小类',
      route: deviceCategory.add,
      onClick: () => setDraft({ parentId: row.id }),
    }
    return [
      { label: '编辑', route: deviceCategory.edit, onClick: () => setDraft({ row }) },
      ...(row.level === big ? [below] : []),
      {
        label,
        route: deviceCategory.toggle,
        onClick: () => toggle({ ...question, ...(content ? { content } : {}) }, { body }),
      },
      {
        label: '删除',
        route: deviceCategory.remove,
        danger: true,
        disabled: row.smallCount + row.typeCount > 0 ? '分类下还有小类或设备类型，不能删除' : undefined,
        onClick: () => remove(removal(what), { body: { id: row.id } }),
      },
    ]
  }

  return (
    <PageFrame
      title={list.title}
      actions={<MainButton route={deviceCategory.add} label={parentId ? '新增小类' : '新增大类'} onClick={startNew} />}
    >
      <TreePanel
        label="大类"
        items={tree.map(({ id, code, name }) => ({ id, title: `${code} ${name}`, children: [] }))}
        selected={parentId}
        onSelect={(id) => state.set({ parentId: id })}
        actions={<TreeRetry query={{ error, isFetching, refetch }} what="大类" />}
      >
        <ListPanel
          {...list}
          state={state}
          nameOf={(row) => row.name}
          filters={[...list.filters, { kind: 'select', name: 'disabled', label: '状态', options: categoryUse.options }]}
          rowActions={rowActions}
          emptyAction={<MainButton route={deviceCategory.add} label="新增大类" onClick={startNew} />}
        />
      </TreePanel>
      {draft && <CategoryDialog draft={draft} tree={tree} refresh={refresh} onClose={close} />}
    </PageFrame>
  )
}
