import type { MenuNode } from '@wattdeck/contract/auth/menu-node.ts'
import { department, type Department } from '@wattdeck/contract/system/department.ts'
import { menuManager } from '@wattdeck/contract/system/menu-manager.ts'
import { Alert, App, Modal, Tree } from 'antd'
import { useState } from 'react'
import { useDetail } from '../../../kit/api/queries.ts'
import { States } from '../../../kit/display/States.tsx'
import { abandonQuestion, useDirtyGuard } from '../../../kit/form/use-dirty-guard.ts'
import { useSubmit } from '../../../kit/form/use-submit.ts'
import {
  checkOf,
  difference,
  flatMenus,
  givable,
  type Ids,
  menuIds,
  withMenu,
  withoutMenu,
} from '../privilege/menu-choice.ts'
import '../_shared/system.css'
import { dialogWidth } from '../../../kit/form/dialog-width.ts'

const rule = '部门菜单是该部门及下级员工可用菜单的上限，不勾选任何菜单表示不限制'

type Props = { of: Department; onClose: () => void }

export function DepartmentMenusDialog({ of, onClose }: Props) {
  const { modal } = App.useApp()
  const tree = useDetail(menuManager.tree)
  const before: Ids = new Set(of.menuIds)
  const [chosen, setChosen] = useState<Ids>(before)
  const submit = useSubmit(department.saveMenus, { refresh: [department.list], onDone: onClose })
  const { added, removed } = difference(before, chosen)
  const dirty = added.length + removed.length > 0
  useDirtyGuard(() => dirty)
  // Menus that the caller does not hold cannot be granted again.
  const inSight = new Set(tree.data ? menuIds(tree.data) : of.menuIds)
  const grantable = [...chosen].filter((id) => inSight.has(id))
  const removedCount = chosen.size - grantable.length

  return (
    <Modal
      open
      title={`分配菜单：${of.name}`}
      width={dialogWidth.s}
      okText="保存"
      cancelText="取消"
      confirmLoading={submit.pending}
      okButtonProps={{ disabled: tree.data === undefined }}
      mask={{ closable: false }}
      onOk={() => void submit.run({ body: { departmentId: of.id, menuIds: grantable } })}
      onCancel={() => (dirty ? void modal.confirm({ ...abandonQuestion, onOk: onClose }) : onClose())}
    >
      <Alert className="dialog-alert" type="info" showIcon title={rule} />
      {removedCount > 0 && (
        <Alert
          className="dialog-alert"
          type="warning"
          showIcon
          title={`已分配的菜单中有 ${removedCount} 个不在您的权限内，保存后将移除`}
        />
      )}
      <States query={tree} rows={8}>
        {(menus) => <MenuTree menus={givable(menus)} chosen={chosen} onChange={setChosen} />}
      </States>
      <p className="choice-summary" aria-live="polite">
        {grantable.length === 0 ? '未勾选菜单，不限制' : `已勾选 ${grantable.length} 个菜单`}
        {dirty && `（新增 ${added.length} 项，移除 ${removed.length} 项）`}
      </p>
    </Modal>
  )
}

type TreeData = { key: string; title: string; children: TreeData[] }
const toData = (nodes: readonly MenuNode[]): TreeData[] =>
  nodes.map((node) => ({ key: node.id, title: node.title, children: toData(node.childMenus) }))

type TreeProps = { menus: readonly MenuNode[]; chosen: Ids; onChange: (chosen: Ids) => void }

function MenuTree({ menus, chosen, onChange }: TreeProps) {
  const states = flatMenus(menus).map((node) => ({ id: node.id, check: checkOf(node, chosen) }))
  const idsAt = (check: string) => states.filter((state) => state.check === check).map((state) => state.id)
  return (
    <div className="choice-box">
      <Tree
        aria-label="菜单"
        blockNode
        checkable
        checkStrictly
        selectable={false}
        defaultExpandAll
        treeData={toData(menus)}
        checkedKeys={{ checked: idsAt('on'), halfChecked: idsAt('part') }}
        onCheck={(_, { node, checked }) =>
          onChange(checked ? withMenu(menus, chosen, node.key) : withoutMenu(menus, chosen, node.key))
        }
      />
    </div>
  )
}
