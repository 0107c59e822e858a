import { App, Modal } from 'antd'
import { type ReactNode, useCallback } from 'react'
import { FailureAlert } from '../../../kit/form/FailureAlert.tsx'
import { abandonQuestion, useDirtyGuard } from '../../../kit/form/use-dirty-guard.ts'
import { dialogWidth } from '../../../kit/form/dialog-width.ts'

type Props = {
  title: string
  /** There are unsaved changes. */
  dirty: boolean
  /** Why it cannot be saved; undefined when it can. */
  problem?: string | undefined
  pending: boolean
  texts: readonly string[]
  onSave: () => void
  onClose: () => void
  children: ReactNode
}

/** A dialog to choose many rows of a list, guarded against accidental closing. */
export function MemberDialog({ title, dirty, problem, pending, texts, onSave, onClose, children }: Props) {
  const { modal } = App.useApp()
  useDirtyGuard(useCallback(() => dirty, [dirty]))
  const close = () => (dirty ? void modal.confirm({ ...abandonQuestion, onOk: onClose }) : onClose())
  return (
    <Modal
      open
      title={title}
      width={dialogWidth.xl}
      okText="保存"
      cancelText="取消"
      confirmLoading={pending}
      okButtonProps={{ disabled: problem !== undefined }}
      onOk={onSave}
      onCancel={close}
      mask={{ closable: false }}
    >
      <FailureAlert texts={problem === undefined ? texts : [problem]} />
      {children}
    </Modal>
  )
}
