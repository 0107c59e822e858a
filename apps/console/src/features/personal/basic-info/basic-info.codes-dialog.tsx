import { Modal } from 'antd'
import { RecoveryCodes } from '../../../kit/display/RecoveryCodes.tsx'
import { useUser } from '../../../kit/api/user.ts'
import { dialogWidth } from '../../../kit/form/dialog-width.ts'

/** Closed only by its button, because the codes are shown once. */
export function CodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const loginName = useUser()?.loginName
  return (
    <Modal
      open
      title="恢复码"
      width={dialogWidth.s}
      footer={null}
      closable={false}
      keyboard={false}
      mask={{ closable: false }}
    >
      <RecoveryCodes codes={codes} loginName={loginName} okText="我已保存，关闭" onDone={onClose} />
    </Modal>
  )
}
