import { actionKind } from '@wattdeck/contract/common.ts'
import type { MenuNode } from '@wattdeck/contract/auth/menu-node.ts'
import { resource, type Resource } from '@wattdeck/contract/system/resource.ts'
import { Radio, TreeSelect } from 'antd'
import { Field } from '../../../kit/form/Field.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { TextField } from '../../../kit/form/fields/TextField.tsx'
import { SelectField } from '../../../kit/form/fields/SelectField.tsx'

type TreeOption = { value: string; title: string; children: TreeOption[] }
const menuOptions = (menus: readonly MenuNode[]): TreeOption[] =>
  menus.map((menu) => ({
    value: menu.id,
    title: `${menu.title}（${menu.menuKey}）`,
    children: menuOptions(menu.childMenus),
  }))

const methods = [
  { value: 'POST', label: 'POST' },
  { value: 'GET', label: 'GET' },
]

type Props = {
  of?: Resource
  menus: readonly MenuNode[]
  /** The selected menu of the tree. */
  menuId: string | undefined
  onClose: () => void
}

export function ResourceDialog({ of, menus, menuId, onClose }: Props) {
  const common = { columns: 2 as const, size: 780 as const, refresh: [resource.list], onClose }
  if (of)
    return (
      <FormDialog
        {...common}
        title={`编辑资源：${of.name}（${of.code}）`}
        route={resource.edit}
        initial={{ name: of.name, action: of.action, path: of.path, method: of.method }}
        also={{ id: of.id }}
      >
        <ResourceFields />
      </FormDialog>
    )
  return (
    <FormDialog {...common} title="新增资源" route={resource.add} initial={{ menuId, method: 'POST' }}>
      <Field name="menuId" label="所属菜单" choose>
        <TreeSelect treeDefaultExpandAll showSearch={{ treeNodeFilterProp: 'title' }} treeData={menuOptions(menus)} />
      </Field>
      <TextField name="code" label="资源编码" help="形如 1.1.3:add，保存后不能修改" />
      <ResourceFields />
    </FormDialog>
  )
}

const ResourceFields = () => (
  <>
    <TextField name="name" label="资源名称" />
    <SelectField name="action" label="操作类型" options={actionKind.options} />
    <TextField name="path" label="接口地址" placeholder="/seeker/api/" />
    <Field name="method" label="方法" choose>
      <Radio.Group options={methods} />
    </Field>
  </>
)
