import type { UseQueryResult } from '@tanstack/react-query'
import { App, Modal } from 'antd'
import { useState } from 'react'
import { States } from '../../../kit/display/States.tsx'
import { abandonQuestion, useDirtyGuard } from '../../../kit/form/use-dirty-guard.ts'
import { PrivilegeChooser } from './privilege-chooser.tsx'
import { ChangeList } from './privilege-tree.tsx'
import { changesOf, type Choice, grantedChoice, type Offer } from './privilege.ts'
import '../_shared/system.css'
import { dialogWidth } from '../../../kit/form/dialog-width.ts'

type Body = { menuIds: string[]; resourceIds: string[]; canUnmask: boolean }
type Props = {
  title: string
  /** The name of the role or account whose rights are saved. */
  question: string
  /** The affected users. */
  warning: string | undefined
  offer: UseQueryResult<Offer>
  submit: { run: (body: Body) => Promise<boolean>; pending: boolean }
  onClose: () => void
}

/** The granted menus and actions. Changes are listed before they are saved. */
export function PrivilegeDialog({ title, question, warning, offer, submit, onClose }: Props) {
  const { modal, message } = App.useApp()
  const [chosen, setChosen] = useState<Choice>()
  const before = offer.data && grantedChoice(offer.data)
  const choice = chosen ?? before
  const changes = offer.data && before && choice && changesOf(offer.data, before, choice)
  const dirty = changes !== undefined && changes.added.length + changes.removed.length > 0
  useDirtyGuard(() => dirty)

  function save() {
    if (!choice || !changes) return
    if (!dirty) {
      void message.info('权限没有改动')
      return
    }
    const { menus, resources, unmask } = choice
    void modal.confirm({
      title: question,
      content: <ChangeList changes={changes} warning={warning} />,
      width: 560,
      okText: '确认保存',
      cancelText: '继续编辑',
      onOk: () => submit.run({ menuIds: [...menus], resourceIds: [...resources], canUnmask: unmask }),
    })
  }

  return (
    <Modal
      open
      title={title}
      width={dialogWidth.xl}
      okText="保存"
      cancelText="取消"
      confirmLoading={submit.pending}
      okButtonProps={{ disabled: choice === undefined }}
      mask={{ closable: false }}
      onOk={save}
      onCancel={() => (dirty ? void modal.confirm({ ...abandonQuestion, onOk: onClose }) : onClose())}
    >
      <States query={offer} rows={10}>
        {(data) => <PrivilegeChooser offer={data} choice={choice ?? grantedChoice(data)} onChange={setChosen} />}
      </States>
      {changes && (
        <p className="choice-summary" aria-live="polite">
          {dirty ? `待保存：新增 ${changes.added.length} 项，移除 ${changes.removed.length} 项` : '没有改动'}
        </p>
      )}
    </Modal>
  )
}
