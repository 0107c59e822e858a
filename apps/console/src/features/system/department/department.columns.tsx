import type { UserInfo } from '@wattdeck/contract/auth/session.ts'
import { type Department, departmentType } from '@wattdeck/contract/system/department.ts'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import { ownerColumns } from '../../../kit/owner-region/owner-columns.tsx'
import { auditColumns } from '../../../kit/list/audit-columns.tsx'

export const departmentColumns = (user: UserInfo | undefined): Column<Department>[] => [
  { key: 'name', title: '部门名称', width: 130, fixed: 'start', render: (row) => row.name },
  ...ownerColumns(user, ['organise']),
  { key: 'code', title: '部门编码', width: 110, render: (row) => <CopyId value={row.code} what="部门编码" /> },
  { key: 'parentName', title: '上级部门', width: 110, render: (row) => cells.text(row.parentName) },
  { key: 'type', title: '类型', width: 90, render: (row) => cells.label(departmentType, row.type) },
  { key: 'leader', title: '负责人', width: 80, render: (row) => cells.text(row.leader) },
  { key: 'phone', title: '电话', width: 120, render: (row) => cells.text(row.phone) },
  { key: 'staffCount', title: '人数', width: 60, align: 'end', render: (row) => cells.count(row.staffCount) },
  {
    key: 'menus',
    title: '菜单上限',
    width: 110,
    render: (row) => (row.menuIds.length === 0 ? '不限制' : `${row.menuIds.length} 个菜单`),
  },
  ...auditColumns,
]
