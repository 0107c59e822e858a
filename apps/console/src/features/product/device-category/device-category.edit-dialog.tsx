import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import {
  categoryIcon,
  type CategoryNode,
  type DeviceCategory,
  deviceCategory,
} from '@wattdeck/contract/product/device-category.ts'
import { Form } from 'antd'
import type { ReactNode } from 'react'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { initialOf } from '../_shared/catalogue-actions.ts'
import { CategoryIcon } from '../_shared/category-icon.tsx'
import { SelectField } from '../../../kit/form/fields/SelectField.tsx'
import { TextField } from '../../../kit/form/fields/TextField.tsx'
import { NumberField } from '../../../kit/form/fields/NumberField.tsx'

/** An existing category, or the parent of a new one. */
export type CategoryDraft = { row?: DeviceCategory; parentId?: string | undefined }
type Props = {
  draft: CategoryDraft
  tree: readonly CategoryNode[]
  refresh: readonly AnyRoute[]
  onClose: () => void
}

const withIcon = (option: { value?: string | number; label?: ReactNode }) => (
  <>
    <CategoryIcon name={option.value as DeviceCategory['icon']} /> {option.label}
  </>
)

export function CategoryDialog({ draft: { row, parentId }, tree, refresh, onClose }: Props) {
  const common = { refresh, onClose }
  if (row)
    return (
      <FormDialog
        {...common}
        title={`编辑分类：${row.name}（${row.code}）`}
        route={deviceCategory.edit}
        initial={initialOf({ name: row.name, icon: row.icon, sort: row.sort })}
        also={{ id: row.id }}
      >
        <CategoryFields />
      </FormDialog>
    )
  return (
    <FormDialog {...common} title="新增分类" route={deviceCategory.add} initial={{ parentId }}>
      <SelectField
        name="parentId"
        label="所属大类"
        help="留空则新增大类"
        allowClear
        showSearch={{ optionFilterProp: 'label' }}
        placeholder="无（大类）"
        options={tree.map(({ id, code, name }) => ({ value: id, label: `${code} ${name}` }))}
      />
      <CodeField tree={tree} />
      <CategoryFields />
    </FormDialog>
  )
}

/** The two digits of the category, after those of the big category. */
function CodeField({ tree }: { tree: readonly CategoryNode[] }) {
  const parentId = Form.useWatch<string | undefined>('parentId')
  const above = tree.find((node) => node.id === parentId)
  return (
    <TextField
      name="code"
      label="编码"
      help="2位数字，保存后不能修改"
      inputMode="numeric"
      maxLength={2}
      prefix={above ? `${above.code}-` : undefined}
    />
  )
}

const CategoryFields = () => (
  <>
    <TextField name="name" label="名称" />
    <SelectField
      name="icon"
      label="图标"
      allowClear
      options={categoryIcon.options}
      optionRender={withIcon}
      labelRender={withIcon}
    />
    <NumberField name="sort" label="排序" help="数字小的在前" min={0} max={9999} placeholder="0" />
  </>
)
