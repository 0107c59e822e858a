import { enabledStatus, userType } from '@wattdeck/contract/common.ts'
import type { UserInfo } from '@wattdeck/contract/auth/session.ts'
import type { Account } from '@wattdeck/contract/system/user-maintenance.ts'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import { MaskedText } from '../../../kit/display/MaskedText.tsx'
import { ownerColumns } from '../../../kit/owner-region/owner-columns.tsx'
import { Tag } from '../../../kit/display/StatusTag.tsx'
import { auditColumns } from '../../../kit/list/audit-columns.tsx'

/** A locked account is what one looks for first, unless it is disabled anyway. */
const statusCell = ({ status, locked }: Account) =>
  locked && status === enabledStatus.code.enabled ? <Tag tone="warn">已锁定</Tag> : cells.status(enabledStatus, status)

export const accountColumns = (user: UserInfo | undefined): Column<Account>[] => [
  {
    key: 'loginName',
    title: '登录账号',
    width: 150,
    fixed: 'start',
    render: (row) => <CopyId value={row.loginName} what="登录账号" />,
  },
  { key: 'status', title: '状态', width: 80, card: 'tag', render: statusCell },
  { key: 'name', title: '姓名', width: 100, render: (row) => row.name },
  {
    key: 'phone',
    title: '手机号',
    width: 150,
    render: (row) => <MaskedText value={row.phone} kind="user" id={row.id} field="phone" what="手机号" />,
  },
  { key: 'userType', title: '用户类型', width: 90, render: (row) => cells.label(userType, row.userType) },
  ...ownerColumns(user),
  { key: 'roles', title: '角色', width: 140, render: (row) => cells.names(row.roles.map((role) => role.name)) },
  { key: 'lastLoginAt', title: '最近登录', width: 110, render: (row) => cells.ago(row.lastLoginAt) },
  ...auditColumns,
]
