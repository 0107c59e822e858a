import { role, type Role } from '@wattdeck/contract/system/role.ts'
import { Alert, App, Button, Input, Modal, Switch } from 'antd'
import { useState } from 'react'
import { useDetail } from '../kit/queries.ts'
import { EmptyPane, States } from '../kit/States.tsx'
import { abandonQuestion, useDirtyGuard } from '../kit/use-dirty-guard.ts'
import { useSubmit } from '../kit/use-submit.ts'
import { ChangeList, PrivilegeTree } from './role.privilege-tree.tsx'
import {
  changesOf,
  type Choice,
  chooseAll,
  chooseNone,
  grantedChoice,
  type Offer,
  offeredMenus,
  searchMenus,
} from './role.privilege.ts'
import './system.css'

type Props = { of: Role; onClose: () => void }

/** Which menus and actions a role grants. What changes is shown before it is saved. */
export function RolePrivilegeDialog({ of, onClose }: Props) {
  const { modal, message } = App.useApp()
  const offer = useDetail(role.privilege, { params: { roleId: of.id } })
  const [chosen, setChosen] = useState<Choice>()
  const submit = useSubmit(role.savePrivilege, { refresh: [role.list, role.privilege], onDone: onClose })
  const before = offer.data && grantedChoice(offer.data)
  const choice = chosen ?? before
  const changes = offer.data && before && choice && changesOf(offer.data, before, choice)
  const dirty = changes !== undefined && changes.added.length + changes.removed.length > 0
  useDirtyGuard(() => dirty && !submit.pending)

  function save() {
    if (!choice || !changes) return
    if (!dirty) {
      void message.info('权限没有改动')
      return
    }
    const { menus, resources, unmask } = choice
    void modal.confirm({
      title: `确定要保存角色「${of.name}」的权限吗？`,
      content: <ChangeList changes={changes} userCount={of.userCount} />,
      width: 560,
      okText: '确认保存',
      cancelText: '继续编辑',
      onOk: () =>
        submit.run({
          body: { roleId: of.id, menuIds: [...menus], resourceIds: [...resources], canUnmask: unmask },
        }),
    })
  }

  return (
    <Modal
      open
      title={`权限配置：${of.name}`}
      width={1100}
      okText="保存"
      cancelText="取消"
      confirmLoading={submit.pending}
      okButtonProps={{ disabled: choice === undefined }}
      mask={{ closable: false }}
      onOk={save}
      onCancel={() => (dirty ? void modal.confirm({ ...abandonQuestion, onOk: onClose }) : onClose())}
    >
      <States query={offer} rows={10}>
        {(data) => <Chooser offer={data} choice={choice ?? grantedChoice(data)} onChange={setChosen} />}
      </States>
      {changes && (
        <p className="choice-summary" aria-live="polite">
          {dirty ? `待保存：新增 ${changes.added.length} 项，移除 ${changes.removed.length} 项` : '没有改动'}
        </p>
      )}
    </Modal>
  )
}

type ChooserProps = { offer: Offer; choice: Choice; onChange: (choice: Choice) => void }

function Chooser({ offer, choice, onChange }: ChooserProps) {
  const [text, setText] = useState('')
  const menus = searchMenus(offeredMenus(offer), text)
  return (
    <>
      <Alert
        className="dialog-alert"
        type="info"
        showIcon
        title="仅列出您自己拥有的权限。勾选菜单即可查看该页面，操作需单独勾选。"
      />
      <div className="choice-head">
        <Input
          allowClear
          className="choice-search"
          value={text}
          placeholder="搜索菜单"
          aria-label="搜索菜单"
          onChange={(event) => setText(event.target.value)}
        />
        <Button onClick={() => onChange(chooseAll(offer, choice))}>全选</Button>
        <Button onClick={() => onChange(chooseNone(offer, choice))}>清空</Button>
        {offer.mayGrantUnmask && (
          <label className="choice-unmask" htmlFor="can-unmask">
            <Switch id="can-unmask" checked={choice.unmask} onChange={(unmask) => onChange({ ...choice, unmask })} />
            查看明文
            <span className="meta">可查看手机号等个人信息的完整内容，每次查看均记入日志</span>
          </label>
        )}
      </div>
      <div className="choice-box">
        {menus.length === 0 ? (
          <EmptyPane filtered={text !== ''} onClear={() => setText('')} />
        ) : (
          <PrivilegeTree menus={menus} offer={offer} choice={choice} onChange={onChange} />
        )}
      </div>
    </>
  )
}
