import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { department, type Department, departmentList, departmentType } from '@wattdeck/contract/system/department.ts'
import { Form, TreeSelect } from 'antd'
import { FieldInputs } from '../../../kit/crud/FieldInputs.tsx'
import { Field } from '../../../kit/form/Field.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { OrganiseField } from '../../../kit/owner-region/OwnerFields.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import { useUser } from '../../../kit/api/user.ts'
import { departmentOptions } from './department-tree.ts'

/** An existing department, or the parent of a new one. */
export type DepartmentDraft = { row?: Department; organiseId?: string | undefined; parentId?: string | undefined }
type Props = { draft: DepartmentDraft; refresh: readonly AnyRoute[]; onClose: () => void }

export function DepartmentDialog({ draft: { row, organiseId, parentId }, refresh, onClose }: Props) {
  const user = useUser()
  const common = { columns: 2 as const, size: 780 as const, refresh, onClose }
  if (row)
    return (
      <FormDialog
        {...common}
        title={`编辑部门：${row.name}`}
        route={department.edit}
        initial={{
          name: row.name,
          code: row.code,
          type: row.type,
          parentId: row.parentId ?? undefined,
          leader: row.leader ?? undefined,
        }}
        also={{ id: row.id }}
      >
        <Fields organiseId={row.organiseId} of={row} />
      </FormDialog>
    )
  return (
    <FormDialog
      {...common}
      title="新增部门"
      route={department.add}
      initial={{ organiseId: organiseId ?? user?.organiseId, parentId, type: departmentType.code.baseService }}
    >
      <OrganiseField wide clears={['parentId']} />
      <NewFields />
    </FormDialog>
  )
}

function NewFields() {
  const user = useUser()
  const chosen = Form.useWatch<string | undefined>('organiseId')
  return <Fields organiseId={chosen ?? user?.organiseId ?? ''} />
}

function Fields({ organiseId, of }: { organiseId: string; of?: Department }) {
  const tree = useDetail(department.tree, { params: { organiseId }, enabled: organiseId !== '' })
  const common = {
    fields: departmentList.fields,
    row: of,
    changes: { code: { help: '字母、数字、下划线或短横线' } },
  }
  return (
    <>
      <FieldInputs {...common} names={['name', 'code']} />
      <Field name="parentId" label="上级部门" choose>
        <TreeSelect
          allowClear
          treeDefaultExpandAll
          showSearch={{ treeNodeFilterProp: 'title' }}
          placeholder="无（一级部门）"
          loading={tree.isFetching}
          treeData={departmentOptions(tree.data ?? [], of?.id)}
        />
      </Field>
      <FieldInputs {...common} names={['type', 'leader', 'phone']} />
    </>
  )
}
