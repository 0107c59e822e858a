import { enabledStatus } from '@wattdeck/contract/common.ts'
import { role, type Role } from '@wattdeck/contract/system/role.ts'
import { Drawer } from 'antd'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { useLocalListState } from '../../../kit/list/list-state.ts'
import { ListPanel } from '../../../kit/list/ListPanel.tsx'
import type { RowOf } from '../../../kit/api/queries.ts'
import '../../../kit/display/drawer-list.css'
import { dialogWidth } from '../../../kit/form/dialog-width.ts'

const columns: Column<RowOf<typeof role.members>>[] = [
  { key: 'name', title: '姓名', width: 120, render: (row) => row.name },
  { key: 'loginName', title: '登录账号', width: 140, render: (row) => row.loginName },
  { key: 'department', title: '部门', width: 160, render: (row) => cells.text(row.departmentName) },
  { key: 'status', title: '状态', width: 80, card: 'tag', render: (row) => cells.status(enabledStatus, row.status) },
]

export function RoleMembersDrawer({ of, onClose }: { of: Role; onClose: () => void }) {
  const state = useLocalListState(role.members)
  return (
    <Drawer open className="drawer-list" title={`角色成员：${of.name}`} size={dialogWidth.m} onClose={onClose}>
      <ListPanel
        listKey="role-members"
        route={role.members}
        params={{ roleId: of.id }}
        state={state}
        columns={columns}
        nameOf={(row) => row.name}
        toolbar="在员工管理中为员工分配角色"
      />
    </Drawer>
  )
}
