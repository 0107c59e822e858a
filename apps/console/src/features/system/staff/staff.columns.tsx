import { enabledStatus, userType } from '@wattdeck/contract/common.ts'
import type { UserInfo } from '@wattdeck/contract/auth/session.ts'
import type { Staff } from '@wattdeck/contract/system/staff.ts'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { decidedColumns } from '../../../kit/list/decided-columns.tsx'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import { MaskedText } from '../../../kit/display/MaskedText.tsx'
import { Tag } from '../../../kit/display/StatusTag.tsx'
import { alikeOwners, ownerColumns } from '../../../kit/owner-region/owner-columns.tsx'
import { auditColumns } from '../../../kit/list/audit-columns.tsx'

/** A lock takes precedence over the enabled status. */
const statusCell = ({ status, locked }: Staff) =>
  locked && status === enabledStatus.code.enabled ? <Tag tone="warn">已锁定</Tag> : cells.status(enabledStatus, status)

const factorCell = ({ hasFactor, factorReset }: Staff) =>
  factorReset ? (
    <Tag tone="warn">重置待审批</Tag>
  ) : (
    <Tag tone={hasFactor ? 'ok' : 'off'}>{hasFactor ? '已绑定' : '未绑定'}</Tag>
  )

const decided = [
  ['name', 'employeeNo'],
  ['status'],
  ['loginName', 'phone'],
  ['department', 'organiseName'],
  ['roles', 'userType'],
  ['factor'],
  ['lastLoginAt'],
] as const

export const staffColumns = (user: UserInfo | undefined): Column<Staff>[] =>
  decidedColumns(allColumns(user), decided, alikeOwners(user))

const allColumns = (user: UserInfo | undefined): Column<Staff>[] => [
  { key: 'name', title: '姓名', width: 90, fixed: 'start', render: (row) => row.name },
  { key: 'status', title: '状态', width: 80, card: 'tag', render: statusCell },
  { key: 'employeeNo', title: '工号', width: 100, render: (row) => <CopyId value={row.employeeNo} what="工号" /> },
  { key: 'loginName', title: '登录账号', width: 110, render: (row) => row.loginName },
  {
    key: 'phone',
    title: '手机号',
    width: 150,
    render: (row) => <MaskedText value={row.phone} kind="user" id={row.id} field="phone" what="手机号" />,
  },
  { key: 'department', title: '部门', width: 110, render: (row) => cells.text(row.departmentName) },
  { key: 'roles', title: '角色', width: 130, render: (row) => cells.names(row.roles.map((role) => role.name)) },
  { key: 'userType', title: '用户类型', width: 90, render: (row) => cells.label(userType, row.userType) },
  { key: 'factor', title: '二次验证', width: 110, render: factorCell },
  { key: 'lastLoginAt', title: '最近登录', width: 110, render: (row) => cells.ago(row.lastLoginAt) },
  ...ownerColumns(user, ['organise']),
  ...auditColumns,
]
