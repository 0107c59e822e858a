import { PlusOutlined } from '@ant-design/icons'
import { role, type Role, roleList } from '@wattdeck/contract/system/role.ts'
import { roleTemplate } from '@wattdeck/contract/system/role-template.ts'
import { Button } from 'antd'
import { Can } from '../../../kit/api/Can.tsx'
import type { ColumnChanges } from '../../../kit/crud/field-columns.tsx'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { ListPage } from '../../../kit/list/ListPage.tsx'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { useConfirmedSubmit, removal } from '../../../kit/form/use-confirm.ts'
import { toggleOf } from '../../../kit/list/enabled-toggle.ts'
import { useOpen } from '../../../kit/form/use-return-focus.ts'

const RoleDialog = lazyPart(async () => (await import('./role.edit-dialog.tsx')).RoleDialog)
const RoleMembersDrawer = lazyPart(async () => (await import('./role.members-drawer.tsx')).RoleMembersDrawer)
const RoleTemplateDialog = lazyPart(async () => (await import('./role.template-dialog.tsx')).RoleTemplateDialog)
const RolePrivilegeDialog = lazyPart(async () => (await import('./role.privilege-dialog.tsx')).RolePrivilegeDialog)

const columns: ColumnChanges<Role> = {
  auditOnly: { render: (row) => (row.auditOnly ? '审计' : '普通') },
  canUnmask: { render: (row) => (row.canUnmask ? '允许' : '不允许') },
}

type Open = { what: 'new' | 'template' } | { what: 'edit' | 'copy' | 'members' | 'privilege'; of: Role }
const refresh = [role.list]

export default function RolePage() {
  const list = useFieldList(roleList, { listKey: 'role', liveKey: 'role', columns })
  const [open, setOpen, close] = useOpen<Open>()
  const toggle = useConfirmedSubmit(role.toggle, { refresh })
  const remove = useConfirmedSubmit(role.remove, { refresh })

  function rowActions(row: Role): RowAction[] {
    const what = `角色「${row.name}」`
    const { label, question, status } = toggleOf(row.status, what, `停用后 ${row.userCount} 名成员将失去该角色的权限`)
    return [
      { label: '权限配置', route: role.savePrivilege, onClick: () => setOpen({ what: 'privilege', of: row }) },
      { label: '编辑', route: role.edit, onClick: () => setOpen({ what: 'edit', of: row }) },
      { label: '查看成员', route: role.members, onClick: () => setOpen({ what: 'members', of: row }) },
      { label: '复制', route: role.copy, onClick: () => setOpen({ what: 'copy', of: row }) },
      { label, route: role.toggle, onClick: () => toggle(question, { body: { id: row.id, status } }) },
      {
        label: '删除',
        route: role.remove,
        danger: true,
        disabled: row.userCount > 0 ? '角色下还有成员，不能删除' : undefined,
        onClick: () => remove(removal(what), { body: { id: row.id } }),
      },
    ]
  }

  return (
    <>
      <ListPage
        {...list}
        nameOf={(row) => row.name}
        actions={
          <>
            <Can route={roleTemplate.add}>
              <Button onClick={() => setOpen({ what: 'template' })}>按模板新增</Button>
            </Can>
            <Can route={role.add}>
              <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen({ what: 'new' })}>
                新增角色
              </Button>
            </Can>
          </>
        }
        rowActions={rowActions}
        emptyAction={
          <Can route={role.add}>
            <Button onClick={() => setOpen({ what: 'new' })}>新增角色</Button>
          </Can>
        }
      />
      {open?.what === 'new' && <RoleDialog onClose={close} />}
      {open?.what === 'template' && <RoleTemplateDialog onClose={close} />}
      {(open?.what === 'edit' || open?.what === 'copy') && (
        <RoleDialog of={open.of} copies={open.what === 'copy'} onClose={close} />
      )}
      {open?.what === 'members' && <RoleMembersDrawer of={open.of} onClose={close} />}
      {open?.what === 'privilege' && <RolePrivilegeDialog of={open.of} onClose={close} />}
    </>
  )
}
